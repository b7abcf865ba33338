# SPDX-License-Identifier: GPL-3.0-or-later
"""How a process of this program is started."""

import sys
from pathlib import Path


def own_command(here: str = __file__) -> list[str]:
    """The command that starts this program again, also from a frozen bundle or a package.

    ``here`` is this file: a package has a program above its folder of modules
    (packaging/native), which alone knows the way to them.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable]
    modules = Path(here).resolve().parents[2]
    if modules.name == "modules" and (modules.parent / "destutter").is_file():
        return [str(modules.parent / "destutter")]
    return [sys.executable, "-m", "destutter"]
