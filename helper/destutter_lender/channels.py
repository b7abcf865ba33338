# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets on which the text of a few files is told, many times a second, without a bus."""

import json
import os
import socket

from gi.repository import GLib

from destutter_helper.api import lending
from destutter_lender.files import Lender, NotLentError
from destutter_lender.pace import Pace, RefusedError
from destutter_lender.requests import RequestError, read_request


class Channels:
    """Those that are open; each ends when its other side does."""

    def __init__(self, lender: Lender, pace: Pace) -> None:
        self._lender = lender
        self._pace = pace
        self._open: dict[int, socket.socket] = {}

    def open(self) -> int:
        """The other side of a new one, which the caller closes. Raises ``RefusedError``."""
        if len(self._open) >= lending.CHANNELS_MAX:
            raise RefusedError("Busy", f"{lending.CHANNELS_MAX} channels at most")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.set_blocking(ours.fileno(), False)
        self._open[ours.fileno()] = ours
        events = GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR
        GLib.io_add_watch(ours.fileno(), GLib.PRIORITY_DEFAULT, events, self._on_event)
        return theirs.detach()

    def _on_event(self, descriptor: int, _events: int) -> bool:
        """One request; False, which ends the watch, when the other side is gone or does not read.

        With one message more than the limit: a longer one is cut off, and no request then.
        """
        channel = self._open[descriptor]
        try:
            data = channel.recv(lending.REQUEST_MAX_BYTES + 1)
            if data:
                channel.send(self._answer(data))
                return True
        except BlockingIOError:
            pass  # it asks on and never reads
        except OSError:
            pass  # it is gone
        del self._open[descriptor]
        channel.close()
        return False

    def _answer(self, data: bytes) -> bytes:
        try:
            self._pace.count()
            wanted = read_request(data.decode("utf-8", "replace"))
        except (RefusedError, RequestError):
            return b"null"
        told: list[tuple[str, str]] = []
        for each in wanted:
            try:
                told.append((lending.LENT, self._lender.tell(each)))
            except NotLentError as error:
                told.append((error.outcome, ""))
        return json.dumps(told, separators=(",", ":")).encode()
