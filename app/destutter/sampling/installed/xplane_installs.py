# SPDX-License-Identifier: GPL-3.0-or-later
"""Where X-Plane is installed: its installer adds a folder to the list of each major version.

A line stays when the folder is moved or deleted, so each is looked at.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from destutter.core.user_folders import home_folder
from destutter.sampling.installed.bounded import names_in, read_text
from destutter.sampling.installed.game import GameLauncher, InstalledGame

_MOST_LINES = 64


def xplane_games(environment: Mapping[str, str]) -> Iterator[InstalledGame]:
    """Every folder of a list that is still an X-Plane's."""
    for path in names_in(home_folder(environment) / ".x-plane", ".txt"):
        version = path.stem.removeprefix("x-plane_install_")
        if version.isdecimal():
            for line in islice(read_text(path).splitlines(), _MOST_LINES):
                if line.startswith("/") and _is_xplane(Path(line)):
                    yield InstalledGame(
                        f"X-Plane {version}", GameLauncher.XPLANE, id=line.rstrip("/")
                    )


def _is_xplane(folder: Path) -> bool:
    try:
        return (folder / "Resources").is_dir()
    except (OSError, ValueError):
        return False
