# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry of the frozen program: the same as `python -m destutter`."""

import sys

import pyimod02_importers

from destutter.__main__ import main

# A module is read out of the program's file when it is first needed. An upgrade puts another file
# there while the window is open; under this name it is always the one that runs.
pyimod02_importers.pyz_archive._filename = "/proc/self/exe"

sys.exit(main())
