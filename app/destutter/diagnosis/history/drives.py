# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the block devices are drives of their own, and which of them turn."""

from collections.abc import Mapping
from typing import TypeVar

from destutter.diagnosis.history.window import Window

T = TypeVar("T")

NO_DRIVES = ("ram", "zram", "sr", "fd", "nbd")
MIRROR = "loop"
_ROTATIONAL = "1"


def drives(window: Window, seconds: int = 1) -> list[str]:
    """Devices whose latency is their own: loop devices mirror the drive below them."""
    return [name for name in block_devices(window, seconds) if not name.startswith(MIRROR)]


def of_drives(values: Mapping[str, T]) -> dict[str, T]:
    """Those of drives of their own; without any what there is. A loop device mirrors another and
    may be anybody's: its 1,954 ms were told of a game whose drive answered within 22.
    """
    own = {
        name: each for name, each in values.items() if not name.startswith((*NO_DRIVES, MIRROR))
    }
    return own or dict(values)


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
