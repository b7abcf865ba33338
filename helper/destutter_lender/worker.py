# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that answers one sandbox. What holds it up holds up nobody else.

A reading can be kept waiting, by a program with tens of gigabytes of memory for seconds, and an
end of a pipe by whoever has its other end, for ever (channels.py). Not even SIGKILL ends that.
"""

import contextlib
import json
import os
import select
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from destutter_lender.channels import Channels
from destutter_lender.files import Lender
from destutter_lender.pace import Group, Pace, RefusedError

NOTE_S = 1.0  # so often the daemon hears that it is in use
TOLD, CHANNEL, REFUSED, NOTE, FIRST = "told", "channel", "refused", "note", "first"
"""What it says: an answer, the ends of a channel, a refusal, how many channels there are, and that
one had its first request."""
FORGET, RELEASE, SHARERS = "forget", "release", "sharers"
"""What it is told besides calls: who has gone, that the ends of a channel have been handed over,
and how many share the time of the processor."""
MESSAGE_MAX = 1 << 17  # a list of 8,192 processes has 64 KiB

_LISTED_S = 0.2  # one look through /proc for whoever asks within two ticks
_ALONE: Group = ("process", 0)
_CONTROL = 3


class Worker:
    """Answers what comes from the daemon through ``control``, and on its channels."""

    def __init__(self, control: socket.socket, lender: Lender) -> None:
        self._control = control
        self._lender = lender
        self._sharers = 1
        self._pace = Pace(sharers=lambda: self._sharers)
        self._all, self._only_control = select.poll(), select.poll()
        for poll in (self._all, self._only_control):
            poll.register(control, select.POLLIN)
        self._channels = Channels(lender, self._all)
        self._listed = 0.0, ""
        self._noted = 0.0, 0

    def run(self) -> None:
        """Until the daemon has gone, or wants no more of it."""
        pause_ms: int | None = None
        while True:
            # Over its pace its pipes fill, and they wait. Answers of "null" were 550,000 in 6 s,
            # and half a core.
            poll = self._all if pause_ms is None else self._only_control
            events, pause_ms = poll.poll(pause_ms), None
            for descriptor, _ in events:
                if descriptor == self._control.fileno():
                    data = self._control.recv(MESSAGE_MAX)
                    if not data:
                        return
                    self._obey(*json.loads(data))
                elif descriptor in self._channels and not self._serve(descriptor):
                    pause_ms = self._pace.pause_ms()
                    break
            self._note()

    def _serve(self, requests: int) -> bool:
        try:
            self._pace.count(_ALONE)
        except RefusedError:
            return False
        if self._channels.is_new(requests):
            self._say(requests, FIRST)
        with self._pace.charging(_ALONE):
            self._channels.serve(requests)
        return True

    def _obey(self, number: int, member: str, value: Any) -> None:
        if member == FORGET:
            self._channels.forget(value)
        elif member == RELEASE:
            self._channels.release(value)
        elif member == SHARERS:
            self._sharers = value
        else:
            self._answer(number, member, value)

    def _answer(self, number: int, member: str, value: Any) -> None:
        try:
            self._pace.count(_ALONE)
            with self._pace.charging(_ALONE):
                if member == "OpenChannel":
                    _requests, ends = self._channels.open(value)
                    self._say(number, CHANNEL, descriptors=ends)
                else:
                    self._say(number, TOLD, ANSWERS[member](self, value))
        except RefusedError as error:
            self._say(number, REFUSED, [error.name, str(error)])
        except Exception as error:  # noqa: BLE001  the last line: what failed inside is not told
            log(f"{member}: {error!r}")
            self._say(number, REFUSED, ["Internal", type(error).__name__])

    def list_tasks(self, pid: int) -> str:
        """The ids of processes, or of the threads of one."""
        if pid:
            return json.dumps(self._lender.tasks(pid), separators=(",", ":"))
        since, text = self._listed
        if time.monotonic() - since > _LISTED_S:
            text = json.dumps(self._lender.tasks(0), separators=(",", ":"))
            self._listed = time.monotonic(), text
        return text

    def list_graphics(self, pid: int) -> str:
        """The descriptors of a process that lead to graphics cards."""
        return json.dumps(self._lender.graphics(pid))

    def name_program(self, pid: int) -> str:
        """The name of a program and Steam's number."""
        return json.dumps(self._lender.program(pid))

    def _note(self) -> None:
        since, channels = self._noted
        now = time.monotonic()
        if now - since > NOTE_S or channels != len(self._channels):
            self._noted = now, len(self._channels)
            self._say(0, NOTE, len(self._channels))

    def _say(self, number: int, what: str, value: Any = "", descriptors: Any = ()) -> None:
        data = json.dumps([number, what, value], separators=(",", ":")).encode()
        socket.send_fds(self._control, [data], list(descriptors))


ANSWERS: dict[str, Callable[[Worker, int], str]] = {
    "ListTasks": Worker.list_tasks,
    "ListGraphics": Worker.list_graphics,
    "NameProgram": Worker.name_program,
}
"""What is answered, by the member."""


def begin(lender: Lender) -> tuple[int, socket.socket]:
    """Its process id, and what to talk to it by, which ends it when closed. Raises ``OSError``."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            raise
        if pid == 0:
            _live(its, lender)
    return pid, ours


def _live(control: socket.socket, lender: Lender) -> NoReturn:
    """The rest of this copy of the daemon, which keeps nothing of it open."""
    try:
        os.dup2(control.fileno(), _CONTROL)
        for each in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                if int(each) > _CONTROL:
                    os.close(int(each))
        Worker(socket.socket(fileno=_CONTROL), lender).run()
    except Exception as error:  # noqa: BLE001  nobody is above it
        log(f"a worker ended: {error!r}")
    finally:
        os._exit(0)  # what would be cleaned up is the daemon's


def log(text: str) -> None:
    """A line for the session's log; a mistake of ours is told to nobody else."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"destutter-lender: {text}\n")
        sys.stderr.flush()
