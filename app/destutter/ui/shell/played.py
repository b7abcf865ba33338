# SPDX-License-Identifier: GPL-3.0-or-later
"""The summary after a full-screen game: one sentence, said once."""

from PySide6.QtCore import QCoreApplication

from destutter.bridge.game_cover import Played
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.pages.said_alike import show_the_cause
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

CAUSES, DISMISS = "causes", "dismiss"
_SHORTEST_S = 60.0  # shorter, it was a video or a menu; "no stutter" would be no news


def played_summary(played: Played, words: Words, quantities: Quantities) -> BannerText | None:
    """What to say; None after less than a minute without a stutter, or where none was measured."""
    translate = QCoreApplication.translate
    dismiss = BannerAction(DISMISS, translate("Played", "Close"), is_cross=True)
    time = quantities.span(played.seconds)
    detail = translate("Played", "A game filled this screen for {time}.").format(time=time)
    if not played.stutters:
        if played.seconds < _SHORTEST_S or not played.is_measured:
            return None
        smooth = translate("Played", "While you played: no stutter.")
        return BannerText("ok", "clear", smooth, detail, Urgency.INFO, (dismiss,))
    count = translate("Played", "%n stutter(s)", "while playing", played.stutters)
    lost = quantities.figure(played.lost_ms / 1e3, "s")
    text = translate("Played", "While you played: {stutters}, {time} lost.")
    text = text.format(stutters=count, time=lost)
    if played.by_cause:
        cause, share = played.by_cause[0]
        most = translate("Played", "{count} of them: {cause}.")
        most = most.format(count=quantities.number(share), cause=words.cause(cause))
        text = words.renderer.sentences((text, most))
    action = BannerAction(CAUSES, show_the_cause())
    return BannerText("bad", "causing", text, detail, Urgency.STUTTER, (action, dismiss))
