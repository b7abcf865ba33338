# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages and the AppImage for the guests, built from this checkout when it has changed.

Beside them a second, newer pair for the scenarios of an upgrade: the helper built from the same
files, the window the same files under another version, since freezing it again takes a minute;
but its code is elsewhere in the program's file, as it is in every real new version.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from destutter_helper.api.names import HELPER_VERSION
from tests.vm.image import CACHE, HERE, ImageError

CHECKOUT = HERE.parents[1]
BUILDER = CHECKOUT / "packaging" / "deb" / "build"
APPIMAGE_BUILDER = CHECKOUT / "packaging" / "appimage" / "build"
FLATPAK_BUILDER = CHECKOUT / "packaging" / "flatpak" / "build"
FLATPAK_REPO = CHECKOUT / ".cache" / "flatpak" / "repo"
FLATPAK = "io.github.destutter.Destutter"
INPUTS = ("app", "helper", "resources", "polkit", "packaging", "pyproject.toml", "SECURITY.md")
COOKIE = b"MEI\014\013\012\013\016"
COOKIE_BYTES, LENGTH_AT = 88, slice(8, 12)
"""What PyInstaller ends the archive of a program with, and where that says how long it is."""
SHIFT_BYTES = 4096
NEWER = f"{HELPER_VERSION}+newer"
"""The version of the packages in the folder ``newer``."""


def ensure_packages() -> Path:
    """The folder with both packages, and newer ones in ``newer``; ``ImageError`` if not."""
    folder = CACHE / f"packages-{_inputs_key()}"
    if folder.exists():
        return folder
    work = CACHE / "packaging"
    shutil.rmtree(work, ignore_errors=True)
    (work / "newer").mkdir(parents=True)
    _build("--quick", str(work))
    _build("--helper-only", str(work / "newer"), version=NEWER)
    _give_version(next(work.glob("destutter_*.deb")), work / "newer")
    _run(str(APPIMAGE_BUILDER), "--quick", str(work))
    for old in CACHE.glob("packages-*"):
        shutil.rmtree(old)
    work.rename(folder)
    return folder


def ensure_flatpak() -> dict[str, Path]:
    """The Flatpak as a bundle and the remote with the runtime it stands on, by their names."""
    folder = CACHE / f"flatpak-{_inputs_key()}"
    if not folder.exists():
        _run(str(CHECKOUT / "packaging" / "setup" / "set-up"), "flatpak")
        _run(str(FLATPAK_BUILDER), "stand-in")
        work = CACHE / "bundling"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(FLATPAK_REPO, work / "remote", copy_function=os.link)
        bundle = str(work / "destutter.flatpak")
        _run("flatpak", "build-bundle", str(FLATPAK_REPO), bundle, FLATPAK, "stable")
        for old in CACHE.glob("flatpak-*"):
            shutil.rmtree(old)
        work.rename(folder)
    return {path.name: path for path in folder.iterdir()}


def _inputs_key() -> str:
    digest = hashlib.sha256()
    for name in INPUTS:
        place = CHECKOUT / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            # The Flatpak's builder has a hidden file there while it works.
            if path.is_file() and "__pycache__" not in path.parts and path.name[0] != ".":
                digest.update(f"{path.relative_to(CHECKOUT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _build(*arguments: str, version: str = "") -> None:
    environment = os.environ | ({"DESTUTTER_VERSION": version} if version else {})
    _run(str(BUILDER), *arguments, environment=environment)


def _give_version(package: Path, folder: Path) -> None:
    """The same package in another folder, as if it were newer."""
    with tempfile.TemporaryDirectory(dir=CACHE) as root:
        _run("dpkg-deb", "--raw-extract", str(package), root)
        control = Path(root, "DEBIAN", "control")
        lines = control.read_text().splitlines(keepends=True)
        changed = [
            f"Version: {NEWER}\n" if line.startswith("Version:") else line for line in lines
        ]
        control.write_text("".join(changed))
        shift_code(Path(root, "usr", "lib", "destutter", "destutter"))
        target = folder / f"destutter_{NEWER}_amd64.deb"
        _run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, str(target))


def shift_code(program: Path) -> None:
    """Put a gap before the archive with the code of a frozen program; it works as before."""
    data = program.read_bytes()
    cookie = data.rindex(COOKIE)
    length = int.from_bytes(data[cookie:][LENGTH_AT], "big")
    begin = cookie + COOKIE_BYTES - length
    program.write_bytes(data[:begin] + bytes(SHIFT_BYTES) + data[begin:])


def _run(*command: str, environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ImageError(f"the packages could not be built: {done.stderr.strip()}")
