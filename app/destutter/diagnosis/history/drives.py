# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the block devices are drives of their own, and which of them turn."""

from destutter.diagnosis.history.window import Window

NO_DRIVES = ("ram", "zram", "sr", "fd", "nbd")
MIRROR = "loop"
_ROTATIONAL = "1"


def drives(window: Window, seconds: int = 1) -> list[str]:
    """Devices whose latency is their own: loop devices mirror the drive below them."""
    return [name for name in block_devices(window, seconds) if not name.startswith(MIRROR)]


def block_devices(window: Window, seconds: int = 1) -> list[str]:
    return [
        name
        for name in window.instances("disk.reads_per_s", seconds)
        if not name.startswith(NO_DRIVES)
    ]


def is_rotational(window: Window, name: str) -> bool:
    """Whether a drive has turning discs. Drives of virtual machines only say so."""
    is_virtual = window.facts.get("machine.virtual", "no") not in ("", "no")
    return not is_virtual and window.facts.get(f"disk.{name}.rotational") == _ROTATIONAL
