# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows a stream and has something to show once a second, or for every tick."""

from collections.abc import Iterator
from typing import Any

from destutter.analysis.examining.pipeline import Pipeline, Snapshot
from destutter.commands.wording import groups_json, verdict_json, verdict_line
from destutter.core.catalog import PROBES
from destutter.core.metric_table import METRICS
from destutter.core.metrics import Metrics
from destutter.core.sample import Message, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment
from destutter.words.renderer import Renderer

_LINE_NS = 1_000_000_000
_PROBE_METRICS = frozenset(spec.id for spec in METRICS if spec.source in PROBES)


class Watcher:
    """Feeds a pipeline; call either ``ticks`` or ``line`` after each message."""

    def __init__(self, assessor: Assessor | None = None) -> None:
        self._pipeline = Pipeline(Assessor() if assessor is None else assessor)
        self._start_ns: int | None = None
        self._line_ns: int | None = None
        self._now_ns = 0
        self._probed: dict[str, float | None] = {}
        self.assessment: Assessment | None = None

    def accept_message(self, message: Message) -> None:
        self._pipeline.accept_message(message)
        if isinstance(message, Sample):
            self._now_ns = max(self._now_ns, message.monotonic_ns)
            if self._start_ns is None:
                self._start_ns = self._line_ns = message.monotonic_ns

    def line(self, words: Renderer) -> str | None:
        """The line that is due, once a second of the stream; else None."""
        if self._line_ns is None or self._now_ns - self._line_ns < _LINE_NS:
            return None
        snapshot = self._take()
        if snapshot is None:
            return None
        self._line_ns = self._now_ns
        return verdict_line(snapshot.assessment, words)

    def ticks(self) -> Iterator[dict[str, Any]]:
        """One object for each tick of the sampler since the last call.

        What the probes measured since the tick before is part of it, the worst of each.
        """
        snapshot = self._take()
        if snapshot is None:
            return
        for metrics in snapshot.metrics:
            if metrics.values.keys() <= _PROBE_METRICS and not metrics.instanced:
                self._keep(metrics)
                continue
            yield self._tick(metrics, snapshot.assessment)
            self._probed = {}

    def _take(self) -> Snapshot | None:
        snapshot = self._pipeline.take_snapshot()
        if snapshot is not None:
            self.assessment = snapshot.assessment
        return snapshot

    def _keep(self, metrics: Metrics) -> None:
        for metric, value in metrics.values.items():
            before = self._probed.get(metric)
            if before is None or (value is not None and value > before):
                self._probed[metric] = value

    def _tick(self, metrics: Metrics, assessment: Assessment) -> dict[str, Any]:
        start_ns = metrics.monotonic_ns if self._start_ns is None else self._start_ns
        return {
            "time_s": round((metrics.monotonic_ns - start_ns) / 1e9, 3),
            "elapsed_s": round(metrics.elapsed_s, 4),
            "gap": None if metrics.gap is None else metrics.gap.reason,
            "verdict": verdict_json(assessment),
            "groups": groups_json(assessment.groups),
            "metrics": {**metrics.values, **self._probed},
            "instances": {name: dict(values) for name, values in metrics.instanced.items()},
        }
