# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the helper for a look at what the kernel's event tracing records.

Not by Qt: its binding cannot send the unsigned number that ``TraceFiles`` takes (see
``core.bus_wire``), and a grant is of one connection. So this blocks, and in a window needs a
thread of its own.
"""

import contextlib
import os
import select
import time
from dataclasses import dataclass
from typing import Any, Self

from destutter.analysis.changes.helper_answers import (
    DIALOG_S,
    NOT_THERE,
    START_S,
    is_from_before,
    refusal,
)
from destutter.analysis.changes.helper_statements import statement_of
from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.statement import Statement, StatementError
from destutter_helper.api import names
from destutter_helper.api.call_path import Sleep, decode_path, encode_sleep
from destutter_helper.api.methods import METHODS
from destutter_helper.api.names import HelperError
from destutter_helper.api.tracing import (
    Formats,
    TraceOptions,
    decode_formats,
    encode_options,
    encode_pids,
)

_END_S = 2.0


class TraceGrantError(StatementError):
    """There is no trace to be read, and why. ``is_absent``: there is no helper, or no bus
    to call it on."""

    def __init__(self, statement: Statement, *, is_absent: bool = False) -> None:
        super().__init__(statement)
        self.is_absent = is_absent


@dataclass(frozen=True, slots=True)
class _Began:
    id: str
    text: str
    formats: Formats
    hold: int


def trace_caller(address: str) -> BusCaller:
    """The connection that a grant is asked over and belongs to; ``address``: of the system bus.

    Its ``give_up`` ends the waiting for a password in another thread.
    """
    return BusCaller(address, timeout_s=START_S, takes_descriptors=True)


class TraceGrant:
    """A grant of the helper, which ends with ``close`` or with this process.

    ``caller`` is of ``trace_caller``, and goes with the grant; with ``game`` the waits for a core
    of a game's threads are recorded too, with ``expert`` what stops those besides, for a minute.
    May open a password dialog. Raises ``TraceGrantError``.
    """

    def __init__(self, caller: BusCaller, *, game: bool, expert: bool = False) -> None:
        self._caller = caller
        self._descriptors: list[int] = []
        self._began: _Began | None = None
        try:
            self._began = self._begin(TraceOptions(game=game or expert, expert=expert))
            self._take_files(self._began)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def formats(self) -> Formats:
        """How what is read is to be taken apart."""
        return self._running.formats

    @property
    def formats_text(self) -> str:
        """The same as the helper gave it."""
        return self._running.text

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The files of the trace, by instance and processor. They stay this grant's."""
        return tuple(self._descriptors)

    @property
    def is_over(self) -> bool:
        """Whether the helper has ended it, or is gone: its end of ``hold`` is closed then."""
        poll = select.poll()
        poll.register(self._running.hold, 0)
        return bool(poll.poll(0))

    @property
    def left_s(self) -> int:
        """Seconds until it ends by itself at the latest."""
        left_ns = self._running.formats.ends_at_ns - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        return max(-(-left_ns // 1_000_000_000), 0)

    def watch(self, pid: int) -> None:
        """Record the threads of a process, and those that they start. Raises
        ``TraceGrantError``."""
        self._ask("SetTraceTasks", self._running.id, encode_pids((pid,)))

    def call_path(self, thread: int, begin_ns: int) -> tuple[str, ...]:
        """In which functions of the kernel a thread of the game went to sleep, innermost first.

        Soon behind its end: the kernel keeps only the last ones. Raises ``TraceGrantError``.
        """
        asked = encode_sleep(Sleep(thread, begin_ns))
        (text,) = self._ask("TracePath", self._running.id, asked)
        try:
            return decode_path(text).functions
        except HelperError as error:
            raise TraceGrantError(statement_of(error.whole)) from None

    def close(self) -> None:
        """End it and give everything back. May be called twice."""
        # Before its end: the helper tells of who keeps open what is over.
        while self._descriptors:
            os.close(self._descriptors.pop())
        began = self._began
        if began is not None:
            # What it says to that makes no difference: without hold and connection it is over. One
            # that has ended it already, perhaps by being stopped, is not started again for it.
            self._caller.timeout_s = _END_S
            with contextlib.suppress(TraceGrantError):
                if not self.is_over:
                    self._ask("EndTrace", began.id)
            os.close(began.hold)
            self._began = None
        self._caller.close()

    @property
    def _running(self) -> _Began:
        if self._began is None:
            raise TraceGrantError(Statement("tracing.over"))
        return self._began

    def _begin(self, options: TraceOptions) -> _Began:
        self._caller.timeout_s = DIALOG_S
        is_interactive = True
        id_, text, hold = self._ask("BeginTrace", encode_options(options), is_interactive)
        self._caller.timeout_s = START_S
        try:
            return _Began(id_, text, decode_formats(text), hold)
        except HelperError as error:
            os.close(hold)
            why = {"reason": statement_of(error.whole)}
            raise TraceGrantError(Statement("tracing.no_formats", why)) from None

    def _take_files(self, began: _Began) -> None:
        wanted = len(began.formats.cpus) * len(began.formats.instances)
        while len(self._descriptors) < wanted:
            (files,) = self._ask("TraceFiles", began.id, len(self._descriptors))
            self._descriptors += files
            if not files:
                break
        if len(self._descriptors) != wanted:
            count = len(self._descriptors)
            raise TraceGrantError(Statement("tracing.wrong_files", {"count": count}))

    def _ask(self, method: str, *arguments: object) -> list[Any]:
        member = names.INTERFACE, method
        takes, gives, _ = METHODS[member]
        where = names.BUS_NAME, names.OBJECT_PATH
        try:
            return self._caller.call(*where, member, takes, arguments, gives=gives)
        except BusCallError as error:
            raise _why(error) from None


def _why(error: BusCallError) -> TraceGrantError:
    if error.name in NOT_THERE:
        return TraceGrantError(Statement("bridge.helper.absent"), is_absent=True)
    if is_from_before(error.name, error.values):
        return TraceGrantError(Statement("tracing.old_helper"))
    if error.values and error.name.startswith(names.ERROR_PREFIX):
        return TraceGrantError(statement_of(refusal(error.values)))
    if error.statement == Statement("core.no_bus"):
        return TraceGrantError(Statement("bridge.helper.no_bus"), is_absent=True)
    return TraceGrantError(Statement("bridge.helper.broken", {"reason": error.statement}))
