# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of Steam: each of its homes lists libraries, and a library has a manifest for each game.

A home is Steam's own, a Flatpak's or a Snap's. Several paths lead to the same folder by links,
which may lead in a circle; each folder is read once.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from destutter.core.user_folders import home_folder, user_folder
from destutter.sampling.files.key_values import group_of, parse_key_values, text_of
from destutter.sampling.installed.bounded import names_in, read_text
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package

_FLATPAK, _SNAP = ".var/app/com.valvesoftware.Steam", "snap/steam/common"
_MOST_LIBRARIES = 64
_FULLY_INSTALLED = 4  # a bit of StateFlags, as its tools name it
_TOOLS = ("Proton ", "Steam Linux Runtime", "Steamworks Common Redistributables")


def steam_games(environment: Mapping[str, str]) -> Iterator[InstalledGame]:
    """Every game that is there as a whole; what Steam needs for itself is none."""
    seen: set[str] = set()
    for home, package in _homes(environment):
        for library in _libraries(home):
            folder = os.path.realpath(library / "steamapps")
            if folder not in seen and len(seen) < _MOST_LIBRARIES:
                seen.add(folder)
                yield from _games(Path(folder), package)


def _homes(environment: Mapping[str, str]) -> Iterator[tuple[Path, Package]]:
    user = home_folder(environment)
    yield user_folder(environment, "XDG_DATA_HOME", ".local/share") / "Steam", Package.NATIVE
    for name in (".steam/steam", ".steam/root", ".steam/debian-installation"):
        yield user / name, Package.NATIVE
    for base, package in ((_FLATPAK, Package.FLATPAK), (_SNAP, Package.SNAP)):
        for name in (".local/share/Steam", "data/Steam", ".steam/steam"):
            yield user / base / name, package


def _libraries(home: Path) -> Iterator[Path]:
    """The home itself, and what its list names; until 2021 a number named the path alone."""
    yield home
    for place in ("steamapps", "config"):
        listed = parse_key_values(read_text(home / place / "libraryfolders.vdf"))
        for entry in islice(group_of(listed, "libraryfolders").values(), _MOST_LIBRARIES):
            path = entry if isinstance(entry, str) else text_of(entry, "path")
            if path.startswith("/") and "\0" not in path:
                yield Path(path)


def _games(steamapps: Path, package: Package) -> Iterator[InstalledGame]:
    for path in names_in(steamapps, ".acf"):
        if path.name.startswith("appmanifest_"):
            state = group_of(parse_key_values(read_text(path)), "appstate")
            name, flags = text_of(state, "name").strip(), text_of(state, "stateflags")
            is_whole = not flags.isdecimal() or int(flags[:9]) & _FULLY_INSTALLED
            if name and is_whole and not name.startswith(_TOOLS):
                yield InstalledGame(name, GameLauncher.STEAM, package, text_of(state, "appid"))
