# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts by their ids: ``resources/catalogue/LANGUAGE/SUBJECT.json``.

The subject is the first part of an id, so that a process reads only the files of what it says.
A text has named places, "{worst_ms}"; one with a plural has two forms and names the place that
decides. English is the source, and stands in for what a language lacks.
"""

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from destutter.resource_folder import ResourceError, resource_folder
from destutter.words.language import ENGLISH


@dataclass(frozen=True, slots=True)
class Plural:
    """Two forms of a text, chosen by the number at the place ``by``."""

    by: str
    one: str
    other: str


Text = str | Plural


def find_text(language: str, id_: str) -> Text | None:
    """The text of an id; None for an id that no file has, as of a newer helper."""
    subject = id_.partition(".")[0]
    text = texts(language, subject).get(id_)
    return text if text is not None or language == ENGLISH else find_text(ENGLISH, id_)


@cache
def texts(language: str, subject: str) -> Mapping[str, Text]:
    """The texts of one subject, by id; nothing for a subject that there is not."""
    path = _files(language).get(subject)
    if path is None:
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {
        id_: text if isinstance(text, str) else Plural(**text) for id_, text in entries.items()
    }


@cache
def places(id_: str) -> frozenset[str]:
    """The places of the English text; raises ``KeyError`` for an unknown id."""
    text = find_text(ENGLISH, id_)
    if text is None:
        raise KeyError(id_)
    return places_of(text)


def places_of(text: Text) -> frozenset[str]:
    """The places of a text, that of the plural included."""
    forms = [text] if isinstance(text, str) else [text.one, text.other, f"{{{text.by}}}"]
    parse = string.Formatter().parse
    return frozenset(name for form in forms for _, name, _, _ in parse(form) if name)


@cache
def _files(language: str) -> Mapping[str, Path]:
    # By the names of the files that are there: an id of another process is not to name a path.
    try:
        folder = resource_folder() / "catalogue" / language
    except ResourceError:
        # Without its resources (as pip installs it alone) the program measures all the same.
        return {}
    return {path.stem: path for path in folder.glob("*.json")}
