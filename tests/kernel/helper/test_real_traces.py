# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces on the running kernel: what is seen, of whom, and what is left when somebody dies."""

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Self

import pytest

from destutter_helper.api.trace_events import SETUPS
from destutter_helper.api.tracing import Formats
from destutter_helper.trace_set import shows_addresses
from tests.support import trace_lender
from tests.support.bus_kit import PYTHON
from tests.support.real_kernel import LoopDevice
from tests.support.trace_lender import TraceLender
from tests.support.trace_pages import Record, records

NOBODY, SOMEBODY = 65534, 61004
RESTLESS = """
import os, sys, threading, time
def work():
    print(threading.get_native_id(), flush=True)
    while True:
        time.sleep(0.002)
threading.Thread(target=work, daemon=True).start()
for _line in sys.stdin:
    threading.Thread(target=work, daemon=True).start()
os._exit(0)
"""


@pytest.fixture
def lender(alone: None) -> Iterator[TraceLender]:
    """A confined helper's grants, on a tracefs of its own mounts."""
    with TraceLender() as lender:
        yield lender
        left = [name for name in lender.ask("names", path="instances") if "destutter-" in name]
        assert left == []


@pytest.fixture
def restless() -> Iterator[Callable[[int], "Restless"]]:
    """Start a program of a user's whose threads sleep and wake."""
    with contextlib.ExitStack() as started:
        yield lambda uid: started.enter_context(Restless(uid))


class Restless:
    """The program: its process, and the number of each thread that works."""

    def __init__(self, uid: int) -> None:
        self._process = subprocess.Popen(
            [PYTHON, "-I", "-c", RESTLESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            user=uid,
            group=uid,
            extra_groups=[],
            cwd="/",
        )
        self.pid = self._process.pid
        self.tids = [self._next()]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def grow(self) -> int:
        """One thread more; its number."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        self.tids.append(self._next())
        return self.tids[-1]

    def _next(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


def read(rings: list[int], formats: Formats) -> list[Record]:
    """All that lies in the rings now; empty and "again" both mean nothing more."""
    found = []
    for ring in rings:
        with contextlib.suppress(BlockingIOError):
            while page := os.read(ring, formats.page.size):
                found += records(page, formats)
    return found


def read_until(
    rings: list[int], formats: Formats, is_enough: Callable[[list[Record]], bool]
) -> list[Record]:
    """What comes in until it is enough."""
    found, give_up = read(rings, formats), time.monotonic() + 10
    while not is_enough(found):
        assert time.monotonic() < give_up, f"only {len(found)} events came"
        time.sleep(0.05)
        found += read(rings, formats)
    return found


def use(loop: LoopDevice) -> None:
    """One request that no cache answers."""
    command = ["dd", f"if=/dev/{loop.name}", "of=/dev/null", "bs=4096", "count=1", "iflag=direct"]
    subprocess.run(command, check=True, capture_output=True)


def test_a48_no_event_of_the_list_shows_addresses(lender: TraceLender) -> None:
    """What this kernel has of the list is recorded, and none of it has a field of an address."""
    id_, formats, hold = lender.begin(NOBODY, game=True, expert=True)
    listed = [event for setup in SETUPS.values() for event in setup.events]
    groups = lender.ask("names", path="events")
    for event in listed:
        group, name = event.split("/")
        is_there = group in groups and name in lender.ask("names", path=f"events/{group}")
        assert (event in formats.events) == is_there
        assert (event in formats.missing) != is_there
    assert not any(map(shows_addresses, formats.events.values()))
    lender.ask("end", id=id_)
    lender.close(hold)


@pytest.fixture(params=["0", "1"])
def others(lender: TraceLender, request: pytest.FixtureRequest) -> Iterator[None]:
    """Somebody else has set for the whole kernel, or not, that each record gets its stack."""
    options = [f"options/{name}" for name in ("stacktrace", "userstacktrace")]
    before = {path: lender.ask("read", path=path).strip() for path in options}
    for path in options:
        lender.ask("set", path=path, text=request.param)
    yield
    for path, text in before.items():
        lender.ask("set", path=path, text=text)


@pytest.mark.usefixtures("others")
def test_a48_no_stack_is_recorded(lender: TraceLender) -> None:
    """Nothing that would hold true addresses is switched on, in any instance."""
    id_, formats, hold = lender.begin(NOBODY, game=True)
    for kind in formats.instances:
        place = f"instances/destutter-{id_}-{kind}"
        switched = lender.ask("read", path=f"{place}/set_event").split()
        assert {name.replace(":", "/") for name in switched} <= set(formats.events)
        for option in ("stacktrace", "userstacktrace", "func_stack_trace"):
            assert lender.ask("read", path=f"{place}/options/{option}").strip() == "0"
        assert "[mono]" in lender.ask("read", path=f"{place}/trace_clock")
        assert lender.ask("read", path=f"{place}/current_tracer").strip() == "nop"
    lender.ask("end", id=id_)
    lender.close(hold)


def test_requests_of_drives_are_seen(lender: TraceLender, loop: LoopDevice) -> None:
    """Each with who asked; by somebody without any rights, who may not write or open it anew."""
    id_, formats, hold = lender.begin(NOBODY, game=False)
    rings = lender.rings(id_)
    assert len(rings) == 2 * len(formats.cpus)
    read(rings, formats)
    use(loop)
    polled = select.poll()
    for ring in rings:
        polled.register(ring, select.POLLIN)
    assert polled.poll(1000)  # a few records are enough: a reader asks before it reads
    found = read_until(rings, formats, lambda all_: any("bio_queue" in one.name for one in all_))
    assert any(one.numbers["common_pid"] for one in found if one.name == "block/block_bio_queue")
    for ring in rings:
        assert not os.get_blocking(ring)
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.write(ring, b"x")
    lender.ask("end", id=id_)
    lender.close(*rings, hold)
    lender.ask("look")


def test_a49_descriptors_kept_after_the_end_show_nothing(
    lender: TraceLender, loop: LoopDevice
) -> None:
    """Stopped and emptied, whatever happens on the computer; gone when they are closed."""
    id_, formats, hold = lender.begin(NOBODY, game=False)
    rings = lender.rings(id_)
    lender.ask("end", id=id_)
    place = f"destutter-{id_}-drives"
    assert place in lender.ask("names", path="instances")
    assert lender.ask("read", path=f"instances/{place}/tracing_on").strip() == "0"
    assert lender.ask("read", path=f"instances/{place}/set_event") == ""
    assert int(lender.ask("read", path=f"instances/{place}/buffer_size_kb").split()[0]) < 64
    read(rings, formats)
    use(loop)
    other, _formats, other_hold = lender.begin(NOBODY, game=False)  # it never uses the old one
    use(loop)
    assert read(rings, formats) == []
    lender.ask("end", id=other)
    lender.close(*rings, hold, other_hold)
    lender.ask("look")
    assert place not in lender.ask("names", path="instances")


def test_only_the_games_threads_are_watched(
    lender: TraceLender, restless: Callable[[int], Restless]
) -> None:
    """All of a process by one number, new ones too; of others only what is beside them."""
    game, _stranger = restless(NOBODY), restless(NOBODY)
    id_, formats, hold = lender.begin(NOBODY, game=True)
    all_rings = lender.rings(id_)
    rings = all_rings[-len(formats.cpus) :]
    assert all(wake & softirq_threads() for wake in wakes(read(rings, formats)))
    assert lender.ask("tasks", id=id_, pids=[game.tids[0]]) == {}
    late = game.grow()

    def woken(found: list[Record]) -> set[int]:
        return {one.numbers["pid"] for one in found if one.name == "sched/sched_waking"}

    found = read_until(rings, formats, lambda all_: {game.tids[0], late} <= woken(all_))
    switches = [one.numbers for one in found if one.name == "sched/sched_switch"]
    seen = {game.pid, *game.tids, *softirq_threads()}
    assert all({one["prev_pid"], one["next_pid"]} & seen for one in switches)
    assert all(wake & seen for wake in wakes(found))
    lender.ask("end", id=id_)
    lender.close(*all_rings, hold)
    lender.ask("look")


def wakes(found: list[Record]) -> list[set[int]]:
    """Of each, who is woken and who ran at the time.

    A timer may wake a stranger while a thread of the game runs, and the kernel records what the
    listed threads do (in one run of six on two processors).
    """
    numbers = [one.numbers for one in found if one.name == "sched/sched_waking"]
    return [{one["pid"], one["common_pid"]} for one in numbers]


def softirq_threads() -> set[int]:
    found = subprocess.run(["pgrep", "^ksoftirqd/"], capture_output=True, text=True, check=True)
    return set(map(int, found.stdout.split()))


def test_a47_processes_of_others_are_refused(
    lender: TraceLender, restless: Callable[[int], Restless]
) -> None:
    """Of another user, of root, of the kernel; the list stays as it was."""
    own, other = restless(NOBODY), restless(SOMEBODY)
    id_, _formats, hold = lender.begin(NOBODY, game=True)
    lender.ask("tasks", id=id_, pids=[own.pid])
    listed = lender.ask("read", path=f"instances/destutter-{id_}-game/set_event_pid")
    for pid in (other.pid, other.tids[0], os.getpid(), 1, min(softirq_threads())):
        answer = lender.ask("tasks", id=id_, pids=[own.pid, pid])
        assert answer["error"] == "NotAuthorized"
    assert lender.ask("tasks", id=id_, pids=[4194304])["error"] == "Refused"
    assert lender.ask("read", path=f"instances/destutter-{id_}-game/set_event_pid") == listed
    assert set(map(int, listed.split())) == {own.pid, *own.tids, *softirq_threads()}
    lender.ask("end", id=id_)
    lender.close(hold)


@pytest.mark.parametrize("game", [False, True])
def test_f70_a_killed_helper_stops_the_recording(
    alone: None, loop: LoopDevice, game: bool
) -> None:
    """kill -9: the kernel itself stops it and frees the ring; the next start removes the rest."""
    with TraceLender() as killed:
        id_, formats, hold = killed.begin(NOBODY, game=game)
        rings = killed.rings(id_)
        killed.kill()
        read(rings, formats)
        use(loop)
        assert read(rings, formats) == []
        with TraceLender() as after:
            for kind in formats.instances:
                place = f"instances/destutter-{id_}-{kind}"
                assert after.ask("read", path=f"{place}/tracing_on").strip() == "0"
                assert int(after.ask("read", path=f"{place}/buffer_size_kb").split()[0]) < 64
            killed.close(*rings, hold)
            after.ask("look")
            assert not [name for name in after.ask("names", path="instances") if id_ in name]


def test_f72_missing_events_do_not_matter(lender: TraceLender) -> None:
    """What is left out here is named, and what is there has the numbers of this kernel."""
    id_, formats, hold = lender.begin(NOBODY, game=False)
    for event, form in formats.events.items():
        assert f"ID: {form.id}\n" in lender.ask("read", path=f"events/{event}/format")
    assert set(formats.missing) | set(formats.events) == {
        *SETUPS["waits"].events,
        *SETUPS["drives"].events,
    }
    lender.ask("end", id=id_)
    lender.close(hold)


@pytest.mark.parametrize(
    ("mounts", "error"),
    [(trace_lender.READ_ONLY, "Refused"), (trace_lender.ABSENT, "Unsupported")],
)
def test_f73_a_tracefs_that_is_closed_is_told_in_words(
    alone: None, mounts: str, error: str
) -> None:
    """Read-only, or something else in its place: an answer, and the process goes on."""
    with TraceLender(mounts) as lender:
        for _ in range(2):
            assert lender.ask("begin", uid=NOBODY, game=True)["error"] == error


def test_f73_a_locked_kernel_is_told_in_words(alone: None) -> None:
    """Why is read where the kernel says it, which is a file system of its own."""
    with TraceLender(trace_lender.LOCKED) as lender:
        told = lender.ask("begin", uid=NOBODY, game=True)
        assert told["error"] == "Unsupported"
        assert "locked" in told["text"]
