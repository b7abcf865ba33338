# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking names and paths out of a report before it leaves the computer."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from destutter.analysis.report.document import (
    Block,
    Chart,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
)

_USER, _HOST = "(user)", "(computer)"
_NOT_PERSONAL = frozenset({"root", "user", "localhost", "debian", "ubuntu", "fedora", "arch"})
# What the names of settings begin with: a computer called "vm" made "(computer).swappiness".
_OF_SETTINGS = frozenset({"block", "cpu", "kernel", "nvme", "sata", "softirq", "thp", "vm"})
_LEAST_LETTERS = 2  # a user called "x" would take every x out of a report
_HOMES = re.compile(r"(?:/home/|/media/|/run/media/|[\\/]Users[\\/])([^\\/\s\"'<>|:*?]+)")
_UNIX_PATH = re.compile(r"(?<![\w.:/<])(?:~|\.{1,2})?/(?:[^\s/\"'<>|,;:]+/)*[^\s/\"'<>|,;:]*")
_WINDOWS_PATH = re.compile(r"\b[A-Za-z]:\\(?:[^\\\"'<>|:*?\r\n]+\\)*[^\s\\\"'<>|:*?]*")
_OF_THE_KERNEL = re.compile(r"/(?:proc|sys|dev)(?:/|$)")


class Redactor:
    """Replaces names of people and computers, and all of a path but its last part.

    ``secrets`` maps what must not be told to what stands in its place.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = dict(secrets)
        self._names = _pattern(self._secrets)

    def learn(self, texts: Iterable[str]) -> None:
        """Note the names of users that stand in paths: a recording may be of another computer."""
        for text in texts:
            for name in _HOMES.findall(text):
                if _is_personal(name):
                    self._secrets.setdefault(name, _USER)
        self._names = _pattern(self._secrets)

    def text(self, text: str) -> str:
        """The text without names and paths."""
        text = _UNIX_PATH.sub(_shortened_unix, text)
        text = _WINDOWS_PATH.sub(lambda found: "…\\" + found[0].rpartition("\\")[2], text)
        if self._names is None:
            return text
        by_case = {name.lower(): place for name, place in self._secrets.items()}
        return self._names.sub(lambda found: by_case[found[0].lower()], text)


def secrets_of(environment: Mapping[str, str]) -> dict[str, str]:
    """What of this computer must not be told: its user and its name."""
    found = {
        environment.get("USER", ""): _USER,
        environment.get("LOGNAME", ""): _USER,
        os.path.basename(environment.get("HOME", "")): _USER,
        os.uname().nodename: _HOST,
        os.uname().nodename.partition(".")[0]: _HOST,
    }
    return {name: place for name, place in found.items() if _is_personal(name)}


def redacted(document: ReportDocument, redactor: Redactor) -> ReportDocument:
    redactor.learn(_texts(document))
    change = redactor.text
    return ReportDocument(
        change(document.title), tuple(_changed(b, change) for b in document.blocks)
    )


def _is_personal(name: str) -> bool:
    return len(name) >= _LEAST_LETTERS and name.lower() not in _NOT_PERSONAL


def _pattern(secrets: Mapping[str, str]) -> re.Pattern[str] | None:
    """The names as whole words, the longest first."""
    names = sorted(secrets, key=len, reverse=True)
    if not names:
        return None
    words = "|".join(map(_word, names))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _word(name: str) -> str:
    return re.escape(name) + (r"(?!\.\w)" if name.lower() in _OF_SETTINGS else "")


def _shortened_unix(found: re.Match[str]) -> str:
    """The last part of a path. "/s" is none, and what the kernel shows says nothing of anybody."""
    path = found[0]
    is_short = path.count("/") < 2 and not path.startswith(("~", "."))
    return path if is_short or _OF_THE_KERNEL.match(path) else _last(path)


def _last(path: str) -> str:
    return "…/" + path.rstrip("/").rpartition("/")[2]


def _texts(document: ReportDocument) -> list[str]:
    found = [document.title]

    def note(text: str) -> str:
        found.append(text)
        return text

    for block in document.blocks:
        _changed(block, note)
    return found


def _changed(block: Block, change: Callable[[str], str]) -> Block:
    match block:
        case Heading(text):
            return Heading(change(text))
        case Paragraph(text, tone):
            return Paragraph(change(text), tone)
        case Listing(items):
            return Listing(tuple(change(item) for item in items))
        case Table(heads, rows, figures):
            return Table(
                tuple(change(head) for head in heads),
                tuple(tuple(change(cell) for cell in row) for row in rows),
                figures,
            )
        case Chart():
            return replace(
                block,
                title=change(block.title),
                text=change(block.text),
                curves=tuple(replace(c, name=change(c.name)) for c in block.curves),
                bands=tuple(replace(b, name=change(b.name)) for b in block.bands),
                marks=tuple((at, change(name)) for at, name in block.marks),
            )
