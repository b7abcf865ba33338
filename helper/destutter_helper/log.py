# SPDX-License-Identifier: GPL-3.0-or-later
"""One line per event to stderr, which systemd's journal collects, or the message bus's log."""

import contextlib
import os

STDERR = 2
MAX_CHARACTERS = 1000


class Log:
    """Writes lines that nobody can forge: ASCII only, no control characters, bounded length."""

    def __init__(self, descriptor: int = STDERR) -> None:
        """Write to a descriptor."""
        self._descriptor = descriptor

    def __call__(self, text: str) -> None:
        """Write an ordinary event."""
        self._write(6, text)

    def alert(self, text: str) -> None:
        """Write an event that somebody should look at."""
        self._write(4, text)

    def _write(self, level: int, text: str) -> None:
        printable = "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)
        line = f"<{level}>destutter-helper: {printable[:MAX_CHARACTERS]}\n"
        with contextlib.suppress(OSError):  # nobody reads it any more: no reason to stop
            os.write(self._descriptor, line.encode("ascii"))
