# SPDX-License-Identifier: GPL-3.0-or-later
"""Installed games, as the launchers' own files have them."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.installed import library, mangohud
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package
from destutter.sampling.installed.library import read_library
from destutter.sampling.installed.mangohud import (
    installed_mangohud,
    mangohud_command,
    store_link,
)

NATIVE = ".local/share/Steam"
FLATPAK = ".var/app/com.valvesoftware.Steam"
HEROIC = ".config/heroic"


def _put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))


def _manifest(library_folder, appid, name, flags=4):
    text = f'"AppState"\n{{\n\t"appid"\t"{appid}"\n\t"name"\t"{name}"\n'
    flags = f'\t"StateFlags"\t"{flags}"\n'
    _put(library_folder / f"steamapps/appmanifest_{appid}.acf", text + flags + "}\n")


def _libraries(home, *paths):
    entries = "".join(f'"{at}"\n{{\n"path"\t"{path}"\n}}\n' for at, path in enumerate(paths))
    _put(home / "steamapps/libraryfolders.vdf", f'"libraryfolders"\n{{\n{entries}}}\n')


def _names(home, **more):
    return [game.name for game in read_library({"HOME": str(home), **more}).games]


def test_steam_tells_the_games_of_all_its_libraries(tmp_path):
    """In the order of their names; neither Proton nor what is only half there is a game."""
    steam, second = tmp_path / NATIVE, tmp_path / "second"
    _libraries(steam, steam, second, "/nowhere", "relative")
    _manifest(steam, 1, 'Portal \\"2\\"')
    _manifest(steam, 2, "Proton 9.0")
    _manifest(steam, 3, "half there", flags=1026)
    _manifest(second, 4, "Ärger im Weltall")
    _manifest(second, 5, "Dota 2", flags="4 ")
    assert _names(tmp_path) == ["Dota 2", 'Portal "2"', "Ärger im Weltall"]


def test_each_home_of_steam_is_found(tmp_path):
    """Its own, that of the Flatpak, that of the Snap, and one that a variable names."""
    _manifest(tmp_path / NATIVE, 1, "own")
    _manifest(tmp_path / FLATPAK / ".local/share/Steam", 2, "flatpak")
    _manifest(tmp_path / "snap/steam/common/.local/share/Steam", 3, "snap")
    found = read_library({"HOME": str(tmp_path)}).games
    assert [(game.name, game.package) for game in found] == [
        ("flatpak", Package.FLATPAK),
        ("own", Package.NATIVE),
        ("snap", Package.SNAP),
    ]
    _manifest(tmp_path / "data/Steam", 4, "elsewhere")
    assert "elsewhere" in _names(tmp_path, XDG_DATA_HOME=str(tmp_path / "data"))


def test_the_list_of_old_steam_named_paths_alone(tmp_path):
    """As Steam wrote it until 2021."""
    _put(
        tmp_path / NATIVE / "steamapps/libraryfolders.vdf",
        f'"LibraryFolders"\n{{\n"TimeNextStatsReport"\t"1"\n"1"\t"{tmp_path}/old"\n}}\n',
    )
    _manifest(tmp_path / "old", 1, "old")
    assert _names(tmp_path) == ["old"]


def test_links_in_a_circle_and_a_library_that_lists_itself_end(tmp_path):
    """Each folder is read once, by whatever path."""
    steam = tmp_path / NATIVE
    _manifest(steam, 1, "once")
    (tmp_path / ".steam").mkdir()
    (tmp_path / ".steam/steam").symlink_to(steam)
    (tmp_path / ".steam/root").symlink_to(tmp_path / ".steam/root")
    (steam / "again").symlink_to(steam)
    _libraries(steam, steam, steam / "again", tmp_path / ".steam/steam")
    assert _names(tmp_path) == ["once"]


def test_a_folder_full_of_libraries_is_read_in_part(tmp_path, monkeypatch):
    """Of a thousand libraries sixty-four, and of one no more names than the limit."""
    monkeypatch.setattr("destutter.sampling.installed.bounded._MOST_NAMES", 3)
    steam = tmp_path / NATIVE
    for at in range(1000):
        _manifest(tmp_path / f"library{at}", at, f"game {at}")
    _libraries(steam, *(tmp_path / f"library{at}" for at in range(1000)))
    assert len(_names(tmp_path)) == 63
    for at in range(9):
        _manifest(steam, 2000 + at, f"own {at}")
    assert len([each for each in _names(tmp_path) if each.startswith("own")]) <= 3


def test_what_is_no_ordinary_file_holds_nobody_up(tmp_path):
    """A pipe, a folder, one that is far too long, one nobody may read."""
    steamapps = tmp_path / NATIVE / "steamapps"
    steamapps.mkdir(parents=True)
    os.mkfifo(steamapps / "appmanifest_1.acf")
    os.mkfifo(steamapps / "libraryfolders.vdf")
    (steamapps / "appmanifest_2.acf").mkdir()
    _manifest(tmp_path / NATIVE, 3, "long")
    with (steamapps / "appmanifest_3.acf").open("ab") as file:
        file.truncate(1 << 33)
    _manifest(tmp_path / NATIVE, 4, "there")
    assert _names(tmp_path) == ["there"]


def test_heroic_tells_the_games_of_each_store(tmp_path):
    """Names of GOG and Amazon stand in the copy of the library, or the folder has one."""
    home = tmp_path / HEROIC
    epic = {
        "Fortune": {"title": "Fortune", "is_dlc": False},
        "Add": {"title": "A", "is_dlc": True},
    }
    _put(home / "legendaryConfig/legendary/installed.json", epic)
    gog = [
        {"appName": "7", "install_path": "/g/Seven", "is_dlc": False},
        {"appName": "8", "install_path": "/g/Eight Days"},
        "damaged",
    ]
    _put(home / "gog_store/installed.json", {"installed": gog})
    titles = {"games": [{"app_name": "7", "title": "Seven Suns"}, None]}
    _put(home / "store_cache/gog_library.json", titles)
    _put(home / "nile_config/nile/installed.json", [{"id": "a", "path": "/g/a"}])
    _put(
        home / "store_cache/nile_library.json", {"library": [{"app_name": "a", "title": "Amber"}]}
    )
    added = [{"app_name": "x", "title": "Own"}, {"app_name": "y", "title": "N", "is_installed": 0}]
    _put(home / "sideload_apps/library.json", {"games": added[:1]})
    assert _names(tmp_path) == ["Amber", "Eight Days", "Fortune", "Own", "Seven Suns"]
    flatpak = tmp_path / ".var/app/com.heroicgameslauncher.hgl/config/heroic"
    _put(flatpak / "legendaryConfig/legendary/installed.json", {"Z": {"title": "Zed"}})
    found = read_library({"HOME": str(tmp_path)}).games
    assert found[-1] == InstalledGame("Zed", GameLauncher.HEROIC, Package.FLATPAK, "Z")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["installed", "games", "library", "title", "appName", "id", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@given(ANYTHING)
def test_any_json_of_heroic_is_read(tmp_path_factory, value):
    """Whatever an other version writes into these files."""
    home = tmp_path_factory.mktemp("home")
    for name in (
        "legendaryConfig/legendary/installed.json",
        "gog_store/installed.json",
        "store_cache/gog_library.json",
        "nile_config/nile/installed.json",
        "sideload_apps/library.json",
    ):
        _put(home / HEROIC / name, value if not isinstance(value, str) else json.dumps(value))
    assert all(isinstance(each, str) for each in _names(home))


def test_deep_json_is_no_game(tmp_path):
    """A file that was made to harm ends as one that says nothing."""
    _put(tmp_path / HEROIC / "gog_store/installed.json", "[" * 10**5)
    assert _names(tmp_path) == []


def test_lutris_has_a_file_for_each_game(tmp_path):
    """With the name in it, or in the name of the file; those of Steam stand in Steam's list."""
    folder = tmp_path / ".config/lutris/games"
    _put(folder / "the-witness-1700000000.yml", "game:\n  exe: /x\nname: 'The Witness'\n")
    _put(folder / "beyond-all-reason-1700000001.yml", "game:\n  exe: /x\n  name: inner\n")
    _put(folder / "portal-1700000002.yml", "game: {}\nsteam: {}\nname: Portal\n")
    _put(folder / "no-time.yml", "name: x\n")
    _put(folder / "harm-1700000003.yml", 'name: "a\\n\\u0000"\n')
    flatpak = tmp_path / ".var/app/net.lutris.Lutris/data/lutris/games"
    _put(flatpak / "osu-1700000004.yml", "name: osu!\n")
    found = read_library({"HOME": str(tmp_path)}).games
    assert [(game.name, game.package) for game in found] == [
        ("Beyond All Reason", Package.NATIVE),
        ("Harm", Package.NATIVE),
        ("osu!", Package.FLATPAK),
        ("The Witness", Package.NATIVE),
    ]


def test_xplane_lists_where_it_is_installed(tmp_path):
    """A line stays when its folder is gone; that is none any more. It needs no MangoHud."""
    (tmp_path / "sim/Resources").mkdir(parents=True)
    _put(tmp_path / ".x-plane/x-plane_install_12.txt", f"{tmp_path}/sim/\n/gone/\n\nrelative\n")
    _put(tmp_path / ".x-plane/x-plane_install_x.txt", f"{tmp_path}/sim/\n")
    (game,) = read_library({"HOME": str(tmp_path)}).games
    assert (game.name, game.launcher) == ("X-Plane 12", GameLauncher.XPLANE)
    assert game.tells_frames
    assert InstalledGame("X-Plane 11", GameLauncher.STEAM).tells_frames
    assert not InstalledGame("X-COM", GameLauncher.STEAM).tells_frames


def test_nothing_is_written(tmp_path):
    """Reading leaves every file and every time of a change as it was."""
    _manifest(tmp_path / NATIVE, 1, "there")
    _put(tmp_path / HEROIC / "gog_store/installed.json", {"installed": []})
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert _names(tmp_path) == ["there"]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_sandbox_makes_the_list_say_nothing(tmp_path):
    """Neither of games nor of MangoHud, which may well be there outside."""
    found = read_library({"HOME": str(tmp_path)}, is_sandboxed=True)
    assert (found.is_hidden, found.games, dict(found.lacking)) == (True, (), {})


DISTRIBUTIONS = {
    "ID=debian": "sudo apt install mangohud",
    'ID=linuxmint\nID_LIKE="ubuntu debian"': "sudo apt install mangohud",
    "ID=fedora": "sudo dnf install mangohud",
    'ID=nobara\nID_LIKE="rhel centos fedora"': "sudo dnf install mangohud",
    "ID=arch": "sudo pacman -S mangohud",
    "ID=cachyos\nID_LIKE=arch": "sudo pacman -S mangohud",
    'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"': "sudo zypper install mangohud",
    "ID=solus": "sudo eopkg it mangohud",
    "ID=void": "sudo xbps-install MangoHud",
    "ID=steamos\nID_LIKE=arch": "",
    'ID="opensuse-microos"\nID_LIKE="suse opensuse"': "",
    "ID=plan9": "",
    "": "",
}


@pytest.mark.parametrize("release", DISTRIBUTIONS)
def test_one_line_for_this_distribution(release):
    """By what it is, then by what it is like; where its system cannot be added to, none."""
    assert mangohud_command(release, Package.NATIVE, is_image=False) == DISTRIBUTIONS[release]
    assert mangohud_command(release, Package.SNAP, is_image=False) == ""
    flatpak = mangohud_command(release, Package.FLATPAK, is_image=False)
    assert flatpak == "flatpak install flathub org.freedesktop.Platform.VulkanLayer.MangoHud"


def test_an_image_of_fedora_is_layered():
    """Bazzite, Silverblue and Kinoite; not an image of somebody else's."""
    bazzite = 'ID=bazzite\nID_LIKE="fedora"'
    line = mangohud_command(bazzite, Package.NATIVE, is_image=True)
    assert line == "rpm-ostree install mangohud"
    assert mangohud_command("ID=debian", Package.NATIVE, is_image=True) == ""


def test_the_store_is_offered_where_a_program_of_the_desktop_opens_it(tmp_path):
    """By what update-desktop-database wrote down; not for a system that is an image."""
    own, system = tmp_path / "own", tmp_path / "system"
    environment = {"XDG_DATA_HOME": str(own), "XDG_DATA_DIRS": f"{system}:relative"}
    apt, flatpak = "sudo apt install mangohud", "flatpak install flathub"
    assert store_link(environment, Package.NATIVE, apt) == ""
    cache = "[MIME Cache]\nx-scheme-handler/appstream={}\nx-scheme-handler/http=firefox.desktop;\n"
    _put(own / "applications/mimeinfo.cache", cache.format(""))
    assert store_link(environment, Package.NATIVE, apt) == ""
    _put(system / "applications/mimeinfo.cache", cache.format("org.kde.discover.desktop;"))
    native = "appstream:io.github.flightlessmango.mangohud"
    assert store_link(environment, Package.NATIVE, apt) == native
    link = store_link(environment, Package.FLATPAK, flatpak)
    assert link == "appstream:org.freedesktop.Platform.VulkanLayer.MangoHud"
    assert store_link(environment, Package.NATIVE, "rpm-ostree install mangohud") == ""
    assert store_link(environment, Package.NATIVE, "") == ""
    assert store_link(environment, Package.SNAP, apt) == ""


def test_mangohud_is_looked_for_where_the_launcher_would_find_it(tmp_path, monkeypatch):
    """A program on the path, or an extension of Flatpak in the user's own installation."""
    monkeypatch.setattr(mangohud, "_LAYERS", ())
    environment = {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    assert installed_mangohud(environment, Package.NATIVE) == ""
    assert installed_mangohud(environment, Package.FLATPAK) == ""
    assert set(library.read_library(environment).lacking) == {Package.NATIVE, Package.FLATPAK}
    program = tmp_path / "bin/mangohud"
    _put(program, "#!/bin/sh\n")
    program.chmod(0o755)
    extension = ".local/share/flatpak/runtime/org.freedesktop.Platform.VulkanLayer.MangoHud"
    (tmp_path / extension).mkdir(parents=True)
    assert installed_mangohud(environment, Package.NATIVE) == str(program)
    assert installed_mangohud(environment, Package.FLATPAK) == str(tmp_path / extension)
    assert dict(library.read_library(environment).lacking) == {}
