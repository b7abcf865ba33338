# SPDX-License-Identifier: GPL-3.0-or-later
"""What happened since a recording began, for the figures beside the timer. No Qt."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.finding import Confidence, Finding, Spike
from destutter.diagnosis.history.drives import MIRROR, NO_DRIVES
from destutter.diagnosis.runs.played import seconds_of_frame
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan

# Where the kernel does not count how long programs wait for memory: the seconds in which any did,
# on the whole computer or at the limit of the game's own group. Of 4 s of waiting it told 36.
_SHORT = ("memory.allocstall_per_s", "cgroup.limit_events_per_s")
_DISK = ("disk.read_await_ms", "disk.write_await_ms")
_NS = 1_000_000_000


@dataclass(slots=True)
class RecordCounts:
    """Counts from ``since_ns`` (CLOCK_MONOTONIC) on.

    ``worst_by_second`` is the longest frame, or without frames the latest wake-up, of each second
    in ms; ``worst_at_s`` when the longest was. ``framed`` are the seconds that frames show to be
    play, ``woken`` those in which wake-ups were measured, ``unplayed`` what was no play, by its
    begin, as of ``told_ns``. ``disks_ms`` is each drive's longest
    wait, and ``told_disks`` are those that the game was found to wait for. ``memory_s`` is how
    long any program waited for memory, None where the kernel does not count that, and
    ``memory_waits`` are the seconds in which any did.
    """

    since_ns: int
    stutters: set[int] = field(default_factory=set)
    markers: int = 0
    worst_ms: float = 0.0
    worst_at_s: float = 0.0
    disks_ms: dict[str, float] = field(default_factory=dict)
    told_disks: set[str] = field(default_factory=set)
    memory_s: float | None = None
    memory_waits: set[int] = field(default_factory=set)
    worst_by_second: dict[int, float] = field(default_factory=dict)
    has_frames: bool = False
    framed: set[int] = field(default_factory=set)
    woken: set[int] = field(default_factory=set)
    unplayed: dict[int, UnplayedSpan] = field(default_factory=dict)
    told_ns: int = 0

    @property
    def counted(self) -> set[int]:
        """The seconds that count, as a comparison counts them."""
        return self.framed if self.has_frames else self.woken

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        self.markers += sum(each.monotonic_ns >= self.since_ns for each in snapshot.markers)
        told = snapshot.assessment.unplayed
        self._note_unplayed(told, snapshot.assessment.monotonic_ns)
        screens = {each.end_ns for each in told if each.kind is Unplayed.LOADING}
        for frames in snapshot.frames:
            self._accept_frames(frames, screens)
        self._accept_spikes(snapshot.assessment.spikes)
        self.told_disks |= set(_disks_of(snapshot.assessment.findings))
        for frames in snapshot.frames:
            self._count_play(frames, screens)
        for metrics in snapshot.metrics:
            if metrics.monotonic_ns >= self.since_ns:
                self._accept_metrics(metrics)
        for spike in snapshot.assessment.spikes:
            # A standstill of the game's own is longer than any wake-up in it.
            self._note(spike.monotonic_ns, spike.duration_ms)

    def _note_unplayed(self, told: Sequence[UnplayedSpan], now_ns: int) -> None:
        """What still went on at the last batch is told anew, or was a long frame of play."""
        ended = {at: each for at, each in self.unplayed.items() if each.end_ns < self.told_ns}
        self.unplayed = ended | {each.start_ns: each for each in told}
        self.told_ns = now_ns

    def _accept_spikes(self, spikes: Sequence[Spike]) -> None:
        """A stutter of several long frames is at its longest: each longer one moves it.

        Counted by each of its times there were 629 of 514. Those that are told no more are old.
        """
        if not spikes:
            return
        told_ns = spikes[0].start_ns
        self.stutters = {each for each in self.stutters if each < told_ns}
        self.stutters |= {
            each.monotonic_ns for each in spikes if each.monotonic_ns >= self.since_ns
        }

    def _accept_frames(self, frames: Frames, screens: Collection[int]) -> None:
        """Frames, of which those that end at ``screens`` were loading screens."""
        if frames.monotonic_ns and not self.has_frames:
            self._forget_wakeups()
        for end_ns, frame_us in zip(frames.monotonic_ns, frames.frame_us, strict=True):
            if end_ns not in screens:
                self._note(end_ns, frame_us / 1000)

    def _accept_metrics(self, metrics: Metrics) -> None:
        wake_ms = metrics.values.get("wakeup.worst_ms")
        if wake_ms is not None and not self.has_frames:
            self._note(metrics.monotonic_ns, wake_ms)
            self.woken.add((metrics.monotonic_ns - self.since_ns) // _NS)
        waited_pct = metrics.instanced.get("pressure.some_pct", {}).get("memory")
        if waited_pct is not None:
            self.memory_s = (self.memory_s or 0.0) + waited_pct / 100 * metrics.elapsed_s
        if any(map(metrics.values.get, _SHORT)):
            self.memory_waits.add((metrics.monotonic_ns - self.since_ns) // _NS)
        for metric in _DISK:
            for name, value in metrics.instanced.get(metric, {}).items():
                if value is not None and not name.startswith(NO_DRIVES):
                    self.disks_ms[name] = max(self.disks_ms.get(name, 0.0), value)

    @property
    def short_of_memory_s(self) -> float:
        """How long memory was short."""
        return len(self.memory_waits) if self.memory_s is None else self.memory_s

    @property
    def slowest_disk(self) -> tuple[str, float] | None:
        """The slowest drive, of those that the game waited for if any, with its longest wait (ms).

        None where none was measured. A loop device mirrors another and may be anybody's: it is
        told only where the game was found to wait for it.
        """
        names = [each for each in self.disks_ms if not each.startswith(MIRROR)]
        names = [each for each in self.told_disks if each in self.disks_ms] or names
        name = max(names, key=lambda each: self.disks_ms[each], default=None)
        return None if name is None else (name, self.disks_ms[name])

    def _count_play(self, frames: Frames, screens: Collection[int]) -> None:
        for end_ns, frame_us in zip(frames.monotonic_ns, frames.frame_us, strict=True):
            if end_ns >= self.since_ns and end_ns not in screens:
                end_s = (end_ns - self.since_ns) / _NS
                self.framed.update(seconds_of_frame(end_s, frame_us / 1000))

    def _forget_wakeups(self) -> None:
        """Frame times take the place of wake-ups: the two are not one line, and not one count.

        Of a recording that began before its game, 121 were told here and 39 in the next step.
        """
        self.has_frames = True
        self.stutters.clear()
        self.worst_ms = 0.0
        self.worst_by_second.clear()

    def _note(self, end_ns: int, length_ms: float) -> None:
        if end_ns < self.since_ns:
            return
        second = (end_ns - self.since_ns) // _NS
        before = self.worst_by_second.get(second, 0.0)
        self.worst_by_second[second] = max(before, length_ms)
        if length_ms > self.worst_ms:
            self.worst_ms, self.worst_at_s = length_ms, (end_ns - self.since_ns) / _NS


def _disks_of(findings: Sequence[Finding]) -> Iterator[str]:
    """The drive of the first cause that surely explains any stutter by one, if there is one.

    By a guess of 37 of 224 stutters the figure fell from 271 ms to the 189 of another drive.
    """
    drives = (
        evidence.instance
        for finding in findings
        if finding.stutters_explained and finding.confidence is not Confidence.LOW
        for evidence in finding.evidence
        if evidence.metric.startswith("disk.") and evidence.instance
    )
    yield from islice(drives, 1)
