# SPDX-License-Identifier: GPL-3.0-or-later
"""All installed games of a user, and what each launcher lacks to have frame times told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from destutter.sampling.installed.bounded import read_text
from destutter.sampling.installed.game import InstalledGame, Package
from destutter.sampling.installed.heroic import heroic_games
from destutter.sampling.installed.lutris import lutris_games
from destutter.sampling.installed.mangohud import (
    installed_mangohud,
    is_ostree_image,
    mangohud_command,
    store_link,
)
from destutter.sampling.installed.steam import steam_games
from destutter.sampling.installed.xplane_installs import xplane_games

_MOST_GAMES = 5_000


@dataclass(frozen=True, slots=True)
class GameLibrary:
    """``games`` by name. ``lacking`` says for each kind of launcher that has no MangoHud by which
    command it gets one, which may be empty; a kind that is not named has one, or nobody knows.
    ``stores`` has for each of them the address at which the desktop's software store offers it.
    ``is_hidden``: a sandbox keeps other programs' files away, so that nothing found means nothing.
    """

    games: tuple[InstalledGame, ...] = ()
    lacking: Mapping[Package, str] = field(default_factory=dict)
    stores: Mapping[Package, str] = field(default_factory=dict)
    is_hidden: bool = False


def read_library(environment: Mapping[str, str], *, is_sandboxed: bool = False) -> GameLibrary:
    """Read once; it may wait for a disk, and writes nothing."""
    found: set[InstalledGame] = set()
    for read in (steam_games, heroic_games, lutris_games, xplane_games):
        found |= set(islice(read(environment), _MOST_GAMES))
    games = _each_once(sorted(found, key=lambda game: (game.name.casefold(), game)))
    lacking = {} if is_sandboxed else _lacking(environment)
    links = {each: store_link(environment, each, lacking[each]) for each in lacking}
    stores = {package: link for package, link in links.items() if link}
    return GameLibrary(games, lacking, stores, is_hidden=is_sandboxed)


def _each_once(games: Iterable[InstalledGame]) -> tuple[InstalledGame, ...]:
    """One of a game that stands in two libraries of the same launcher."""
    once = {(game.launcher, game.package, game.id or game.name): game for game in games}
    return tuple(once.values())


def _lacking(environment: Mapping[str, str]) -> dict[Package, str]:
    places = Path("/etc/os-release"), Path("/usr/lib/os-release")
    release = next(filter(None, map(read_text, places)), "")
    # What a Snap brings along is not to be seen from here.
    return {
        package: mangohud_command(release, package, is_image=is_ostree_image())
        for package in (Package.NATIVE, Package.FLATPAK)
        if not installed_mangohud(environment, package)
    }
