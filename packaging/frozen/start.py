# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry of the frozen program: the same as `python -m destutter`."""

import os
import sys
import zlib

import pyimod02_importers

from destutter.__main__ import main

# A module is read out of the program's file when it is first needed. An upgrade puts another file
# there while the window is open; under this name it is always the one that runs.
pyimod02_importers.pyz_archive._filename = "/proc/self/exe"

_DAMAGED = 127  # as what stands in front of the AppImage says it (packaging/appimage/runtime.c)


def _tell_damage(kind, error, trace):
    """A module that cannot be unpacked is a download that went wrong: no traceback helps there."""
    if issubclass(kind, zlib.error):
        sys.stderr.write("Destutter: this file is damaged; please download it again\n")
        sys.stderr.flush()
        os._exit(_DAMAGED)  # in the window, too: half of a program would go on
    sys.__excepthook__(kind, error, trace)


sys.excepthook = _tell_damage
# The AppImage starts it as "AppRun", which its children inherit, and a cause named them so.
with open("/proc/self/comm", "w", encoding="ascii") as name:
    name.write("destutter")
sys.exit(main())
