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
    text = translate("Played", "While you played: {stutters}.").format(stutters=count)
    if played.by_group:
        group, share = played.by_group[0]
        text = translate("Played", "While you played: {stutters}, {count} from {cause}.").format(
            stutters=count, count=quantities.number(share), cause=words.group_inside(group)
        )
    action = BannerAction(CAUSES, show_the_cause())
    return BannerText("bad", "causing", text, detail, Urgency.STUTTER, (action, dismiss))
