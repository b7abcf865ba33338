# SPDX-License-Identifier: GPL-3.0-or-later
"""The processes that answer, one for each sandbox, as the daemon sees them: nothing waits here."""

import contextlib
import itertools
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gi.repository import GLib

from destutter_lender import worker
from destutter_lender.files import Lender
from destutter_lender.pace import Group, RefusedError
from destutter_lender.worker import CHANNEL, FIRST, FORGET, NOTE, REFUSED, RELEASE, SHARERS

WORKERS_MAX = 32
"""A newcomer gets the place of the one that was used the longest ago, if it is idle."""

_REAPED_MS = 1_000
_IDLE_S = 10.0  # a window asks ten times a second; with eight, newcomers took its place

# That were told to end, and wait for what holds them up: of one sandbox, which could otherwise get
# another one again and again, and of all.
_STUCK_OF_ONE_MAX, _STUCK_MAX = 4, 64
_WAITING_MAX = 16  # calls of a sandbox; a window has one for each of its threads


class Caller(NamedTuple):
    """Who asks: a connection's name, and those with whom it counts as one."""

    name: str
    group: Group


Answer = Callable[[str | RefusedError | Sequence[int]], None]
"""Takes a text, a refusal, or the ends of a channel, which are closed behind it."""


@dataclass(slots=True)
class _Worker:
    control: socket.socket
    pid: int
    used_at: float
    source: int = 0
    channels: int = 0
    owners: set[str] = field(default_factory=set)
    waiting: dict[int, tuple[str, Answer]] = field(default_factory=dict)


class Workers:
    """Starts and ends them, and hands on calls and answers."""

    def __init__(self, lender: Lender, clock: Callable[[], float] = time.monotonic) -> None:
        self._lender = lender
        self._clock = clock
        self._of_group: dict[Group, _Worker] = {}
        self._ended: dict[int, Group] = {}
        self._numbers = itertools.count(1)

    @property
    def have_channels(self) -> bool:
        return any(one.channels for one in self._of_group.values())

    def ask(self, caller: Caller, member: str, argument: int, answer: Answer) -> None:
        """Have a call answered, some time. Raises ``RefusedError`` where that is not tried."""
        one = self._of_group.get(caller.group) or self._begin(caller.group)
        if self._of_group.get(caller.group) is not one or len(one.waiting) >= _WAITING_MAX:
            raise RefusedError("Busy", "the calls before this one are not answered yet")
        one.used_at = self._clock()
        one.owners.add(caller.name)
        number = next(self._numbers)
        one.waiting[number] = caller.name, answer
        value = caller.name if member == "OpenChannel" else argument
        self._tell(caller.group, [number, member, value])

    def forget(self, owner: str) -> None:
        """Its connection has gone; the last one's worker goes with it."""
        for group in [each for each, one in self._of_group.items() if owner in one.owners]:
            one = self._of_group[group]
            one.owners.discard(owner)
            one.waiting = {key: each for key, each in one.waiting.items() if each[0] != owner}
            if one.owners:
                self._tell(group, [0, FORGET, owner])
            else:
                self._end(group)

    def close(self) -> None:
        """End all of them."""
        for group in list(self._of_group):
            self._end(group)

    def _begin(self, group: Group) -> _Worker:
        if len(self._of_group) >= WORKERS_MAX:
            oldest = min(self._of_group, key=lambda each: self._of_group[each].used_at)
            if self._clock() - self._of_group[oldest].used_at < _IDLE_S:
                raise RefusedError("Busy", "too many callers at once")
            self._end(oldest)
        self.reap()
        try:
            of_one = sum(each == group for each in self._ended.values())
            if of_one >= _STUCK_OF_ONE_MAX or len(self._ended) >= _STUCK_MAX:
                raise BlockingIOError
            pid, control = worker.begin(self._lender)
        except OSError:
            raise RefusedError("Busy", "no process is left") from None
        one = self._of_group[group] = _Worker(control, pid, self._clock())
        events = GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR
        one.source = GLib.io_add_watch(
            control.fileno(), GLib.PRIORITY_DEFAULT, events, lambda *_: self._hear(group)
        )
        self._tell_sharers()
        return one

    def _end(self, group: Group) -> None:
        one = self._of_group.pop(group)
        GLib.source_remove(one.source)
        one.control.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(one.pid, signal.SIGKILL)  # it may be waiting for ever
        self._ended[one.pid] = group
        GLib.timeout_add(_REAPED_MS, self._is_left)
        for _, answer in one.waiting.values():
            answer(RefusedError("Busy", "too many callers at once"))
        self._tell_sharers()

    def _is_left(self) -> bool:
        """A timer that runs while one has not come to its end."""
        self.reap()
        return bool(self._ended)

    def reap(self) -> None:
        """Let those go that have come to their end."""
        for pid in list(self._ended):
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            del self._ended[pid]

    def _tell_sharers(self) -> None:
        for group in list(self._of_group):
            self._tell(group, [0, SHARERS, len(self._of_group)])

    def _tell(self, group: Group, message: list[Any]) -> None:
        one = self._of_group.get(group)
        # One that takes nothing more is stuck: whoever asks next gets another one.
        try:
            if one is not None:
                one.control.send(json.dumps(message).encode(), socket.MSG_DONTWAIT)
        except OSError:
            self._end(group)

    def _hear(self, group: Group) -> bool:
        one = self._of_group[group]
        try:
            data, ends, *_ = socket.recv_fds(
                one.control, worker.MESSAGE_MAX, 2, socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return True
        except OSError:
            data, ends = b"", []
        if not data:
            self._end(group)
            return False
        try:
            self._take(group, one, ends, *json.loads(data))
        finally:
            for end in ends:
                os.close(end)
        return True

    def _take(
        self, group: Group, one: _Worker, ends: list[int], number: int, what: str, value: Any
    ) -> None:
        one.used_at = self._clock()
        if what == NOTE:
            one.channels = value
        elif what == FIRST:
            # Its owner has the ends, so the message with them is sent, and its copies are closed.
            self._tell(group, [0, RELEASE, number])
        elif number in one.waiting:
            _, answer = one.waiting.pop(number)
            answer(RefusedError(*value) if what == REFUSED else ends if what == CHANNEL else value)
