# SPDX-License-Identifier: GPL-3.0-or-later
"""How a finding is called, marked and summed up."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Self

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import (
    HORIZON_S,
    RECENT_S,
    Confidence,
    Evidence,
    Finding,
    TileState,
)
from destutter.diagnosis.stutters.hitches import LEAST_MS
from destutter.diagnosis.stutters.spikes import REFRESH_HZ
from destutter.ui.controls.signs import look_of, state_look, state_name
from destutter.ui.pages.watched_game import WatchedGame
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Mark:
    """A chip: its sign, its tone and its word."""

    icon: str
    tone: str
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One number worth a large letter. ``tone`` names the colour of the value."""

    name: str
    value: str
    note: str
    tone: str = "text"


class CountedSince(Enum):
    """Since when stutters are counted: so far back as findings look, or a later beginning."""

    HORIZON = auto()
    GAME = auto()
    RECORDING = auto()

    @classmethod
    def of(cls, snapshot: Snapshot | None, *, is_replay: bool) -> Self:
        """What holds for this moment: of a game of 100 s ten minutes were told."""
        if snapshot is None:
            return cls(cls.HORIZON)
        since_ns = snapshot.assessment.monotonic_ns - HORIZON_S * 1_000_000_000
        if is_replay:
            began_ns = None if snapshot.header is None else snapshot.header.monotonic_ns
            return cls(cls.RECORDING if began_ns and began_ns > since_ns else cls.HORIZON)
        game = WatchedGame.from_facts(snapshot.facts)
        is_young = game is not None and game.started_ns is not None and game.started_ns > since_ns
        return cls(cls.GAME if is_young else cls.HORIZON)


def heading_of(finding: Finding) -> str:
    """What stands above the finding and its like in a list; nothing above the causes of now."""
    if finding.is_beside:
        return translate("Causes", "Also seen, not shown to be the cause")
    if finding.is_over:
        return translate("Causes", "Earlier, none in the last {minutes} minutes").format(
            minutes=RECENT_S // 60
        )
    return ""


def mark_of(finding: Finding, *, has_game: bool = True) -> Mark:
    """What the finding has to do with the stutters, in a word; without a game it made none."""
    if finding.is_doubted:
        return Mark(*look_of("info"), translate("Causes", "Also seen"))
    if not finding.stutters_explained:
        if finding.hitches_explained:
            return Mark(*look_of("warn"), translate("Causes", "Hitches"))
        return Mark(*look_of("info"), translate("Causes", "Also seen"))
    if finding.consequence_of:
        return Mark(*look_of("info"), translate("Causes", "Came with it"))
    if finding.is_over:
        return Mark(*look_of("info"), translate("Causes", "Earlier"))
    if not has_game:
        return Mark(*state_look(TileState.NOTED), state_name(TileState.NOTED))
    if finding.confidence is Confidence.HIGH:
        return Mark(*state_look(TileState.CAUSING), state_name(TileState.CAUSING))
    if finding.confidence is Confidence.MEDIUM:
        return Mark(*state_look(TileState.LIKELY), state_name(TileState.LIKELY))
    return Mark(*look_of("warn"), translate("Causes", "Possible"))


def confidence_of(finding: Finding, words: Words) -> str:
    """How sure, as a sentence's part."""
    return translate("Causes", "Confidence: {word}").format(
        word=words.confidence(finding.confidence)
    )


def summary_of(finding: Finding, words: Words) -> str:
    """The line below the title: the group and how sure."""
    group = words.group(finding.group)
    if not finding.explains or finding.consequence_of:
        return group
    return translate("Causes", "{group} · {confidence}").format(
        group=group, confidence=confidence_of(finding, words)
    )


def facts_of(
    finding: Finding,
    words: Words,
    quantities: Quantities,
    time_of: Callable[[Evidence], str],
    counted: CountedSince | None = CountedSince.HORIZON,
) -> list[Fact]:
    """Up to four numbers: the longest stutter, how many, what they cost where that is why the
    finding stands first, and the first measurements, each with the time of the moment that it is
    of. ``counted`` None: no game is measured, and they are hiccups of the computer."""
    facts = []
    if finding.worst_ms is not None:
        facts.append(_longest(finding, finding.worst_ms, quantities, has_game=counted is not None))
    if finding.stutters_total:
        facts.append(_explained(finding, quantities, counted))
    if finding.is_most_lost:
        lost = quantities.milliseconds(finding.lost_ms)
        name, note = translate("Causes", "Lost time"), translate("Causes", "most of what was lost")
        facts.append(Fact(name, lost, note, "bad"))
    if finding.hitches_explained:
        facts.append(_hitches(finding, quantities))
    for evidence in finding.evidence[: 4 - len(facts)]:
        note = translate("Causes", "at {time}, counts from {value}").format(
            time=time_of(evidence), value=words.threshold(evidence)
        )
        facts.append(Fact(words.metric(evidence), words.value(evidence), note))
    return facts


def _longest(finding: Finding, worst_ms: float, quantities: Quantities, *, has_game: bool) -> Fact:
    shown = quantities.milliseconds(worst_ms)
    if not has_game:
        return Fact(translate("Causes", "Longest hiccup"), shown, _frames_missed(worst_ms), "warn")
    if not finding.stutters_explained and finding.hitches_explained:
        name, note = translate("Causes", "Longest hitch"), translate("Causes", "too late")
        return Fact(name, shown, note, "warn")
    return Fact(translate("Causes", "Longest stutter"), shown, _frames_missed(worst_ms), "bad")


def _explained(finding: Finding, quantities: Quantities, counted: CountedSince | None) -> Fact:
    span = {
        CountedSince.HORIZON: translate("Causes", "in the last {minutes} minutes").format(
            minutes=HORIZON_S // 60
        ),
        CountedSince.GAME: translate("Causes", "since the game started"),
        CountedSince.RECORDING: translate("Causes", "in the part that was played"),
    }
    of_game = translate("Causes", "Stutters explained")
    return Fact(
        translate("Causes", "Hiccups explained") if counted is None else of_game,
        translate("Causes", "{explained} of {total}").format(
            explained=quantities.number(finding.stutters_explained),
            total=quantities.number(finding.stutters_total),
        ),
        span[counted or CountedSince.HORIZON],
    )


def _hitches(finding: Finding, quantities: Quantities) -> Fact:
    return Fact(
        translate("Causes", "Hitches explained"),
        translate("Causes", "{explained} of {total}").format(
            explained=quantities.number(finding.hitches_explained),
            total=quantities.number(finding.hitches_total),
        ),
        translate("Causes", "moments with frames {least} or more too late").format(
            least=quantities.round_milliseconds(LEAST_MS)
        ),
    )


def _frames_missed(duration_ms: float) -> str:
    missed = max(int(duration_ms * REFRESH_HZ / 1000), 1)
    told = translate("Causes", "%n frame(s) at {hertz} Hz", None, missed)
    return told.format(hertz=int(REFRESH_HZ))
