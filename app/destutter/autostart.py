# SPDX-License-Identifier: GPL-3.0-or-later
"""Started with the desktop: what is kept for games is set only while the program runs.

One file in the user's folder, as the Desktop Application Autostart Specification of
freedesktop.org wants it. A Flatpak sees another folder and asks its desktop instead
(``bridge/portals.py``).
"""

import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.core.user_folders import user_folder
from destutter.core.whole_file import USUAL, write_whole_file
from destutter.menu_entry import ID, escaped, exec_word, own_menu_entry, plain

HIDDEN = "hidden"
"""The option of a start without a window."""

_OFF = re.compile(r"^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$", re.MULTILINE)
_PROGRAM = re.compile(r"^TryExec=(.+)$", re.MULTILINE)


class AutostartError(StatementError):
    """The entry cannot be written or removed."""


@dataclass(frozen=True, slots=True)
class Autostart:
    """``file`` is the entry, ``program`` what it starts,
    and ``words`` what stands behind that in its line.
    """

    file: Path
    program: str
    words: tuple[str, ...] = ()

    @classmethod
    def of_this_program(cls, environment: Mapping[str, str]) -> Self:
        """The AppImage that runs, the package's command, or this checkout's Python."""
        folder = user_folder(environment, "XDG_CONFIG_HOME", ".config")
        file = folder / "autostart" / f"{ID}.desktop"
        menu = own_menu_entry()
        if menu is not None:
            return cls(file, str(menu.image))
        # The whole path: a virtual environment that is active here is not at the next log-in.
        beside = Path(sys.executable).with_name("destutter")
        path = environment.get("PATH", "")
        command = shutil.which(str(beside)) or shutil.which("destutter", path=path)
        if command:
            return cls(file, command)
        return cls(file, sys.executable, ("-m", "destutter"))

    @property
    def is_on(self) -> bool:
        """Whether the desktop starts it; other programs of the desktop may switch it off."""
        text = self._text()
        return bool(text) and _OFF.search(text) is None

    def put(self) -> None:
        """Have it started, without a window. Raises ``AutostartError``."""
        line = " ".join(exec_word(each) for each in (self.program, *self.words, f"--{HIDDEN}"))
        entry = (
            "[Desktop Entry]",
            "Type=Application",
            "Version=1.0",
            "Name=Destutter",
            f"TryExec={escaped(self.program)}",  # one that was deleted is left out in silence
            f"Exec={line}",
            f"Icon={ID}",
            "Terminal=false",
            "X-GNOME-Autostart-enabled=true",
        )
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            text = "\n".join(entry) + "\n"
            write_whole_file(self.file, text.encode("utf-8", "surrogateescape"), USUAL)
        except OSError as error:
            raise AutostartError(_reason(error, self.file)) from error

    def remove(self) -> None:
        """Have it started no more. Raises ``AutostartError``."""
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise AutostartError(_reason(error, self.file)) from error

    def follow(self) -> None:
        """Start this program where the one that is named is gone: an AppImage that was moved.

        Raises ``AutostartError``.
        """
        named = _PROGRAM.search(self._text())
        if self.is_on and named is not None and not shutil.which(plain(named[1])):
            self.put()

    def _text(self) -> str:
        try:
            return self.file.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""


def _reason(error: OSError, path: Path) -> Statement:
    shown = str(error.filename or path)
    return Statement("core.file", {"path": shown, "reason": system_reason(error)})
