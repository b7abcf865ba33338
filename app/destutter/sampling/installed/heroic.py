# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of Heroic: a JSON file for each store, in the form of the program that it uses for it.

legendary (Epic) has names in its list; gogdl (GOG) and nile (Amazon) have numbers, whose names
stand in Heroic's own copy of the library; games that the user added are a list of Heroic's.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from destutter.core.user_folders import home_folder, user_folder
from destutter.sampling.installed.bounded import read_json
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package

_FLATPAK = ".var/app/com.heroicgameslauncher.hgl/config/heroic"
_Found = tuple[str, str]  # the store's id of a game, and its name


def heroic_games(environment: Mapping[str, str]) -> Iterator[InstalledGame]:
    """Every game that a store's list has as installed; additions to games are none."""
    own = user_folder(environment, "XDG_CONFIG_HOME", ".config") / "heroic"
    homes = (own, Package.NATIVE), (home_folder(environment) / _FLATPAK, Package.FLATPAK)
    for home, package in homes:
        for readers in (_epic, _gog, _amazon, _added):
            for game, name in readers(home):
                yield InstalledGame(name, GameLauncher.HEROIC, package, game)


def _epic(home: Path) -> Iterator[_Found]:
    new = _mapping(read_json(home / "legendaryConfig/legendary/installed.json"))
    old = _mapping(read_json(home.parent / "legendary/installed.json"))
    for game, entry in (new or old).items():
        yield from _named(game, _mapping(entry), {})


def _gog(home: Path) -> Iterator[_Found]:
    titles = _titles(home, ("store_cache/gog_library.json", "gog_store/library.json"), "games")
    installed = _mapping(read_json(home / "gog_store/installed.json")).get("installed")
    for entry in _entries(installed):
        yield from _named(_text(entry, "appName"), entry, titles)


def _amazon(home: Path) -> Iterator[_Found]:
    titles = _titles(home, ("store_cache/nile_library.json",), "library")
    for entry in _entries(read_json(home / "nile_config/nile/installed.json")):
        yield from _named(_text(entry, "id"), entry, titles)


def _added(home: Path) -> Iterator[_Found]:
    added = _mapping(read_json(home / "sideload_apps/library.json")).get("games")
    for entry in _entries(added):
        if entry.get("is_installed") is not False:
            yield from _named(_text(entry, "app_name"), entry, {})


def _named(game: str, entry: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[_Found]:
    """The name of the list, of the library, or of the folder."""
    folder = _text(entry, "install_path") or _text(entry, "path")
    name = _text(entry, "title") or titles.get(game, "") or Path(folder).name
    if game and name and entry.get("is_dlc") is not True:
        yield game, name


def _titles(home: Path, files: tuple[str, ...], key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in files:
        for entry in _entries(_mapping(read_json(home / file)).get(key)):
            found.setdefault(_text(entry, "app_name"), _text(entry, "title"))
    return found


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _entries(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    return value.strip() if isinstance(value, str) else ""
