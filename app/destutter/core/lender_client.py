# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the lender (`destutter_lender`) outside of the sandbox for lists and what files say."""

import json
import os
import select
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from destutter.core.bus_caller import BusCaller, BusCallError
from destutter.core.foreign_descriptors import DescriptorCloser, pipe_of_own
from destutter_helper.api import lending

# A tick waits for it: for a whole answer, however it trickles in. A lender on a slow computer lets
# whoever asks for much wait for the next second, and sometimes the one after it.
_TIMEOUT_S = 2.5
_AGAIN_S = 0.2  # until one that has no time is asked once more
# The first question, before any tick, waits until the bus has started the lender: 0.2 s, and many
# times that from a cold disk on a busy computer. Where there is none the bus says so at once.
_START_S = 15.0
_ANSWER_MAX = 1 << 18  # as long as the lender's are at most (destutter_lender/channels.py)
_AWAY_NS = 10_000_000_000  # until a lender that did not answer is asked again
_BUSY = frozenset(lending.ERROR_PREFIX + name for name in ("Busy", "RateLimited"))

File = tuple[int, int, str]
"""Process, thread or 0, and the name in the lists of `destutter_helper.api.lending`."""


class LenderAwayError(Exception):
    """No lender answers."""


class LenderClient:
    """One connection for all threads. ``clock`` gives nanoseconds."""

    def __init__(self, address: str, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._caller = BusCaller(address, timeout_s=_START_S, takes_descriptors=True)
        self._closer = DescriptorCloser()
        self._lock = threading.Lock()
        self._channel: tuple[int, int] | None = None
        self._channel_lock = threading.Lock()
        self._clock = clock
        self._asked_again_ns = 0
        self._known_until_ns = 0
        self._is_there = False

    def is_there(self) -> bool:
        """Whether a lender answers. What it said a moment ago is taken for what it would say."""
        now_ns = self._clock()
        if now_ns >= self._known_until_ns:
            try:
                self._call("GetVersion")
            except LenderAwayError:
                self._is_there = False
            else:
                self._is_there = True
            self._known_until_ns = now_ns + _AWAY_NS
        return self._is_there

    def tasks(self, pid: int = 0) -> list[int]:
        """The user's processes and the kernel's threads, or the threads of one process.

        Raises ``LenderAwayError``.
        """
        found = self._json("ListTasks", "i", pid)
        return [one for one in found if type(one) is int] if isinstance(found, list) else []

    def graphics(self, pid: int) -> dict[str, str]:
        """Descriptors of a process that lead to a card. Raises ``LenderAwayError``."""
        found = self._json("ListGraphics", "i", pid)
        if not isinstance(found, dict):
            return {}
        return {name: kind for name, kind in found.items() if isinstance(kind, str)}

    def program(self, pid: int) -> list[str]:
        """The name of its program and Steam's number. Raises ``LenderAwayError``."""
        found = self._json("NameProgram", "i", pid)
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    def tell(self, files: Sequence[File]) -> list[tuple[str, str]]:
        """For each file why there is nothing (empty: there is), and what it says.

        Raises ``LenderAwayError``.
        """
        with self._channel_lock:
            try:
                rows = _parsed(self._on_channel(json.dumps(files).encode()))
            except OSError as error:
                self._close_channel()
                self._asked_again_ns = self._clock() + _AWAY_NS
                raise LenderAwayError(str(error)) from None
        is_list = isinstance(rows, list) and len(rows) == len(files)
        if not is_list or not all(_is_told(row) for row in rows):
            raise LenderAwayError("the lender does not answer that")
        return [(outcome, text) for outcome, text in rows]

    def _on_channel(self, request: bytes) -> bytes:
        if self._channel is None:
            self._channel = self._opened()
        requests, answers = self._channel
        until_s = time.monotonic() + _TIMEOUT_S
        os.write(requests, request)
        answer = bytearray()
        poll = select.poll()
        poll.register(answers, select.POLLIN)
        while not answer.endswith(b"\n"):
            # One byte every 0.6 s, each within its second, took 36.5 s.
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not poll.poll(left_s * 1000):
                raise TimeoutError("the lender does not answer")
            part = os.read(answers, _ANSWER_MAX + 1 - len(answer))
            answer += part
            if not part or len(answer) > _ANSWER_MAX:
                raise ConnectionResetError("the lender has gone")
        return bytes(answer)

    def _opened(self) -> tuple[int, int]:
        """Both ends of a new channel. Raises ``OSError`` for what is none."""
        (ends,) = self._call("OpenChannel")
        own: list[int] = []
        try:
            if len(ends) != 2:
                raise ConnectionResetError("a channel has two ends")
            for end, mode in zip(ends, (os.O_WRONLY, os.O_RDONLY), strict=True):
                own.append(pipe_of_own(end, mode))
        except OSError:
            self._closer.close(ends)
            for end in own:
                os.close(end)
            raise
        for end in ends:
            os.close(end)
        return own[0], own[1]

    def _close_channel(self) -> None:
        for end in self._channel or ():
            with suppress(OSError):
                os.close(end)
        self._channel = None

    def close(self) -> None:
        with self._channel_lock:
            self._close_channel()
        with self._lock:
            self._caller.close()

    def _json(self, member: str, signature: str, argument: Any) -> Any:
        (text,) = self._call(member, signature, argument)
        return _parsed(text)

    def _call(self, member: str, signature: str = "", *arguments: Any) -> list[Any]:
        with self._lock:
            if self._clock() < self._asked_again_ns:
                raise LenderAwayError("no lender answers")
            try:
                return self._patient_call(member, signature, arguments)
            except BusCallError as error:
                # An error of the lender's own, such as RateLimited, tells that it is there.
                if not error.name.startswith(lending.ERROR_PREFIX):
                    self._asked_again_ns = self._clock() + _AWAY_NS
                raise LenderAwayError(str(error)) from None
            finally:
                self._caller.timeout_s = _TIMEOUT_S

    def _patient_call(self, member: str, signature: str, arguments: tuple[Any, ...]) -> list[Any]:
        """Again while the lender has no time: a first look at all programs may take all it may.

        Raises ``BusCallError``, that one also when the time is over.
        """
        until_s = time.monotonic() + self._caller.timeout_s
        while True:
            try:
                return self._caller.call(
                    lending.BUS_NAME,
                    lending.OBJECT_PATH,
                    (lending.INTERFACE, member),
                    signature,
                    arguments,
                    gives=lending.METHODS[member][1],
                )
            except BusCallError as error:
                if error.name not in _BUSY or time.monotonic() + _AGAIN_S > until_s:
                    raise
            time.sleep(_AGAIN_S)


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None


def _is_told(row: object) -> bool:
    return isinstance(row, list) and len(row) == 2 and all(isinstance(one, str) for one in row)
