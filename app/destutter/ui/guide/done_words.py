# SPDX-License-Identifier: GPL-3.0-or-later
"""What has become of the changes that the guide has tried, once that is done."""

from PySide6.QtCore import QCoreApplication

from destutter.ui.pages.said_alike import values_are_back

translate = QCoreApplication.translate

ALWAYS, GAME, BACK = "always", "game", "back"
"""What was asked for."""


def done_words(asked: str, game: str) -> tuple[str, str]:
    """Headline and detail."""
    if asked == BACK:
        return values_are_back(), ""
    if asked == ALWAYS:
        return translate("CompareStep", "The changes are kept for every start"), ""
    text = translate("CompareStep", "The changes are kept for {game}").format(game=game)
    return text, translate("CompareStep", "Set each time it runs, taken back when it ends.")
