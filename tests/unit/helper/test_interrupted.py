# SPDX-License-Identifier: GPL-3.0-or-later
"""System calls that a signal interrupts (EINTR) are done to their end: not half, not twice."""

import contextlib
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine, open_engine
from destutter_helper.kernel_tree import KernelTree, Life
from destutter_helper.storage import Storage
from tests.support import helper_tree
from tests.support.helper_moves import begin, keep

STORM_S = 0.0002
ENOUGH = 20
SWAPPINESS = "proc/sys/vm/swappiness"


@contextlib.contextmanager
def _storm() -> Iterator[list[int]]:
    """Signals all the time, with a handler that does not restart calls; who arrived."""
    arrived: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: arrived.append(number))
    signal.setitimer(signal.ITIMER_REAL, STORM_S, STORM_S)
    try:
        yield arrived
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_trials_in_a_storm_of_signals_are_whole(tmp_path: Path) -> None:
    """Begin, keep, undo and the log of it, again and again: each value as if it were quiet."""
    root = helper_tree.build(tmp_path)
    kernel = root / SWAPPINESS
    with _storm() as arrived:
        rounds = 0
        while len(arrived) < ENOUGH or rounds < ENOUGH:
            rounds += 1
            tree = helper_tree.ScratchTree(str(root))
            with contextlib.closing(open_engine(tree, log=lambda _line: None)) as engine:
                engine.recover()
                txid = begin(engine, "vm.swappiness=10", "block.scheduler@sda=bfq")
                assert kernel.read_text() == "10"
                engine.keep(txid, "always")
                assert {one.outcome for one in engine.verify()} == {"ok"}
                engine.undo(UndoRequest())
                assert kernel.read_text() == "60"
                assert engine.state().state == "idle"
                assert engine.state().notices == ()


@pytest.mark.parametrize("is_written", [False, True], ids=["read", "write"])
def test_a_slow_kernel_file_is_waited_for(tmp_path: Path, *, is_written: bool) -> None:
    """The call hangs while signals arrive; its outcome is that of the one call."""
    root = helper_tree.build(tmp_path)
    (root / SWAPPINESS).unlink()
    os.mkfifo(root / SWAPPINESS)
    tree = KernelTree(str(root))
    found: list[bytes] = []

    def other_end(arrived: list[int]) -> None:
        while len(arrived) < ENOUGH:
            pass
        if is_written:
            found.append((root / SWAPPINESS).read_bytes())
        else:
            (root / SWAPPINESS).write_bytes(b"42\n")

    with contextlib.closing(tree), _storm() as arrived:
        other = threading.Thread(target=other_end, args=(arrived,))
        other.start()
        if is_written:
            tree.write(f"/{SWAPPINESS}", b"42\n")
        else:
            found.append(tree.read(f"/{SWAPPINESS}"))
        other.join()
    assert found == [b"42\n"]


def test_the_lock_is_waited_for_through_signals(tmp_path: Path) -> None:
    """A signal neither ends the waiting early nor makes it fail."""
    first, second = Storage(str(tmp_path / "run")), Storage(str(tmp_path / "run"))
    first.lock()
    released: list[bool] = []

    def let_go(arrived: list[int]) -> None:
        while len(arrived) < ENOUGH:
            pass
        released.append(True)
        first.close()

    with contextlib.closing(second), _storm() as arrived:
        other = threading.Thread(target=let_go, args=(arrived,))
        other.start()
        second.lock(wait_s=60)
        was_released = bool(released)
        other.join()
    assert was_released


def _try_some(engine: Engine) -> None:
    begin(engine, "vm.swappiness=10", "vm.page-cluster=0")


def _undo(engine: Engine) -> None:
    engine.undo(UndoRequest())


@contextlib.contextmanager
def _helper(tree: KernelTree) -> Iterator[Engine]:
    with contextlib.closing(open_engine(tree, log=lambda _line: None)) as engine:
        engine.recover()
        yield engine


@pytest.mark.parametrize("work", [_try_some, _undo])
def test_ctrl_c_in_the_middle_is_finished_by_the_next_run(
    tmp_path: Path, work: Callable[[Engine], None]
) -> None:
    """At each access to a file of the kernel: the run after it ends at the origin."""
    root, is_finished = helper_tree.build(tmp_path), False
    for stop_at in itertools.count(1):
        if work is _undo:
            with _helper(helper_tree.ScratchTree(str(root))) as engine:
                keep(engine, "vm.swappiness=10", "vm.page-cluster=0", until="always")
        tree = InterruptedTree(str(root))
        with contextlib.suppress(KeyboardInterrupt), _helper(tree) as engine:
            tree.stop_at = stop_at
            work(engine)
            is_finished = True
        with _helper(helper_tree.ScratchTree(str(root))) as engine:
            engine.undo(UndoRequest())
            assert engine.state().state == "idle"
        assert (root / SWAPPINESS).read_text().strip() == "60"
        assert (root / "proc/sys/vm/page-cluster").read_text().strip() == "3"
        if is_finished:
            break
    assert stop_at > 4


class InterruptedTree(helper_tree.ScratchTree):
    """A tree whose nth access from now is the moment of a Ctrl-C; 0: none."""

    stop_at = 0

    def _pass(self) -> None:
        self.stop_at -= 1
        if self.stop_at == 0:
            raise KeyboardInterrupt

    def read(self, path: str) -> bytes:
        """See KernelTree."""
        self._pass()
        return super().read(path)

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """See KernelTree."""
        self._pass()
        super().write(path, data, life)
        self._pass()
