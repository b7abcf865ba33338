# SPDX-License-Identifier: GPL-3.0-or-later
"""Where kernel files are read from, by what this process can see."""

import os

from destutter.core.kernel_files import KernelFiles
from destutter.core.lender_client import LenderClient
from destutter.core.lent_files import LentFiles

SANDBOX_MARK = "/.flatpak-info"
"""Flatpak puts it into each of its sandboxes (flatpak-run(1))."""


def is_sandboxed() -> bool:
    """Whether this is a Flatpak, which sees no processes but its own."""
    return os.path.exists(SANDBOX_MARK)


def kernel_files(root: str | os.PathLike[str], session_bus: str) -> KernelFiles:
    """Kernel files below ``root``; those of the running computer through the lender, if need be.

    ``session_bus``: its address; empty where there is none.
    """
    if os.fspath(root) == "/" and is_sandboxed():
        return LentFiles(LenderClient(session_bus))
    return KernelFiles(root)
