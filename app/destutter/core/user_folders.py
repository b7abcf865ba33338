# SPDX-License-Identifier: GPL-3.0-or-later
"""Where files of a user belong: XDG base directories."""

from collections.abc import Mapping
from pathlib import Path

OWN = "destutter"
FRAME_LOGS = "mangohud"


def user_folder(environment: Mapping[str, str], variable: str, usual: str) -> Path:
    """What a variable names, else the usual folder in the home; relative ones do not count."""
    value = environment.get(variable, "")
    if value.startswith("/"):
        return Path(value)
    return home_folder(environment) / usual


def home_folder(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or Path.home())


def own_data(environment: Mapping[str, str]) -> Path:
    """The folder of what this program keeps for the user."""
    return user_folder(environment, "XDG_DATA_HOME", ".local/share") / OWN


def frame_log_folder(environment: Mapping[str, str]) -> Path:
    """Where MangoHud is told to put its logs, by the line that the window shows.

    In a Flatpak as well: its folder of data is an ordinary one for all other programs.
    """
    return own_data(environment) / FRAME_LOGS
