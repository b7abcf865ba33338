# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program writes the same settings all the time, right after our own writes."""

import contextlib

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, change_set

SET = ("vm.swappiness=10", "vm.dirty_bytes=268435456", "block.scheduler@sda=bfq")
THEIRS = {
    "/proc/sys/vm/swappiness": "42",
    "/proc/sys/vm/dirty_bytes": "99999744",
    "/proc/sys/vm/dirty_ratio": "33",
    "/sys/block/sda/queue/scheduler": "kyber",
}
ALL = tuple(change.id for change in change_set(*SET).changes)


class Meddler:
    """Writes its own value after every one of our writes that the pattern says."""

    def __init__(self, computer: Computer, pattern: int) -> None:
        self._set = computer.kernel.set
        self._pattern = pattern
        computer.kernel.set = self._write  # type: ignore[method-assign]

    def _write(self, path: str, text: str) -> None:
        self._set(path, text)
        self._pattern, is_meddling = self._pattern >> 1, self._pattern & 1
        if is_meddling and path in THEIRS:
            self._set(path, THEIRS[path])


def _operate(engine: Engine, how: str) -> None:
    txid = begin(engine, *SET)
    if how == "revert":
        engine.revert(txid, "reverted")
    else:
        engine.keep(txid, how)
        engine.undo(UndoRequest())


@pytest.mark.parametrize("how", ["revert", "restart", "always"])
@pytest.mark.parametrize("restart", [False, True], ids=["same helper", "new helper"])
def test_f10_a_program_that_never_rests_is_reported_and_can_be_overruled(
    how: str, restart: bool
) -> None:
    """Refused or left alone, by name; when it rests, force brings every value back."""
    for pattern in range(0, 1 << 8, 3 if restart else 1):
        computer = Computer()
        before = computer.kernel.dump()
        engine = computer.start()
        engine.recover()
        meddler = Meddler(computer, pattern)
        with contextlib.suppress(HelperError):
            _operate(engine, how)
        assert engine.state().state in {"idle", "conflict"}, pattern
        meddler._pattern = 0  # it rests
        if restart:
            engine = computer.start()
            engine.recover()
        conflicts = {one.id for one in engine.state().conflicts}
        now = computer.kernel.dump()
        if not conflicts:
            assert now == before, pattern
        engine.undo(UndoRequest(force=ALL))
        assert computer.kernel.dump() == before, pattern
        assert engine.state().state == "idle", pattern


def test_f10_a_set_that_somebody_rewrites_is_refused_as_a_whole() -> None:
    """The value is gone before the last write of the set: none of it stays."""
    computer = Computer()
    before = computer.kernel.dump()
    engine = computer.start()
    engine.recover()
    Meddler(computer, 1)
    with pytest.raises(HelperError, match="the kernel made kyber of bfq") as caught:
        begin(engine, *SET)
    assert caught.value.name == "Refused"
    assert computer.kernel.dump() == before
    assert engine.state().state == "idle"
