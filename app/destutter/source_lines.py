# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's cache of source lines, kept all but empty.

PySide reads the source of every module that is imported after it, to see whether the module uses
PySide, and Python keeps what was read: 650 files, 19 MB of short texts, scattered over memory that
cannot be given back. Tracebacks read a file again when they need it.
"""

import linecache
from typing import Any

KEPT = 4
"""linecache looks at once for what it has just stored; other threads may store meanwhile."""


class _Newest(dict[str, Any]):
    """A cache that forgets all but the newest few entries."""

    def __setitem__(self, key: str, value: object) -> None:
        """Store it, and forget the oldest."""
        super().__setitem__(key, value)
        for oldest in list(self)[:-KEPT]:
            self.pop(oldest, None)


def forget_source_lines() -> None:
    """Keep next to no source lines from now on; before the first import of PySide."""
    linecache.cache = _Newest()
