# SPDX-License-Identifier: GPL-3.0-or-later
"""Languages for tests: one in which every text is 40 % longer, one from right to left."""

import re

from PySide6.QtCore import QTranslator

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
