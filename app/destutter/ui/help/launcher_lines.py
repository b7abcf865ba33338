# SPDX-License-Identifier: GPL-3.0-or-later
"""The line that switches MangoHud's log on, for each launcher, and where it belongs."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from destutter.core.running_instance import BUS_NAME
from destutter.core.sandbox import is_sandboxed
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package

translate = QCoreApplication.translate

# Up to version 0.6.8 (Debian 12) MangoHud logs ten frames a second unless it is told 0.
_VARIABLE = "MANGOHUD_CONFIG=output_folder={folder},autostart_log=1,log_interval=0"
_STEAM_LINE = "{variable} mangohud %command%"
# MangoHud makes no folder, and knows "~". Destutter makes this one, and looks there for every
# game (core/user_folders.py), also where it cannot see what the game was started with.
_OWN_FOLDER = "~/.local/share/destutter/mangohud"
_OWN_FOLDER_OF_FLATPAK = f"~/.var/app/{BUS_NAME}/data/destutter/mangohud"
# A launcher in a sandbox may not see that. Flatpak makes this folder for each, under the same
# name inside and outside; the home of a Snap's programs is one that it may write into.
_DATA_OF_FLATPAK = "~/.var/app/{application}/data"
_HOME_OF_SNAP = "~"
_APPLICATIONS = {
    GameLauncher.STEAM: "com.valvesoftware.Steam",
    GameLauncher.HEROIC: "com.heroicgameslauncher.hgl",
    GameLauncher.LUTRIS: "net.lutris.Lutris",
}


@dataclass(frozen=True, slots=True)
class LauncherLine:
    """``where`` it belongs, the ``line``, and what the button that copies it says."""

    where: str
    line: str
    copy: str


def launcher_line(game: InstalledGame) -> LauncherLine | None:
    """What to do in the launcher of this game; None for one that tells its frames by itself."""
    if game.tells_frames:
        return None
    return line_for(game.launcher, game.package)


def line_for(launcher: GameLauncher, package: Package = Package.NATIVE) -> LauncherLine:
    """The same for all games of a launcher that need MangoHud."""
    variable = _VARIABLE.format(folder=_folder(launcher, package))
    copy = translate("Advice", "Copy the variable")
    if launcher is GameLauncher.STEAM:
        return LauncherLine(
            translate("Advice", "In Steam: right-click the game, Properties, Launch options:"),
            _STEAM_LINE.format(variable=variable),
            translate("Advice", "Copy launch options"),
        )
    if launcher is GameLauncher.HEROIC:
        where = translate(
            "Advice",
            "In Heroic: the game's settings, switch MangoHud on, and add the environment "
            "variable:",
        )
        return LauncherLine(where, variable, copy)
    where = translate(
        "Advice",
        "In Lutris: right-click the game, Configure, System options. Switch the FPS counter "
        "(MangoHud) on, and add the environment variable:",
    )
    return LauncherLine(where, variable, copy)


def launcher_name(launcher: GameLauncher) -> str:
    """Its own name, the same in every language."""
    names = {
        GameLauncher.STEAM: "Steam",
        GameLauncher.HEROIC: "Heroic",
        GameLauncher.LUTRIS: "Lutris",
    }
    return names.get(launcher, "X-Plane")


def _folder(launcher: GameLauncher, package: Package) -> str:
    if package is Package.FLATPAK:
        return _DATA_OF_FLATPAK.format(application=_APPLICATIONS[launcher])
    if package is Package.SNAP:
        return _HOME_OF_SNAP
    return _OWN_FOLDER_OF_FLATPAK if is_sandboxed() else _OWN_FOLDER
