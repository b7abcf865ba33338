# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging a whole stream at its end, and saying what was found."""

from typing import Any

from destutter.bridge.pipeline import Pipeline
from destutter.commands.advice import MeasuredDemand, apply_line
from destutter.commands.frame_import import with_frames
from destutter.commands.terminal import CommandError
from destutter.commands.wording import finding_lines
from destutter.core.sample import Frames, Header, Message, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment, Finding, VerdictKind
from destutter.diagnosis.verdict import WARM_UP_NS
from destutter.diagnosis.wording import render
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource
from destutter.tuning.machine_profile import MachineProfile
from destutter.tuning.recommendation import (
    Recommendation,
    Situation,
    against,
    recommend,
    with_twins,
)
from destutter.tuning.recorded_profile import recorded_choices, recorded_profile

_LOOK_NS = 60_000_000_000


class Diagnosis:
    """Takes in a stream and judges it as one; ``seconds`` limits how much of it."""

    def __init__(self, seconds: float | None = None) -> None:
        self._assessor = Assessor(horizon_s=None, recent_s=None)
        self._pipeline = Pipeline(self._assessor)
        self._limit_ns = None if seconds is None else int(seconds * 1e9)
        self._assessment: Assessment | None = None
        self._tunables: dict[str, str] = {}
        self._machine: dict[str, Any] = {}
        self._facts: dict[str, str] = {}
        self._profile: MachineProfile | None = None
        self._choices: dict[str, str] | None = None
        self._demand = MeasuredDemand()
        self._advice: tuple[Recommendation, ...] = ()
        self._looked_ns = 0
        self._start_ns: int | None = None
        self._end_ns = 0
        self.samples = 0

    @property
    def duration_s(self) -> float:
        """Seconds from the first to the last sample."""
        return 0.0 if self._start_ns is None else (self._end_ns - self._start_ns) / 1e9

    def accept(self, message: Message) -> bool:
        """Take in one message; False when the limit is reached and no more is wanted."""
        if isinstance(message, Header):
            self._tunables = self._tunables or dict(message.tunables)
        if isinstance(message, Sample | Frames) and not self._note_time(message):
            return False
        self._pipeline.accept(message)
        if self._end_ns - self._looked_ns > _LOOK_NS:
            # The pipeline keeps what a window would draw until it is taken.
            self._looked_ns = self._end_ns
            self._look()
        return True

    def set_computer(
        self, profile: MachineProfile, tunables: dict[str, str], choices: dict[str, str]
    ) -> None:
        """The computer that is measured now: itself, its present settings, and who chose them."""
        self._profile, self._tunables, self._choices = profile, tunables, choices

    def judge(self) -> Assessment:
        """What there is to say about the stream. Raises ``CommandError`` when it is empty."""
        if not self.samples:
            raise CommandError("there are no measurements in it")
        self._look()
        assessment = self._assessor.assess()
        self._advice = self._recommend(assessment)
        return assessment

    def as_json(self) -> dict[str, Any]:
        """The whole outcome, in the shape that the command's users rely on."""
        assessment = self.judge()
        return {
            "duration_s": round(self.duration_s, 3),
            "samples": self.samples,
            "frames": {
                "source": self._assessor.spike_origin,
                "count": self._assessor.frame_count,
                "stutters": len(assessment.spikes),
            },
            "verdict": assessment.verdict.kind.value,
            "findings": [self._finding_json(finding) for finding in assessment.findings],
            "not_measured": [
                {"what": each.what, "why": each.why} for each in assessment.not_measured
            ],
        }

    def lines(self) -> list[str]:
        """The whole outcome as lines for people."""
        assessment = self.judge()
        lines = self._verdict_lines(assessment)
        for finding in assessment.findings:
            lines += ["", *finding_lines(finding, self._start_ns or 0)]
            lines += [
                f"  advised: {each.tunable} {each.recommended} instead of {each.current}. "
                f"{' '.join(text for text in (each.reason, each.cost) if text)} "
                f"Risk: {each.risk}."
                for each in against(self._advice, finding.cause)
            ]
        lines += self._what_to_change(assessment)
        if assessment.not_measured:
            lines += ["", "Not measured:"]
            lines += [f"  {each.what}: {each.why}" for each in assessment.not_measured]
        lines += ["", f"From {self.samples} samples in {self.duration_s:.0f} s."]
        return lines

    def _verdict_lines(self, assessment: Assessment) -> list[str]:
        if assessment.verdict.kind is VerdictKind.MEASURING:
            needed_s = WARM_UP_NS // 1_000_000_000
            return [f"Too short to judge: {self.duration_s:.0f} s, and {needed_s} s are needed."]
        return [render(assessment.verdict.headline), render(assessment.verdict.detail)]

    def _note_time(self, message: Sample | Frames) -> bool:
        if isinstance(message, Frames):
            return (
                self._limit_ns is None
                or self._start_ns is None
                or self._is_within(
                    message.monotonic_ns[-1] if message.monotonic_ns else self._start_ns
                )
            )
        if self._start_ns is None:
            self._start_ns = self._looked_ns = message.monotonic_ns
        if not self._is_within(message.monotonic_ns):
            return False
        self._end_ns = max(self._end_ns, message.monotonic_ns)
        self.samples += 1
        return True

    def _is_within(self, monotonic_ns: int) -> bool:
        if self._limit_ns is None or self._start_ns is None:
            return True
        return monotonic_ns - self._start_ns <= self._limit_ns

    def _finding_json(self, finding: Finding) -> dict[str, Any]:
        start_ns = self._start_ns or 0
        return {
            "cause": finding.cause,
            "confidence": finding.confidence.value,
            "stutters_explained": finding.stutters_explained,
            "stutters_total": finding.stutters_total,
            "first_s": round((finding.first_ns - start_ns) / 1e9, 3),
            "last_s": round((finding.last_ns - start_ns) / 1e9, 3),
            "evidence": [
                {
                    "metric": each.metric,
                    "unit": each.unit,
                    "value": each.value,
                    "threshold": each.threshold,
                }
                for each in finding.evidence
            ],
            "culprits": [
                {"pid": each.pid, "comm": each.comm, "what": each.what}
                for each in finding.culprits
            ],
            "recommendations": [
                {
                    "tunable": each.tunable,
                    "device": each.device or None,
                    "current": each.current,
                    "recommended": each.recommended,
                    "reason": each.reason,
                    "risk": each.risk,
                }
                for each in against(self._advice, finding.cause)
            ],
        }

    def _look(self) -> None:
        """Take what the pipeline derived since the last look."""
        snapshot = self._pipeline.take_snapshot()
        if snapshot is not None:
            self._facts = snapshot.facts
            self._machine = dict(snapshot.header.machine) if snapshot.header else {}
            self._demand.page_bytes = self._machine.get("page_bytes", self._demand.page_bytes)
            self._demand.accept(snapshot.metrics)

    def _recommend(self, assessment: Assessment) -> tuple[Recommendation, ...]:
        values = with_twins(self._tunables)
        profile, choices = self._profile, self._choices
        return recommend(
            Situation(
                recorded_profile(self._machine, self._facts) if profile is None else profile,
                values,
                recorded_choices(values) if choices is None else choices,
                self._demand.measured(assessment.findings),
            )
        )

    def _what_to_change(self, assessment: Assessment) -> list[str]:
        causes = [finding.cause for finding in assessment.findings]
        bearing = [each for each in self._advice if set(each.causes).intersection(causes)]
        return ["", f"What to change: {apply_line(bearing)}"] if bearing else []


def read_recording(path: str, diagnosis: Diagnosis, frames: str | None = None) -> tuple[str, ...]:
    """Feed a recording; returns what is wrong with it, one sentence each.

    ``frames`` is a frame log of the same time, which then counts instead of recorded frames.
    Raises ``CommandError`` when one of them cannot be read or holds no measurements, or when
    they are of different times.
    """
    try:
        source = ReplaySource(path)
    except RecordingError as error:
        raise CommandError(str(error)) from None
    try:
        messages = source.messages()
        for message in messages if frames is None else with_frames(messages, frames):
            if not diagnosis.accept(message):
                break
        problems = source.problems
    except RecordingError as error:
        raise CommandError(str(error)) from None
    finally:
        source.close()
    if not diagnosis.samples:
        why = f" {' '.join(problems)}" if problems else ""
        raise CommandError(f"{path}: the recording holds no measurements.{why}")
    return problems
