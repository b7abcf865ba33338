# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the block devices are drives of their own, and which of them turn."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from destutter.diagnosis.history.window import Window

T = TypeVar("T")

NO_DRIVES = ("ram", "zram", "sr", "fd", "nbd")
MIRROR = "loop"
_ROTATIONAL = "1"
DRIVES_FACT = "game.drives"
_ASKED_S = 3  # bytes are counted when they are asked for, and the drive's when it has answered
_BESIDE, _SOME_BYTES = 2.0, 2.0**20  # times what its drives gave, and beyond that: a choice


def drives(window: Window, seconds: int = 1) -> list[str]:
    """Devices whose latency is their own: loop devices mirror the drive below them."""
    return [name for name in block_devices(window, seconds) if not name.startswith(MIRROR)]


def games_drives(window: Window, seconds: int = 1) -> list[str]:
    """The same, as far as the game can have waited for them."""
    return held_by_game(window, drives(window, seconds))


def held_by_game(window: Window, names: Sequence[str]) -> list[str]:
    """Those that hold files of the game; all where that is not known.

    Of a loop device of somebody's test, which no file of the game was on, "Another program holds
    the drive" was proved, and its setting advised.
    """
    held = frozenset(window.facts.get(DRIVES_FACT, "").split())
    read = window.mean("game.read_bytes_per_s", seconds=_ASKED_S) or 0.0
    moved = {
        name: window.mean("disk.read_bytes_per_s", name, seconds=_ASKED_S) or 0.0 for name in names
    }
    return on_held_drives(names, held, read, moved)


def on_held_drives(
    names: Sequence[str], held: AbstractSet[str], read: float, moved: Mapping[str, float]
) -> list[str]:
    """Those of ``names`` that are in ``held``, where the game can have had all that it ``read``
    from them; else all. A file that was open for a moment only is in no list of open ones.
    """
    own = [name for name in names if name in held]
    given = sum(moved.get(name, 0.0) for name in own)
    return own if own and read <= _BESIDE * given + _SOME_BYTES else list(names)


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
