# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compact strip shows of a stream. No Qt."""

from dataclasses import dataclass

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import RECENT_S, GroupState, Spike, VerdictKind

SPAN_S = 30
_BUCKET_NS = 250_000_000
_BUCKETS = SPAN_S * 1_000_000_000 // _BUCKET_NS
_RECENT_NS = RECENT_S * 1_000_000_000
_STALE_NS = 3_000_000_000  # a freeze of a second or two is still told by frames, not by the probe

Points = list[tuple[float, float | None]]


@dataclass(frozen=True, slots=True)
class LastEvent:
    """The newest stutter: its length, its age, how many there were in two minutes, and whether
    they are a game's.
    """

    spike: Spike
    age_s: float
    recent_count: int
    is_of_game: bool


class StripData:
    """The last half minute of frame times; of the wake-up probe where there are none.

    Each quarter of a second is its longest frame or latest wake-up, in milliseconds.
    """

    def __init__(self) -> None:
        self._frames: dict[int, float] = {}
        self._wakes: dict[int, float] = {}
        self._newest_ns = 0
        self._frame_ns = 0
        self._last_frame_ms: float | None = None
        self._last_wake_ms: float | None = None
        self.groups: tuple[GroupState, ...] = ()
        self.event: LastEvent | None = None

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        for batch in snapshot.frames:
            for at_ns, frame_us in zip(batch.monotonic_ns, batch.frame_us, strict=True):
                _raise_to(self._frames, at_ns // _BUCKET_NS, frame_us / 1000)
                self._frame_ns, self._last_frame_ms = at_ns, frame_us / 1000
                self._newest_ns = max(self._newest_ns, at_ns)
        for metrics in snapshot.metrics:
            self._newest_ns = max(self._newest_ns, metrics.monotonic_ns)
            worst_ms = metrics.values.get("wakeup.worst_ms")
            if worst_ms is not None:
                _raise_to(self._wakes, metrics.monotonic_ns // _BUCKET_NS, worst_ms)
                self._last_wake_ms = worst_ms
        self._forget()
        # The first seconds know nothing yet; "not measured" would be another thing.
        is_measuring = snapshot.assessment.verdict.kind is VerdictKind.MEASURING
        self.groups = () if is_measuring else snapshot.assessment.groups
        self.event = self._event(snapshot)

    @property
    def has_frames(self) -> bool:
        """Whether a game tells its frame times now."""
        is_fresh = self._newest_ns - self._frame_ns < _STALE_NS
        return self._last_frame_ms is not None and is_fresh

    @property
    def now_ms(self) -> float | None:
        """The newest frame time, else the newest wake-up delay; None: neither is measured."""
        return self._last_frame_ms if self.has_frames else self._last_wake_ms

    @property
    def points(self) -> Points:
        """(share of the width, value) in order; None where nothing was measured."""
        line = self._frames if self.has_frames else self._wakes
        first = self._newest_ns // _BUCKET_NS - _BUCKETS
        points: Points = []
        last = None
        for bucket, value in sorted(line.items()):
            if last is not None and bucket - last > 8:
                points.append(((last + 1 - first) / _BUCKETS, None))
            points.append(((bucket - first) / _BUCKETS, value))
            last = bucket
        return points

    def _forget(self) -> None:
        first = self._newest_ns // _BUCKET_NS - _BUCKETS
        for line in (self._frames, self._wakes):
            for old in [bucket for bucket in line if bucket < first]:
                del line[old]

    def _event(self, snapshot: Snapshot) -> LastEvent | None:
        spikes = snapshot.assessment.spikes
        if not spikes:
            return None
        now_ns = snapshot.assessment.monotonic_ns
        newest = max(spikes, key=lambda spike: spike.monotonic_ns)
        recent = sum(now_ns - spike.monotonic_ns <= _RECENT_NS for spike in spikes)
        age_s = max(0.0, (now_ns - newest.monotonic_ns) / 1e9)
        is_of_game = not snapshot.assessment.verdict.is_of_computer
        return LastEvent(newest, age_s, recent, is_of_game)


def _raise_to(line: dict[int, float], bucket: int, value: float) -> None:
    known = line.get(bucket)
    if known is None or value > known:
        line[bucket] = value
