# SPDX-License-Identifier: GPL-3.0-or-later
"""How a recording is named while nobody gave it a name."""

import re
from datetime import datetime
from pathlib import Path

from destutter.session.format import SUFFIX

_BEGAN = "%Y-%m-%d_%H-%M-%S"
_GIVEN_BY_US = re.compile(r"\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}")
_GAME_LENGTH = 40


def recording_name(game: str) -> str:
    """A file name from the local date and time and the game's name."""
    moment = datetime.now().astimezone().strftime(_BEGAN)
    kept = "".join(sign if sign.isalnum() or sign in " .-" else "_" for sign in game)
    name = " ".join(kept.split()).strip(".")[:_GAME_LENGTH]
    return f"{moment} {name}{SUFFIX}" if name else f"{moment}{SUFFIX}"


def free_path(folder: Path, game: str) -> Path:
    """A file of that name that is not there yet: a trial may begin and end within a second."""
    wanted = folder / recording_name(game)
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = folder / f"{wanted.name.removesuffix(SUFFIX)} {number}{SUFFIX}"
    return path


def is_automatic(name: str) -> bool:
    """Whether a file is named as ``recording_name`` does it."""
    return _GIVEN_BY_US.match(name) is not None
