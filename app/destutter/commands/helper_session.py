# SPDX-License-Identifier: GPL-3.0-or-later
"""One conversation of the command line with the root helper."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Self

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtDBus import QDBusConnection

from destutter.bridge.helper_client import Availability, HelperClient, HelperStatus
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, Result

_SIGNAL_POLL_MS = 100


class HelperSession:
    """Runs the helper client's calls one after the other, each in an event loop of its own.

    Needs a QCoreApplication.

    Each method blocks until the answer is there and raises ``HelperError`` when it is a refusal,
    or when the helper is absent, broken or of another version.
    """

    def __init__(self, bus: QDBusConnection, read_kernel: Callable[[], object]) -> None:
        self.client = HelperClient(bus, read_kernel)
        self._was_interrupted = False
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        # Python looks at signals only when its own code runs.
        self._waker = QTimer(self.client)
        self._waker.timeout.connect(lambda: None)
        self._waker.start(_SIGNAL_POLL_MS)

    def close(self) -> None:
        """Let go of a trial that still runs, and of the interrupt key."""
        self.client.release()
        self._waker.stop()
        signal.signal(signal.SIGINT, self._handler)

    def connect(self) -> None:
        """Wait until the helper has answered; raises ``HelperError`` when it cannot be used.

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

        self.client.status_changed.connect(take)
        self.client.failed.connect(fail)
        QTimer.singleShot(0, self.client.refresh)
        loop.exec()
        self.client.status_changed.disconnect(take)
        self.client.failed.disconnect(fail)
        if not statuses:
            raise errors[0]
        status = statuses[-1]
        if status.availability is not Availability.READY:
            raise HelperError("Unsupported", _advice(status))

    def ask(self, request: Callable[[], None], answer: str) -> object:
        """Make a request and wait for its answer ("trial", "state" or the name of a method)."""
        answers: list[object] = []
        errors: list[HelperError] = []
        loop = QEventLoop()

        def take(method: str, value: object) -> None:
            if method == answer:
                answers.append(value)
                loop.quit()

        def take_trial(trial: object) -> None:
            take("trial", trial)

        def take_state(state: object) -> None:
            take("state", state)

        def fail(_method: str, error: HelperError) -> None:
            errors.append(error)
            loop.quit()

        self.client.answered.connect(take)
        self.client.trial_begun.connect(take_trial)
        self.client.state_taken.connect(take_state)
        self.client.failed.connect(fail)
        QTimer.singleShot(0, request)
        loop.exec()
        self.client.answered.disconnect(take)
        self.client.trial_begun.disconnect(take_trial)
        self.client.state_taken.disconnect(take_state)
        self.client.failed.disconnect(fail)
        if errors:
            raise errors[0]
        return answers[0]

    def wait_for_end(self, tick: Callable[[], bool]) -> tuple[str, tuple[Result, ...]] | None:
        """Wait until the helper ended the trial; None when the user interrupted or ``tick``
        (called once a second) said that it is over."""
        ended: list[tuple[str, tuple[Result, ...]]] = []
        loop = QEventLoop()

        def take(reason: str, results: object) -> None:
            ended.append((reason, getattr(results, "results", ())))
            loop.quit()

        def look() -> None:
            if self._was_interrupted or tick():
                loop.quit()

        timer = QTimer()
        timer.timeout.connect(look)
        timer.start(_SIGNAL_POLL_MS * 2)
        self.client.trial_ended.connect(take)
        loop.exec()
        self.client.trial_ended.disconnect(take)
        timer.stop()
        return ended[0] if ended else None

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._was_interrupted = True


class TextAgent:
    """polkit's own agent for the terminal, while there is one; asks for a password there.

    A desktop session has a graphical agent, and then this one is only the fallback.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        program = shutil.which("pkttyagent")
        if program is not None and sys.stdin.isatty():
            # It closes the other end when polkit knows it: a question before that finds nobody.
            ready, told = os.pipe()
            command = [program, "--fallback", "--notify-fd", str(told)]
            self._process = subprocess.Popen(command, pass_fds=[told])
            os.close(told)
            os.read(ready, 1)
            os.close(ready)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def parse_changes(words: Sequence[str]) -> tuple[Change, ...]:
    """Changes from ``ID=VALUE`` and ``ID@DEVICE=VALUE``.

    Raises ``ValueError`` with a sentence for the first word that is neither.
    """
    changes = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise ValueError(f"'{word}' is not ID=VALUE or ID@DEVICE=VALUE")
        id_, _, device = name.partition("@")
        changes.append(Change(id_, value, device))
    return tuple(changes)


def describe_result(result: Result) -> str:
    """One line about one result."""
    name = f"{result.id} ({result.device})" if result.device else result.id
    sentence = _OUTCOMES.get(result.outcome, result.outcome)
    line = f"{name}: {sentence.format(value=result.value, origin=result.origin)}"
    return f"{line} {result.note}".rstrip()


_OUTCOMES = {
    "changed": "{origin} -> {value}",
    "already": "already {value}",
    "restored": "back to {value}",
    "foreign": "left alone: somebody else set it to {value}",
    "gone": "the device is not there any more",
    "failed": "not changed",
    "accepted": "left at {value} and forgotten",
    "ok": "{value}, as set by Destutter",
    "reset": "the kernel put {value} back",
    "resurrected": "Destutter's old value {value} is back",
    "until-restart": "{value} until the next restart",
}


def _advice(status: HelperStatus) -> str:
    if status.availability is Availability.ABSENT:
        return f"{status.reason} Install it with the package or with 'make install-helper'."
    return f"{status.reason} 'destutter doctor' shows the failing step."
