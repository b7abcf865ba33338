# SPDX-License-Identifier: GPL-3.0-or-later
"""A language for tests in which every text is 40 % longer."""

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
