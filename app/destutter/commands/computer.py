# SPDX-License-Identifier: GPL-3.0-or-later
"""The computer that a command reads."""

import os

from destutter.core.computer import kernel_files
from destutter.core.kernel_files import KernelFiles


def computer(root: str = "/") -> KernelFiles:
    """Its kernel files: this computer's, also from inside of a Flatpak, or a captured tree."""
    return kernel_files(root, os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""))
