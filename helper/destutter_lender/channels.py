# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of pipes on which the text of a few files is told, many times a second, without a bus."""

import contextlib
import fcntl
import json
import os
from dataclasses import dataclass

from gi.repository import GLib

from destutter_helper.api import lending
from destutter_lender.files import Lender
from destutter_lender.pace import Pace, RefusedError
from destutter_lender.requests import RequestError, read_request

# The longest answer in one write that never waits; core/lender_client.py (_ANSWER_MAX) reads no
# longer ones.
_ANSWER_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class _Channel:
    answers: int
    owner: str
    pace: Pace


class Channels:
    """Those that are open, by the descriptor of their requests; each ends with its other side."""

    def __init__(self, lender: Lender) -> None:
        self._lender = lender
        self._open: dict[int, _Channel] = {}

    @property
    def are_open(self) -> bool:
        return bool(self._open)

    def open(self, owner: str) -> tuple[int, int]:
        """Where requests go and answers come, which the caller closes. Raises ``RefusedError``."""
        of_owner = sum(channel.owner == owner for channel in self._open.values())
        if len(self._open) >= lending.CHANNELS_MAX or of_owner >= lending.CHANNELS_OF_ONE_MAX:
            raise RefusedError("Busy", "too many channels are open")
        requests, theirs = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            their_answers, answers = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:  # no descriptors are left: what there is of it must not be one less
            os.close(requests)
            os.close(theirs)
            raise RefusedError("Busy", "too many channels are open") from None
        with contextlib.suppress(OSError):  # this user has too many large ones: then a small one
            fcntl.fcntl(answers, fcntl.F_SETPIPE_SZ, _ANSWER_BYTES)
        self._open[requests] = _Channel(answers, owner, Pace())
        events = GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR
        GLib.io_add_watch(requests, GLib.PRIORITY_DEFAULT, events, self._on_event)
        return theirs, their_answers

    def _on_event(self, requests: int, _events: int) -> bool:
        """One request; False, which ends the watch, when the other side is gone or does not read.

        A line is at most PIPE_BUF long, so it comes as a whole or is no request.
        """
        channel = self._open[requests]
        with contextlib.suppress(OSError):  # it is gone, or asks on and never reads
            data = os.read(requests, lending.REQUEST_MAX_BYTES)
            answer = self._answer(data, channel.pace) + b"\n"
            if data and os.write(channel.answers, answer) == len(answer):
                return True
        del self._open[requests]
        os.close(requests)
        os.close(channel.answers)
        return False

    def _answer(self, data: bytes, pace: Pace) -> bytes:
        try:
            pace.count()
            wanted = read_request(data.decode("utf-8", "replace"))
        except (RefusedError, RequestError):
            return b"null"
        return json.dumps(self._lender.tell(wanted), separators=(",", ":")).encode()
