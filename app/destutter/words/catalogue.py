# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts by their ids: ``resources/catalogue/LANGUAGE/SUBJECT.json``.

The subject is the first part of an id, so that a process reads only the files of what it says.
A text has named places, "{worst_ms}"; one with a plural has the forms of its language and names
the place that decides. English is the source, and stands in for what a language lacks.
"""

import json
import logging
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from destutter.resource_folder import ResourceError, resource_folder
from destutter.words.language import ENGLISH, PLURALS

log = logging.getLogger("destutter.words")


@dataclass(frozen=True, slots=True)
class Plural:
    """Forms of a text, in the order of the language's ``PLURALS``; the place ``by`` decides."""

    by: str
    forms: tuple[str, ...]
    language: str


Text = str | Plural


def form_of(text: Text, values: Mapping[str, object]) -> str:
    if not isinstance(text, Plural):
        return text
    count = values[text.by]
    if isinstance(count, int | float):
        return text.forms[PLURALS[text.language].which(count)]
    return text.forms[-1]  # what crossed the bus may be anything


def find_text(language: str, id_: str) -> Text | None:
    """The text of an id; None for an id that no file has, as of a newer helper."""
    subject = id_.partition(".")[0]
    text = texts(language, subject).get(id_)
    return text if text is not None or language == ENGLISH else find_text(ENGLISH, id_)


@cache
def texts(language: str, subject: str) -> Mapping[str, Text]:
    """The texts of one subject, by id; nothing for a subject that there is not.

    A file that is damaged costs its own texts, and what was measured is told by ids and values.
    """
    path = _files(language).get(subject)
    try:
        entries = {} if path is None else json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return {}
    if not isinstance(entries, dict):
        return {}
    read = {id_: _text(entry, language) for id_, entry in entries.items()}
    return {id_: text for id_, text in read.items() if text is not None}


def _text(entry: Any, language: str) -> Text | None:
    """What a file has for an id, if it can be written: with places that have names only."""
    if isinstance(entry, str):
        return entry if _can_be_written(entry) else None
    names = PLURALS[language].names
    if not isinstance(entry, dict) or entry.keys() != {"by", *names}:
        return None
    if all(isinstance(part, str) and _can_be_written(part) for part in entry.values()):
        return Plural(entry["by"], tuple(entry[name] for name in names), language)
    return None


def _can_be_written(text: str) -> bool:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return False
    return all(
        name is None or (name.isidentifier() and not spec and not conversion)
        for _, name, spec, conversion in parts
    )


@cache
def places(id_: str) -> frozenset[str]:
    """The places of the English text; raises ``KeyError`` for an unknown id."""
    text = find_text(ENGLISH, id_)
    if text is None:
        raise KeyError(id_)
    return places_of(text)


def places_of(text: Text) -> frozenset[str]:
    """The places of a text, that of the plural included."""
    forms = [text] if isinstance(text, str) else [*text.forms, f"{{{text.by}}}"]
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
