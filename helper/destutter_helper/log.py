# SPDX-License-Identifier: GPL-3.0-or-later
"""One line per event to stderr, which systemd's journal collects, or the message bus's log."""

import contextlib
import os
import select
import time

STDERR = 2
# Two lines must fit into PIPE_BUF (4096 bytes), or the write in _write could wait.
MAX_CHARACTERS = 1000
PER_MINUTE_MAX = 30  # lines that one user can cause by being refused


class Log:
    """Writes lines that nobody can forge: ASCII only, no control characters, bounded length.

    It never waits for a reader: what cannot be taken at once is dropped, and the number of lines
    that are missing is written as soon as there is room.
    """

    def __init__(self, descriptor: int = STDERR) -> None:
        """Write to a descriptor, a pipe or a socket, which others may have, too."""
        self._descriptor = descriptor
        self._dropped = 0
        self._minutes: dict[int, tuple[int, int]] = {}  # by user: which minute, how many lines

    def __call__(self, text: str) -> None:
        """Write an ordinary event."""
        self._write(6, text)

    def alert(self, text: str) -> None:
        """Write an event that somebody should look at."""
        self._write(4, text)

    def refusal(self, uid: int, text: str) -> None:
        """Write that a user was refused something, a few times a minute."""
        minute = int(time.monotonic() // 60)
        self._minutes = {one: at for one, at in self._minutes.items() if at[0] == minute}
        count = self._minutes.get(uid, (minute, 0))[1] + 1
        self._minutes[uid] = minute, count
        if count <= PER_MINUTE_MAX:
            self(text)
        if count == PER_MINUTE_MAX:
            self(f"no more refusals of uid={uid} in this minute are logged")

    def _write(self, level: int, text: str) -> None:
        printable = "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)
        line = f"<{level}>destutter-helper: {printable[:MAX_CHARACTERS]}\n"
        if self._dropped:
            line = f"<4>destutter-helper: {self._dropped} lines before are missing\n{line}"
        with contextlib.suppress(OSError):  # nobody reads it any more: no reason to stop
            # Not O_NONBLOCK: that would be a property of everybody's end of the pipe. A pipe that
            # can be written to has room for PIPE_BUF bytes, which is more than two lines.
            poll = select.poll()
            poll.register(self._descriptor, select.POLLOUT)
            if not poll.poll(0):
                self._dropped += 1
                return
            os.write(self._descriptor, line.encode("ascii"))
        self._dropped = 0
