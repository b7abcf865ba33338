# SPDX-License-Identifier: GPL-3.0-or-later
"""Python keeps no source lines of the window, and errors still show theirs."""

import linecache
import os
import subprocess
import sys

import pytest

from destutter.source_lines import KEPT, forget_source_lines

_PROGRAM = """
import linecache, sys, traceback
from destutter.cli import main
from destutter.source_lines import KEPT
status = main([])
assert status == 1 and "PySide6" in sys.modules, status
assert len(linecache.cache) <= KEPT, len(linecache.cache)
from destutter.application.window_options import refuse_xwayland
try:
    refuse_xwayland(None)
except AttributeError:
    print(traceback.format_exc())
"""


class Loader:
    """Loads modules that have no file of their own, as the packaged program does."""

    def __init__(self, source: str | None) -> None:
        self.source = source

    def get_source(self, _name: str) -> str | None:
        """The source of a module, if it is known."""
        return self.source


_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def test_the_window_is_loaded_without_its_source_lines() -> None:
    """Nothing is kept of the modules that it needs; a traceback reads its lines anew."""
    environment = {name: value for name, value in os.environ.items() if name not in _SCREENS}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert 'environment.get("DISPLAY")' in done.stdout


@pytest.mark.parametrize(("source", "lines"), [(None, []), ("a = 1\n", ["a = 1\n"])])
def test_modules_without_a_file(
    monkeypatch: pytest.MonkeyPatch, source: str | None, lines: list[str]
) -> None:
    """Of the packaged program's modules Python asks their loader, and gets an answer each time."""
    monkeypatch.setattr(linecache, "cache", linecache.cache)
    forget_source_lines()
    for number in range(3 * KEPT):
        module = {"__name__": "made_up", "__loader__": Loader(source)}
        assert linecache.getlines(f"/nowhere/{number}.py", module) == lines
    assert len(linecache.cache) <= KEPT
