# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether MangoHud is installed, and how this distribution installs it: by the desktop's software
store, which needs no terminal, or by a command.

The names of packages are those of MangoHud's own page
(https://github.com/flightlessmango/MangoHud#installation---pre-packaged-binaries) and, for Void,
of its repository. The components of the store are those of the metainfo files that MangoHud and
its Flatpak extension bring along.
"""

import glob
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from destutter.core.user_folders import user_folder
from destutter.sampling.installed.bounded import read_text
from destutter.sampling.installed.game import Package

_LAYERS = ("usr/share", "usr/local/share", "etc")
_EXTENSION = "org.freedesktop.Platform.VulkanLayer.MangoHud"
_INTO_FLATPAK = f"flatpak install flathub {_EXTENSION}"
_INTO_IMAGE = "rpm-ostree install mangohud"
_COMMANDS = {
    "debian": "sudo apt install mangohud",
    "ubuntu": "sudo apt install mangohud",
    "fedora": "sudo dnf install mangohud",
    "arch": "sudo pacman -S mangohud",
    "suse": "sudo zypper install mangohud",
    "opensuse": "sudo zypper install mangohud",
    "solus": "sudo eopkg it mangohud",
    "void": "sudo xbps-install MangoHud",
}
_COMPONENTS = {
    Package.NATIVE: "io.github.flightlessmango.mangohud",
    Package.FLATPAK: _EXTENSION,
}
_OPENS_STORE = "x-scheme-handler/appstream="
# Their system is written by their own tool alone, whatever they are like.
_UNCHANGEABLE = ("steamos", "opensuse-microos", "opensuse-aeon", "opensuse-kalpa")


def installed_mangohud(environment: Mapping[str, str], package: Package) -> str:
    """Where the MangoHud is that a launcher of this kind finds; empty when it finds none."""
    if package is Package.FLATPAK:
        own = user_folder(environment, "XDG_DATA_HOME", ".local/share") / "flatpak"
        places = ("/var/lib/flatpak", os.fspath(own))
        patterns = [f"{place}/runtime/{_EXTENSION}" for place in places]
    else:
        program = shutil.which("mangohud", path=environment.get("PATH"))
        if program is not None:
            return program
        patterns = [f"/{base}/vulkan/implicit_layer.d/MangoHud*.json" for base in _LAYERS]
    return next((path for pattern in patterns for path in glob.glob(pattern)), "")


def mangohud_command(os_release: str, package: Package, *, is_image: bool) -> str:
    """The line that installs it, by what os-release(5) says; empty where none is known.

    ``is_image``: the system is one of rpm-ostree, which is changed by that alone.
    """
    if package is not Package.NATIVE:
        return _INTO_FLATPAK if package is Package.FLATPAK else ""
    said = {
        name: value.strip("\"' ").lower()
        for name, equals, value in (line.partition("=") for line in os_release.splitlines())
        if equals
    }
    ids = [said.get("ID", ""), *said.get("ID_LIKE", "").split()]
    if ids[0] in _UNCHANGEABLE:
        return ""
    if is_image:
        return _INTO_IMAGE if "fedora" in ids else ""
    return next((_COMMANDS[each] for each in ids if each in _COMMANDS), "")


def store_link(environment: Mapping[str, str], package: Package, command: str) -> str:
    """The address by which the desktop's software store shows it; empty where no program of this
    desktop opens such an address, or the ``command`` is none of a store.
    """
    if command in ("", _INTO_IMAGE) or package not in _COMPONENTS or not _has_store(environment):
        return ""
    return f"appstream:{_COMPONENTS[package]}"  # "//ID" is a host, and loses its capitals


def _has_store(environment: Mapping[str, str]) -> bool:
    """Whether a program said in its desktop file that it opens them (update-desktop-database)."""
    system = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = user_folder(environment, "XDG_DATA_HOME", ".local/share")
    folders = [own, *map(Path, filter(os.path.isabs, system.split(":")))]
    texts = (read_text(folder / "applications/mimeinfo.cache") for folder in folders)
    return any(
        line.startswith(_OPENS_STORE) and line.strip() != _OPENS_STORE
        for text in texts
        for line in text.splitlines()
    )


def is_ostree_image() -> bool:
    """Whether this system was booted from an image of ostree, which leaves this mark."""
    return os.path.exists("/run/ostree-booted")
