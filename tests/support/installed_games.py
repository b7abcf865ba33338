# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's installed games, and waiting until a view has read them."""

import time

from PySide6.QtWidgets import QApplication, QWidget

from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.help.connect_view import ConnectView

_WITHIN_S = 20.0

LIBRARY = GameLibrary(
    (
        InstalledGame("Baldur's Gate 3", GameLauncher.STEAM),
        InstalledGame("Cyberpunk 2077", GameLauncher.HEROIC, Package.FLATPAK, "1423049311"),
        InstalledGame("Dota 2", GameLauncher.STEAM),
        InstalledGame("Elden Ring", GameLauncher.STEAM, Package.FLATPAK),
        InstalledGame("Microsoft Flight Simulator 40th Anniversary Edition", GameLauncher.STEAM),
        InstalledGame("osu!", GameLauncher.LUTRIS),
        InstalledGame("Stardew Valley", GameLauncher.STEAM, Package.SNAP),
        InstalledGame("X-Plane 12", GameLauncher.XPLANE),
    ),
    {
        Package.NATIVE: "sudo apt install mangohud",
        Package.FLATPAK: "flatpak install flathub org.freedesktop.Platform.VulkanLayer.MangoHud",
    },
)


def wait_for_games(around: QWidget | None) -> ConnectView:
    """The view in this widget, once it has read the launchers' files."""
    assert around is not None
    views = [around] if isinstance(around, ConnectView) else around.findChildren(ConnectView)
    (view,) = views
    ends = time.monotonic() + _WITHIN_S
    while not view.is_read:
        assert time.monotonic() < ends, "the games were not read"
        QApplication.processEvents()
    for _ in range(12):
        QApplication.processEvents()
    return view
