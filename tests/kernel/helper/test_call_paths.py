# SPDX-License-Identifier: GPL-3.0-or-later
"""The call path of a wait on the running kernel: of whose threads, and what of it leaves."""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from destutter.sampling.tracing.formats import record_layout
from destutter.sampling.tracing.page_reader import KnownEvent, PageReader
from destutter_helper.api.call_path import MOST_FUNCTIONS, UNNAMED, is_function
from destutter_helper.api.trace_events import SETUPS
from destutter_helper.api.tracing import PATHS, Formats
from tests.support.bus_kit import PYTHON
from tests.support.trace_lender import TraceLender

NOBODY, SOMEBODY = 65534, 61004
UNINTERRUPTIBLE, SWITCH = 2, "sched/sched_switch"
# Writes that wait for the drive: a sleep in the kernel each.
SAVER = """
import os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR)
for _line in sys.stdin:
    for at in range(20):
        os.pwrite(descriptor, os.urandom(4096), at * 4096)
        os.fsync(descriptor)
    print("saved", flush=True)
"""


@pytest.fixture
def lender(alone: None) -> Iterator[TraceLender]:
    """A confined helper's grants, on a tracefs of its own mounts."""
    with TraceLender() as lender:
        yield lender
        assert [
            name for name in lender.ask("names", path="instances") if "destutter-" in name
        ] == []


class Saver:
    """A program of a user's that saves when it is told to."""

    def __init__(self, uid: int, path: Path) -> None:
        path.write_bytes(bytes(80 * 1024))
        os.chown(path, uid, uid)
        self._process = subprocess.Popen(
            [PYTHON, "-I", "-c", SAVER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            user=uid,
            group=uid,
            extra_groups=[],
            cwd="/",
        )
        self.pid = self._process.pid

    def save(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == b"saved\n"

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def folder() -> Iterator[Path]:
    """On a drive, and open to everybody."""
    made = Path("/var/tmp/destutter-test-paths")
    made.mkdir()
    made.chmod(0o755)
    yield made
    for path in made.iterdir():
        path.unlink()
    made.rmdir()


@pytest.fixture
def savers(folder: Path) -> Iterator[dict[int, Saver]]:
    """One of the caller's, and one of somebody else's."""
    with contextlib.ExitStack() as opened:
        made = {uid: Saver(uid, folder / str(uid)) for uid in (NOBODY, SOMEBODY)}
        for each in made.values():
            opened.callback(each.close)
        yield made


def sleeps_of(tid: int, rings: list[int], formats: Formats) -> list[int]:
    """When a thread went to sleep without a signal being able to end it."""
    fields = ("prev_pid", "prev_state")
    size, unpack = record_layout(SWITCH, formats.events[SWITCH], fields)
    known = {formats.events[SWITCH].id: KnownEvent(size, lambda *_: None, is_whole=True)}
    reader = PageReader(formats.page, known)
    found: list[Any] = []
    for ring in rings:
        with contextlib.suppress(BlockingIOError):
            while page := os.read(ring, formats.page.size):
                reader.read(page, found)
    went = [(time_ns, *unpack(page, at)) for time_ns, _known, page, at in found]
    return sorted(at for at, *who in went if who == [tid, UNINTERRUPTIBLE])


def begin(lender: TraceLender) -> tuple[str, Formats, list[int], int]:
    id_, formats, hold = lender.begin(NOBODY, game=True, expert=True)
    count = len(formats.cpus) * len(formats.instances)
    rings = [ring for first in range(0, count, 16) for ring in lender.rings(id_, first)]
    return id_, formats, rings, hold


def end(lender: TraceLender, id_: str, rings: list[int], hold: int) -> None:
    lender.ask("end", id=id_)
    lender.close(*rings, hold)
    lender.ask("look")


def test_the_way_into_a_wait_is_told_by_names(lender: TraceLender, savers: Any) -> None:
    """Of a save that waits for the drive; nothing but names, and so many of them."""
    saver = savers[NOBODY]
    id_, formats, rings, hold = begin(lender)
    lender.ask("tasks", id=id_, pids=[saver.pid])
    saver.save()
    sleeps = sleeps_of(saver.pid, rings, formats)
    assert sleeps
    told = [lender.ask("functions", id=id_, thread=saver.pid, begin_ns=at) for at in sleeps[:20]]
    for functions in told:
        assert 3 < len(functions) <= MOST_FUNCTIONS
        assert all(name == UNNAMED or is_function(name) for name in functions)
        assert "schedule" in functions
    assert any("do_fsync" in functions for functions in told)
    end(lender, id_, rings, hold)


def test_a58_no_address_leaves_whatever_was_set_for_the_whole_kernel(
    lender: TraceLender, savers: Any
) -> None:
    """Who has set that texts hold addresses has them in the top instance, and not in ours."""
    saver = savers[NOBODY]
    options = ("options/sym-addr", "options/sym-offset")
    for path in options:
        lender.ask("set", path=path, text="1")
    try:
        id_, formats, rings, hold = begin(lender)
    finally:
        for path in options:
            lender.ask("set", path=path, text="0")
    lender.ask("tasks", id=id_, pids=[saver.pid])
    saver.save()
    (at, *_) = sleeps_of(saver.pid, rings, formats)
    functions = lender.ask("functions", id=id_, thread=saver.pid, begin_ns=at)
    assert "schedule" in functions
    assert not [name for name in functions if "0x" in name or "+" in name]
    end(lender, id_, rings, hold)


def test_a58_somebody_elses_wait_is_not_told(lender: TraceLender, savers: Any) -> None:
    """Not though it slept beside the game, and not by any number of the kernel's own threads."""
    own, other = savers[NOBODY], savers[SOMEBODY]
    id_, _formats, rings, hold = begin(lender)
    lender.ask("tasks", id=id_, pids=[own.pid])
    other.save()
    now_ns = time.monotonic_ns()
    for thread in (other.pid, 1, os.getpid()):
        answer = lender.ask("functions", id=id_, thread=thread, begin_ns=now_ns)
        assert answer["error"] == "NotAuthorized"
    end(lender, id_, rings, hold)


def test_a58_the_records_with_the_stacks_are_nobodys(lender: TraceLender) -> None:
    """They are recorded in an instance of which no descriptor is lent."""
    id_, formats, rings, hold = begin(lender)
    assert PATHS not in formats.instances
    assert len(rings) == len(formats.instances) * len(formats.cpus)
    place = f"instances/destutter-{id_}"
    assert lender.ask("read", path=f"{place}-{PATHS}/options/stacktrace").strip() == "1"
    for kind in formats.instances:
        assert lender.ask("read", path=f"{place}-{kind}/options/stacktrace").strip() == "0"
    assert not [ring for ring in rings if PATHS in os.readlink(f"/proc/self/fd/{ring}")]
    end(lender, id_, rings, hold)


@pytest.mark.parametrize("kind", SETUPS)
def test_a53_a_squatted_name_is_left_alone(alone: None, kind: str) -> None:
    """mkdir refuses, and what is there stays as it was: its clock, its size, what it records."""
    id_ = "0123456789abcdef" * 2
    place = f"instances/destutter-{id_}-{kind}"
    with TraceLender() as lender:
        lender.ask("mkdir", path=place)
        try:
            lender.ask("set", path=f"{place}/events/oom/enable", text="1")
            files = ("trace_clock", "buffer_size_kb", "set_event", "options/stacktrace")
            before = {name: lender.ask("read", path=f"{place}/{name}") for name in files}
            answer = lender.ask("make", id=id_, kind=kind)
            assert answer["error"] == "Refused"
            assert {name: lender.ask("read", path=f"{place}/{name}") for name in files} == before
        finally:
            lender.ask("set", path=f"{place}/events/enable", text="0")
            lender.ask("rmdir", path=place)
