# SPDX-License-Identifier: GPL-3.0-or-later
"""How a process of this program is started, and how it names itself when it complains."""

import sys

OWN_NAME = "destutter sampler: "


def own_command() -> list[str]:
    """The command that starts this program again, also from a frozen bundle."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "destutter"]
