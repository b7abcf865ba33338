# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that takes longer than a window may wait: one thread, one job at a time, in order."""

import logging
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from destutter.core.statement import Statement, StatementError

log = logging.getLogger("destutter.jobs")

_BUG = Statement("bridge.job_failed")
_TURN_S = 0.0002
"""How long a thread may hold the interpreter while jobs run. With the usual 5 ms, a window that
draws waits a hundred times for its turn: half a second for one picture instead of 20 ms."""


class _Interpreter:
    """How threads take turns, which belongs to the whole process."""

    def __init__(self) -> None:
        self._users = 0
        self._turn_s = sys.getswitchinterval()

    def enter(self) -> None:
        """Somebody begins to read."""
        self._users += 1
        if self._users == 1:
            self._turn_s = sys.getswitchinterval()
            sys.setswitchinterval(_TURN_S)

    def leave(self) -> None:
        """Somebody has done."""
        self._users -= 1
        if not self._users:
            sys.setswitchinterval(self._turn_s)


_INTERPRETER = _Interpreter()


class JobCancelled(Exception):
    """Raised inside a job when nobody wants its answer any more."""


class Job(QObject):
    """One piece of work. Signals come in the thread of its creator, none after ``cancel``.

    ``done(object)`` with the answer, ``failed(Statement)`` with what an expected error says,
    ``progressed(float)`` with the share that is done, from 0 to 1; ``ended()`` in any case.
    """

    done = Signal(object)
    failed = Signal(object)
    progressed = Signal(float)
    ended = Signal()
    _arrived = Signal(object, object)
    _moved = Signal(float)

    def __init__(
        self,
        work: Callable[["Job"], Any],
        expected: tuple[type[StatementError], ...],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._work = work
        self._expected = expected
        self._is_cancelled = threading.Event()
        self._arrived.connect(self._deliver)
        self._moved.connect(self._tell)

    def cancel(self) -> None:
        """Forget it. The work ends at its next ``check`` or ``progress``."""
        self._is_cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._is_cancelled.is_set()

    def check(self) -> None:
        """Called by the work now and then; raises ``JobCancelled``."""
        if self._is_cancelled.is_set():
            raise JobCancelled

    def progress(self, share: float) -> None:
        """Called by the work: how much is done. Raises ``JobCancelled``."""
        self.check()
        self._moved.emit(share)

    def run(self) -> None:
        """Do it, in whatever thread this is."""
        answer: object = None
        why: Statement | None = _BUG
        try:
            self.check()
            answer, why = self._work(self), None
        except JobCancelled:
            why = None
        except self._expected as problem:
            why = problem.statement
        finally:
            self._arrived.emit(answer, why)

    @Slot(object, object)
    def _deliver(self, answer: object, why: Statement | None) -> None:
        if not self.is_cancelled:
            if why is not None:
                self.failed.emit(why)
            else:
                self.done.emit(answer)
        self._is_cancelled.set()
        self.ended.emit()
        self.deleteLater()

    @Slot(float)
    def _tell(self, share: float) -> None:
        if not self.is_cancelled:
            self.progressed.emit(share)


class Jobs(QObject):
    """Runs jobs one after the other in a thread of its own. ``stop`` waits for the last one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executor: ThreadPoolExecutor | None = None
        self._is_reading = False
        self._jobs: list[Job] = []

    def start(self, work: Callable[[Job], Any], *expected: type[StatementError]) -> Job:
        """Queue work; it gets its ``Job``. ``expected`` are the errors that are for people.

        Connect to the job before control returns to the event loop.
        """
        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="destutter-job")
        if not self._is_reading:
            self._is_reading = True
            _INTERPRETER.enter()
        job = Job(work, expected, self)
        job.ended.connect(self._rest)
        self._jobs = [*(each for each in self._jobs if not each.is_cancelled), job]
        self._executor.submit(job.run).add_done_callback(_tell_of_bug)
        return job

    def stop(self) -> None:
        """Cancel what is left and wait for the thread to end."""
        for job in self._jobs:
            job.cancel()
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None
        self._jobs.clear()
        self._rest()

    @Slot()
    def _rest(self) -> None:
        self._jobs = [each for each in self._jobs if not each.is_cancelled]
        if not self._jobs and self._is_reading:
            self._is_reading = False
            _INTERPRETER.leave()


def _tell_of_bug(future: Future[None]) -> None:
    """An error that no job expects must not be lost with the thread."""
    if not future.cancelled() and (error := future.exception()) is not None:
        log.error("a job ended by %r", error, exc_info=error)
