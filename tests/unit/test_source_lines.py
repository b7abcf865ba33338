# SPDX-License-Identifier: GPL-3.0-or-later
"""Python keeps no source lines of the window, and errors still show theirs."""

import os
import subprocess
import sys

_PROGRAM = """
import linecache, sys, traceback
from destutter.cli import main
status = main([])
assert status == 1 and "PySide6" in sys.modules, status
assert not linecache.cache, len(linecache.cache)
from destutter.application.window_options import refuse_xwayland
try:
    refuse_xwayland(None)
except AttributeError:
    print(traceback.format_exc())
"""
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
