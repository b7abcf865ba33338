# SPDX-License-Identifier: GPL-3.0-or-later
"""Running commands: in this process with a scripted source, or as a user does."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from destutter.cli import main
from destutter.core.sample import Message
from destutter.core.source import SampleSource
from destutter.sampling.programs import LiveOptions
from destutter.sampling.trace_source import LentTrace


@dataclass(frozen=True)
class Outcome:
    """What a command left: exit status and both outputs."""

    status: int
    output: str
    errors: str

    @property
    def complaint(self) -> str:
        """The one line on standard error; fails when there is another number of lines."""
        lines = self.errors.splitlines()
        assert len(lines) == 1, self.errors
        assert lines[0].startswith("destutter: "), lines[0]
        return lines[0].removeprefix("destutter: ")


class Commands:
    """Runs commands in this process; ``source`` stands for the live measurement."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.source: SampleSource | None = None
        self.options: LiveOptions | None = None

    def open(self, options: LiveOptions, trace: LentTrace | None = None) -> SampleSource:
        """What LiveSource would be; a trace is nobody's here."""
        assert trace is None
        assert self.source is not None, "this test did not expect a measurement"
        self.options = options
        return self.source

    def run(self, *words: str | Path) -> Outcome:
        """Run one command."""
        status = main([str(word) for word in words])
        output, errors = self._capsys.readouterr()
        return Outcome(status, output, errors)


class BreakingSource:
    """Plays messages and then raises."""

    def __init__(self, messages: Sequence[Message], error: BaseException) -> None:
        self._messages = messages
        self._error = error
        self.is_closed = False
        self.last_looks: list[Message] = []

    def messages(self) -> Iterator[Message]:
        """The messages, then the error."""
        yield from self._messages
        raise self._error

    def close(self) -> None:
        """Note that it was closed."""
        self.is_closed = True


def start(
    *words: str | Path,
    process_group: int | None = None,
    max_file_bytes: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[str]":
    """Start the real command as a process of its own, with additions to its environment.

    ``max_file_bytes`` limits the size of files that it writes, as a full disk would.
    """
    limit = [] if max_file_bytes is None else ["prlimit", f"--fsize={max_file_bytes}"]
    return subprocess.Popen(
        [*limit, sys.executable, "-m", "destutter", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error", **(environment or {})},
        process_group=process_group,
    )


def run_real(
    *words: str | Path,
    max_file_bytes: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run the real command as a process of its own and wait for it."""
    with start(*words, max_file_bytes=max_file_bytes, environment=environment) as process:
        output, errors = process.communicate(timeout=60)
    return Outcome(process.returncode, output, errors)
