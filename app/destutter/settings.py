# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's settings and where the program keeps its files (XDG base directories)."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason
from destutter.core.user_folders import FRAME_LOGS, OWN, own_data, user_folder
from destutter.core.whole_file import write_whole_file

_CHOICES = {
    "theme": ("auto", "light", "dark"),
    "on_close": ("ask", "background", "quit"),
}
_INTERVAL_MS = range(50, 1001)
_BYTE = r"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_PORT = r"(6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})"
_TEXTS = {
    "language": re.compile(r"([a-z]{2,3}(_[A-Za-z]{2,4})?)?", re.ASCII),
    "workload": re.compile(r"[a-z_]{0,40}", re.ASCII),
    "lanes": re.compile(r"[\x20-\x7e]{0,2000}"),  # newer versions know others
    "strip_place": re.compile(r"(-?\d{1,5},-?\d{1,5})?", re.ASCII),
    "window_place": re.compile(r"(\d{1,5},\d{1,5},-?\d{1,5},-?\d{1,5}(,max)?)?", re.ASCII),
    "xplane_address": re.compile(rf"({_BYTE}(\.{_BYTE}){{3}}:{_PORT})?", re.ASCII),
}


class SettingsError(StatementError):
    """The settings file cannot be written."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose. Unknown or broken entries of a file fall back to these defaults.

    ``on_close``: what closing the window does. ``sessions_folder`` empty: the usual one.
    ``frames_folder``: where frame logs are followed when the start names none; empty: nowhere.
    ``xplane_address``: of an X-Plane that is asked instead, in numbers; empty: none.
    ``language`` empty: the desktop's. ``measures_wakeups``: the wake-up probe runs.
    ``watches_whole_computer``: graphs and causes speak of every program while no game runs.
    ``workload``: the id of the preset that recommendations follow; empty: any game.
    ``offers_menu_entry``: the AppImage may still ask whether it should be in the menu.
    ``has_global_keys``: the desktop is asked for keys that work while a game has the keyboard.
    ``starts_with_desktop``: without a window, for what is kept for games.
    ``lanes``: ids of the graphs on the Live page from top to bottom, empty: the usual ones.
    ``strip_place``: "X,Y" of the compact strip, empty: where the desktop puts it.
    ``window_place``: of the window, as `ui/shell/window_place.py` writes it; empty: the usual one.
    """

    theme: str = "auto"
    language: str = ""
    interval_ms: int = 100
    measures_wakeups: bool = True
    watches_whole_computer: bool = True
    on_close: str = "ask"
    shows_tray: bool = True
    notifies: bool = True
    strip_is_on_top: bool = True
    strip_place: str = ""
    window_place: str = ""
    lanes: str = ""
    sessions_folder: str = ""
    frames_folder: str = ""
    xplane_address: str = ""
    workload: str = ""
    offers_menu_entry: bool = True
    has_global_keys: bool = False
    starts_with_desktop: bool = False

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Settings from a parsed file; entries of a wrong kind are left at their default."""
        chosen = {
            entry.name: values[entry.name]
            for entry in fields(cls)
            if type(values.get(entry.name)) is type(entry.default)
        }
        wrong = [name for name, good in _CHOICES.items() if chosen.get(name, good[0]) not in good]
        if chosen.get("interval_ms", 100) not in _INTERVAL_MS:
            wrong.append("interval_ms")
        wrong += [
            name for name, good in _TEXTS.items() if not good.fullmatch(chosen.get(name, ""))
        ]
        wrong += [
            name
            for name in ("sessions_folder", "frames_folder")
            if chosen.get(name, "")[:1] not in ("", "/")
        ]
        for name in wrong:
            del chosen[name]
        return cls(**chosen)


@dataclass(frozen=True, slots=True)
class Places:
    """Where settings and sessions live."""

    config: Path
    data: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """By the XDG base directory rules: relative paths in the variables do not count."""
        config = user_folder(environment, "XDG_CONFIG_HOME", ".config") / OWN
        return cls(config, own_data(environment))

    @property
    def sessions(self) -> Path:
        """The folder of recordings."""
        return self.data / "sessions"

    @property
    def frame_logs(self) -> Path:
        """Where MangoHud is told to put its logs; see ``core.user_folders``."""
        return self.data / FRAME_LOGS

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.json"

    @property
    def guide_file(self) -> Path:
        """How far somebody is in the guide; there from the first time that it was shown."""
        return self.config / "guide.json"

    @property
    def are_new(self) -> bool:
        """Whether nobody has been here yet: neither a choice nor the guide left anything."""
        return not (self.settings_file.exists() or self.guide_file.exists())


def load_settings(path: Path) -> Settings:
    """The settings in a file; the defaults when it is missing or cannot be understood."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Settings()
    return Settings.from_mapping(values) if isinstance(values, dict) else Settings()


def put_damaged_aside(path: Path) -> Statement | None:
    """Keep a file that cannot be understood under another name, before it is written anew.

    Returns what happened; None for a file that is whole or missing.
    """
    try:
        if isinstance(json.loads(path.read_bytes()), dict):
            return None
    except OSError:
        return None
    except (ValueError, RecursionError):
        pass
    aside = path.with_name(path.name + ".damaged")
    try:
        os.replace(path, aside)
    except OSError as error:
        return Statement(
            "settings.unreadable", {"reason": system_reason(error), "path": os.fspath(path)}
        )
    return Statement("settings.put_aside", {"path": os.fspath(aside)})


def save_settings(path: Path, settings: Settings) -> None:
    """Replace the file in one step, so that a crash leaves the old or the new one.

    Raises ``SettingsError``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(path, json.dumps(asdict(settings), indent=2).encode())
    except OSError as error:
        values: dict[str, Value] = {"reason": system_reason(error), "path": os.fspath(path)}
        raise SettingsError(Statement("settings.not_saved", values)) from error


def environment_places() -> Places:
    """The places of the user who runs this process."""
    return Places.from_environment(os.environ)
