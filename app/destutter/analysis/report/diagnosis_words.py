# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a finding, by terminal, report and window alike."""

from destutter.core.statement import Statement
from destutter.diagnosis.finding import BUSY, Confidence, Culprit, Evidence, Finding
from destutter.words.renderer import Renderer

_OF_ONE_THREAD = frozenset(
    {
        "game.run_delay_ms_per_s",
        "partner.run_delay_ms_per_s",
        "thread.run_delay_ms_per_s",
        "worker.run_delay_ms_per_s",
    }
)
_WHOLE_SECOND_MS = 1000.0
_WITH_KIND = frozenset({"device", "interrupt"})  # no name alone says that it is no program


class DiagnosisWords:
    """The parts of a finding in one language."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer

    def cause(self, cause: str) -> str:
        """The name of a cause, as a title; an unknown one is called by its id."""
        return self.renderer.named("cause", cause)

    def confidence(self, confidence: Confidence) -> str:
        return self.renderer.named("confidence", confidence.value)

    def metric(self, evidence: Evidence) -> str:
        """What was measured, and on which device or resource."""
        name, instance = self.renderer.named("metric", evidence.metric), evidence.instance
        if instance is None:
            return name
        if "pressure" in evidence.metric:
            instance = self.renderer.named("resource", instance)
        return self.renderer.enumerated((name, instance))

    def value(self, evidence: Evidence) -> str:
        """The measurement with its unit.

        The kernel adds a thread's wait for a core when it ends: one of two seconds that ended in
        this tenth of a second read 20,000 ms/s. In no second did that thread wait for more.
        """
        value = evidence.value
        if evidence.metric in _OF_ONE_THREAD:
            value = min(value, _WHOLE_SECOND_MS)
        return self.renderer.measures.of_metric(value, evidence.unit)

    def threshold(self, evidence: Evidence) -> str:
        """The limit that the measurement is compared with."""
        return self.renderer.measures.of_metric(evidence.threshold, evidence.unit)

    def evidence(self, evidence: Evidence) -> str:
        """A measurement in a line."""
        values = {"value": self.value(evidence), "limit": self.threshold(evidence)}
        return self._say("report.evidence", what=self.metric(evidence), **values)

    def culprit(self, culprit: Culprit) -> str:
        """Who did it: name, number and what it was doing."""
        name = culprit.comm if culprit.pid is None else f"{culprit.comm} ({culprit.pid})"
        if culprit.what in _WITH_KIND:
            name = self._say(f"culprit.by.{culprit.what}", name=name)
        if culprit.told is None:
            return name
        return self._say("culprit.told", by=name, why=culprit.told)

    def share(self, finding: Finding, *, has_game: bool = True) -> str:
        """How many stutters it explains, or hitches where it explains no stutter; without a game
        they are hiccups of the computer."""
        if finding.stutters_explained:
            stutters = _stutters(finding)
            return self.renderer.text(
                stutters if has_game else Statement("report.part.hiccups", stutters.values)
            )
        if finding.hitches_explained:
            return self.renderer.text(_hitches(finding))
        return self._say("report.part.open" if finding.is_open else "report.part.none")

    def explains(self, finding: Finding) -> str:
        """What one that explains anything does explain, and how sure that is."""
        # That somebody filled a drive meanwhile explains nothing yet.
        if finding.kind == BUSY and finding.stutters_total:
            what = "busy"
        elif not finding.stutters_explained:
            what = "hitches"
        else:
            what = "both" if finding.hitches_explained else "stutters"
        told = self._say(
            f"report.explains.{what}",
            stutters=_stutters(finding),
            hitches=_hitches(finding),
            word=self.confidence(finding.confidence),
        )
        if not finding.is_most_lost:
            return told
        most = Statement("report.explains.most", {"lost_ms": finding.lost_ms})
        return self.renderer.sentences((told, self.renderer.text(most)))

    def seen(self, finding: Finding, start_ns: int) -> str:
        """When, since the beginning at ``start_ns``."""
        first_s, last_s = ((at - start_ns) / 1e9 for at in (finding.first_ns, finding.last_ns))
        clock = self.renderer.measures.clock
        return self._say("report.seen", first=clock(first_s), last=clock(last_s))

    def came_along(self, finding: Finding, name: str) -> str:
        """A finding that only came with another; ``name`` is what it is called."""
        values = {"count": finding.stutters_explained, "total": finding.stutters_total}
        return self._say("report.came_along", cause=name, **values)

    def _say(self, id_: str, **values: str | int | Statement) -> str:
        return self.renderer.text(Statement(id_, values))


def _stutters(finding: Finding) -> Statement:
    values = {"count": finding.stutters_explained, "total": finding.stutters_total}
    return Statement("report.part.stutters", values)


def _hitches(finding: Finding) -> Statement:
    values = {"count": finding.hitches_explained, "total": finding.hitches_total}
    return Statement("report.part.hitches", values)
