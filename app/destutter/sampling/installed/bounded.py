# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of other programs, read with limits: nobody here knows what stands in them."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_MOST_BYTES = 1 << 22  # of one file; a list of a thousand games has less than one MiB
_MOST_NAMES = 5_000  # in one folder


def read_text(path: Path) -> str:
    """The text of an ordinary file; empty for any other, a longer one, or none."""
    try:
        # A pipe would hold up the opening, and reading a device might never end.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return ""
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > _MOST_BYTES:
            return ""
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def read_json(path: Path) -> Any:
    """What a JSON file says; None for one that says nothing."""
    try:
        return json.loads(read_text(path) or "null")
    except (ValueError, RecursionError):
        return None


def names_in(folder: Path, ending: str) -> Iterator[Path]:
    """Paths of what ends so in a folder, in no order; none where there is no folder."""
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_NAMES), entries, strict=False):
                if entry.name.endswith(ending):
                    yield Path(entry.path)
    except (OSError, ValueError):
        return
