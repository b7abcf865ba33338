# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that lives, and does nothing: where a test needs one that a game could be."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def living() -> Iterator["subprocess.Popen[bytes]"]:
    """Killed at the end whatever the test came to: a failed one waited ten minutes for it."""
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield process
        finally:
            process.kill()
