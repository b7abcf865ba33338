# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line asks of the window, and why one cannot open here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from destutter.core.statement import Statement
from destutter.settings import Settings


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

    def watches_computer(self, settings: Settings, *, is_hidden: bool) -> bool:
        """Whether the pages speak of the whole computer while no game runs: somebody wants that,
        or no game can be noticed, as in another computer's files and in a Flatpak to which nobody
        lends what it hides (``is_hidden``).
        """
        return settings.watches_whole_computer or self.root != "/" or is_hidden

    def frames_of(self, settings: Settings) -> tuple[str, str]:
        """Where logs of frame times are, and the address of an X-Plane; at most one is not empty.

        What the start named, else what was chosen in the window: that is of the games of this
        computer.
        """
        if self.frames is not None or self.xplane is not None or self.root != "/":
            return self.frames or "", self.xplane or ""
        if settings.xplane_address:
            return "", settings.xplane_address
        return settings.frames_folder, ""


def _refuses(display: str) -> bool:
    from destutter.bridge.x11_screen import refuses_display  # ctypes: 2 ms, and only X11 needs it

    return refuses_display(display)


def refusal(
    environment: Mapping[str, str],
    pyside: str,
    python: tuple[int, ...],
    refuses: Callable[[str], bool] = _refuses,
) -> Statement | None:
    """Why a window cannot open here, in one line; None when it can."""
    if pyside == "6.12.0" and python < (3, 12):
        return Statement("command.window.crashes")
    if environment.get("QT_QPA_PLATFORM"):
        return None
    display, wayland = environment.get("DISPLAY"), environment.get("WAYLAND_DISPLAY")
    if not display and not wayland:
        return Statement("command.window.no_display")
    # Qt ends with a core dump, and advises to install what is there.
    if not wayland and display and refuses(display):
        return Statement("command.window.refused", {"display": display})
    return None


def refuse_xwayland(environment: Mapping[str, str]) -> Statement | None:
    """Why the window cannot go through an X server here, in one line; None when it can."""
    if environment.get("DISPLAY"):
        return None
    if flatpak := environment.get("FLATPAK_ID"):
        return Statement("command.window.flatpak_x11", {"application": flatpak})
    return Statement("command.window.no_xwayland")
