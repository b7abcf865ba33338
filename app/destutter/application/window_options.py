# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line asks of the window, and why one cannot open here."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """What the command line asks of the window."""

    root: str = "/"
    pid: int | None = None
    replay: Path | None = None
    frames: str | None = None
    xplane: str | None = None
    action: str = ""
    is_on_xwayland: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is the ordinary window, of which one is enough."""
        return self == WindowOptions(action=self.action, is_on_xwayland=self.is_on_xwayland)


def refusal(environment: Mapping[str, str], pyside: str, python: tuple[int, ...]) -> str | None:
    """Why a window cannot open here, in one line; None when it can."""
    if pyside == "6.12.0" and python < (3, 12):
        return (
            "PySide6 6.12.0 crashes on Python older than 3.12. "
            "Install PySide6-Essentials 6.11.3, or use Python 3.12."
        )
    has_display = any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not has_display and not environment.get("QT_QPA_PLATFORM"):
        return "There is no display here. In a terminal, 'destutter watch' shows the same."
    return None


def refuse_xwayland(environment: Mapping[str, str]) -> str | None:
    """Why the window cannot go through an X server here, in one line; None when it can."""
    if environment.get("DISPLAY"):
        return None
    if flatpak := environment.get("FLATPAK_ID"):
        return f"The Flatpak has no Xwayland; for one start: flatpak run --socket=x11 {flatpak}"
    return "There is no Xwayland here: DISPLAY is not set. Without --xwayland it opens."
