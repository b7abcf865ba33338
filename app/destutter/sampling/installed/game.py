# SPDX-License-Identifier: GPL-3.0-or-later
"""One installed game, and who starts it."""

from dataclasses import dataclass
from enum import StrEnum


class GameLauncher(StrEnum):
    """What starts a game, and so where its MangoHud is switched on."""

    STEAM = "steam"
    HEROIC = "heroic"
    LUTRIS = "lutris"
    XPLANE = "xplane"


class Package(StrEnum):
    """How the launcher is installed: in a Flatpak or a Snap it sees other folders."""

    NATIVE = "native"
    FLATPAK = "flatpak"
    SNAP = "snap"


@dataclass(frozen=True, slots=True, order=True)
class InstalledGame:
    """``id`` is the launcher's own; with the launcher and its package it is one game."""

    name: str
    launcher: GameLauncher
    package: Package = Package.NATIVE
    id: str = ""

    @property
    def tells_frames(self) -> bool:
        """Whether it tells its frame times without MangoHud: X-Plane does, whoever starts it."""
        return self.launcher is GameLauncher.XPLANE or self.name.startswith("X-Plane ")
