# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands write to: lines, JSON, one changing status line, and complaints."""

import errno
import io
import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason
from destutter.words.language import ENGLISH
from destutter.words.renderer import renderer

_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Signs that steer a terminal, or turn the direction of what follows."""

_HARMLESS = dict.fromkeys(_STEERING, "?") | {ord(sign): sign for sign in "\t\n"}
_ESCAPED = {code: f"\\u{code:04x}" for code in _STEERING if code >= 0x20}  # JSON has the others


class CommandError(StatementError):
    """The command could not do it; exit status 1."""


class UsageError(CommandError):
    """The command was asked in a way that makes no sense; exit status 2."""


class Terminal:
    """Standard output and standard error of a command, and the words of the one who reads it."""

    def __init__(self, output: TextIO, errors: TextIO, language: str = ENGLISH) -> None:
        self.words = renderer(language)
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
        """One line of output, at once; control signs in it are shown as question marks.

        Raises ``CommandError`` on a full disk, ``BrokenPipeError`` when nobody reads any more.
        """
        self._write(text.translate(_HARMLESS))

    def say(self, id_: str, values: Mapping[str, Value] | None = None) -> None:
        """One line of output, in the words of the one who reads it."""
        self.line(self.words.text(Statement(id_, values or {})))

    def _write(self, text: str) -> None:
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
        self._write(text.translate(_ESCAPED))

    def status(self, text: str) -> None:
        """Replace the status line; nothing where nobody watches."""
        if not self.shows_status:
            return
        # Late: most commands have no status line.
        from destutter.words.columns import columns, cut, to_left

        width = max(shutil.get_terminal_size().columns - 1, 20)
        shown = cut(text.translate(_HARMLESS), width)
        self._errors.write("\r" + to_left(shown, self._status_length))
        self._errors.flush()
        self._status_length = columns(shown)

    def end_status(self) -> None:
        """Take the status line away."""
        if self._status_length:
            self._errors.write("\r" + " " * self._status_length + "\r")
            self._errors.flush()
            self._status_length = 0

    def complain(self, what: Statement | str, *below: str) -> None:
        """One line on standard error, and lines that belong below it."""
        text = self.words.text(what) if isinstance(what, Statement) else what
        with suppress(OSError):  # there is no other place to say it
            self.end_status()
            lines = (f"destutter: {text.strip()}", *below)
            self._errors.write("".join(f"{_one_line(line)}\n" for line in lines))
            self._errors.flush()


def _one_line(text: str) -> str:
    return " ".join(text.split("\n")).rstrip().translate(_HARMLESS)


def damage(path: str, problem: Statement) -> Statement:
    """What is wrong with a file that was read all the same."""
    return Statement("command.damage", {"path": path, "why_sentence": problem})


def unwritable(error: OSError) -> Statement:
    """Why standard output takes nothing."""
    if error.errno == errno.EBADF:
        return Statement("command.closed_output")
    return Statement("command.unwritable", {"reason": system_reason(error)})
