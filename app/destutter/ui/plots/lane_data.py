# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements behind the graphs, kept for twenty minutes, and behind findings. No Qt.

Times are seconds since the first measurement, so that they stay exact as floating point.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from math import nan

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Gap, Metrics
from destutter.core.sample import Frames, Marker
from destutter.core.traced import TraceLook
from destutter.diagnosis.finding import Assessment
from destutter.diagnosis.stutters.frame_steps import FrameSteps
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan
from destutter.ui.plots.disk_ranking import DiskRanking
from destutter.ui.plots.evidence_series import EvidenceSeries
from destutter.ui.plots.lane_measures import BREAK_AFTER_S, LaneMetric, MeasureSeries, Pick
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import RETENTION_S
from destutter.ui.plots.traced_series import MEMORY, longest_ms

READ = "disk.read_await_ms"
WRITE = "disk.write_await_ms"
WAKEUP = "wakeup.worst_ms"
RECLAIM = "memory.direct_reclaim_per_s"
STALLS = "memory.allocstall_per_s"
DIRTY = "memory.dirty_bytes"
WRITEBACK = "memory.writeback_bytes"
DIRTY_START = "memory.dirty_background_bytes"
PRESSURE = "pressure.some_pct"
TRACED = "trace.longest_ms"

_SCALARS = (WAKEUP, RECLAIM, STALLS, DIRTY, WRITEBACK, DIRTY_START)
_INSTANCED = (READ, WRITE, PRESSURE)
_LOOK_EVERY_S = 60.0  # drives that left cost memory until then; a look goes through all series
_FRAMES_REMEMBERED_S = 60.0  # a loading screen must not turn the lane into one of wake-ups
_TRACED_REMEMBERED_S = 5.0  # looks are 2 s apart at most; without them counters are shown
_FRAMES_BREAK_S = 5.0  # a freeze of seconds is a line up to its frame, a pause of the log is none


class LaneData:
    """Series by metric and instance, frame times by origin, and the spans without data.
    ``screens_s``: when the frames ended that were loading screens.

    Drives that left are forgotten when nothing of them is left to show.
    """

    def __init__(self) -> None:
        self.origin_ns: int | None = None
        self.now_s = 0.0
        self.frames = LaneSeries(RETENTION_S)
        self.frames_origin = ""
        self.game_name = ""
        self.screens_s: tuple[float, ...] = ()
        self._is_at_rest = False
        self._steps = FrameSteps()
        self.gaps: deque[Gap] = deque(maxlen=200)
        self.markers: deque[Marker] = deque(maxlen=200)
        self.disks = DiskRanking()
        self._evidence = EvidenceSeries(frozenset((*_SCALARS, *_INSTANCED)))
        self._chosen = MeasureSeries(self._evidence)
        self._series: dict[tuple[str, str], LaneSeries] = {}
        self._looked_s = 0.0

    def series(self, metric: str, instance: str = "") -> LaneSeries:
        """The series of a metric; empty while nothing was measured."""
        key = (metric, instance)
        found = self._series.get(key)
        if found is None:
            found = self._series[key] = LaneSeries(RETENTION_S)
        return found

    def find(self, metric: str, instance: str = "") -> LaneSeries | None:
        """The series of any metric that a lane or a finding is about; None without a value."""
        return self._series.get((metric, instance)) or self._evidence.find(metric, instance)

    def keep(self, measures: Iterable[LaneMetric]) -> None:
        """Keep what these lanes draw, too; what the usual lanes and findings need is always."""
        own = (*_SCALARS, *_INSTANCED)
        self._chosen.keep(measure for measure in measures if measure.metric not in own)

    def lines(self, measure: LaneMetric) -> list[tuple[str, LaneSeries]]:
        """(instance, series) of what was measured of it."""
        if measure.pick is Pick.ONLY and measure.key in self._series:
            series = self._series[measure.key]
            return [(measure.instance, series)] if len(series) else []
        return self._chosen.lines(measure)

    def highest_mean(self, metric: str, left_s: float, right_s: float) -> float | None:
        """Of all instances of a metric that findings name the highest mean between two times;
        None where none was measured."""
        series = (self._evidence.find(metric, name) for name in self._evidence.instances(metric))
        means = (one.mean(left_s, right_s) for one in series if one is not None)
        return max((mean for mean in means if mean is not None), default=None)

    def measured_drives(self) -> list[str]:
        """The drives that have answered, the one first that programs wait for most."""
        answered = [disk for metric, disk in self._series if metric in (READ, WRITE)]
        found = self.disks.busiest(answered)
        return [disk for disk in found if self.series(READ, disk) or self.series(WRITE, disk)]

    def instances(self, metric: str) -> list[str]:
        """The instances of a metric that were measured so far."""
        return [name for id_, name in self._series if id_ == metric and name]

    def seconds(self, monotonic_ns: int) -> float:
        """A moment of CLOCK_MONOTONIC on the clock of these series."""
        return 0.0 if self.origin_ns is None else (monotonic_ns - self.origin_ns) / 1e9

    def monotonic_ns(self, time_s: float) -> int:
        """The reverse of ``seconds``."""
        return round(time_s * 1e9) + (self.origin_ns or 0)

    @property
    def has_frames(self) -> bool:
        """Whether frame times arrived within the last minute, or the game that told them rests.

        A game that is paused for longer has no other stutters than those of its frames, and an
        empty lane of them says so; late wake-ups in their place were read as stutters.
        """
        last = self.frames.last_s
        if last is None:
            return False
        return self._is_at_rest or last > self.now_s - _FRAMES_REMEMBERED_S

    @property
    def has_traced(self) -> bool:
        """Whether the kernel's trace told of a game within the last seconds."""
        last = self.series(TRACED, MEMORY).last_s
        return last is not None and last > self.now_s - _TRACED_REMEMBERED_S

    @property
    def frames_are_sampled(self) -> bool:
        """Whether the game's log leaves out most frames."""
        return self._steps.are_sampled

    @property
    def oldest_s(self) -> float:
        """The oldest measurement that is kept."""
        firsts = [s.first_s for s in (*self._series.values(), self.frames)]
        return min((first for first in firsts if first is not None), default=0.0)

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Take in a batch. The name of a game that has ended stays: its frames are in view."""
        facts = snapshot.facts
        pid = facts.get("game.pid", "")
        self.game_name = (facts.get("game.name") if pid else "") or self.game_name
        self.accept_measurements(snapshot.metrics, snapshot.frames, snapshot.markers)
        self.accept_looks(snapshot.looks, pid)
        unplayed = snapshot.assessment.unplayed
        self._is_at_rest = bool(unplayed) and _goes_on(unplayed[-1], snapshot.assessment)
        screens = (each.end_ns for each in unplayed if each.kind is Unplayed.LOADING)
        self.screens_s = tuple(map(self.seconds, screens))

    def accept_measurements(
        self,
        metrics: Iterable[Metrics],
        frames: Iterable[Frames],
        markers: Iterable[Marker] = (),
    ) -> None:
        """Take in what was measured since the last call, in order."""
        for one in metrics:
            self._accept_metrics(one)
        for batch in frames:
            self._accept_frames(batch)
        self.markers.extend(markers)

    def accept_looks(self, looks: Iterable[TraceLook], game_pid: str) -> None:
        """Take in what the kernel's trace told; without a game nobody's waits are drawn."""
        for look in looks:
            if game_pid and self.origin_ns is not None:
                time_s = self.seconds(look.end_ns)
                for group, value in longest_ms(look, game_pid).items():
                    self._add(TRACED, group, time_s, value)

    def _accept_metrics(self, metrics: Metrics) -> None:
        if self.origin_ns is None:
            self.origin_ns = metrics.monotonic_ns
        time_s = self.seconds(metrics.monotonic_ns)
        self.now_s = max(self.now_s, time_s)
        if metrics.gap is not None:
            self.gaps.append(metrics.gap)
        values = metrics.values
        for metric in _SCALARS:
            if metric in values:
                self._add(metric, "", time_s, values[metric])
        for metric in _INSTANCED:
            for instance, value in metrics.instanced.get(metric, {}).items():
                self._add(metric, instance, time_s, value)
        self._evidence.accept_metrics(metrics, time_s)
        self._chosen.accept_metrics(metrics, time_s)
        depths: Mapping[str, float | None] | None = metrics.instanced.get("disk.queue_depth")
        if depths:
            self.disks.accept_depths(depths, metrics.elapsed_s)
        if time_s - self._looked_s > _LOOK_EVERY_S:
            self._looked_s = time_s
            self._forget(time_s - RETENTION_S)

    def _forget(self, before_s: float) -> None:
        for metric, instance in list(self._series):
            last = self._series[metric, instance].last_s
            if instance and last is not None and last < before_s:
                del self._series[metric, instance]
                self.disks.forget(instance)
        self._chosen.forget(before_s)

    def _add(self, metric: str, instance: str, time_s: float, value: float | None) -> None:
        series = self.series(metric, instance)
        last = series.last_s
        if last is None and value is None:
            return
        if last is not None and time_s - last > BREAK_AFTER_S:
            series.append(last, nan)
        series.append(time_s, nan if value is None else value)

    def _accept_frames(self, batch: Frames) -> None:
        if not batch.monotonic_ns:
            return
        if self.origin_ns is None:
            self.origin_ns = batch.monotonic_ns[0]
        if batch.origin != self.frames_origin:
            self.frames = LaneSeries(RETENTION_S)
            self.frames_origin = batch.origin
            self._steps = FrameSteps()
        origin = self.origin_ns
        times = [(t - origin) / 1e9 for t in batch.monotonic_ns]
        last = self.frames.last_s
        if last is not None and times[0] - last > _FRAMES_BREAK_S:
            self.frames.append(last, nan)
        self.frames.extend(times, [us / 1e3 for us in batch.frame_us])
        for end_ns, frame_us in zip(batch.monotonic_ns, batch.frame_us, strict=True):
            self._steps.accept_frame(end_ns, frame_us)
        self.now_s = max(self.now_s, times[-1])


def _goes_on(span: UnplayedSpan, assessment: Assessment) -> bool:
    """Whether the game runs and draws nothing just now."""
    return span.kind is not Unplayed.NO_GAME and span.end_ns >= assessment.monotonic_ns
