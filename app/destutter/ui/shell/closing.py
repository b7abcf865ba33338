# SPDX-License-Identifier: GPL-3.0-or-later
"""What closing the window means: asked once, in the page, and kept until it is changed."""

from PySide6.QtCore import QCoreApplication

from destutter.ui.controls import shortcuts
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency

BACKGROUND, QUIT, ASK = "background", "quit", "ask"


def answer_to_closing(
    choice: str, *, is_asked: bool, must_end: bool, is_recording: bool = False
) -> str:
    """``BACKGROUND``, ``QUIT`` or ``ASK``, by the user's ``choice`` in the settings.

    Whoever closes a window again that asks already wants it closed, and what ends the program or
    the desktop's session waits for no answer. A recording is not ended by a choice of another day:
    one of a flight ended without a word.
    """
    if must_end or (is_asked and choice != BACKGROUND):
        return QUIT
    if choice == QUIT and is_recording:
        return ASK
    return choice if choice in (BACKGROUND, QUIT) else ASK


def closing_question(
    *,
    is_recording: bool,
    changed_for: str = "",
    keeps_for_games: bool = False,
    starts_with_desktop: bool = False,
) -> BannerText:
    """The question; its buttons have the ids of the two answers.

    ``changed_for`` is the game that settings are changed for now, which end with the program.
    ``keeps_for_games``: something is kept for some game, and set while the program runs, which
    ``starts_with_desktop`` or not.
    """
    translate = QCoreApplication.translate
    detail = translate(
        "Closing",
        "Open Destutter again to come back, or to quit with {keys}. Your answer holds from now "
        "on; Settings has it.",
    ).format(keys=shortcuts.key_text(shortcuts.QUIT))
    if is_recording:
        detail = translate(
            "Closing",
            "The recording goes on in the background: open Destutter again to come back. "
            "Quitting ends it and keeps what there is.",
        )
    if changed_for:
        goes_back = translate(
            "Closing", "What is changed for {game} goes back when Destutter quits."
        ).format(game=changed_for)
        detail = f"{goes_back} {detail}"
    elif keeps_for_games:
        # "Kept" was believed to hold without it: the next start of the game stuttered again.
        only = translate(
            "Closing",
            "What is kept for games is set only while Destutter runs; Settings starts it with "
            "the desktop.",
        )
        if starts_with_desktop:
            only = translate("Closing", "What is kept for games is set only while Destutter runs.")
        detail = f"{only} {detail}"
    return BannerText(
        "warn",
        "watch",
        translate("Closing", "Keep measuring in the background?"),
        detail,
        Urgency.TRIAL,
        (
            BannerAction(BACKGROUND, translate("Closing", "Keep measuring")),
            BannerAction(QUIT, translate("Closing", "Quit")),
        ),
    )
