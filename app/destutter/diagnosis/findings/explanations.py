# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of each stutter went, and how that goes together with what the rules found."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from destutter.core.statement import Statement, Value
from destutter.diagnosis.blame.blame import GROUP_OF, Certainty, blames
from destutter.diagnosis.blame.doubt import OF_DRIVES, other_reason
from destutter.diagnosis.blame.nearest_cause import (
    nearest_cause,
)
from destutter.diagnosis.cause_ids import (
    FILESYSTEM_COMMIT,
    RUN_QUEUE_DELAY,
    SLOW_DEVICE,
)
from destutter.diagnosis.causes.cause import CauseSpec
from destutter.diagnosis.causes.detector import LEAVE_AFTER
from destutter.diagnosis.circumstances.circumstances import circumstances
from destutter.diagnosis.circumstances.traced_waits import TraceLog
from destutter.diagnosis.finding import (
    OWN_LIMIT,
    Confidence,
    Culprit,
    Finding,
    Group,
    Spike,
)
from destutter.diagnosis.findings import correlator
from destutter.diagnosis.findings.beside import beside_measured
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained, main_thread
from destutter.diagnosis.findings.joined_findings import (
    constantly,
    each_once,
    joined,
    named_by,
    surer,
)
from destutter.diagnosis.findings.order import Matched
from destutter.diagnosis.findings.own_drive_work import with_own_work
from destutter.diagnosis.findings.partner_findings import with_partners
from destutter.diagnosis.findings.ruled_out import SLOW_DRIVES, RuledOut, is_at_limit
from destutter.diagnosis.findings.shared_drives import shared_out
from destutter.diagnosis.findings.streamers import streams_all_the_time
from destutter.diagnosis.findings.stutter_parts import decide
from destutter.diagnosis.findings.traced_findings import sure_by_trace, with_traced
from destutter.diagnosis.findings.wait_findings import (
    ASLEEP,
    culprits_of,
    findings,
    name_culprits,
    sure_spikes,
)
from destutter.diagnosis.history.tick_log import LATE_NS, TickLog
from destutter.diagnosis.history.window import SECOND_NS
from destutter.diagnosis.history.witnesses import Witnesses
from destutter.diagnosis.shares import CLEARLY_MOST
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_SETTLED_NS = 1_200_000_000  # what is read once a second has come by then
_LONGEST_OPEN_NS = 10_000_000_000  # processes are looked at every three seconds
_HELD_SHARE = 0.5  # of a stutter: with less others kept the cores for longer than the limit did


class Explanations:
    """Gathers the circumstances of stutters, or of hitches, while the log still has them."""

    def __init__(self, specs: Mapping[str, CauseSpec], log: TickLog, trace: TraceLog) -> None:
        self._specs = specs
        self._log = log
        self._trace = trace
        self._known: dict[int, Explained] = {}
        self._open: set[int] = set()
        self._whole: set[int] = set()
        self._all: tuple[Explained, ...] = ()
        self._sure: dict[int, frozenset[Group]] = {}

    def look_at(
        self, spikes: Sequence[Spike], witnesses: Witnesses, *, is_over: bool = False
    ) -> None:
        """Explain the newest stutters, as far as the log reaches; to be called every second.

        ``is_over``: it may be all that ever comes, and a little more is waited for in vain.
        """
        now_ns = self._log.end_ns
        self._log.stutters = spikes
        for spike in reversed(spikes):
            if spike.monotonic_ns < now_ns - _LONGEST_OPEN_NS:
                break
            is_early = spike.monotonic_ns + LATE_NS > now_ns and not is_over
            if is_early or self._is_settled(spike):
                continue
            self._explain(spike, witnesses, now_ns)

    def settle(self, spikes: Sequence[Spike], witnesses: Witnesses, *, is_over: bool) -> None:
        """Bring what is known up to date with the stutters of the horizon."""
        self.look_at(spikes, witnesses, is_over=is_over)
        for gone in self._known.keys() - {spike.monotonic_ns for spike in spikes}:
            del self._known[gone]
            self._open.discard(gone)
            self._whole.discard(gone)
        self._all = self._as_streams(spikes)
        self._sure = {at: self._groups_of(each) for at, each in sure_spikes(self._all).items()}

    def _as_streams(self, spikes: Sequence[Spike]) -> tuple[Explained, ...]:
        """What is known of these, by what all of them together say of threads that stream."""
        known = [each for spike in spikes if (each := self._known.get(spike.monotonic_ns))]
        streams = streams_all_the_time(each.met for each in known)
        for each in known:
            if each.met.streams is not streams:
                each.met = replace(each.met, streams=streams)
                is_wake = each.spike.origin == WAKEUP_ORIGIN
                each.blames = () if is_wake else blames(each.met)
                decide(each)
        return tuple(known)

    def of(self, spikes: Iterable[Spike]) -> list[Explained]:
        known = (self._known.get(spike.monotonic_ns) for spike in spikes)
        return [each for each in known if each is not None]

    def known_for(
        self, spec: CauseSpec, observed_s: float, felt: Sequence[Spike]
    ) -> correlator.Known:
        """What a cause is matched with, beside the stutters: ``felt`` are all, with hitches."""
        out = RuledOut(spec, self._all, self._sure)
        return correlator.Known(observed_s, out.excused(), out.denied(), felt, out.drives())

    @property
    def known(self) -> AbstractSet[int]:
        """The stutters, by their end, of which it is known where their time went."""
        return self._sure.keys()

    def together(self, found: Sequence[Matched], total: int, observed_s: float) -> list[Matched]:
        """The findings of the rules with those of measured waits.

        A wait that a rule explains already, surely and in the same group, is not told twice: it
        only makes that finding surer. One whose reason was measured is told beside a rule that
        knows the symptom alone.
        """
        # First, for which cause a wait for a drive is told under hangs on it.
        asleep = _asleep(found)
        for each in self._all:
            each.asleep, each.doubted = asleep.get(each.met.drive, ""), frozenset()
        told = _explained_times(found)
        left = [each for each in self._all if each.told_cause and self._is_new(each, told)]
        waits = {
            finding.cause: (finding, how)
            for finding, how in findings(left, total, self._specs, self._is_active)
        }
        supported = self._supported()
        merged = []
        for finding, how in found:
            own = waits.pop(finding.cause, None)
            both = (finding, how) if own is None else joined((finding, how), own)
            both = self._named(*both)
            is_likely = finding.confidence is Confidence.MEDIUM
            both = surer(both, supported.get(finding.cause, 0)) if is_likely else both
            # The game's own limit is a kind, of which nobody else is told below.
            merged.append(self._on_drive(*self._limited(*both)))
        # All findings, and as sure as they get: here one is weighed against the others, and may
        # lose stutters to them. What follows looks at most of the stutters that are left.
        merged = shared_out([*merged, *waits.values()], self._all)
        # Who was held up as the game was is no culprit, unless the kernel has seen it in the
        # way; and the kernel's word stands before what only was seen.
        merged = [with_partners(each, self._all) for each in merged]
        merged = [with_traced(each, self._all) for each in merged]
        merged = [self._doubted(*self._by_the_game(finding, how)) for finding, how in merged]
        # After the doubts: what is a guess by those needs no second reason to be one.
        merged = beside_measured(merged, self._all)
        merged = [sure_by_trace(each, self._all) for each in merged]
        # After all that names others, whom it replaces by the game's own threads.
        merged = [with_own_work(each, self._all) for each in merged]
        # Last, for it takes back what was said of coincidence.
        return [(constantly(finding, how, observed_s), how) for finding, how in merged]

    def _named(self, finding: Finding, how: Match) -> Matched:
        """Named are those who were busy at any of its stutters.

        Not only at those that no rule explains: by these two of eighty one program was named that
        was seen at half of all, and its neighbour of the same weight was not.
        """
        times = {spike.monotonic_ns for spike in how.explained}
        mine = [each for each in self._all if each.spike.monotonic_ns in times]
        return named_by((finding, how), culprits_of(mine, finding.cause))

    def _by_the_game(self, finding: Finding, how: Match) -> Matched:
        """Say so where a drive was slow because the game itself asked for so much at once."""
        if finding.cause not in SLOW_DRIVES:
            return finding, how
        times = {spike.monotonic_ns for spike in how.explained}
        own = [
            requests
            for each in self._all
            if each.spike.monotonic_ns in times and (requests := each.met.own_requests)
        ]
        if 2 * len(own) <= len(times):
            return finding, how
        told = Statement("reason.own_requests", {"requests": float(round(max(own)))})
        return replace(finding, reasons=(*finding.reasons, told)), how

    def _doubted(self, finding: Finding, how: Match) -> Matched:
        """A wait is a guess where the main thread may as well have waited for something else.

        Another thread of the game computed all the while or slept where it never does, or another
        program did not answer, and nothing tells for which of them it waited.
        """
        times = {spike.monotonic_ns for spike in how.explained}
        doubts = [
            (each, doubt)
            for each in self._all
            if each.spike.monotonic_ns in times
            and (doubt := other_reason(finding.cause, finding.group, each.blames, each.met))
        ]
        if 2 * len(doubts) <= len(times):
            return finding, how
        for each, (id_, _) in doubts:
            each.doubted |= set() if id_ in OF_DRIVES else {finding.group}
        ((id_, thread), count), *_ = Counter(doubt for _, doubt in doubts).most_common(1)
        values: dict[str, Value] = {"thread": thread, "met": count, "total": len(times)}
        told = Statement(id_, values | main_thread(each for each, _ in doubts))
        reasons = (*finding.reasons, told)
        return replace(finding, confidence=Confidence.LOW, reasons=reasons), how

    def _is_new(self, each: Explained, told: Mapping[tuple[int, Group], set[str]]) -> bool:
        """Whether no rule has explained it in its group, but for one that yields to its cause."""
        cause = each.told_cause or ""
        group = self._specs[cause].group
        by_rules = told.get((each.spike.monotonic_ns, group), set())
        is_first = all(cause in self._specs[rule].yields_to for rule in by_rules)
        return is_first and group not in each.contradicted

    def _on_drive(self, finding: Finding, how: Match) -> Matched:
        """A commit names the drive that was slowest meanwhile, where the rule knows of none."""
        is_named = any(each.what == "device" for each in finding.culprits)
        if finding.cause != FILESYSTEM_COMMIT or is_named:
            return finding, how
        times = {spike.monotonic_ns for spike in how.explained}
        drives = Counter(
            each.met.drive
            for each in self._all
            if each.spike.monotonic_ns in times and each.met.drive
        )
        if not drives:
            return finding, how
        drive = Culprit("device", drives.most_common(1)[0][0])
        return replace(finding, culprits=each_once((drive, *finding.culprits))), how

    def _limited(self, finding: Finding, how: Match) -> Matched:
        """A wait for a core is its own limit's where that withheld as much in most stutters.

        The kernel counts the time in the run queue of a thread that its group's quota holds there
        as any other, and what the rule saw of it by the second may be the stronger signal. So may
        what it saw of a drive that others kept busy.
        """
        times = {spike.monotonic_ns for spike in how.explained}
        mine = [each for each in self._all if each.spike.monotonic_ns in times]
        if finding.cause == SLOW_DEVICE and 2 * sum(map(is_at_limit, mine)) > len(mine):
            drive = tuple(each for each in finding.culprits if each.what == "device")
            return replace(finding, kind=OWN_LIMIT, culprits=drive), how
        if finding.cause != RUN_QUEUE_DELAY:
            return finding, how
        held = sum(each.met.withheld_ms >= _HELD_SHARE * each.spike.duration_ms for each in mine)
        if 2 * held <= len(mine):
            return finding, how
        # Whoever used a core in other seconds is no part of what the limit withheld.
        seen = [moment.signal for moment in how.moments if moment.signal.kind == OWN_LIMIT]
        worst = max(seen, key=lambda signal: signal.strength, default=None)
        evidence = finding.evidence if worst is None else worst.evidence
        return replace(finding, kind=OWN_LIMIT, culprits=(), evidence=evidence), how

    def _explain(self, spike: Spike, witnesses: Witnesses, now_ns: int) -> None:
        at_ns = spike.monotonic_ns
        known = self._known.get(at_ns)
        if known is not None and at_ns in self._whole and known.spike == spike:
            # Who did it may be known seconds later than what was met, which is the dear part.
            each = Explained(spike, known.met, known.blames, others=known.others)
            each.contradicted, each.parts = known.contradicted, known.parts
        else:
            game = self._log.game_at(spike)
            late = [spike, *spike.others, *(one.spike for one in self._known.values())]
            traced = self._trace.within(spike, game, late)
            others = ((other, self._trace.within(other, game, late)) for other in spike.others)
            met = circumstances(self._log, spike, traced)
            # A late wake-up is a wait for a core of a program that is no game.
            found = () if spike.origin == WAKEUP_ORIGIN else blames(met)
            full = ((other, waits) for other, waits in others if waits is not None and waits.main)
            each = Explained(spike, met, found, others=tuple(full))
            decide(each)
        if now_ns >= at_ns + _SETTLED_NS and not self._trace.is_behind(spike):
            self._whole.add(at_ns)
        else:
            self._whole.discard(at_ns)
        witness, is_final = witnesses.at(at_ns)
        name_culprits(each, self._specs, witness, self._log.game_at(spike))
        self._known[at_ns] = each
        if is_final and at_ns in self._whole:
            self._open.discard(at_ns)
        else:
            self._open.add(at_ns)

    def _is_settled(self, spike: Spike) -> bool:
        known = self._known.get(spike.monotonic_ns)
        is_same = (
            known is not None
            and known.spike.duration_ms == spike.duration_ms
            and known.spike.others == spike.others
        )
        return is_same and spike.monotonic_ns not in self._open

    def _is_active(self, at_ns: int) -> bool:
        return self._log.end_ns - at_ns < LEAVE_AFTER * SECOND_NS

    def _groups_of(self, each: Explained) -> frozenset[Group]:
        """The groups in which a stutter may have its cause.

        What is only possible is none beside an answer that was seen and fills it: a crowd on the
        processors comes with what saves in a loop, and the game waited for the drive.
        """
        first = each.first
        is_filled = first is not None and each.met.share(first.ms) >= CLEARLY_MOST
        is_told = first is not None and first.certainty > Certainty.POSSIBLE and is_filled
        least = Certainty.SEEN if is_told else Certainty.POSSIBLE
        told = [blame for blame in each.blames if blame.certainty >= least]
        groups = {GROUP_OF[blame.where] for blame in told if blame.where in GROUP_OF}
        causes = {nearest_cause(blame, each.met) for blame in told}
        return frozenset(
            groups | {spec.group for spec in self._specs.values() if spec.id in causes}
        )

    def _supported(self) -> dict[str, int]:
        """How many stutters have a measured or seen wait whose nearest cause it is."""
        counts: dict[str, int] = {}
        for each in sure_spikes(self._all).values():
            # That it was waited for a partner is seen, and no measure of the game's own.
            if each.cause is not None and not each.blames[0].partner:
                counts[each.cause] = counts.get(each.cause, 0) + 1
        return counts


def _asleep(found: Sequence[Matched]) -> dict[str, str]:
    """The drives that are known to fall asleep, each with the cause that says so."""
    return {
        moment.signal.subject: finding.cause
        for finding, how in found
        if finding.cause in ASLEEP and finding.confidence is not Confidence.LOW
        for moment in how.moments
        if moment.signal.subject
    }


def _explained_times(found: Sequence[Matched]) -> dict[tuple[int, Group], set[str]]:
    """The causes that rules have found for each stutter, by its end and the group of the cause."""
    causes: dict[tuple[int, Group], set[str]] = {}
    for finding, how in found:
        if finding.confidence is not Confidence.LOW:
            for spike in how.explained:
                causes.setdefault((spike.monotonic_ns, finding.group), set()).add(finding.cause)
    return causes
