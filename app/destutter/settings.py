# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's settings and where the program keeps its files (XDG base directories)."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

_THEMES = ("auto", "light", "dark")


class SettingsError(Exception):
    """The settings file cannot be written, in words."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose. Unknown or broken entries of a file fall back to these defaults."""

    theme: str = "auto"
    interval_ms: int = 100
    watches_whole_computer: bool = False

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Settings from a parsed file; entries of a wrong kind are left at their default."""
        chosen = {
            entry.name: values[entry.name]
            for entry in fields(cls)
            if type(values.get(entry.name)) is type(entry.default)
        }
        if chosen.get("theme", "auto") not in _THEMES:
            del chosen["theme"]
        if not 50 <= chosen.get("interval_ms", 100) <= 1000:
            del chosen["interval_ms"]
        return cls(**chosen)


@dataclass(frozen=True, slots=True)
class Places:
    """Where settings and sessions live."""

    config: Path
    data: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """By the XDG base directory rules: relative paths in the variables do not count."""
        home = Path(environment.get("HOME") or Path.home())
        return cls(
            _base(environment, "XDG_CONFIG_HOME", home / ".config") / "destutter",
            _base(environment, "XDG_DATA_HOME", home / ".local" / "share") / "destutter",
        )

    @property
    def sessions(self) -> Path:
        """The folder of recordings."""
        return self.data / "sessions"

    @property
    def settings_file(self) -> Path:
        """The settings file."""
        return self.config / "settings.json"


def load_settings(path: Path) -> Settings:
    """The settings in a file; the defaults when it is missing or cannot be understood."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    return Settings.from_mapping(values) if isinstance(values, dict) else Settings()


def save_settings(path: Path, settings: Settings) -> None:
    """Replace the file in one step, so that a crash leaves the old or the new one.

    Raises ``SettingsError``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, prefix=".settings-", delete=False, encoding="utf-8"
        ) as file:
            json.dump(asdict(settings), file, indent=2)
        os.replace(file.name, path)
    except OSError as error:
        raise SettingsError(f"Settings were not saved: {error.strerror} ({path})") from error


def environment_places() -> Places:
    """The places of the user who runs this process."""
    return Places.from_environment(os.environ)


def _base(environment: Mapping[str, str], variable: str, default: Path) -> Path:
    value = environment.get(variable, "")
    return Path(value) if value.startswith("/") else default
