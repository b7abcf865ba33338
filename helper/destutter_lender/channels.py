# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of pipes on which the text of a few files is told, many times a second, without a bus."""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from gi.repository import GLib

from destutter_helper.api import lending
from destutter_lender.files import Lender
from destutter_lender.pace import Group, Pace, RefusedError
from destutter_lender.requests import RequestError, read_request

# The longest answer in one write that never waits; core/lender_client.py (_ANSWER_MAX) reads no
# longer ones.
_ANSWER_BYTES = 1 << 18

_OF_GROUP_MAX = 6
"""Of a sandbox or a process, whatever connections it has; each of our programs keeps one."""


@dataclass(slots=True)
class _Channel:
    answers: int
    owner: str
    group: Group
    used_at: float
    source: int = 0


class Channels:
    """Those that are open, by the descriptor of their requests.

    Each ends with its other side, with its owner's connection to the bus, and for a newcomer when
    there are too many and it has been idle the longest.
    """

    def __init__(
        self, lender: Lender, pace: Pace, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lender = lender
        self._pace = pace
        self._clock = clock
        self._open: dict[int, _Channel] = {}

    @property
    def are_open(self) -> bool:
        return bool(self._open)

    def open(self, owner: str, group: Group) -> tuple[int, int]:
        """Where requests go and answers come, which the caller closes. Raises ``RefusedError``."""
        of_owner = sum(channel.owner == owner for channel in self._open.values())
        of_group = sum(channel.group == group for channel in self._open.values())
        if of_owner >= lending.CHANNELS_OF_ONE_MAX or of_group >= _OF_GROUP_MAX:
            raise RefusedError("Busy", "too many channels are open")
        if len(self._open) >= lending.CHANNELS_MAX:
            self._close(min(self._open, key=lambda one: self._open[one].used_at))
        requests, theirs = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            their_answers, answers = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:  # no descriptors are left: what there is of it must not be one less
            os.close(requests)
            os.close(theirs)
            raise RefusedError("Busy", "too many channels are open") from None
        with contextlib.suppress(OSError):  # this user has too many large ones: then a small one
            fcntl.fcntl(answers, fcntl.F_SETPIPE_SZ, _ANSWER_BYTES)
        self._open[requests] = _Channel(answers, owner, group, self._clock())
        self._watch(requests)
        return theirs, their_answers

    def forget(self, owner: str) -> None:
        """Its connection has gone: nobody is left who could ask for another in its place."""
        for requests in [each for each, one in self._open.items() if one.owner == owner]:
            self._close(requests)

    def _watch(self, requests: int) -> bool:
        events = GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR
        self._open[requests].source = GLib.io_add_watch(
            requests, GLib.PRIORITY_DEFAULT, events, self._on_event
        )
        return False  # of a timer, which ends with this

    def _on_event(self, requests: int, _events: int) -> bool:
        """One request; False, which ends the watch, when the other side is gone or does not read.

        A line is at most PIPE_BUF long, so it comes as a whole or is no request.
        """
        channel = self._open[requests]
        try:
            self._pace.count(channel.group)
        except RefusedError:
            # Its pipe fills, and it waits. Answers of "null" were 550,000 in 6 s, and half a core.
            wait_ms = self._pace.pause_ms()
            channel.source = GLib.timeout_add(wait_ms, self._watch, requests)
            return False
        channel.used_at = self._clock()
        with contextlib.suppress(OSError), self._pace.charging(channel.group):
            data = os.read(requests, lending.REQUEST_MAX_BYTES)
            answer = self._answer(data) + b"\n"
            if data and os.write(channel.answers, answer) == len(answer):
                return True  # it is not gone, and does not ask on without reading
        channel.source = 0
        self._close(requests)
        return False

    def _close(self, requests: int) -> None:
        channel = self._open.pop(requests)
        if channel.source:
            GLib.source_remove(channel.source)
        os.close(requests)
        os.close(channel.answers)

    def _answer(self, data: bytes) -> bytes:
        try:
            wanted = read_request(data.decode("utf-8", "replace"))
        except RequestError:
            return b"null"
        return json.dumps(self._lender.tell(wanted), separators=(",", ":")).encode()
