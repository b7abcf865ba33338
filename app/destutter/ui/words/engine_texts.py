# SPDX-License-Identifier: GPL-3.0-or-later
"""English sentences of engine, sampler and helper in the user's language.

They arrive as finished texts, some through a pipe or a bus, with their numbers and names filled
in. ``resources/translations/engine.json`` lists the templates ("{0} more cannot be used"); the one
that fits a text is translated, and what stood in its places is put into the translation. A text
that fits none stays English.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QLocale

from destutter.resource_folder import resource_folder
from destutter.ui.words.translations import spoken_language
from destutter.words.catalogue import find_text, texts
from destutter.words.language import ENGLISH

_NAME = re.compile(r"\{(\w+)\}")
_PLACE = re.compile(r"\{\d+\}")
_FILE = re.compile(r"(/\S+?(?:, line \d+)?): (.+)", re.DOTALL)
_BINARY = re.compile(r"(\d)[ \u00a0]([KMGT])iB\b(/?)")
_DECIMAL = re.compile(r"(\d)\.(\d+[ \u00a0](?:[KMGT]iB\b|m?s\b|%))")
_LEAST_FIXED = 4


class EngineTexts:
    """Finds templates. ``translate`` gives the translation of one, or the template itself."""

    def __init__(self, templates: Sequence[str]) -> None:
        self._fixed = {text for text in templates if not _PLACE.search(text)}
        patterned = [text for text in templates if text not in self._fixed]
        # The template that fixes most of a text says most about it.
        patterned.sort(key=lambda text: (-len(_PLACE.sub("", text)), text))
        self._patterns = [
            (_pattern(text), text)
            for text in patterned
            if len(_PLACE.sub("", text).strip()) >= _LEAST_FIXED
        ]

    def find(self, text: str) -> tuple[str, tuple[str, ...]] | None:
        """The template behind a text, and what stands in its places in order of their numbers."""
        if text in self._fixed:
            return text, ()
        for pattern, template in self._patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                return template, match.groups()
        return None


@lru_cache(1)
def _known() -> EngineTexts:
    path = resource_folder() / "translations" / "engine.json"
    return EngineTexts([*json.loads(path.read_text(encoding="utf-8")), *_catalogued()])


@lru_cache(1)
def _catalogued() -> dict[str, tuple[str, list[str]]]:
    """Id and places of the catalogue's texts that may arrive as finished English: those of an old
    recording, and of what still hands on the text of an error.
    """
    found = {}
    for subject in ("core", "sampling", "session"):
        for id_, text in texts(ENGLISH, subject).items():
            names = _NAME.findall(str(text))
            template = str(text)
            for index, name in enumerate(names):
                template = template.replace(f"{{{name}}}", f"{{{index}}}")
            found[template] = id_, names
    return found


def engine_text(text: str) -> str:
    """A sentence of the engine in the language of the window; English where there is none.

    Sizes have the names that the window gives them elsewhere: 1.4 GB for 1.4 GiB, and 1,4 GB where
    the language has a comma.
    """
    point = QLocale().decimalPoint()
    localised = _DECIMAL.sub(rf"\g<1>{point}\g<2>", _in_language(text))
    return _BINARY.sub(_familiar, localised)


def _familiar(found: re.Match[str]) -> str:
    unit = "k" if found[2] == "K" else found[2]
    # No line ends between the unit and its "per second".
    return f"{found[1]}\u00a0{unit}B" + ("/\u2060" if found[3] else "")


def _in_language(text: str) -> str:
    file = _FILE.fullmatch(text)
    if file is not None and (reason := _in_language(file[2])) != file[2]:
        return f"{file[1]}: {reason}"
    found = _translated(text)
    if found is not None:
        return found
    # Reasons are also shown as sentences of their own, with a capital and a full stop.
    bare = text[:1].lower() + text[1:].removesuffix(".")
    found = _translated(bare) if bare != text else None
    if found is None:
        return text
    return found[:1].upper() + found[1:] + (_full_stop() if text.endswith(".") else "")


def as_sentence(text: str) -> str:
    """A reason as a sentence of its own: with a capital and a full stop."""
    stop = "" if text.endswith((".", "。", "…", "?")) or not text else _full_stop()
    return text[:1].upper() + text[1:] + stop


# Only the search is remembered: it is slow, and it is the same in every language.
@lru_cache(1024)
def _find(text: str) -> tuple[str, tuple[str, ...]] | None:
    return _known().find(text)


def _translated(text: str) -> str | None:
    found = _find(text)
    if found is None:
        return None
    template, values = found
    said = [_in_language(value) for value in values]
    if template in _catalogued():
        id_, names = _catalogued()[template]
        return str(find_text(spoken_language(), id_)).format(**dict(zip(names, said, strict=True)))
    translation = QCoreApplication.translate("Engine", template)
    if translation == template:
        return None
    return translation.format(*said)


def _full_stop() -> str:
    return QCoreApplication.translate("Units", ".", "the mark at the end of a sentence")


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _PLACE.split(template)
    return re.compile("(.*?)".join(map(re.escape, pieces)), re.DOTALL)
