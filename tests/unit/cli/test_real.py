# SPDX-License-Identifier: GPL-3.0-or-later
"""The real command as a process: real measurements, real signals, bad input."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from destutter.core.sample import Sample
from destutter.session.replay import ReplaySource
from tests.support.commands import run_real, start
from tests.support.fake_root import FakeRoot, proc_stat
from tests.support.opened_capture import open_capture
from tests.support.sampled import sampled

pytestmark = pytest.mark.slow

VMSTAT = "nr_free_pages 100\nnr_dirty 5\npgfault 7\n"
MEMINFO = "MemTotal:       16000000 kB\nMemFree:         8000000 kB\n"


@pytest.fixture
def tree(tmp_path):
    """A small captured computer that can be measured."""
    return FakeRoot(
        tmp_path / "tree",
        {"/proc/vmstat": VMSTAT, "/proc/meminfo": MEMINFO, "/proc/stat": proc_stat()},
    )


def test_watching_this_computer_gives_a_line_a_second():
    """Real counters, no warning, status 0."""
    outcome = run_real("watch", "--seconds", "2.5")
    assert outcome.status == 0, outcome.errors
    assert outcome.errors == ""
    assert 1 <= len(outcome.output.splitlines()) <= 3


def test_json_ticks_of_this_computer_are_objects():
    """One for every tick, with metrics of this kernel."""
    outcome = run_real("watch", "--seconds", "1.5", "--json")
    ticks = [json.loads(line) for line in outcome.output.splitlines()]
    assert 3 <= len(ticks) <= 16
    assert ticks[-1]["metrics"]["memory.dirty_threshold_bytes"] > 0


def test_a_captured_tree_is_watched_like_a_computer(tree):
    """Status 0 when all its files can be read."""
    outcome = run_real("watch", "--root", tree.folder, "--seconds", "1.5")
    assert (outcome.status, outcome.errors) == (0, "")


DAMAGED = {
    "cut-off": ("/proc/vmstat", b"nr_free_pages 12\nnr_dir"),
    "wrong": ("/proc/vmstat", b"nr_free_pages twelve\n"),
    "binary": ("/proc/vmstat", b"\x00\xff\xfe\x80" * 30),
    "short": ("/proc/stat", b"cpu  1 2 3\ncpu0 1"),
    "empty": ("/proc/stat", b""),
    "missing": ("/proc/vmstat", None),
}


@pytest.mark.parametrize("damage", sampled(DAMAGED, ["cut-off", "missing"]))
def test_a_damaged_file_is_named_and_costs_only_its_source(tree, damage):
    """Truncated, wrong, binary, empty or missing: one line with its path, status 1."""
    path, content = DAMAGED[damage]
    if content is None:
        tree.remove(path)
    else:
        tree.put(path, content)
    outcome = run_real("watch", "--root", tree.folder, "--seconds", "1.3")
    assert outcome.status == 1
    assert path in outcome.complaint
    assert "Traceback" not in outcome.errors
    assert outcome.output


@pytest.mark.parametrize("command", sampled(["watch", "diagnose", "doctor"], ["doctor"]))
def test_a_tree_without_anything_is_an_error(tmp_path, command):
    """An empty folder proc: nothing can be measured, and that is said."""
    (tmp_path / "proc").mkdir()
    seconds = () if command == "doctor" else ("--seconds", "1")
    outcome = run_real(command, "--root", tmp_path, *seconds)
    assert outcome.status == 1
    assert "nothing can be measured" in outcome.complaint


def _wait_for(condition):
    give_up = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_a_recording_that_can_be_read(tmp_path, number):
    """Ctrl-C, as the terminal sends it to the whole group, or a plain kill: status 0."""
    out = tmp_path / "a.destutter"
    with start("record", "--out", out, process_group=0) as process:
        _wait_for(lambda: out.exists() and out.stat().st_size > 6_000)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
    assert output.startswith("Recorded ")
    source = ReplaySource(out)
    assert any(isinstance(message, Sample) for message in source.messages())
    assert source.problems == ()
    source.close()


def test_an_interrupt_ends_watching(tmp_path):
    """Ctrl-C while watching is the normal end."""
    with start("watch", process_group=0) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")


def test_a_reader_that_has_seen_enough_is_no_error():
    """``destutter watch | head -1`` is quiet."""
    with start("watch", "--json", "--seconds", "30") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=30) == 0
    assert errors == ""


def test_a_process_that_ends_ends_the_recording_of_it(tmp_path):
    """One line says so, status 1, and what was recorded is kept."""
    out = tmp_path / "a.destutter"
    with (
        subprocess.Popen(["sleep", "60"]) as game,
        start("record", "--out", out, "--pid", str(game.pid)) as process,
    ):
        _wait_for(lambda: out.exists() and out.stat().st_size > 6_000)
        game.kill()
        game.wait()
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"process {game.pid} has ended" in errors
    assert "are kept" in errors
    assert len(errors.splitlines()) == 1


def test_a_process_that_is_gone_already():
    """Its number names nobody any more."""
    with subprocess.Popen(["true"]) as game:
        game.wait()
    outcome = run_real("watch", "--pid", str(game.pid))
    assert (outcome.status, outcome.complaint) == (1, f"there is no process {game.pid}")


def test_a_disk_without_room_ends_the_recording(tmp_path):
    """A limit on the size of files stands for a full disk: one line, the rest can be read."""

    out = tmp_path / "a.destutter"
    outcome = run_real("record", "--out", out, "--seconds", "40", max_file_bytes=12_000)
    assert outcome.status == 1
    assert "are kept" in outcome.complaint
    source = ReplaySource(out)
    assert any(isinstance(message, Sample) for message in source.messages())
    source.close()


@pytest.mark.parametrize("text", sampled(["0", "-3", "soon"], ["soon"]))
def test_wrong_usage_through_the_real_command(text):
    """One line, status 2."""
    outcome = run_real("watch", "--seconds", text)
    assert outcome.status == 2
    assert text in outcome.complaint


def test_a_terminal_without_the_letters_still_gets_its_line(tree):
    """An old locale has no dots and dashes of ours: question marks instead of an error."""
    outcome = run_real(
        "watch",
        *("--root", tree.folder, "--seconds", "1.5"),
        environment={"PYTHONIOENCODING": "ascii:strict"},
    )
    assert (outcome.status, outcome.errors) == (0, "")
    assert "Measuring?" in outcome.output


def test_one_reading_of_a_slow_source_is_a_measurement(tmp_path):
    """A source that is read once while the doctor looks is offered by this computer."""
    archive = Path(__file__).parents[2] / "data" / "roots" / "synthetic-amdgpu-laptop.tar.gz"
    open_capture(archive, tmp_path)
    told = json.loads(run_real("doctor", "--json", "--root", tmp_path).output)
    measured = {each["id"] for each in told["sources"] if each["is_measured"]}
    assert measured >= {"cpu", "cpuidle", "zram", "gpu", "gpu_engine", "gpu_region", "cpufreq"}
    assert "throttle" not in measured
