# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter trace`` in a terminal: the real helper on a bus of its own; tracefs is played."""

import contextlib
import json
import os
import signal
import subprocess
import time

import pytest

from destutter.core.sample import Facts, Sample, Trouble
from destutter.core.traced import TraceLook
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource
from destutter_helper.api.trace_events import SETUPS
from tests.support import built_pages, fake_tracefs, scratch_tree
from tests.support.built_pages import PageBuilder, record_of
from tests.support.bus_kit import eventually
from tests.support.commands import run_real, start

FORMATS = built_pages.recorded_formats()
DRIVE = 8 << 20 | 0xABCDE  # none of this computer


@pytest.fixture
def tree(tmp_path):
    """A scratch tree with a tracefs of two processors, whose events are those of a 6.18 kernel."""
    root = scratch_tree.build(tmp_path / "tree")
    place = fake_tracefs.build(root) / "template"
    for name, event in FORMATS.events.items():
        text = fake_tracefs.format_text(event.id, event.fields)
        (place / "events" / name / "format").write_text(text)
    return root


@pytest.fixture
def granted(bus):
    """The bus with polkit granting a trace."""
    bus.allow("trace")
    return bus


@pytest.fixture
def game(tree):
    """A program of this user that sleeps; its number."""
    with subprocess.Popen(["sleep", "60"]) as process:
        fake_tracefs.add_process(tree, process.pid, os.getuid(), name="sleep")
        yield process.pid
        process.kill()


def fill(tree, cpu, *records):
    """What the next instances have in the rings of a processor: (ms ago, event, values)."""
    now_ns = time.monotonic_ns()
    for kind, setup in SETUPS.items():
        builder = PageBuilder(FORMATS.page, now_ns - 10**9)
        recorded = [each for each in records if each[1] in setup.events]
        for ago_ms, event, values in recorded:
            builder.event(now_ns - ago_ms * 10**6, record_of(FORMATS.events[event], **values))
        if not recorded:
            continue
        place = tree / fake_tracefs.TRACING / f"template-{kind}/per_cpu/cpu{cpu}/trace_pipe_raw"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(builder.bytes())


def words(bus, *more):
    """The command, and where its system bus is."""
    return ("trace", *more), {"DBUS_SYSTEM_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"}


def run(bus, *more):
    """The command to its end."""
    arguments, environment = words(bus, *more)
    return run_real(*arguments, environment=environment)


def instances(tree):
    return list((tree / fake_tracefs.TRACING / "instances").iterdir())


THROTTLED = "vmscan/mm_vmscan_throttled"


def requested(pid):
    """A request of 43 ms, of which 3 before the drive had it."""
    where = {"dev": DRIVE, "sector": 2048, "nr_sector": 8}
    asked = {**where, "common_pid": pid, "rwbs": "R", "comm": "reader"}
    return (
        (90, "block/block_bio_queue", asked),
        (87, "block/block_rq_issue", {**where, "rwbs": "R"}),
        (47, "block/block_rq_complete", where),
    )


def test_waits_and_requests_are_a_table(granted, tree, game):
    """Whose, of what kind, how long; where the time of a request went; the sum and the cost."""
    fill(tree, 0, *requested(game), (40, THROTTLED, {"common_pid": game, "usec_delayed": 12_000}))
    ran = run(granted, "--seconds", "0.4")
    assert (ran.status, ran.errors) == (0, "")
    lines = ran.output.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert lines[0].split() == ["time", "length", "what", "who", "more"]
    assert lines[1].split()[1:] == (
        f"43 ms read 8:{0xABCDE} reader {game} queue 3 ms, drive 40 ms".split()
    )
    assert lines[2].split()[1:] == f"12 ms held back for free memory sleep {game}".split()
    assert lines[3:5] == ["", "Long waits: 1. Slow requests: 1 of 1."]
    assert lines[5].startswith("4 events read with ")
    assert instances(tree) == []


def test_with_a_game_its_own_instance_is_read_too(granted, tree, game):
    """And only the waits of the game are told."""
    fill(
        tree,
        1,
        (40, THROTTLED, {"common_pid": game, "usec_delayed": 12_000}),
        (30, THROTTLED, {"common_pid": os.getpid(), "usec_delayed": 12_000}),
    )
    ran = run(granted, "--game", str(game), "--seconds", "0.3")
    assert (ran.status, ran.errors) == (0, "")
    assert "Long waits: 1. Slow requests: 0 of 0." in ran.output


def test_an_expert_has_a_fourth_instance_of_a_game_that_is_named(granted, tree, game):
    """And the wait for the card is one like any other; without a game there is nothing to see."""
    granted.allow("trace-expert")
    ran = run(granted, "--expert")
    assert ran.status == 1
    assert "--expert is for a game; name it with --game" in ran.errors
    arguments, environment = words(granted, "--game", str(game), "--expert", "--json")
    with start(*arguments, environment=environment) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["tallies"] == []
        kinds = sorted(each.name.rpartition("-")[2] for each in instances(tree))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert kinds == ["drives", "expert", "game", "paths", "waits"]
    assert granted.questions()[-1]["action"] == "io.github.destutter.trace-expert"
    assert instances(tree) == []


def test_json_is_one_object_for_each_look(granted, tree, game):
    """For programs; the same with names."""
    fill(tree, 1, *requested(game))
    ran = run(granted, "--json", "--seconds", "0.3")
    assert (ran.status, ran.errors) == (0, "")
    first = json.loads(ran.output.splitlines()[0])
    (request,) = first["requests"]
    assert request["thread"] == {"tid": game, "name": "reader", "pid": game}
    assert (request["queue_ns"], request["device_ns"]) == (3_000_000, 40_000_000)
    assert first["counts"] == {"events": 3, "requests": 1}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_cleanly(granted, tree, number):
    """With the sum, and nothing left in the kernel."""
    arguments, environment = words(granted)
    with start(*arguments, environment=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("time")
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
    assert "Long waits: 0." in output
    assert instances(tree) == []


def test_a_trace_that_the_helper_ends_is_over(granted, tree):
    """As when it is stopped, or after four hours: that is said, and what was found is told."""
    arguments, environment = words(granted)
    with start(*arguments, environment=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("time")
        granted.helper.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Long waits: 0." in output
    assert errors == "destutter: the helper has ended the trace\n"


def test_a_trace_ends_with_its_game(granted, tree):
    """It went on with the requests of others, and nobody said why the game had no waits."""
    with subprocess.Popen(["sleep", "60"]) as game:
        fake_tracefs.add_process(tree, game.pid, os.getuid(), name="sleep")
        arguments, environment = words(granted, "--game", str(game.pid))
        with start(*arguments, environment=environment) as process:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("time")
            game.kill()
            output, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Long waits: 0." in output
    assert errors == f"destutter: {game.pid} has ended, and the trace with it\n"
    assert instances(tree) == []


def test_a_command_that_is_killed_leaves_nothing(granted, tree):
    """Neither in the kernel, nor a process that reads on."""
    arguments, environment = words(granted)
    with start(*arguments, environment=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("time")
        process.kill()
    eventually(lambda: instances(tree) == [])


def test_a_no_of_polkit_is_said(bus, tree):
    """In the words of the helper."""
    ran = run(bus)
    assert (ran.status, ran.complaint) == (1, "no right to do this, or a wrong password")
    assert [each["action"] for each in bus.questions()] == ["io.github.destutter.trace"]


def test_a_computer_without_tracefs_is_said(granted, tree):
    """Before anybody is asked for a password."""
    (tree / fake_tracefs.TRACING).rename(tree / "elsewhere")
    assert "nothing is mounted at /sys/kernel/tracing" in run(granted).complaint


def test_a_helper_that_is_not_there_is_said(quiet_bus):
    """And how to get it."""
    complaint = run(quiet_bus).complaint
    assert complaint.startswith("The helper is not installed. Install it")


def test_somebody_elses_program_is_refused(granted, tree, game):
    """By the helper, which says whose it is not."""
    fake_tracefs.add_process(tree, game, os.getuid() + 1, name="sleep")
    complaint = run(granted, "--game", str(game)).complaint
    assert complaint == f"process {game} belongs to somebody else"
    assert instances(tree) == []


def measured(bus, *more):
    """A command that measures the running computer with a trace, to its end."""
    environment = {"DBUS_SYSTEM_BUS_ADDRESS": bus.address, "LC_ALL": "C.UTF-8"}
    return run_real(*more, "--trace", "--seconds", "1.5", environment=environment)


def recorded(path):
    """The messages of a recording."""
    source = ReplaySource(path)
    with contextlib.closing(source):
        return list(source.messages())


def test_a_recording_with_a_trace_has_what_it_found(granted, tree, game, tmp_path):
    """The waits, whose waits for a core were wanted, and looks up to the end of the samples."""
    fill(tree, 0, *requested(game), (40, THROTTLED, {"common_pid": game, "usec_delayed": 12_000}))
    out = tmp_path / "a.destutter"
    ran = measured(granted, "record", "--pid", str(game), "--out", str(out))
    assert (ran.status, ran.errors) == (0, "")
    messages = recorded(out)
    looks = [each for each in messages if isinstance(each, TraceLook)]
    assert {wait.thread.pid for look in looks for wait in look.waits} == {game}
    assert [request.duration_ns for look in looks for request in look.requests] == [43_000_000]
    facts = [each.facts for each in messages if isinstance(each, Facts)]
    assert [each["trace.game"] for each in facts if "trace.game" in each] == [str(game)]
    last = max(each.monotonic_ns for each in messages if isinstance(each, Sample))
    assert looks[-1].end_ns > last - 300_000_000  # the last look is one more
    eventually(lambda: instances(tree) == [])


def has_any(out, kind):
    """Whether a recording that runs has a message of the trace's or of the sampler's."""
    with contextlib.suppress(OSError, RecordingError):  # not made, or still empty
        found = (each for each in recorded(out) if isinstance(each, kind))
        return any(kind is Sample or each.source == "trace" for each in found)
    return False


def last_sample_ns(out):
    return max(each.monotonic_ns for each in recorded(out) if isinstance(each, Sample))


def untold_ns(out):
    """How long before the last sample of a recording its trace ends."""
    looks = [each.end_ns for each in recorded(out) if isinstance(each, TraceLook)]
    return last_sample_ns(out) - max(looks, default=0)


@contextlib.contextmanager
def recording(granted, game, out):
    """One of a game, with a trace, that has begun."""
    words_ = ("record", "--trace", "--pid", str(game), "--out", str(out))
    _, environment = words(granted)
    with start(*words_, environment=environment) as process:
        eventually(lambda: has_any(out, Sample))
        yield process


def test_a_recording_that_is_stopped_has_the_trace_to_its_end(granted, tree, game, tmp_path):
    """What had not been told yet, as nothing took long, is of the last second or two."""
    out = tmp_path / "a.destutter"
    with recording(granted, game, out) as process:
        eventually(lambda: untold_ns(out) > 300_000_000)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert untold_ns(out) < 50_000_000
    eventually(lambda: instances(tree) == [])


def test_a_recording_says_when_the_helper_has_ended_the_trace(granted, tree, game, tmp_path):
    """Rings that are empty for that do not say that nothing happens: no look comes any more."""
    out = tmp_path / "a.destutter"
    with recording(granted, game, out) as process:
        granted.helper.send_signal(signal.SIGTERM)
        granted.helper.wait(30)
        ended_ns = time.monotonic_ns()
        eventually(lambda: has_any(out, Trouble))
        eventually(lambda: last_sample_ns(out) > ended_ns + 3_000_000_000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert "goes on without the kernel's trace: the helper has ended the trace" in errors
    looks = [each for each in recorded(out) if isinstance(each, TraceLook)]
    assert looks[-1].end_ns < ended_ns + 1_500_000_000


def test_a_recording_goes_on_without_a_trace_that_is_refused(bus, tmp_path):
    """That is said at once, is in the recording too, and is the exit status."""
    out = tmp_path / "a.destutter"
    ran = measured(bus, "record", "--out", str(out))
    assert (ran.status, ran.complaint) == (
        1,
        "goes on without the kernel's trace: no right to do this, or a wrong password",
    )
    messages = recorded(out)
    assert any(isinstance(each, Sample) for each in messages)
    # In English before that, for readers of older versions.
    *_, trouble = (
        each for each in messages if isinstance(each, Trouble) and each.source == "trace"
    )
    assert trouble.reason is not None
    assert trouble.reason.id == "helper.right.denied"


def test_measuring_goes_on_without_a_helper(quiet_bus):
    """And says how to get it."""
    complaint = measured(quiet_bus, "diagnose").complaint
    assert complaint.startswith("goes on without the kernel's trace: The helper is not installed.")


def test_a_game_of_somebody_else_is_traced_but_for_its_cores(granted, tree, game, tmp_path):
    """The helper says whose it is not; the waits of the whole computer are there all the same."""
    fake_tracefs.add_process(tree, game, os.getuid() + 1, name="sleep")
    fill(tree, 0, *requested(game))
    out = tmp_path / "a.destutter"
    ran = measured(granted, "record", "--pid", str(game), "--out", str(out))
    assert (ran.status, ran.complaint) == (
        1,
        f"the game's waits for a core are not recorded: process {game} belongs to somebody else",
    )
    messages = recorded(out)
    assert any(each.requests for each in messages if isinstance(each, TraceLook))
