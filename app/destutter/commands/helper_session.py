# SPDX-License-Identifier: GPL-3.0-or-later
"""One conversation of the command line with the root helper."""

import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtDBus import QDBusConnection

from destutter.analysis.changes.helper_statements import statement_of
from destutter.bridge.helper_client import Availability, HelperClient, HelperStatus
from destutter.commands.helper_chain import DOCTOR_SHOWS, FROM_OUTSIDE
from destutter.commands.terminal import CommandError, UsageError
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, Result, Results

_SIGNAL_POLL_MS = 100  # how late Ctrl-C may be heard
_SUCCESSOR_S = 5.0  # a helper that the bus starts anew, and what it takes back, take a second
_TAKE_BACK_S = 0.6  # no longer for a helper that hangs: letting go of the trial ends it as well
_LATE_S = 5.0  # the helper promises one (SECURITY.md); its word may come later


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """How a trial ended: ``by`` is "helper", with its results, "user" (or the tick), or "lost"
    when helper or bus went away and nobody says what became of it."""

    by: str
    results: tuple[Result, ...] = ()


class HelperSession:
    """Runs the helper client's calls one after the other, each in an event loop of its own.

    Needs a QCoreApplication.

    Each method blocks until the answer is there and raises ``CommandError`` when it is a refusal,
    or when the helper is absent, broken or of another version.
    """

    def __init__(self, bus: QDBusConnection) -> None:
        self.client = HelperClient(bus)
        self._interrupts = 0
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        # Python looks at signals only when its own code runs.
        self._waker = QTimer(self.client)
        self._waker.timeout.connect(lambda: None)
        self._waker.start(_SIGNAL_POLL_MS)

    @property
    def is_absent(self) -> bool:
        """Whether the bus knows no helper, rather than one that does not answer."""
        return self.client.status.availability is Availability.ABSENT

    def close(self) -> None:
        """Let go of a trial that still runs, and of the interrupt key."""
        self.client.release()
        self._waker.stop()
        signal.signal(signal.SIGINT, self._handler)

    def connect(self) -> None:
        """Wait until the helper has answered; raises ``CommandError`` when it cannot be used.

        The bus may have to start it first. A helper that does not answer at all leaves the status
        unknown, so the failure counts as well.
        """
        statuses: list[HelperStatus] = []
        errors: list[HelperError] = []
        loop = QEventLoop()

        def take(status: HelperStatus) -> None:
            if status.availability is not Availability.UNKNOWN:
                statuses.append(status)
                loop.quit()

        def fail(_method: str, error: HelperError) -> None:
            errors.append(error)
            loop.quit()

        def look() -> None:
            if self.was_interrupted:
                loop.quit()

        links = (
            (self.client.status_changed, take),
            (self.client.failed, fail),
            (self._waker.timeout, look),
        )
        with _connected(links):
            QTimer.singleShot(0, self.client.refresh)
            loop.exec()
        if not statuses and not errors:
            raise KeyboardInterrupt
        if not statuses:
            raise _refused(errors[0])
        status = statuses[-1]
        if status.availability is not Availability.READY:
            raise CommandError(_advice(status))

    @property
    def was_interrupted(self) -> bool:
        """Whether somebody has pressed Ctrl-C."""
        return self._interrupts > 0

    def ask(
        self, request: Callable[[], None], answer: str, *, patience_s: float | None = None
    ) -> object:
        """Make a request and wait for its answer ("trial", "state" or the name of a method).

        Raises ``KeyboardInterrupt`` at Ctrl-C. With ``patience_s`` that waits until then, or for
        the second one, and no answer in time is a ``CommandError`` as well.
        """
        answers: list[object] = []
        errors: list[CommandError] = []
        loop = QEventLoop()
        limit = 0 if patience_s is None else self._interrupts + 1
        since = time.monotonic()

        def take(method: str, value: object) -> None:
            if method == answer:
                answers.append(value)
                loop.quit()

        def fail(_method: str, error: HelperError) -> None:
            errors.append(_refused(error))
            loop.quit()

        def look() -> None:
            if self._interrupts > limit:
                loop.quit()
            if patience_s is not None and time.monotonic() - since > patience_s:
                errors.append(CommandError(Statement("change.no_answer")))
                loop.quit()

        links = (
            (self.client.answered, take),
            (self.client.trial_begun, lambda trial: take("trial", trial)),
            (self.client.state_taken, lambda state: take("state", state)),
            (self.client.failed, fail),
            (self._waker.timeout, look),
        )
        with _connected(links):
            # From within the loop: a failure that comes at once would quit before exec, and be
            # lost.
            QTimer.singleShot(0, request)
            loop.exec()
        if answers:
            return answers[0]
        if errors:
            raise errors[0]
        raise KeyboardInterrupt

    def wait_for_end(
        self, tick: Callable[[], bool], seconds: float, tell_lost: Callable[[], None]
    ) -> TrialEnd:
        """Wait until the trial is over, until Ctrl-C, or until ``tick`` says so.

        ``tell_lost`` is called when helper or bus have gone away: a successor may still say what
        it took back. A trial of which nothing is heard long after its ``seconds`` is lost too.
        """
        ended: list[TrialEnd] = []
        loop = QEventLoop()
        give_up = _boottime_s() + seconds + _LATE_S

        def end(by: str, results: object = None) -> None:
            ended.append(TrialEnd(by, results.results if isinstance(results, Results) else ()))
            loop.quit()

        def lose() -> None:
            nonlocal give_up
            give_up = _boottime_s() + _SUCCESSOR_S
            tell_lost()
            if self.client.status.availability is Availability.NO_BUS:
                end("lost")

        def fail(method: str, _error: HelperError) -> None:
            if method == "Recover":
                end("lost")

        def look() -> None:
            if self.was_interrupted or tick():
                end("user")
            elif _boottime_s() > give_up:
                end("lost")

        links = (
            (self.client.trial_ended, lambda _reason, results: end("helper", results)),
            (self.client.trial_lost, lose),
            (self.client.failed, fail),
            (self._waker.timeout, look),
        )
        with _connected(links):
            if self.client.trial is None:  # it ended before anybody listened
                give_up = _boottime_s() + _TAKE_BACK_S
            loop.exec()
        return ended[0]

    def keep(self, until: str) -> object:
        """Keep the own trial. Raises as ``ask``, and ``CommandError`` when it has ended."""
        if self.client.trial is None:
            raise CommandError(Statement("change.not_to_keep"))
        return self.ask(lambda: self.client.keep(until), "Keep")

    def wait_until(self, holds: Callable[[], bool], patience_s: float) -> None:
        """Wait for something outside of this program, but no longer than that, nor past Ctrl-C.

        The event loop runs meanwhile: what was let go of is closed only then.
        """
        loop = QEventLoop()
        before, give_up = self._interrupts, time.monotonic() + patience_s

        def look() -> None:
            if holds() or time.monotonic() > give_up or self._interrupts > before:
                loop.quit()

        with _connected(((self._waker.timeout, look),)):
            loop.exec()

    def take_back(self) -> tuple[Result, ...] | None:
        """End the own trial at once; None when the helper does not say what became of it.

        It is asked to, and when it does not answer the trial is let go of, which ends it as well.
        """
        results = None
        if self.client.trial is not None:
            with suppress(CommandError, KeyboardInterrupt):
                answer = self.ask(self.client.revert, "Revert", patience_s=_TAKE_BACK_S)
                results = answer.results if isinstance(answer, Results) else ()
        self.client.release()
        return results

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._interrupts += 1


def _boottime_s() -> float:
    """The clock of the helper's deadlines, which goes on during sleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@contextmanager
def _connected(links: Iterable[tuple[Any, Callable[..., object]]]) -> Iterator[None]:
    """Signals with what hears them, for as long as this lasts."""
    links = tuple(links)
    for signal_, slot in links:
        signal_.connect(slot)
    try:
        yield
    finally:
        for signal_, slot in links:
            signal_.disconnect(slot)


def parse_changes(words: Sequence[str]) -> tuple[Change, ...]:
    """Changes from ``ID=VALUE`` and ``ID@DEVICE=VALUE``.

    Raises ``UsageError`` for the first word that is neither.
    """
    changes = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UsageError(Statement("change.no_change", {"text": word}))
        id_, _, device = name.partition("@")
        changes.append(Change(id_, value, device))
    return tuple(changes)


def _refused(error: HelperError) -> CommandError:
    return CommandError(statement_of(error.whole))


def _advice(status: HelperStatus) -> Statement:
    """Why the helper cannot be used, and what helps."""
    advice = DOCTOR_SHOWS
    if status.availability is Availability.ABSENT:
        advice = FROM_OUTSIDE if is_sandboxed() else Statement("change.helper.install")
    elif status.availability is Availability.MISMATCH:
        advice = Statement("change.helper.same_version")
    reason = () if status.reason is None else (status.reason,)
    return Statement("change.helper", {"why_sentences": (*reason, advice)})
