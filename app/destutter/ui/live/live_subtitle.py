# SPDX-License-Identifier: GPL-3.0-or-later
"""The line below the title of the live page: what the graphs show, and of when."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.source import BATCH_MS
from destutter.ui.live.live_notes import without_game
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.plots.time_view import TimeView
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said_sentence

translate = QCoreApplication.translate


def live_subtitle(
    feed: FeedState,
    snapshot: Snapshot | None,
    view: TimeView,
    quantities: Quantities,
    *,
    has_game: bool,
) -> str:
    if feed.kind is FeedKind.REPLAY:
        played = translate("LivePage", "Recording {name}").format(name=feed.name)
        if feed.why is None:
            return played
        return translate("LivePage", "{recording}. {end}").format(
            recording=played, end=said_sentence(feed.why)
        )
    if feed.kind is FeedKind.FAILED:
        return translate("LivePage", "Nothing is measured any more")
    if not view.is_live:
        return translate("LivePage", "The graphs stand still; measuring goes on")
    if snapshot is not None and feed.kind is FeedKind.LIVE and not has_game:
        return without_game(snapshot)
    text = translate("LivePage", "Last {span}, updated {count} times a second")
    return text.format(span=quantities.span(view.span_s), count=1000 // BATCH_MS)
