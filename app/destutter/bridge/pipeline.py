# SPDX-License-Identifier: GPL-3.0-or-later
"""From messages to what pages show: derive, detect, and one snapshot per batch."""

from dataclasses import dataclass, field

from destutter.core.metric_table import METRICS
from destutter.core.metrics import Deriver, Metrics
from destutter.core.sample import Facts, Frames, Header, Layout, Marker, Message, Sample, Trouble
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Assessment


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One batch of the stream, ready to be shown.

    ``metrics`` are those derived since the snapshot before, in order; ``facts`` and ``troubles``
    (source to reason) hold as of now.
    """

    assessment: Assessment
    metrics: tuple[Metrics, ...] = ()
    frames: tuple[Frames, ...] = ()
    markers: tuple[Marker, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)
    header: Header | None = None


class Pipeline:
    """Turns messages into snapshots. The same for a live feed, a replay and the command line."""

    def __init__(self, assessor: Assessor) -> None:
        self._assessor = assessor
        self._deriver = Deriver(METRICS)
        self._header: Header | None = None
        self._layouts: dict[str, Layout] = {}
        self._facts: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self._metrics: list[Metrics] = []
        self._frames: list[Frames] = []
        self._markers: list[Marker] = []

    def accept(self, message: Message) -> None:
        """Take in one message of the stream."""
        match message:
            case Sample():
                metrics = self._deriver.derive(message)
                self._metrics.append(metrics)
                self._assessor.accept_metrics(metrics)
            case Layout():
                self._layouts[message.source] = message
                self._deriver.accept_layout(message)
            case Frames():
                self._frames.append(message)
                self._assessor.accept_frames(message)
            case Facts():
                self._accept_facts(message)
            case Marker():
                self._markers.append(message)
            case Trouble():
                self._accept_trouble(message)
            case Header():
                self._accept_header(message)

    def take_snapshot(self) -> Snapshot | None:
        """Everything since the last snapshot; None when nothing was measured since."""
        if not self._metrics and not self._frames:
            return None
        snapshot = Snapshot(
            self._assessor.assess(),
            tuple(self._metrics),
            tuple(self._frames),
            tuple(self._markers),
            dict(self._facts),
            dict(self._troubles),
            self._header,
        )
        self._metrics.clear()
        self._frames.clear()
        self._markers.clear()
        return snapshot

    def describe(self, monotonic_ns: int) -> list[Message]:
        """What a recording that begins now must know: header, layouts, facts and troubles."""
        described: list[Message] = [] if self._header is None else [self._header]
        described += self._layouts.values()
        if self._facts:
            described.append(Facts(monotonic_ns, dict(self._facts)))
        described += [Trouble(monotonic_ns, *item) for item in self._troubles.items()]
        return described

    def _accept_header(self, header: Header) -> None:
        # The sampler and the probes each announce themselves; the first one speaks for all.
        if self._header is None:
            self._header = header
            self._deriver = Deriver(METRICS, header.interval_ms)
            for layout in self._layouts.values():
                self._deriver.accept_layout(layout)
            self._assessor.accept_header(header)

    def _accept_facts(self, message: Facts) -> None:
        for name, value in message.facts.items():
            if value:
                self._facts[name] = value
            else:
                self._facts.pop(name, None)
        self._assessor.accept_facts(message)

    def _accept_trouble(self, message: Trouble) -> None:
        if message.reason:
            self._troubles[message.source] = message.reason
        else:
            self._troubles.pop(message.source, None)
        self._assessor.accept_trouble(message)
