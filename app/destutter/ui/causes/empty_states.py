# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page of causes shows while there is no finding to show."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import Assessment, Group, VerdictKind
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.said_alike import (
    measuring_stopped,
    no_game,
    reading_recording,
    start_again,
)
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.words.words import Words

translate = QCoreApplication.translate

GO_TO_LIVE, SHOW_MISSING, SHOW_ALL, START_AGAIN = "live", "missing", "all", "restart"


@dataclass(frozen=True, slots=True)
class EmptyText:
    """A sign, a heading, a line and what to do, as (id, text) pairs."""

    icon: str
    heading: str
    text: str
    actions: tuple[tuple[str, str], ...] = ()


def empty_text(
    words: Words,
    snapshot: Snapshot | None,
    feed: FeedState,
    group: Group | None,
    *,
    watches_computer: bool,
) -> EmptyText:
    """Why there is nothing to see, and what can be done about it."""
    if feed.kind is FeedKind.FAILED:
        return EmptyText(
            "causing",
            measuring_stopped(),
            "" if feed.why is None else words.sentence(feed.why),
            ((START_AGAIN, start_again()),),
        )
    if feed.read_share is not None:
        return _reading(words, feed.read_share)
    if snapshot is None:
        return _nothing_yet()
    if group is not None:
        return _group_text(words, snapshot.assessment, group)
    assessment = snapshot.assessment
    has_game = WatchedGame.from_facts(snapshot.facts) is not None
    if feed.kind is FeedKind.LIVE and not has_game and not watches_computer:
        return _no_game()
    if assessment.verdict.kind is VerdictKind.MEASURING:
        return _nothing_yet()
    if assessment.spikes:
        return _unexplained(words, assessment)
    return _quiet(words, assessment)


def _reading(words: Words, share: float) -> EmptyText:
    return EmptyText(
        "measuring",
        reading_recording(share, words.quantities),
        translate("Causes", "What was found in it is shown when it is read."),
    )


def _nothing_yet() -> EmptyText:
    return EmptyText(
        "measuring",
        translate("Causes", "Nothing measured yet"),
        translate("Causes", "Causes appear here after the first seconds of measuring."),
        ((GO_TO_LIVE, translate("Causes", "Go to Live")),),
    )


def _no_game() -> EmptyText:
    return EmptyText(
        "game",
        no_game(),
        translate(
            "Causes",
            "Start a game, or watch the whole computer. What makes it stutter is named here.",
        ),
        ((GO_TO_LIVE, translate("Causes", "Go to Live")),),
    )


def _unexplained(words: Words, assessment: Assessment) -> EmptyText:
    if assessment.verdict.kind is VerdictKind.UNEXPLAINED:
        # The words of the banner: they say as much as is known of where the time went.
        heading = words.text(assessment.verdict.headline)
        helps = assessment.verdict.helps
        said = [assessment.verdict.detail, *(() if helps is None else (helps,))]
        detail = "\n\n".join(words.text(each) for each in said)
    else:
        heading = translate("Causes", "No cause stands out")
        counted = translate("Causes", "%n stutter(s) seen.", None, len(assessment.spikes))
        unseen = translate("Causes", "What the game waited for at them could not be seen.")
        detail = translate("Causes", "{counted} {detail}").format(counted=counted, detail=unseen)
    return EmptyText(
        "causes",
        heading,
        detail,
        (
            (GO_TO_LIVE, translate("Causes", "Go to Live")),
            (SHOW_MISSING, translate("Causes", "What is not measured")),
        ),
    )


def _quiet(words: Words, assessment: Assessment) -> EmptyText:
    icon = "clear" if assessment.verdict.kind is VerdictKind.SMOOTH else "not-measured"
    heading = words.text(assessment.verdict.headline)
    actions = [(GO_TO_LIVE, translate("Causes", "Go to Live"))]
    if assessment.not_measured:
        actions.append((SHOW_MISSING, translate("Causes", "What is not measured")))
    return EmptyText(icon, heading, words.text(assessment.verdict.detail), tuple(actions))


def _group_text(words: Words, assessment: Assessment, group: Group) -> EmptyText:
    state = next((one for one in assessment.groups if one.group is group), None)
    heading = translate("Causes", "Nothing points to this group: {group}").format(
        group=words.group(group)
    )
    reason = "" if state is None else words.renderer.with_full_stop(words.text(state.reason))
    return EmptyText(
        group.value, heading, reason, ((SHOW_ALL, translate("Causes", "Show all causes")),)
    )
