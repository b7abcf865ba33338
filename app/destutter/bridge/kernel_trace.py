# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel's trace beside a window's measurements: asked of the helper, followed, given back.

Asking blocks, for as long as a password dialog is open (``analysis.changes.trace_grant``): all of
it is done in a thread of its own. Reading is the business of the feed (``bridge.feed``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.changes.trace_grant import TraceGrant, TraceGrantError, trace_caller
from destutter.bridge.background_jobs import Job, Jobs
from destutter.core.bus_caller import BusCaller
from destutter.core.statement import Statement
from destutter.core.traced import TracedSleep
from destutter.sampling.trace_source import LentTrace

_EARLY_S = 11
"""The helper looks at the time every ten seconds, and ends what would be over at its next look."""


class TraceKind(Enum):
    """Whether the kernel's events are recorded for this window."""

    OFF = "off"
    ASKING = "asking"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class TraceStatus:
    """``why`` there is none although it was asked for, or none any more; of one that runs, why
    the game's waits for a core are not in it. ``is_absent``: there is no helper.
    ``is_expert``: what stops the game's threads is recorded besides, for a minute.
    """

    kind: TraceKind = TraceKind.OFF
    why: Statement | None = None
    is_absent: bool = False
    is_expert: bool = False


class KernelTrace(QObject):
    """One grant at a time, which ends with ``stop`` or with this process.

    ``address`` is that of the system bus, ``grant`` and ``expert_grant`` ask the helper over a
    connection to it.
    Signals: ``changed(TraceStatus)``; ``lent(LentTrace, tuple)`` when there is something to read,
    with the names of events that this kernel lacks; ``followed(object)`` with the number of the
    process whose waits for a core are recorded from now on, None for nobody's; ``over()`` before
    the descriptors are given back; ``path_told(TracedSleep, tuple)`` with the functions of the
    kernel in which a sleep was, none where the kernel does not have them any more.
    """

    changed = Signal(object)
    lent = Signal(object, object)
    followed = Signal(object)
    over = Signal()
    path_told = Signal(object, object)

    def __init__(
        self,
        address: str,
        parent: QObject | None = None,
        *,
        grant: Callable[[BusCaller], TraceGrant] | None = None,
        expert_grant: Callable[[BusCaller], TraceGrant] | None = None,
    ) -> None:
        super().__init__(parent)
        self._address = address
        self._make = grant or partial(TraceGrant, game=True)
        self._make_expert = expert_grant or partial(TraceGrant, game=True, expert=True)
        self._jobs = Jobs(self)
        self._caller: BusCaller | None = None
        self._grant: TraceGrant | None = None
        self._game: int | None = None
        self._status = TraceStatus()

    @property
    def status(self) -> TraceStatus:
        return self._status

    @property
    def reading(self) -> tuple[LentTrace, tuple[str, ...]] | None:
        """What there is to read, as ``lent`` told it; None without a trace."""
        grant = self._grant
        if grant is None:
            return None
        return LentTrace(grant.formats_text, grant.descriptors), tuple(grant.formats.missing)

    @property
    def left_s(self) -> int:
        """Seconds until the helper ends it at the latest; 0 without a trace."""
        grant = self._grant
        return 0 if grant is None else grant.left_s

    @Slot()
    def ask(self) -> None:
        """Ask for a trace, which may open a password dialog."""
        if self._status.kind is TraceKind.OFF:
            self._ask(self._make, is_expert=False)

    @Slot()
    def ask_as_expert(self) -> None:
        """Ask for an expert's; what runs is given back first, for each user may have one."""
        if self._status.kind is TraceKind.RUNNING:
            self.end()
        if self._status.kind is TraceKind.OFF:
            self._ask(self._make_expert, is_expert=True)

    def _ask(self, make: Callable[[BusCaller], TraceGrant], *, is_expert: bool) -> None:
        caller = self._caller = trace_caller(self._address)
        job = self._jobs.start(lambda _job: _asked(make, caller))
        job.done.connect(partial(self._answered, caller))
        job.failed.connect(partial(self._failed, caller))
        self._change(TraceStatus(TraceKind.ASKING, is_expert=is_expert))

    @Slot()
    def end(self) -> None:
        """Give the trace back, or do not wait for it any longer."""
        self._end(TraceStatus())

    @Slot()
    def helper_came(self) -> None:
        """There is one now: that there was none is no longer true."""
        if self._status.is_absent and self._status.kind is TraceKind.OFF:
            self._change(TraceStatus())

    def fail(self, why: Statement) -> None:
        """Whoever reads it cannot go on; an end by the helper is the better reason."""
        self.look()
        if self._grant is not None:
            self._end(TraceStatus(why=why))

    def follow(self, game: int | None) -> None:
        """Record the waits for a core of this process; None: of none. As often as one likes."""
        grant = self._grant
        if grant is None or game == self._game:
            return
        self._game = game
        if game is None:
            self._named(grant, None)
            return
        job = self._jobs.start(partial(_name, grant, game), TraceGrantError)
        job.done.connect(partial(self._named, grant))
        job.failed.connect(partial(self._not_named, grant))

    def ask_path(self, sleep: TracedSleep) -> None:
        """Ask in which functions of the kernel a thread of the game slept."""
        grant = self._grant
        if grant is not None:
            job = self._jobs.start(partial(_path, grant, sleep))
            job.done.connect(partial(self.path_told.emit, sleep))

    def look(self) -> None:
        """See whether the helper has ended it. Costs one call of the kernel."""
        grant = self._grant
        if grant is not None and grant.is_over:
            is_done = self._status.is_expert and grant.left_s <= _EARLY_S
            self._end(TraceStatus(why=None if is_done else Statement("tracing.over")))

    def stop(self) -> None:
        """Nobody wants any of it: the window closes. Waits for the thread, not for a dialog."""
        if self._caller is not None:
            self._caller.give_up()
        self._jobs.stop()
        if self._grant is not None:
            self._grant.close()
        self._caller = self._grant = None

    def _answered(self, caller: BusCaller, answer: TraceGrant | TraceGrantError) -> None:
        if caller is not self._caller:  # nobody waits for it any more
            if not isinstance(answer, TraceGrantError):
                self._jobs.start(partial(_give_back, answer))
        elif isinstance(answer, TraceGrantError):
            self._caller = None
            self._change(TraceStatus(why=answer.statement, is_absent=answer.is_absent))
        else:
            self._grant = answer
            self._game = None
            self._run()
            reading = self.reading
            if reading is not None:
                self.lent.emit(*reading)

    def _failed(self, caller: BusCaller, why: Statement) -> None:
        if caller is self._caller:
            self._end(TraceStatus(why=why))

    def _named(self, grant: TraceGrant, game: int | None) -> None:
        if grant is self._grant:
            self.followed.emit(game)
            self._run()

    def _not_named(self, grant: TraceGrant, why: Statement) -> None:
        """What is of the whole computer is recorded all the same."""
        if grant is self._grant:
            self.followed.emit(None)
            self._run(why)

    def _end(self, status: TraceStatus) -> None:
        caller, grant = self._caller, self._grant
        self._caller = self._grant = None
        if grant is not None:
            self.over.emit()
            self._jobs.start(partial(_give_back, grant))
        elif caller is not None:
            caller.give_up()
        self._change(status)

    def _run(self, why: Statement | None = None) -> None:
        is_expert = self._status.is_expert
        self._change(TraceStatus(TraceKind.RUNNING, why, is_expert=is_expert))

    def _change(self, status: TraceStatus) -> None:
        if status != self._status:
            self._status = status
            self.changed.emit(status)


def _asked(
    make: Callable[[BusCaller], TraceGrant], caller: BusCaller
) -> TraceGrant | TraceGrantError:
    """The grant, or why there is none: more than a statement is wanted of that."""
    try:
        return make(caller)
    except TraceGrantError as error:
        return error


def _name(grant: TraceGrant, game: int, _job: Job) -> int:
    grant.watch(game)
    return game


def _path(grant: TraceGrant, sleep: TracedSleep, _job: Job) -> tuple[str, ...]:
    try:
        return grant.call_path(sleep.thread.tid, sleep.begin_ns)
    except TraceGrantError:
        return ()


def _give_back(grant: TraceGrant, _job: Job) -> None:
    grant.close()
