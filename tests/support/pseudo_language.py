# SPDX-License-Identifier: GPL-3.0-or-later
"""Languages for tests: one in which every text is 40 % longer, one from right to left."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QTranslator

from destutter.words import catalogue
from destutter.words.catalogue import Plural, Text
from destutter.words.language import ENGLISH

_LETTERS = "ẍö"


class LongTexts(QTranslator):
    """Adds letters that no font lacks to the end of every text."""

    def isEmpty(self) -> bool:
        """There is something to translate with."""
        return False

    def translate(
        self,
        context: str,
        sourceText: str,  # noqa: N803  Qt's name
        disambiguation: str | None = None,
        n: int = -1,
    ) -> str:
        """The text and so much more."""
        del context, disambiguation, n
        extra = max(1, round(len(sourceText) * 0.4))
        return f"{sourceText} {(_LETTERS * extra)[:extra]}"


_RIGHT_TO_LEFT = dict(zip("abcdefghijklmnopqrstuvwxyz", "ابتثجحخدذرزسشصضطظعغفقكلمنه", strict=True))


class MirroredTexts(QTranslator):
    """Writes every text in Arabic letters, without meaning; placeholders stay."""

    def isEmpty(self) -> bool:
        """There is something to translate with."""
        return False

    def translate(
        self,
        context: str,
        sourceText: str,  # noqa: N803  Qt's name
        disambiguation: str | None = None,
        n: int = -1,
    ) -> str:
        """The text, letter by letter."""
        del context, disambiguation, n
        parts = re.split(r"(\{.*?\}|%n)", sourceText)
        return "".join(
            part
            if part.startswith(("{", "%n"))
            else "".join(_RIGHT_TO_LEFT.get(letter.lower(), letter) for letter in part)
            for part in parts
        )


def _in_catalogue(language: str, subject: str) -> Mapping[str, Text]:
    """The catalogue speaks these languages too: the window knows them by what "en" is in them."""
    for translator in (LongTexts(), MirroredTexts()):
        if language == translator.translate("Language", ENGLISH):
            return {id_: _said(text, translator) for id_, text in _texts(ENGLISH, subject).items()}
    return _texts(language, subject)


def _said(text: Text, translator: LongTexts | MirroredTexts) -> Text:
    if isinstance(text, Plural):
        forms = tuple(translator.translate("", form) for form in text.forms)
        return Plural(text.by, forms, text.language)
    return translator.translate("", text)


_texts = catalogue.texts
# What forgets the catalogue's texts asks the function that stands in for them.
_in_catalogue.cache_clear = _texts.cache_clear  # type: ignore[attr-defined]
catalogue.texts = _in_catalogue  # type: ignore[assignment]
