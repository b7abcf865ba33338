# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the service and its guardian take back the same trial: who writes what, and what is told.

The guardian is a scripted one in the same process, which does what the real one would by then.
"""

import socket
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from destutter_helper import guardian, write_back
from destutter_helper.api import payload
from destutter_helper.api.names import ENDED_DEADLINE
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine
from destutter_helper.journal import Entry
from destutter_helper.kernel_tree import Life
from destutter_helper.kernel_writer import KernelWriter
from tests.support.faulty_kernel import NS_PER_S, Computer
from tests.support.helper_moves import begin, keep, outcomes


class Scripted(guardian.Guardian):
    """A guardian that ends the trial when it is asked to wait, if the deadline was before."""

    def __init__(self, computer: Computer) -> None:
        super().__init__(Mock(), 0)
        self.computer = computer
        self.entries: list[Entry] = []
        self.deadline_ns = 2**62
        self.does: Callable[[Entry], None] = self.take_back
        self.answer = guardian.DONE
        self.watched_until_ns = 0

    def take_back(self, entry: Entry) -> None:
        """Write what is to be written."""
        kernel = KernelWriter(self.computer.kernel, {})
        write_back.carry_out(kernel, entry, write_back.judge(kernel, entry))

    def _say(self, order: guardian.Order, descriptor: int = -1) -> str:
        if self.entries and self.computer.kernel.now_ns >= self.deadline_ns:
            self.ended = ENDED_DEADLINE
            for entry in self.entries:
                self.does(entry)
            self.entries = []
        if order.what in {guardian.WATCH, guardian.FORGET}:
            text = payload.encode(order)
            self.entries = [*payload.decode(guardian.Order, text).entries]
            self.deadline_ns = order.deadline_boottime_ns
            self.watched_until_ns = order.deadline_boottime_ns
            self.is_half_done = False
        elif self.ended:
            self.is_half_done = self.answer == guardian.LEFT
        if order.what == guardian.PAUSE:
            self.watched_until_ns = 0
        return self.ended


@pytest.fixture
def watching(computer: Computer) -> Scripted:
    """The guardian of the helper."""
    return Scripted(computer)


@pytest.fixture
def engine(computer: Computer, watching: Scripted) -> Engine:
    """A helper that has just started."""
    engine = computer.start()
    engine.guardian = watching
    return engine


def pass_deadline_in_flush(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next file that is flushed takes longer than the trial."""
    replace = computer.disk.replace

    def slow(*of: str, is_durable: bool = True, **options: str) -> None:
        if is_durable:
            computer.kernel.now_ns += 60 * NS_PER_S
        replace(*of, is_durable=is_durable, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(computer.disk, "replace", slow)


def test_f60_an_undo_over_the_deadline_ends_at_what_was_before_destutter(
    engine: Engine, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10 is kept and 60, the first value, on trial: the guardian goes to 10, the undo to 60."""
    keep(engine, "vm.swappiness=10")
    begin(engine, "vm.swappiness=60", seconds=5)
    pass_deadline_in_flush(computer, monkeypatch)
    assert outcomes(engine.undo(UndoRequest())) == {"vm.swappiness": "restored"}
    assert computer.kernel.vm["swappiness"] == 60
    assert engine.state().state == "idle"


def test_f61_what_a_guardian_left_undone_once_excuses_nothing_later(
    engine: Engine, computer: Computer, watching: Scripted
) -> None:
    """A value that somebody else set is named as that, and taken back when it is forced."""
    begin(engine, "vm.page-cluster=0", seconds=5)
    computer.kernel.now_ns += 60 * NS_PER_S
    watching.does, watching.answer = lambda _entry: None, guardian.LEFT
    engine.expire()
    assert computer.kernel.vm["page-cluster"] == 3
    keep(engine, "vm.swappiness=10")
    computer.kernel.vm["swappiness"] = 30
    results = engine.undo(UndoRequest(force=("vm.swappiness",)))
    assert outcomes(results) == {"vm.swappiness": "restored"}
    assert "somebody else had set" in results[0].note
    assert computer.kernel.vm["swappiness"] == 60


def test_f61_why_an_earlier_trial_ended_is_not_told_of_an_undo(
    engine: Engine, computer: Computer
) -> None:
    """There was nothing to do any more: that is not what the guardian did a moment ago."""
    keep(engine, "vm.swappiness=10")
    begin(engine, "vm.page-cluster=0", seconds=5)
    computer.kernel.now_ns += 60 * NS_PER_S
    engine.expire()
    computer.kernel.vm["swappiness"] = 60
    assert outcomes(engine.undo(UndoRequest())) == {"vm.swappiness": "already"}


def test_f62_the_guardian_goes_on_while_the_service_takes_back(
    engine: Engine, computer: Computer, watching: Scripted
) -> None:
    """A drive that hangs holds the service up in a revert: the deadline counts for the others."""
    txid = begin(engine, "vm.swappiness=10", "block.read_ahead_kb@sda=512")
    deadline_ns = engine.trial_of(txid).deadline_boottime_ns
    seen = []
    write = computer.kernel.write

    def look(path: str, data: bytes, life: Life | None = None) -> None:
        seen.append(watching.watched_until_ns)
        write(path, data, life)

    computer.kernel.write = look  # type: ignore[method-assign]
    engine.revert(txid, "reverted")
    assert set(seen) == {deadline_ns}
    assert (watching.entries, watching.watched_until_ns) == ([], 0)


def test_f62_the_guardian_leaves_a_revert_of_the_last_moment_a_second(
    engine: Engine, computer: Computer, watching: Scripted
) -> None:
    """Where the deadline comes right behind the click, both would write the same files at once.

    What the guardian does in the middle of our writes, the results would call somebody else's.
    """
    txid = begin(engine, "vm.swappiness=10", "block.read_ahead_kb@sda=512")
    clicked_ns = engine.trial_of(txid).deadline_boottime_ns - 1
    computer.kernel.now_ns = clicked_ns
    alone_ns = []
    write = computer.kernel.write

    def look(path: str, data: bytes, life: Life | None = None) -> None:
        alone_ns.append(watching.watched_until_ns - clicked_ns)
        write(path, data, life)

    computer.kernel.write = look  # type: ignore[method-assign]
    engine.revert(txid, "reverted")
    assert alone_ns
    assert min(alone_ns) >= NS_PER_S


def test_f63_an_order_arrives_whole_or_not_at_all() -> None:
    """One call for its length, its text and its descriptor: no half of it is ever waited for."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        told = Mock(wraps=ours)
        told.recv = lambda _count: guardian.DONE
        told.sendall = lambda rest: pytest.fail("in two parts") if rest else None
        guardian.Guardian(told, 0).move(10**9)
        data = theirs.recv(1 << 16)
    assert int.from_bytes(data[:4], "little") == len(data) - 4
