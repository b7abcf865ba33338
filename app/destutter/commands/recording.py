# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording made by a command: the file, and what is shown meanwhile."""

import os
from dataclasses import replace
from typing import Any

from destutter.commands.computer import computer
from destutter.commands.terminal import CommandError, Terminal
from destutter.commands.version import program_version
from destutter.commands.watcher import Watcher
from destutter.core.sample import Header, Message, Sample
from destutter.core.statement import Statement, Value
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder
from destutter.tuning.current import as_mapping, read_current


class Recording:
    """Writes a stream into a file and shows on a terminal how it goes."""

    def __init__(self, path: str, root: str, terminal: Terminal) -> None:
        self._path = path
        self._files = computer(root)
        self._terminal = terminal
        self._watcher = Watcher()
        self._recorder: Recorder | None = None
        self._samples = 0

    def accept_message(self, message: Message) -> None:
        """Take in one message. Raises ``CommandError`` when the file cannot take it."""
        try:
            self._write(message)
        except RecordingError as error:
            raise CommandError(error.statement) from None
        if self._terminal.shows_status:
            self._show(message)

    def finish(self) -> dict[str, Any]:
        """End the recording: file, seconds, samples, bytes.

        Raises ``CommandError`` when nothing was recorded or the last second found no room.
        """
        self._terminal.end_status()
        recorder = self._recorder
        if recorder is None or not self._samples:
            self._discard()
            raise CommandError(Statement("command.nothing_recorded"))
        try:
            recorder.close()
        except RecordingError as error:
            raise CommandError(error.statement) from None
        return {
            "file": recorder.path,
            "duration_s": round(recorder.duration_s, 3),
            "samples": self._samples,
            "size_bytes": recorder.size_bytes,
        }

    def end_early(self, error: CommandError) -> CommandError:
        """End it after an error; the error, with what is kept."""
        recorder = self._recorder
        if recorder is None or not recorder.is_open:
            return error
        if not self._samples:
            self._discard()
            return error
        summary = self.finish()
        kept = {"seconds": round(summary["duration_s"]), "path": summary["file"]}
        values = {"reason": error.statement, **kept}
        return CommandError(Statement("command.ended_early", values))

    def _write(self, message: Message) -> None:
        if self._recorder is None:
            if not isinstance(message, Header):
                raise CommandError(Statement("command.silent_sampler"))
            tunables = as_mapping(read_current(self._files))
            header = replace(message, tunables=tunables)
            self._recorder = Recorder(self._path, header, f"Destutter {program_version()}")
            return
        self._recorder.accept_message(message)
        self._samples += isinstance(message, Sample)

    def _discard(self) -> None:
        """Take away a file that holds nothing but its beginning."""
        if self._recorder is not None:
            self._recorder.close()
            os.unlink(self._path)

    def _show(self, message: Message) -> None:
        self._watcher.accept_message(message)
        line = self._watcher.line(self._terminal.words)
        if line is not None and self._recorder is not None:
            seconds, size = round(self._recorder.duration_s), self._recorder.size_bytes
            values: dict[str, Value] = {
                "seconds": seconds,
                "size_bytes": size,
                "line": line,
            }
            self._terminal.status(
                self._terminal.words.text(Statement("command.recording", values))
            )
