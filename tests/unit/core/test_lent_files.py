# SPDX-License-Identifier: GPL-3.0-or-later
"""Lent files beside a lender that errs; with the real one: tests/dbus/test_lender.py."""

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from destutter.core.kernel_files import KernelFileDeniedError
from destutter.core.lender_client import File, LenderAwayError, LenderClient
from destutter.core.lent_files import LentFiles
from destutter_helper.api import lending


class ScriptedLender(LenderClient):
    """Lends files of a folder, and notes what was asked for."""

    def __init__(self, folder: Path, outcomes: dict[str, str] | None = None) -> None:
        super().__init__("unix:path=/nowhere")
        self.asked: list[list[File]] = []
        self._folder = folder
        self._outcomes = outcomes or {}

    def tasks(self, pid: int = 0) -> list[int]:
        """Forty of each."""
        return list(range(100, 140))

    def tell(self, files: Sequence[File]) -> list[tuple[str, str]]:
        """The same without a descriptor."""
        self.asked.append(list(files))
        return [(self._outcomes.get(each[2], ""), f"{each}") for each in files]

    def lend(self, files: Sequence[File]) -> list[int | str]:
        """A file that says which one it is."""
        self.asked.append(list(files))
        lent: list[int | str] = []
        for each in files:
            path = self._folder / "-".join(map(str, each)).replace("/", "_")
            path.write_text(f"{each}")
            outcome = self._outcomes.get(each[2])
            lent.append(os.open(path, os.O_RDONLY) if outcome is None else outcome)
        return lent


def test_threads_come_sixteen_in_a_message(tmp_path):
    """A look at 40 threads waits for three answers, and later ones for none."""
    lender = ScriptedLender(tmp_path)
    files = LentFiles(lender)
    for _ in range(2):
        for tid in files.list_names("/proc/7/task"):
            assert (
                files.read_bytes(f"/proc/7/task/{tid}/stat") == b"(7, %s, 'stat')" % tid.encode()
            )
    assert [len(asked) for asked in lender.asked] == [16, 16, 8]
    files.close()


def test_what_a_tick_asks_for_comes_with_the_first_message(tmp_path):
    """As in the tick before; a look at all threads gets sixteen with each further one."""
    now_ns = [0]
    lender = ScriptedLender(tmp_path)
    files = LentFiles(lender, clock=lambda: now_ns[0])
    tids = files.list_names("/proc/7/task")
    for tick in range(3):
        now_ns[0] = tick * 100_000_000
        for name in ("io", "wchan"):
            assert files.read_bytes(f"/proc/7/{name}") == f"(7, 0, '{name}')".encode()
    assert [len(asked) for asked in lender.asked] == [1, 1, 2, 2]
    lender.asked.clear()
    now_ns[0] = 1_000_000_000
    for tid in tids:
        assert files.read_bytes(f"/proc/7/task/{tid}/wchan") == f"(7, {tid}, 'wchan')".encode()
    assert len(lender.asked) <= 8


def test_a_descriptor_that_is_taken_is_the_takers(tmp_path):
    """`open` gives it away; the next reading asks for another."""
    files = LentFiles(ScriptedLender(tmp_path))
    descriptor = files.open("/proc/7/status")
    assert descriptor is not None
    assert files.read_bytes("/proc/7/status")
    os.close(descriptor)
    assert files.read_bytes("/proc/7/status")
    files.close()


def test_refusals_keep_their_meaning(tmp_path):
    """Gone is None, somebody else's is denied, as with files of one's own."""
    lender = ScriptedLender(tmp_path, {"io": lending.DENIED, "wchan": lending.GONE})
    files = LentFiles(lender)
    assert files.read_bytes("/proc/7/wchan") is None
    with pytest.raises(KernelFileDeniedError):
        files.read_bytes("/proc/7/io")


def test_what_is_kept_open_has_a_limit(tmp_path):
    """A computer with thousands of processes does not use up the descriptors."""
    files = LentFiles(ScriptedLender(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    for pid in range(1, 1500):
        files.read_bytes(f"/proc/{pid}/status")
    assert len(os.listdir("/proc/self/fd")) - before <= 700
    files.close()
    assert len(os.listdir("/proc/self/fd")) == before


class SlowlyFound(str):
    """A path at which another thread takes its turn whenever it is looked up."""

    __slots__ = ()

    def __hash__(self) -> int:
        time.sleep(0.001)  # on purpose: this is what lets the other thread in
        return super().__hash__()


def test_what_two_threads_were_lent_at_once_is_kept_once(tmp_path):
    """Both asked for the same file: one descriptor stays, the other is given back."""
    files = LentFiles(ScriptedLender(tmp_path))
    before = os.listdir("/proc/self/fd")

    def read() -> None:
        for pid in range(1, 20):
            files.read_bytes(SlowlyFound(f"/proc/{pid}/status"))

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    files.close()
    assert os.listdir("/proc/self/fd") == before


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


def test_what_never_ends_is_not_read(tmp_path):
    """Whoever took the lender's name may hand over a device, a folder or a file of a terabyte."""
    huge = os.memfd_create("huge")
    os.truncate(huge, 1 << 40)
    for odd in (os.open("/dev/zero", os.O_RDONLY), os.open("/", os.O_RDONLY), huge):

        class Odd(ScriptedLender):
            def lend(self, files: Sequence[File], odd: int = odd) -> list[int | str]:
                return [os.dup(odd) for _ in files]

        before = len(os.listdir("/proc/self/fd"))
        files = LentFiles(Odd(tmp_path))
        assert files.read_bytes("/proc/7/status") is None
        assert files.open("/proc/7/status") is None
        assert len(os.listdir("/proc/self/fd")) == before
        os.close(odd)
