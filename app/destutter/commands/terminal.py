# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands write to: lines, JSON, one changing status line, and complaints."""

import io
import json
import shutil
from typing import Any, TextIO


class CommandError(Exception):
    """The command could not do it; one line in plain words, exit status 1."""


class UsageError(CommandError):
    """The command was asked in a way that makes no sense; exit status 2."""


class Terminal:
    """Standard output and standard error of a command."""

    def __init__(self, output: TextIO, errors: TextIO) -> None:
        self._output = output
        self._errors = errors
        self._status_length = 0
        for stream in (output, errors):
            if isinstance(stream, io.TextIOWrapper):
                # A terminal that knows no dash gets a question mark, not an error.
                stream.reconfigure(errors="replace")

    @property
    def shows_status(self) -> bool:
        """Whether somebody watches: a status line would otherwise fill a log."""
        return self._errors.isatty()

    def line(self, text: str = "") -> None:
        """One line of output, at once."""
        self.end_status()
        self._output.write(text + "\n")
        self._output.flush()

    def json(self, value: Any) -> None:
        """One line of JSON."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self.line(text)

    def status(self, text: str) -> None:
        """Replace the status line; nothing where nobody watches."""
        if not self.shows_status:
            return
        width = max(shutil.get_terminal_size().columns - 1, 20)
        shown = text[:width]
        self._errors.write("\r" + shown.ljust(self._status_length))
        self._errors.flush()
        self._status_length = len(shown)

    def end_status(self) -> None:
        """Take the status line away."""
        if self._status_length:
            self._errors.write("\r" + " " * self._status_length + "\r")
            self._errors.flush()
            self._status_length = 0

    def complain(self, text: str) -> None:
        """One line on standard error."""
        self.end_status()
        self._errors.write("destutter: " + " ".join(text.split("\n")).strip() + "\n")
        self._errors.flush()
