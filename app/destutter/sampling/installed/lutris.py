# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of Lutris: one file of settings each, named after the game and the second it was added.

Its database has the names that people gave, but reading it would take SQLite into every package;
a file has the name where an installer wrote it, and the name of the file says the rest.
"""

import re
from collections.abc import Iterator, Mapping

from destutter.core.user_folders import home_folder, user_folder
from destutter.sampling.installed.bounded import names_in, read_text
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package

_FLATPAK = ".var/app/net.lutris.Lutris"
_NAME = re.compile(
    r"^name: *(?:'([^'\n]+)'|\"([^\"\\\n]+)\"|([^ '\"&*!|>%@`{\[\n][^\n#]*)) *$", re.MULTILINE
)
_STEAM = re.compile(r"^steam:", re.MULTILINE)  # of Steam, which lists it itself
_SLUG = re.compile(r"(.+?)-\d{9,11}")


def lutris_games(environment: Mapping[str, str]) -> Iterator[InstalledGame]:
    """Every game that has settings; Lutris takes them away with the game."""
    config = user_folder(environment, "XDG_CONFIG_HOME", ".config")
    data = user_folder(environment, "XDG_DATA_HOME", ".local/share")
    own = home_folder(environment) / _FLATPAK
    folders = (
        (config / "lutris/games", Package.NATIVE),
        (data / "lutris/games", Package.NATIVE),
        (own / "config/lutris/games", Package.FLATPAK),
        (own / "data/lutris/games", Package.FLATPAK),
    )
    for folder, package in folders:
        for path in names_in(folder, ".yml"):
            slug = _SLUG.fullmatch(path.stem)
            text = read_text(path)
            if slug is not None and text and not _STEAM.search(text):
                yield InstalledGame(_name(text, slug[1]), GameLauncher.LUTRIS, package, slug[1])


def _name(text: str, slug: str) -> str:
    found = _NAME.search(text)
    said = "" if found is None else next(each for each in found.groups() if each).strip()
    return said or slug.replace("-", " ").title()
