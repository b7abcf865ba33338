# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry of the frozen program: the same as `python -m destutter`."""

import sys

from destutter.__main__ import main

sys.exit(main())
