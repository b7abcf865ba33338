# SPDX-License-Identifier: GPL-3.0-or-later
"""Lent files beside a lender that errs; with the real one: tests/dbus/test_lender.py."""

import threading
from collections.abc import Sequence

import pytest

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError
from destutter.core.lender_client import File, LenderAwayError, LenderClient
from destutter.core.lent_files import LentFiles
from destutter_helper.api import lending


class ScriptedLender(LenderClient):
    """Tells of each file which one it is, and notes what was asked for."""

    def __init__(self, outcomes: dict[str, str] | None = None) -> None:
        super().__init__("unix:path=/nowhere")
        self.asked: list[list[File]] = []
        self._outcomes = outcomes or {}

    def tasks(self, pid: int = 0) -> list[int]:
        """Forty of each."""
        return list(range(100, 140))

    def tell(self, files: Sequence[File]) -> list[tuple[str, str]]:
        """What each says."""
        self.asked.append(list(files))
        return [(self._outcomes.get(each[2], ""), f"{each}") for each in files]


def test_threads_come_with_the_one_that_is_asked_for():
    """A look at 40 threads waits for a few answers, and the one after it for one."""
    now_ns = [0]
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: now_ns[0])
    for look in range(2):
        now_ns[0] = look * 100_000_000
        for tid in files.list_names("/proc/7/task"):
            assert (
                files.read_bytes(f"/proc/7/task/{tid}/stat") == b"(7, %s, 'stat')" % tid.encode()
            )
    assert [len(asked) for asked in lender.asked] == [1, 1, 1, 1, 37, 41]


def test_what_a_tick_asks_for_comes_with_the_first_message():
    """As in the tick before; of more than a message holds those behind with the next one."""
    now_ns = [0]
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: now_ns[0])
    for tick in range(3):
        now_ns[0] = tick * 100_000_000
        for name in ("io", "wchan"):
            assert files.read_bytes(f"/proc/7/{name}") == f"(7, 0, '{name}')".encode()
    assert [len(asked) for asked in lender.asked] == [1, 1, 2, 2]
    for tick in range(2):
        lender.asked.clear()
        now_ns[0] = 1_000_000_000 + tick * 100_000_000
        for tid in files.list_names("/proc/7/task"):
            for name in ("schedstat", "wchan", "stat"):
                path = f"/proc/7/task/{tid}/{name}"
                assert files.read_bytes(path) == f"(7, {tid}, '{name}')".encode()
    assert [len(asked) for asked in lender.asked] == [48, 48, 25]


def test_another_order_than_in_the_tick_before_takes_no_message_more():
    """The last one of then is the first one of now."""
    now_ns = [0]
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: now_ns[0])
    for tick, names in enumerate((("io", "wchan", "stat"), ("stat", "io", "wchan"))):
        now_ns[0] = tick * 100_000_000
        for name in names:
            files.read_bytes(f"/proc/7/{name}")
    assert [len(asked) for asked in lender.asked] == [1, 1, 1, 3]


def test_a_tick_may_take_longer_and_knows_its_turn():
    """What is read once a second comes with the message of the tick that reads it."""
    now_ns = [0]
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: now_ns[0])
    for tick in range(6):
        files.begin_look(f"tick {tick % 2}")
        for name in ("stat", "io", *(("status", "cgroup") if tick % 2 else ())):
            now_ns[0] += 50_000_000  # the computer is busy
            files.read_bytes(f"/proc/7/{name}")
    assert [len(asked) for asked in lender.asked] == [1, 1, 1, 1, 1, 1, 2, 4, 2, 4]


def test_a_tick_and_what_runs_beside_it_expect_their_own():
    """Each thread asks for what it asked for before."""
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: 0)

    def beside() -> None:
        for pid in (1, 2, 3):
            files.read_bytes(f"/proc/{pid}/io")

    for _ in range(3):
        lender.asked.clear()
        files.begin_look("tick 0")
        assert files.read_bytes("/proc/7/stat") == b"(7, 0, 'stat')"
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join()
        files.read_bytes("/proc/7/io")
    assert lender.asked[0] == [(7, 0, "stat"), (7, 0, "io")]


def test_what_is_asked_for_twice_in_a_tick_is_read_twice():
    """Whether a thread still sleeps is looked at again on purpose."""
    lender = ScriptedLender()
    files = LentFiles(lender, clock=lambda: 0)
    for _ in range(2):
        files.begin_look("tick 0")
        for _ in range(2):
            files.read_bytes("/proc/7/stat")
    assert [len(asked) for asked in lender.asked] == [1, 1, 1, 1]


class TellingThreads(ScriptedLender):
    """Tells the threads of a process as a file."""

    text = ""

    def tell(self, files: Sequence[File]) -> list[tuple[str, str]]:
        """As the lender does."""
        told = super().tell(files)
        return [
            ("", self.text) if name == lending.THREADS else one
            for (_, _, name), one in zip(files, told, strict=True)
        ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("9 100 12", ["9", "12", "100"]),
        ("9 x -3 ² 12", ["9", "12"]),
        ("", [str(tid) for tid in range(100, 140)]),
    ],
)
def test_the_threads_of_a_game_come_with_its_files(text, names):
    """In the order of their numbers; a list that was too long is asked for by itself."""
    lender = TellingThreads()
    lender.text = text
    files = LentFiles(lender, clock=lambda: 0)
    for _ in range(2):
        files.begin_look("tick 0")
        assert files.read_bytes("/proc/7/stat") == b"(7, 0, 'stat')"
        assert files.list_names("/proc/7/task") == names
    assert lender.asked[-1] == [(7, 0, "stat"), (7, 0, "task")]


class InGroup(ScriptedLender):
    """Process 7 is in a control group, which may change."""

    group = "/user.slice/game.scope"

    def tell(self, files: Sequence[File]) -> list[tuple[str, str]]:
        """The lines of its groups, and what each file says."""
        told = super().tell(files)
        lines = "", f"0::{self.group}\n"
        return [
            lines if name == "cgroup" else one
            for (_, _, name), one in zip(files, told, strict=True)
        ]


def test_a_file_of_a_group_is_asked_for_by_a_process_that_was_told_to_be_in_it():
    """Where it is now, without a question of its own; of a group it has left nothing."""
    lender = InGroup()
    files = LentFiles(lender, clock=lambda: 0)
    pressure = "/sys/fs/cgroup{}/cpu.pressure"
    assert files.read_bytes(pressure.format(lender.group)) is None
    files.read_bytes("/proc/7/cgroup")
    assert files.read_bytes(pressure.format(lender.group)) == b"(7, 0, 'cpu.pressure')"
    assert [len(asked) for asked in lender.asked] == [1, 1]
    old, lender.group = lender.group, "/user.slice/other.scope"
    files.read_bytes("/proc/7/cgroup")
    assert files.read_bytes(pressure.format(old)) is None
    assert files.read_bytes(pressure.format(lender.group)) == b"(7, 0, 'cpu.pressure')"


def test_what_is_outside_has_no_descriptor():
    """It is asked for at each reading."""
    files = LentFiles(ScriptedLender())
    assert files.must_ask("/proc/7/status")
    with pytest.raises(KernelFileError, match="outside of the sandbox"):
        files.open("/proc/7/status")
    assert not files.must_ask("/proc/uptime")


def test_refusals_keep_their_meaning():
    """Gone is None, somebody else's is denied, as with files of one's own."""
    lender = ScriptedLender({"io": lending.DENIED, "wchan": lending.GONE})
    files = LentFiles(lender)
    assert files.read_bytes("/proc/7/wchan") is None
    with pytest.raises(KernelFileDeniedError):
        files.read_bytes("/proc/7/io")


def test_a_lender_that_is_away_is_not_asked_at_every_tick(tmp_path):
    """Each asking may take a second."""
    now = 0
    client = LenderClient(f"unix:path={tmp_path}/none", clock=lambda: now)
    with pytest.raises(LenderAwayError, match="no message bus that answers"):
        client.tasks()
    with pytest.raises(LenderAwayError, match="no lender answers"):
        client.tasks()
    now = 11_000_000_000
    with pytest.raises(LenderAwayError, match="no message bus that answers"):
        client.tasks()
