# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's cache of source lines, kept empty.

PySide reads the source of every module that is imported after it, to see whether the module uses
PySide, and Python keeps what was read: 650 files, 19 MB of short texts, scattered over memory that
cannot be given back. Tracebacks read a file again when they need it.
"""

import linecache
from typing import Any


class _Nothing(dict[str, Any]):
    """A cache that takes everything and keeps none of it."""

    def __setitem__(self, key: str, value: object) -> None:
        """Forget it at once."""


def forget_source_lines() -> None:
    """Keep no source lines from now on; before the first import of PySide."""
    linecache.cache = _Nothing()
