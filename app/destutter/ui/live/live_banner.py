# SPDX-License-Identifier: GPL-3.0-or-later
"""Which banner the live page shows: what failed, or what diagnosis says."""

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import Verdict, VerdictKind
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency, most_urgent
from destutter.ui.controls.signs import verdict_look
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter.ui.pages.said_alike import (
    measuring_stopped,
    reading_recording,
    show_the_cause,
    start_again,
)
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.words.words import Words

translate = QCoreApplication.translate

SHOW_CAUSE = "cause"
SHOW_STUTTERS = "stutters"
SHOW_MISSING = "missing"
RECORD_BASELINE = "baseline"
START_AGAIN = "restart"
DISMISS = "dismiss"

_BY_CAUSE = (VerdictKind.STUTTER, VerdictKind.HITCHES)


def live_banner(
    words: Words,
    verdict: Verdict | None,
    feed: FeedState,
    recording: RecordingState,
    awaited: WatchedGame | None = None,
) -> BannerText:
    """The most urgent of what there is to say. ``awaited``: a program that was chosen, of which
    nothing has come yet; what was said before is not about it."""
    banners = [_of_verdict(words, verdict, feed, recording)]
    if awaited is not None:
        banners = [_of_awaited(awaited)]
    if feed.kind is FeedKind.FAILED:
        again = BannerAction(START_AGAIN, start_again())
        banners.append(
            BannerText(
                "bad",
                "causing",
                measuring_stopped(),
                "" if feed.why is None else words.sentence(feed.why),
                Urgency.FAILURE,
                (again,),
            )
        )
    if recording.failure is not None:
        dismiss = BannerAction(DISMISS, translate("Banner", "Dismiss"))
        banners.append(
            BannerText(
                "bad",
                "causing",
                translate("Banner", "The recording ended by itself"),
                words.sentence(recording.failure),
                Urgency.FAILURE,
                (dismiss,),
            )
        )
    chosen = most_urgent(banners)
    return banners[0] if chosen is None else chosen


def _of_awaited(program: WatchedGame) -> BannerText:
    looking = translate("Banner", "Looking at {name}…").format(name=program.name)
    detail = translate("Banner", "Its first measurements come within some seconds.")
    return BannerText("info", "measuring", looking, detail, Urgency.INFO)


def _of_verdict(
    words: Words, verdict: Verdict | None, feed: FeedState, recording: RecordingState
) -> BannerText:
    if feed.read_share is not None:
        text = reading_recording(feed.read_share, words.quantities)
        return BannerText("info", "measuring", text, "", Urgency.INFO)
    if verdict is None:
        detail = translate("Banner", "The measuring process starts.")
        return BannerText(
            "info", "measuring", translate("Banner", "Measuring…"), detail, Urgency.INFO
        )
    icon, tone = verdict_look(verdict)
    urgency = Urgency.STUTTER if tone == "bad" else Urgency.INFO
    actions = _actions(verdict, feed, recording)
    headline = words.text(verdict.headline)
    detail = words.renderer.sentences(map(words.text, verdict.below))
    return BannerText(tone, icon, headline, detail, urgency, actions)


def _actions(
    verdict: Verdict, feed: FeedState, recording: RecordingState
) -> tuple[BannerAction, ...]:
    can_record = feed.kind in (FeedKind.STARTING, FeedKind.LIVE) and not recording.is_recording
    if verdict.kind in _BY_CAUSE and verdict.finding is not None:
        return (BannerAction(SHOW_CAUSE, show_the_cause()),)
    if verdict.kind is VerdictKind.UNEXPLAINED and verdict.finding is not None:
        return (BannerAction(SHOW_CAUSE, translate("Banner", "Show what is possible")),)
    if verdict.kind is VerdictKind.UNEXPLAINED:
        return (BannerAction(SHOW_STUTTERS, translate("Banner", "Show the stutters")),)
    if verdict.kind is VerdictKind.SMOOTH and can_record and not verdict.is_of_computer:
        return (BannerAction(RECORD_BASELINE, translate("Banner", "Record this as a baseline")),)
    is_paused = verdict.headline.id == "verdict.paused"  # nothing is missing
    if verdict.kind is VerdictKind.NOT_MEASURED and not is_paused:
        return (BannerAction(SHOW_MISSING, translate("Banner", "Show what is missing")),)
    return ()
