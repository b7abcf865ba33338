# SPDX-License-Identifier: GPL-3.0-or-later
"""Lent files beside a lender that errs; with the real one: tests/dbus/test_lender.py."""

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
    assert [len(asked) for asked in lender.asked] == [1, 1, 1, 1, 36, 40]


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
    assert [len(asked) for asked in lender.asked] == [48, 48, 24]


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
    with pytest.raises(LenderAwayError, match="did not answer"):
        client.tasks()
    with pytest.raises(LenderAwayError, match="no lender answers"):
        client.tasks()
    now = 11_000_000_000
    with pytest.raises(LenderAwayError, match="did not answer"):
        client.tasks()
