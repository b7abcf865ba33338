# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment of the tests: the same on every computer, and apart from its user's."""

from collections.abc import Mapping
from pathlib import Path

CHECKOUT_CACHE = Path(__file__).resolve().parents[2] / ".cache"

FOREIGN = (
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "LANGUAGE",
    "QT_QPA_PLATFORMTHEME",
    "QT_STYLE_OVERRIDE",
    "QT_SCALE_FACTOR",
    "QT_SCREEN_SCALE_FACTORS",
    "QT_AUTO_SCREEN_SCALE_FACTOR",
    "QT_FONT_DPI",
    "QT_LOGGING_RULES",
)
"""Variables of a desktop that would change what the tests see."""


def is_ci(environ: Mapping[str, str]) -> bool:
    """Return whether a machine, not a person, runs the tests."""
    return environ.get("CI", "").lower() in {"1", "true", "yes"}


def user_cache(environ: Mapping[str, str]) -> Path:
    """Return the user's real cache folder, outside every checkout."""
    given = environ.get("XDG_CACHE_HOME", "")
    return Path(given) if given.startswith("/") else Path.home() / ".cache"


def for_tests(home: Path) -> dict[str, str]:
    """Return the variables that replace the user's own; files of the application go below home.

    The bus addresses point nowhere: a test that wants a bus starts a private one, and none can
    reach the installed helper by accident.
    """
    return {
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={home}/no-system-bus",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={home}/no-session-bus",
        # The same for every run: hypothesis takes seconds to find all constants of the program.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(CHECKOUT_CACHE / "hypothesis"),
    }
