# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page about the computer shows, as data: cards of rows, and the same as plain text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

MISSING = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """``note`` stands small below; ``tone`` is a token such as "warn", always with words."""

    text: str
    note: str = ""
    tone: str = ""
    is_technical: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A card. ``widths`` are the shares of its columns; ``note`` explains, or says what misses."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    widths: tuple[int, ...] = ()


def hidden() -> Cell:
    """Something that this computer may have, and a Flatpak cannot see."""
    return known(None, QCoreApplication.translate("System", "hidden by the Flatpak's sandbox"))


def known(value: str | None, note: str = "") -> Cell:
    """A value, or that it is not measured with the reason."""
    if value is None:
        unknown = QCoreApplication.translate("System", "Not measured")
        return Cell(unknown, note, "none")
    return Cell(value, note)


def as_text(sections: Iterable[Section], heading: Sequence[str] = ()) -> str:
    """Everything as plain text with aligned columns, for a forum or a bug report."""
    lines = [*heading, ""] if heading else []
    for section in sections:
        lines += [section.title, "=" * len(section.title)]
        if section.rows:
            table = [list(section.columns)] if any(section.columns) else []
            table += [[_plain(cell) for cell in row] for row in section.rows]
            lines += _aligned(table)
        if section.note:
            lines.append(section.note)
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _plain(cell: Cell) -> str:
    return f"{cell.text} ({cell.note})" if cell.note else cell.text


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
