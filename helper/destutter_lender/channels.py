# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of pipes on which the text of a few files is told, many times a second, without a bus.

Whoever has an end of a pipe can hold the pipe's lock for as long as it likes (splice(2) to a
socket that is full), and nothing that reads, writes or closes the other end can be told not to
wait for it. So all ends are touched only in the process of those who have them (worker.py).
"""

import contextlib
import fcntl
import json
import os
import select
from dataclasses import dataclass

from destutter_helper.api import lending
from destutter_lender.files import Lender
from destutter_lender.pace import RefusedError
from destutter_lender.requests import RequestError, read_request

# The longest answer in one write that never waits; core/lender_client.py (_ANSWER_MAX) reads no
# longer ones.
_ANSWER_BYTES = 1 << 18

Ends = tuple[int, int]
"""Where requests go, and where answers come."""


@dataclass(slots=True)
class _Channel:
    answers: int
    owner: str
    theirs: tuple[int, ...]
    """Until the first request. Else the daemon, which hands them over, might be the last that
    closes one, and closing waits for the pipe's lock."""


class Channels:
    """Those of one sandbox, by the descriptor of their requests, which ``poll`` looks at.

    Each ends with its other side, or with its owner's connection to the bus.
    """

    def __init__(self, lender: Lender, poll: select.poll) -> None:
        self._lender = lender
        self._poll = poll
        self._open: dict[int, _Channel] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, requests: int) -> bool:
        return requests in self._open

    def open(self, owner: str) -> tuple[int, Ends]:
        """A new one and the ends for its owner. Raises ``RefusedError``."""
        of_owner = sum(channel.owner == owner for channel in self._open.values())
        if of_owner >= lending.CHANNELS_OF_ONE_MAX or len(self) >= lending.CHANNELS_MAX:
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
        self._open[requests] = _Channel(answers, owner, (theirs, their_answers))
        self._poll.register(requests, select.POLLIN)
        return requests, (theirs, their_answers)

    def release(self, requests: int) -> None:
        """Nobody else closes their ends any more: from now on it ends with its other side."""
        channel = self._open.get(requests)
        if channel is not None:
            for end in channel.theirs:
                os.close(end)
            channel.theirs = ()

    def forget(self, owner: str) -> None:
        """Its connection has gone: nobody is left who could ask for another in its place."""
        for requests in [each for each, one in self._open.items() if one.owner == owner]:
            self._close(requests)

    def is_new(self, requests: int) -> bool:
        """Whether their ends are still open here."""
        return bool(self._open[requests].theirs)

    def serve(self, requests: int) -> None:
        """One request, or its end when the other side is gone or does not read.

        A line is at most PIPE_BUF long, so it comes as a whole or is no request.
        """
        with contextlib.suppress(OSError):
            data = os.read(requests, lending.REQUEST_MAX_BYTES)
            answer = self._answer(data) + b"\n"
            if data and os.write(self._open[requests].answers, answer) == len(answer):
                return  # it is not gone, and does not ask on without reading
        self._close(requests)

    def _close(self, requests: int) -> None:
        self._poll.unregister(requests)
        channel = self._open.pop(requests)
        for end in (requests, channel.answers, *channel.theirs):
            os.close(end)

    def _answer(self, data: bytes) -> bytes:
        try:
            wanted = read_request(data.decode("utf-8", "replace"))
        except RequestError:
            return b"null"
        return json.dumps(self._lender.tell(wanted), separators=(",", ":")).encode()
