# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's entry in the desktop's menu: nobody but itself can put it there."""

import os
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.core.whole_file import USUAL, write_whole_file

ID = "io.github.destutter.Destutter"
_MARK = "X-Destutter-AppImage"
_ICONS = (f"scalable/apps/{ID}.svg", f"symbolic/apps/{ID}-symbolic.svg")
_IN_QUOTES = re.compile(r'["`$\\]')
_SYSTEM_FOLDERS = "/usr/local/share:/usr/share"


class MenuEntryError(StatementError):
    """The entry cannot be made or taken away."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """``image`` is the file that the user started, ``inside`` its mounted content.

    ``data`` is where this user's programs have their menu entries and icons (XDG_DATA_HOME), and
    ``system`` the folders in which packages have theirs.
    """

    image: Path
    inside: Path
    data: Path
    system: tuple[Path, ...] = ()

    @classmethod
    def of_this_program(cls, environment: Mapping[str, str], program: str) -> Self | None:
        """None where ``program`` does not run out of an AppImage of its own.

        A terminal that is itself an AppImage leaves its variables to what is started in it.
        """
        image, inside = environment.get("APPIMAGE", ""), environment.get("APPDIR", "")
        if not (image.startswith("/") and inside.startswith("/")):
            return None
        if not Path(program).resolve().is_relative_to(Path(inside).resolve()):
            return None
        home = Path(environment.get("HOME") or Path.home())
        data = environment.get("XDG_DATA_HOME", "")
        system = environment.get("XDG_DATA_DIRS") or _SYSTEM_FOLDERS
        return cls(
            Path(image),
            Path(inside),
            Path(data) if data.startswith("/") else home / ".local" / "share",
            tuple(Path(each) for each in system.split(":") if each.startswith("/")),
        )

    @property
    def file(self) -> Path:
        return self.data / "applications" / f"{ID}.desktop"

    @property
    def is_there(self) -> bool:
        """Whether an AppImage of Destutter, this one or another, has put itself there."""
        return self._told_image() is not None

    @property
    def may_be_offered(self) -> bool:
        """Whether there is no entry at all, neither in the user's menu nor from a package."""
        places = (self.data, *self.system)
        return not any((each / "applications" / f"{ID}.desktop").exists() for each in places)

    def add(self) -> None:
        """Put it there, or bring it up to date. Raises ``MenuEntryError``."""
        if self.file.exists() and not self.is_there:
            raise MenuEntryError(Statement("menu.not_ours", {"path": str(self.file)}))
        if "\n" in str(self.image):
            raise MenuEntryError(Statement("menu.line_break"))
        try:
            text = (self.inside / f"{ID}.desktop").read_text(encoding="utf-8")
            for icon in _ICONS:
                _replace(self._icon(icon), (self._shipped_icons() / icon).read_bytes())
            _replace(self.file, self._entry(text).encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise MenuEntryError(_reason(error, self.file)) from error

    def remove(self) -> None:
        """Take it away, with its icons. Raises ``MenuEntryError``."""
        if not self.is_there:
            return
        try:
            self.file.unlink()
            for icon in _ICONS:
                self._icon(icon).unlink(missing_ok=True)
        except OSError as error:
            raise MenuEntryError(_reason(error, self.file)) from error

    def follow(self) -> None:
        """Point an entry to this file when the one that it names is gone (moved, or updated).

        Raises ``MenuEntryError``.
        """
        told = self._told_image()
        if told is not None and told != self.image and not told.exists():
            self.add()

    def _told_image(self) -> Path | None:
        try:
            text = self.file.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return None
        found = re.search(rf"^{_MARK}=(/.*)$", text, re.MULTILINE)
        return Path(plain(found[1])) if found else None

    def _entry(self, text: str) -> str:
        path = str(self.image)
        command = exec_word(path)
        lines = [
            f"Exec={command}{line.removeprefix('Exec=destutter')}"
            if line.startswith("Exec=destutter")
            else line
            for line in text.splitlines()
        ]
        first = lines.index("[Desktop Entry]") + 1
        # With TryExec a menu leaves an entry out whose file was deleted.
        lines[first:first] = [f"TryExec={escaped(path)}", f"{_MARK}={escaped(path)}"]
        return "\n".join(lines) + "\n"

    def _shipped_icons(self) -> Path:
        return self.inside / "usr" / "share" / "icons" / "hicolor"

    def _icon(self, name: str) -> Path:
        return self.data / "icons" / "hicolor" / name


def own_menu_entry() -> MenuEntry | None:
    """That of this process, when it is an AppImage."""
    return MenuEntry.of_this_program(os.environ, sys.executable)


def own_command() -> str:
    """What stands in a command line for this program: an AppImage has no name of its own there."""
    entry = own_menu_entry()
    return "destutter" if entry is None else shlex.quote(str(entry.image))


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole_file(path, data, USUAL)


def exec_word(word: str) -> str:
    """As an argument of Exec: quoted, escaped for the quotes, and then as any value of the file.

    Desktop Entry Specification 1.5, "The Exec key".
    """
    quoted = '"' + _IN_QUOTES.sub(r"\\\g<0>", word) + '"'
    return escaped(quoted).replace("%", "%%")


def escaped(text: str) -> str:
    """As a value of a desktop file."""
    return text.replace("\\", "\\\\")


def plain(value: str) -> str:
    """What such a value says."""
    return value.replace("\\\\", "\\")


def _reason(error: OSError, path: Path) -> Statement:
    shown = str(error.filename or path)
    return Statement("core.file", {"path": shown, "reason": system_reason(error)})
