# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands write to: lines, JSON, one changing status line, and complaints."""

import io
import json
import shutil
from contextlib import suppress
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
        """One line of output, at once.

        Raises ``CommandError`` on a full disk, ``BrokenPipeError`` when nobody reads any more.
        """
        self.end_status()
        try:
            self._output.write(text + "\n")
            self._output.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CommandError(unwritable(error)) from None

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
        with suppress(OSError):  # there is no other place to say it
            self.end_status()
            self._errors.write("destutter: " + " ".join(text.split("\n")).strip() + "\n")
            self._errors.flush()


def unwritable(error: OSError) -> str:
    """Why standard output takes nothing."""
    return f"the output cannot be written: {error.strerror}"
