# SPDX-License-Identifier: GPL-3.0-or-later
"""What should be changed on this computer, from what was read and what was measured. No Qt."""

from collections.abc import Mapping, Sequence

from destutter.analysis.changes.tuning_state import TuningReading
from destutter.analysis.examining.measured_demand import MeasuredDemand
from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import HORIZON_S, Confidence, Finding
from destutter.tuning.advice import recommend
from destutter.tuning.ownership import chosen_keys
from destutter.tuning.presets import GENERAL, Preset
from destutter.tuning.recommendation import (
    Recommendation,
    Situation,
    present_values,
)


class Advisor:
    """Keeps the findings of now and ten minutes of demand for memory."""

    def __init__(self) -> None:
        self.preset: Preset = GENERAL
        self._findings: tuple[Finding, ...] = ()
        self._demand = MeasuredDemand(keep_s=HORIZON_S)

    @property
    def peak_mib_per_s(self) -> float | None:
        """How fast memory was asked for at its worst, as far as that was measured."""
        return self._demand.peak_mib_per_s()

    def accept_metrics(self, metrics: Sequence[Metrics]) -> None:
        """Take in measurements, in order of time."""
        self._demand.accept_metrics(metrics)

    def accept_findings(self, findings: Sequence[Finding]) -> bool:
        """Take in findings; whether they are others than before, as far as advice goes."""
        new = tuple(findings)
        is_new = _signature(new) != _signature(self._findings)
        self._findings = new
        return is_new

    def recommend(self, reading: TuningReading) -> Mapping[str, Recommendation]:
        """What is advised now, by "ID" or "ID@DEVICE"."""
        situation = Situation(
            reading.profile,
            present_values(tuple(reading.values.values())),
            chosen_keys(reading.owners.values()),
            self._demand.measured(self._findings),
            self.preset,
        )
        return {each.key: each for each in recommend(situation)}


def _signature(findings: Sequence[Finding]) -> frozenset[tuple[str, Confidence, bool]]:
    """What of findings matters for advice."""
    return frozenset((each.cause, each.confidence, each.is_answer) for each in findings)
