# SPDX-License-Identifier: GPL-3.0-or-later
"""Small programs with a window on an X server of the tests."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO


def on_x11(display: str, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a program on that X server, with ``more`` in it."""
    return {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", **(more or {})}


@contextmanager
def program_on_x11(
    code: str, environment: Mapping[str, str]
) -> Iterator[tuple["subprocess.Popen[str]", IO[str]]]:
    """Python code in a process of its own, and its lines; a line to it may be its end."""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout
