# SPDX-License-Identifier: GPL-3.0-or-later
"""Where kernel files are read from, by what this process can see."""

import os

from destutter.core.kernel_files import KernelFiles
from destutter.core.lender_client import LenderClient
from destutter.core.lent_files import LentFiles
from destutter.core.sandbox import is_sandboxed


def kernel_files(root: str | os.PathLike[str], session_bus: str) -> KernelFiles:
    """Kernel files below ``root``; those of the running computer through the lender, if need be.

    ``session_bus``: its address; empty where there is none.
    """
    if os.fspath(root) == "/" and is_sandboxed():
        return LentFiles(LenderClient(session_bus))
    return KernelFiles(root)
