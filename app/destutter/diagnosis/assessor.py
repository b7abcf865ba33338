# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that diagnosis does with a stream: metrics in, assessments out."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace

from destutter.core.metrics import DAMAGED, Gap, Metrics
from destutter.core.sample import PAUSED_FACT, Facts, Frames, Header, Layout, Trouble
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook, lead_in
from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import CauseSpec, unjudged
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.causes.detector import CauseDetector
from destutter.diagnosis.causes.registry import CAUSES, remembered_metrics, watched_metrics
from destutter.diagnosis.circumstances.traced_waits import TraceLog
from destutter.diagnosis.finding import (
    HORIZON_S,
    RECENT_S,
    Assessment,
    Confidence,
    Finding,
    GroupState,
    Spike,
)
from destutter.diagnosis.findings import correlator, order
from destutter.diagnosis.findings.explanations import Explanations
from destutter.diagnosis.findings.time_lost import TimeLostTally
from destutter.diagnosis.findings.weights import Weights
from destutter.diagnosis.history.drives import DRIVES_FACT
from destutter.diagnosis.history.tick_log import TickLog
from destutter.diagnosis.history.window import Second, Window
from destutter.diagnosis.history.witnesses import Witnesses
from destutter.diagnosis.lost_time import NOTHING_LOST
from destutter.diagnosis.stutters.game_spans import GameSpans
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN, SpikeDetector
from destutter.diagnosis.stutters.unplayed import UnplayedTimes
from destutter.diagnosis.unplayed_span import UnplayedSpan
from destutter.diagnosis.verdict import groups, verdict
from destutter.diagnosis.verdict.verdict_basis import WARM_UP_NS, VerdictBasis


class Assessor:
    """Watches a stream and says what it means, in constant memory.

    Findings are about the last ``horizon_s`` seconds, the banner and the tiles about the last
    ``recent_s``; None means the whole stream, for a recording that is judged once at its end.
    Rules run once a second, when a second of measurements is complete; ``assess`` may be called
    as often as a window repaints. ``is_of_recording``: all games of the stream count, as in the
    row of the recording in Sessions; else the one that runs.
    """

    def __init__(
        self,
        horizon_s: float | None = HORIZON_S,
        recent_s: float | None = RECENT_S,
        causes: Iterable[CauseSpec] = CAUSES,
        *,
        is_of_recording: bool = False,
    ) -> None:
        self._causes = tuple(causes)
        self._horizon_ns = None if horizon_s is None else int(horizon_s * 1e9)
        self._recent_ns = None if recent_s is None else int(recent_s * 1e9)
        self._window = Window(
            watched_metrics(self._causes) | frozenset(groups.TILE_METRICS),
            remembered_metrics(self._causes),
        )
        self._detectors = [
            CauseDetector(spec, self._horizon_ns)
            for spec in self._causes
            if spec.rule is not unjudged
        ]
        self._spikes = SpikeDetector(self._horizon_ns)
        self._is_of_recording = is_of_recording
        self._games = GameSpans(self._horizon_ns, counts_all=is_of_recording)
        self._unplayed = UnplayedTimes(self._horizon_ns)
        self._witnesses = Witnesses()
        self._log = TickLog()
        specs = {spec.id: spec for spec in self._causes}
        self._trace = TraceLog()
        self._explanations = Explanations(specs, self._log, self._trace)
        self._of_hitches = Explanations(specs, self._log, self._trace)
        self._coverage = Coverage()
        self._observed: deque[tuple[int, float]] = deque()
        self._observed_s = 0.0
        self._lost_spans: list[Gap] = []
        self._started_ns: int | None = None
        self._now_ns = 0
        self._last_spike_ns = 0
        self._same_since_ns = 0
        self._seconds = 0
        self._assessed_at: tuple[int, int] | None = None
        self._findings: tuple[Finding, ...] = ()
        self._told: tuple[Spike, ...] = ()
        self._uncounted: tuple[Spike, ...] = ()
        self._hitches: tuple[Spike, ...] = ()
        self._untold, self._tally = TimeLostTally(), TimeLostTally()
        self._lost = NOTHING_LOST

    def accept_header(self, header: Header) -> None:
        self._coverage.accept_header(header)

    def accept_facts(self, facts: Facts) -> None:
        self._coverage.accept_facts(facts)
        self._trace.accept_facts(facts)
        self._window.facts = self._coverage.facts
        pid = self._coverage.facts.get("game.pid", "")
        is_paused = bool(self._coverage.facts.get(PAUSED_FACT))
        self._unplayed.accept_state(facts.monotonic_ns, pid, is_paused=is_paused)
        if pid != self._log.game_pid:
            # What happened before is none of this game's stutters, and none of the computer's.
            self._same_since_ns = self._now_ns
            if pid:
                self._begin_game()
            else:
                self._games.end(self._now_ns)
        self._log.follow(pid, self._now_ns)
        self._log.game_drives = frozenset((self._coverage.facts.get(DRIVES_FACT) or "").split())
        self._witnesses.game_pid = int(pid) if pid.isdecimal() else None
        lead = self._coverage.facts.get("game.lead", "")
        self._log.lead = "" if lead_in(lead) == self._witnesses.game_pid else lead

    def _begin_game(self) -> None:
        self._spikes.change_game()
        self._games.begin(self._now_ns, self._coverage.facts.get("game.name", ""))
        if self._horizon_ns is not None:
            for detector in self._detectors:
                detector.forget()
            self._observed.clear()
            self._observed_s = 0.0

    def accept_layout(self, layout: Layout) -> None:
        """Take in what there is to measure of a source."""
        self._coverage.accept_layout(layout)

    def accept_trouble(self, trouble: Trouble) -> None:
        self._coverage.accept_trouble(trouble)
        self._trace.accept_trouble(trouble)

    def accept_look(self, look: TraceLook) -> None:
        self._trace.accept_look(look)
        self._coverage.accept_look(look)

    def accept_frames(self, frames: Frames) -> None:
        if not frames.monotonic_ns:
            return
        self._advance(frames.monotonic_ns[-1])
        self._unplayed.accept_frames(frames)
        self._spikes.accept_frames(frames, self._unplayed.loading_ends)
        self._coverage.accept_frames(are_sampled=self._spikes.are_sampled)
        self._games.accept_frames(are_sampled=self._spikes.are_sampled)

    def accept_metrics(self, metrics: Metrics) -> None:
        self._advance(metrics.monotonic_ns)
        if metrics.gap is not None and metrics.gap.reason == DAMAGED:
            self._lost_spans.append(metrics.gap)
        self._coverage.accept_metrics(metrics)
        self._witnesses.accept_metrics(metrics)
        self._log.accept_metrics(metrics)
        self._spikes.accept_metrics(metrics)
        self._unplayed.accept_metrics(metrics)
        second = self._window.accept_metrics(metrics)
        if second is not None:
            self._complete(second)

    @property
    def coverage(self) -> Coverage:
        """What is measured in this stream and what is not."""
        return self._coverage

    def assess(self) -> Assessment:
        """What there is to say now. Cheap: only what changed since the last call is matched."""
        self._spikes.forget_before(self._now_ns)
        state = (self._seconds, self._spikes.revision)
        if state != self._assessed_at:
            self._correlate()
            self._assessed_at = state
        recent = self._recent()
        explained = Counter(spike.cause for spike in recent if spike.cause is not None)
        basis = self._basis(recent, dict(explained))
        is_of_probe = _are_of_computer(self._told)
        is_of_computer = is_of_probe and not (basis.has_game or self._games.had_game)
        return Assessment(
            self._now_ns,
            verdict.judge(basis),
            self._tiles(recent, dict(explained), has_game=basis.has_game),
            self._told,
            tuple(map(_of_computer, self._findings)) if is_of_probe else self._findings,
            tuple(self._coverage.not_measured(self._causes)),
            self._hitches,
            self._lost,
            self._is_game_unmeasured(),
            self._uncounted,
            self._unplayed_spans(),
            is_of_computer,
        )

    def _unplayed_spans(self) -> tuple[UnplayedSpan, ...]:
        if not self._games.is_framed:
            return ()
        spans = self._unplayed.spans(self._now_ns)
        return tuple(each for each in spans if each.end_ns > self._games.since_ns)

    def _is_game_unmeasured(self) -> bool:
        is_watched = bool(self._coverage.facts.get("game.pid"))
        return is_watched and not self._spikes.has_measured_game

    def _advance(self, now_ns: int) -> None:
        if self._started_ns is None:
            self._started_ns = now_ns
        self._now_ns = max(self._now_ns, now_ns)

    def _complete(self, second: Second) -> None:
        self._seconds += 1
        length_s = (second.end_ns - second.start_ns) / 1e9
        self._observed_s += length_s
        for detector in self._detectors:
            detector.accept_second(self._window, second, self._witnesses)
            detector.forget_before(self._now_ns)
        self._explanations.look_at(self._counted(self._spikes.spikes), self._witnesses)
        self._of_hitches.look_at(self._counted(self._spikes.hitches), self._witnesses)
        if self._horizon_ns is not None:
            self._observed.append((second.end_ns, length_s))
            while self._observed and self._observed[0][0] < self._now_ns - self._horizon_ns:
                self._observed_s -= self._observed.popleft()[1]

    def _correlate(self) -> None:
        self._games.forget_before(self._now_ns)
        spikes, hitches = map(self._counted, (self._spikes.spikes, self._spikes.hitches))
        found = self._find(spikes, self._explanations)
        found += self._beat(spikes)
        known = self._explanations.of(spikes)
        # As if nothing were a guess: which findings are follows from the order.
        weights = Weights(spikes, self._untold.of_each(spikes, known))
        found = weights.of(found)
        specs = {spec.id: spec for spec in self._causes}
        found = order.with_consequences(order.ranked(order.with_few(found), specs), specs)
        # Of a few seconds there is no verdict, and no finding that would be more than a guess.
        started_ns = self._now_ns if self._started_ns is None else self._started_ns
        if self._now_ns - started_ns < WARM_UP_NS:
            found = [(replace(each, confidence=Confidence.LOW), how) for each, how in found]
        felt = [each for each in self._find(hitches, self._of_hitches) if each[1].explained]
        lost = Weights(hitches, {})
        felt = order.with_consequences(order.ranked(lost.of(felt), specs), specs)
        told = [finding for finding, _ in found]
        findings = order.with_hitches(told, felt, len(spikes), len(hitches))
        # Of a recording the whole counts: played to its end, the cause of 20 of 33 stutters stood
        # behind one of 4 that was there in its last two minutes.
        if self._recent_ns is not None and not self._is_of_recording:
            since_ns = self._now_ns - self._recent_ns
            findings = order.with_over(findings, (found, felt), since_ns, self._now_ns)
        is_open = self._is_game_unmeasured()
        self._findings = tuple(map(_left_open, findings)) if is_open else findings
        self._told = weights.with_causes(spikes, found)
        counted = {spike.monotonic_ns for spike in spikes}
        others = (each for each in self._spikes.spikes if each.monotonic_ns not in counted)
        self._uncounted = tuple(each for each in others if not self._games.is_none(each))
        self._hitches = lost.with_causes(hitches, felt)
        self._lost = self._tally.of(self._told, known)
        for spike in (*self._uncounted[-1:], *spikes[-1:]):
            self._last_spike_ns = max(self._last_spike_ns, spike.monotonic_ns)

    def _counted(self, spikes: tuple[Spike, ...]) -> tuple[Spike, ...]:
        return tuple(filter(self._games.counts, spikes))

    def _find(self, spikes: tuple[Spike, ...], known: Explanations) -> list[order.Matched]:
        """What the rules and the measured waits say of stutters, or of hitches."""
        known.settle(spikes, self._witnesses, is_over=self._recent_ns is None)
        both = (*self._spikes.spikes, *self._spikes.hitches)
        felt = sorted(self._counted(both), key=lambda each: each.start_ns)

        def known_for(spec: CauseSpec) -> correlator.Known:
            return known.known_for(spec, self._observed_s, felt)

        outcomes = (
            correlator.find(detector, spikes, known_for(detector.spec))
            for detector in self._detectors
        )
        found = [outcome for outcome in outcomes if outcome is not None]
        found = order.as_symptoms(found, self._detectors, spikes, known_for)
        return known.together(found, len(spikes), self._observed_s)

    def _beat(self, spikes: tuple[Spike, ...]) -> list[tuple[Finding, correlator.Match]]:
        spec = next((each for each in self._causes if each.id == order.BEAT), None)
        watchers = suspects.who_watches(self._witnesses.looks)
        found = None if spec is None else correlator.find_beat(spec, spikes, watchers)
        if found is None:
            return []
        beat, how = found
        times = {spike.monotonic_ns for spike in how.explained}
        # A beat says when and not why, and of these it is known why.
        is_known = 2 * len(times & self._explanations.known) >= len(times)
        return [] if is_known else [(beat, how)]

    def _recent(self) -> list[Spike]:
        # While no game runs the banner tells of the computer, which nothing else counts.
        others = () if self._recent_ns is None else self._uncounted
        return self._since_recently((*self._told, *others))

    def _since_recently(self, spikes: tuple[Spike, ...]) -> list[Spike]:
        if self._recent_ns is None:
            return list(spikes)
        # By its end, as the graphs do, where it is drawn; but what began before is another game's.
        since_ns, same_since_ns = self._now_ns - self._recent_ns, self._same_since_ns
        return [
            spike
            for spike in spikes
            if spike.monotonic_ns >= since_ns and spike.start_ns >= same_since_ns
        ]

    def _basis(self, recent: list[Spike], explained: dict[str, int]) -> VerdictBasis:
        started_ns = self._now_ns if self._started_ns is None else self._started_ns
        if self._recent_ns is not None:
            started_ns = max(started_ns, self._same_since_ns)
        measured_ns = self._now_ns - started_ns - self._lost_since(started_ns)
        smooth_since_ns = max(started_ns, self._last_spike_ns)
        span_ns = measured_ns if self._recent_ns is None else min(self._recent_ns, measured_ns)
        return VerdictBasis(
            now_ns=self._now_ns,
            started_ns=started_ns,
            span_ns=span_ns,
            smooth_since_ns=smooth_since_ns + self._lost_since(smooth_since_ns),
            recent=recent,
            hitches=self._since_recently(self._hitches),
            findings=self._findings,
            explained=explained,
            coverage=self._coverage,
            known=self._explanations.of(recent),
            known_hitches=self._of_hitches.of(self._since_recently(self._hitches)),
            sees_frames=self._sees_frames(),
            sees_wakes=self._spikes.sees_wakes(self._now_ns),
            sees_few_frames=self._spikes.sees_few_frames(self._now_ns),
            is_whole=self._recent_ns is None,
            frameless_ns=self._frameless_ns(),
            rhythm=self._spikes.rhythm,
            unplayed=self._unplayed_spans(),
        )

    def _sees_frames(self) -> bool:
        """Whether frames tell: just now, or anywhere in what is judged as a whole."""
        is_framed = self._recent_ns is None and self._games.is_framed
        return is_framed or self._spikes.sees_frames(self._now_ns)

    def _frameless_ns(self) -> int:
        """How long no frame has come of the game that runs; 0: they come, or it has none."""
        is_known = self._games.is_framed or self._spikes.are_sampled
        return self._spikes.frameless_ns(self._now_ns) if is_known else 0

    def _lost_since(self, start_ns: int) -> int:
        """How long nothing is known of since then, of a recording that is damaged."""
        return sum(max(gap.end_ns - max(gap.start_ns, start_ns), 0) for gap in self._lost_spans)

    def _tiles(
        self, recent: list[Spike], explained: dict[str, int], *, has_game: bool
    ) -> tuple[GroupState, ...]:
        if self._started_ns is None or self._now_ns - self._started_ns < WARM_UP_NS:
            return groups.waiting()
        late_ms = max(
            (
                spike.duration_ms
                for spike in recent
                if spike.cause is None and spike.origin == WAKEUP_ORIGIN
            ),
            default=None,
        )
        seen = self._window, self._spikes, self._coverage
        view = groups.View(*seen, self._now_ns, late_ms, has_game)
        return groups.group_states(view, self._findings, explained)


def _are_of_computer(spikes: Iterable[Spike]) -> bool:
    return all(spike.origin == WAKEUP_ORIGIN for spike in spikes)


def _of_computer(finding: Finding) -> Finding:
    """Of late wake-ups no wait was a game's: what was measured is the probe's."""
    reasons = (
        Statement("reason.direct.computer") if each.id == "reason.direct" else each
        for each in finding.reasons
    )
    return replace(finding, reasons=tuple(reasons))


def _left_open(finding: Finding) -> Finding:
    """Without a measure of the game nobody knows that no stutter fell together with it."""
    if finding.explains:
        return finding
    reasons = (each for each in finding.reasons if each.id != "reason.no_match")
    return replace(finding, is_open=True, reasons=(Statement("reason.unmeasured"), *reasons))
