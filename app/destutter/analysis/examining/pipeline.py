# SPDX-License-Identifier: GPL-3.0-or-later
"""From messages to what pages show: derive, detect, and one snapshot per batch."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from destutter.core.metric_table import METRICS
from destutter.core.metrics import Deriver, Metrics, MetricSpec
from destutter.core.sample import Facts, Frames, Header, Layout, Marker, Message, Sample, Trouble
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment
from destutter.session.stream_state import StreamState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One batch of the stream, ready to be shown.

    ``metrics`` are those derived since the snapshot before, in order; ``facts`` and ``troubles``
    (source to reason) hold as of now, ``looks`` are those at the kernel's trace.
    """

    assessment: Assessment
    metrics: tuple[Metrics, ...] = ()
    frames: tuple[Frames, ...] = ()
    markers: tuple[Marker, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    troubles: dict[str, Statement] = field(default_factory=dict)
    header: Header | None = None
    looks: tuple[TraceLook, ...] = ()


class Pipeline:
    """Turns messages into snapshots. The same for a live feed, a replay and the command line."""

    def __init__(self, assessor: Assessor, specs: Sequence[MetricSpec] = METRICS) -> None:
        """``specs`` are the metrics that anybody wants; a window shows all of them."""
        self._assessor = assessor
        self._specs = specs
        self._deriver = Deriver(specs)
        self._state = StreamState()
        self._metrics: list[Metrics] = []
        self._frames: list[Frames] = []
        self._markers: list[Marker] = []
        self._looks: list[TraceLook] = []

    @property
    def header(self) -> Header | None:
        """What the stream is about; None before its first message."""
        return self._state.header

    def accept_message(self, message: Message) -> None:
        known = self._state.header
        self._state.accept_message(message)
        match message:
            case Sample():
                metrics = self._deriver.derive(message)
                self._metrics.append(metrics)
                self._assessor.accept_metrics(metrics)
            case Layout():
                self._deriver.accept_layout(message)
                self._assessor.accept_layout(message)
            case Frames():
                self._frames.append(message)
                self._assessor.accept_frames(message)
            case Facts():
                self._assessor.accept_facts(message)
            case Marker():
                self._markers.append(message)
            case Trouble():
                self._assessor.accept_trouble(message)
            case TraceLook():
                self._looks.append(message)
                self._assessor.accept_look(message)
            case Header() if self._state.header is not known:
                self._deriver = self._state.deriver(self._specs)
                self._assessor.accept_header(message)
            case _:
                pass

    def take_snapshot(self) -> Snapshot | None:
        """Everything since the last snapshot; None when nothing was measured since."""
        if not self._metrics and not self._frames:
            return None
        frames, markers, looks = tuple(self._frames), tuple(self._markers), tuple(self._looks)
        return Snapshot(
            self._assessor.assess(),
            self.take_metrics(),
            frames,
            markers,
            dict(self._state.facts),
            self._state.troubles,
            self._state.header,
            looks,
        )

    def take_metrics(self) -> tuple[Metrics, ...]:
        """What was derived since the last time, for who wants no verdict in between.

        Judging takes the longer the more stutters there were.
        """
        metrics = tuple(self._metrics)
        self._metrics.clear()
        self._frames.clear()
        self._markers.clear()
        self._looks.clear()
        return metrics

    def describe(self) -> list[Message]:
        """What a recording that begins now must know: layouts, facts and troubles."""
        return self._state.messages()
