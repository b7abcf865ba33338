# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters: long frames; without frame times standstills of the game and late wake-ups.

A frame is a stutter when it takes more than two and a half times the running median and misses at
least three refreshes of a display of 60 Hz (50 ms). Relative alone would call a 25 ms frame at
100 fps a stutter, absolute alone every frame of a game that runs at a steady 18 fps.

A log may leave out most frames (MangoHud's ``log_interval`` above 0), and with them most stutters:
then late wake-ups count, too, and so do standstills of the game by the pace of its main thread
(``rhythm.py``). Of a standstill and the late wake-ups within it the former is the stutter.

A wake-up of the probe counts from 20 ms: more than one refresh at 60 Hz (16.7 ms), so a frame
that waited as long was missed whatever the game did in it. Shorter ones happen on busy but smooth
computers, where a time slice of the scheduler is up to 4 ms.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import replace

from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.diagnosis.finding import RECENT_S, Spike
from destutter.diagnosis.stutters.frame_steps import FrameSteps
from destutter.diagnosis.stutters.hitches import FELT_AS_ONE_NS, HitchDetector
from destutter.diagnosis.stutters.rhythm import Rhythm, RhythmDetector, Standstill

WAKEUP_ORIGIN = "wakeup"
RHYTHM_ORIGIN = "rhythm"
FRAMELESS_ORIGINS = frozenset({WAKEUP_ORIGIN, RHYTHM_ORIGIN})
"""Of stutters that no frame tells: shorter ones may be there and unseen."""
WAKEUP_LIMIT_MS = 20.0
MEDIAN_FACTOR = 2.5  # 2 is one missed turn of vertical sync: at 30 fps that is no stutter
MISSED_REFRESHES = 3  # at 60 Hz 50 ms: no shorter frame stutters, however quick the usual one is
REFRESH_HZ = 60.0  # no recording tells the screen's; with more, shorter frames were stutters
STUTTER_MS = MISSED_REFRESHES * 1e3 / REFRESH_HZ
"""From here on one wait is felt: what was measured without a screen is compared with it."""

ENOUGH_FRAMES = 30  # half a second at 60 Hz: the first ones after a load are no measure
_STAY_NS = 10_000_000_000  # a loading screen has no frames for seconds: the probe must not speak
MOST_AS_ONE_NS = 1_000_000_000  # else a game that jerks for a minute has one stutter
_AFTER_SUSPEND_NS = 2_000_000_000  # shorter, devices that wake up stutter; longer, play is lost
_MAX_SPIKES = 5_000  # one in 250 ms makes 2,400 in ten minutes: only broken times make more
_SAME_NS = 100_000_000  # a tick: so far off a standstill's begin and end may be
LONGEST_MS = 1e9  # eleven days: no measurement is longer, a broken stream may be
_RECENT_WAKES = 10 * RECENT_S  # of a probe that tells ten times a second


class SpikeDetector:
    """Finds spikes in frames, pace and wake-ups. Frames decide while a game reports all of them.

    Long frames that follow each other within a quarter of a second are felt as one stutter: one
    spike, for which the longest frame speaks, at most one a second.
    """

    def __init__(self, horizon_ns: int | None) -> None:
        self._horizon_ns = horizon_ns
        self._steps = FrameSteps()
        self._spikes: deque[Spike] = deque(maxlen=_MAX_SPIKES if horizon_ns else None)
        self._cluster_start_ns = 0
        self._cluster_end_ns = 0
        self._ignored_until_ns = 0
        self._wakes: deque[tuple[int, float]] = deque(maxlen=_RECENT_WAKES)
        self._frames_end_ns: int | None = None
        self._hitches = HitchDetector(horizon_ns)
        self._rhythm = RhythmDetector()
        self._had_rhythm = False
        self._last_standstill: Spike | None = None
        self._unjudged: list[tuple[str, int, int]] = []
        self.revision = 0

    @property
    def spikes(self) -> tuple[Spike, ...]:
        """The spikes of the horizon in order of time."""
        return tuple(self._spikes)

    @property
    def hitches(self) -> tuple[Spike, ...]:
        """Frames of the horizon that are felt, but are no stutters; see ``HitchDetector``."""
        return self._hitches.hitches

    def sees_wakes(self, now_ns: int) -> bool:
        """Whether the wake-up probe delivered in the last seconds."""
        return bool(self._wakes) and now_ns - self._wakes[-1][0] < _STAY_NS

    def sees_frames(self, now_ns: int) -> bool:
        """Whether frame times came in the last seconds, and of every frame."""
        return self._follows_frames(now_ns) and not self.are_sampled

    def sees_few_frames(self, now_ns: int) -> bool:
        """Whether frame times came in the last seconds, but most frames are left out."""
        return self._follows_frames(now_ns) and self.are_sampled

    def _follows_frames(self, now_ns: int) -> bool:
        end_ns = self._frames_end_ns
        return end_ns is not None and now_ns - end_ns < _STAY_NS

    def frameless_ns(self, now_ns: int) -> int:
        """How long no frame has come, where some came before; 0 while that says nothing.

        A loading screen may have none for some seconds.
        """
        end_ns = self._frames_end_ns
        since_ns = 0 if end_ns is None else now_ns - end_ns
        return since_ns if since_ns >= _STAY_NS else 0

    @property
    def are_sampled(self) -> bool:
        """Whether most frames are left out."""
        return self._steps.are_sampled

    @property
    def rhythm(self) -> Rhythm | None:
        """The pace of the game's main thread, by which standstills are found."""
        return self._rhythm.followed

    @property
    def has_measured_game(self) -> bool:
        """Whether anything of the game itself, frames or a pace, was there to be judged."""
        return self._frames_end_ns is not None or self._had_rhythm

    def change_game(self) -> None:
        """Another game is watched: the pace of the one before is none of it."""
        self._rhythm.forget()

    def accept_frames(self, frames: Frames, left_out: Collection[int] = ()) -> None:
        """Judge frames; those that end at ``left_out`` are loading screens, and none of play."""
        if self._frames_end_ns is None:
            self._drop_frameless()
        for end_ns, frame_us in zip(frames.monotonic_ns, frames.frame_us, strict=True):
            if end_ns in left_out:
                self._frames_end_ns = max(self._frames_end_ns or end_ns, end_ns)
            else:
                self._accept_frame(frames.origin, end_ns, frame_us)

    def accept_metrics(self, metrics: Metrics) -> None:
        """Take in a tick, or the worst wake-up since the probe's last message."""
        if metrics.gap is not None and metrics.gap.reason == "suspend":
            # Everything is late for a moment after a sleep; that is no stutter of a game.
            self._ignored_until_ns = metrics.monotonic_ns + _AFTER_SUSPEND_NS
        now_ns = metrics.monotonic_ns
        for standstill in self._rhythm.accept_metrics(metrics):
            self._add_standstill(standstill, now_ns)
        self._had_rhythm = self._had_rhythm or self._rhythm.followed is not None
        late_ms = metrics.values.get("wakeup.worst_ms")
        if late_ms is None or not 0 <= late_ms <= LONGEST_MS:
            return
        self._wakes.append((now_ns, late_ms))
        if self.sees_frames(now_ns) or now_ns < self._ignored_until_ns:
            return
        spike = Spike(now_ns, late_ms, WAKEUP_ORIGIN)
        if late_ms >= WAKEUP_LIMIT_MS and not self._is_within_standstill(spike):
            self._add(spike)

    def worst_wake_ms(self, since_ns: int) -> float | None:
        """The latest wake-up since then; None without a probe."""
        return max((late for at, late in self._wakes if at >= since_ns), default=None)

    def forget_before(self, monotonic_ns: int) -> None:
        """Drop spikes that ended before the horizon."""
        self._hitches.forget_before(monotonic_ns)
        if self._horizon_ns is None:
            return
        while self._spikes and self._spikes[0].monotonic_ns < monotonic_ns - self._horizon_ns:
            self._spikes.popleft()
            self.revision += 1

    def _accept_frame(self, origin: str, end_ns: int, frame_us: int) -> None:
        self._frames_end_ns = max(self._frames_end_ns or end_ns, end_ns)
        if not 0 <= frame_us <= 1e3 * LONGEST_MS:
            return
        is_of_play = end_ns >= self._ignored_until_ns
        if len(self._steps) < ENOUGH_FRAMES:
            self._steps.accept_frame(end_ns, frame_us)
            if is_of_play:
                self._unjudged.append((origin, end_ns, frame_us))
            if len(self._steps) == ENOUGH_FRAMES:
                self._judge_first()
            return
        if is_of_play and self._is_stutter(frame_us):
            self.add_stutter(origin, end_ns, frame_us, self._steps.usual_us)
        elif is_of_play and not self.are_sampled:
            self.revision += self._hitches.accept_frame(end_ns, frame_us, origin, self._steps)
        self._steps.accept_frame(end_ns, frame_us)

    def _judge_first(self) -> None:
        """The first frames are no measure for themselves one by one, but all are together.

        Left out, a game that began with ten frames of 40 to 80 ms was "smooth".
        """
        for origin, end_ns, frame_us in self._unjudged:
            if self._is_stutter(frame_us):
                self.add_stutter(origin, end_ns, frame_us, self._steps.usual_us)
        self._unjudged.clear()

    def _is_stutter(self, frame_us: int) -> bool:
        return frame_us > max(MEDIAN_FACTOR * self._steps.usual_us, STUTTER_MS * 1e3)

    def add_stutter(self, origin: str, end_ns: int, frame_us: int, usual_us: float) -> None:
        """Take in a frame that is a stutter, in order of time."""
        spike = Spike(end_ns, frame_us / 1e3, origin, usual_ms=usual_us / 1e3)
        self._add(spike)
        self._hitches.note_stutter(spike)

    def _add_standstill(self, standstill: Standstill, now_ns: int) -> None:
        """Put it in its place: of what the probe told of the same time it is the better word."""
        spike = Spike(standstill.end_ns, standstill.ms, RHYTHM_ORIGIN)
        if self.sees_frames(now_ns) or spike.start_ns < self._ignored_until_ns:
            return
        self._last_standstill = spike
        later: list[Spike] = []
        kept: list[Spike] = []
        while self._spikes and self._spikes[-1].monotonic_ns > spike.start_ns - _SAME_NS:
            last = self._spikes.pop()
            if last.origin != WAKEUP_ORIGIN:
                kept.append(last)
            elif last.start_ns >= spike.monotonic_ns + _SAME_NS:
                later.append(last)
        self._spikes.extend(reversed(kept))
        if self._spikes:
            last = self._spikes[-1]
            self._cluster_start_ns, self._cluster_end_ns = last.start_ns, last.monotonic_ns
        self._add(spike)
        for each in reversed(later):
            self._append(each)

    def _is_within_standstill(self, wake: Spike) -> bool:
        """Whether one that is known already was at the same time; the probe's word may be late."""
        last = self._last_standstill
        return (
            last is not None
            and wake.start_ns < last.monotonic_ns + _SAME_NS
            and wake.monotonic_ns > last.start_ns - _SAME_NS
        )

    def _add(self, spike: Spike) -> None:
        self.revision += 1
        if self._continues_cluster(spike):
            self._cluster_end_ns = max(self._cluster_end_ns, spike.monotonic_ns)
            shorter, longer = sorted((self._spikes[-1], spike), key=lambda each: each.duration_ms)
            origins = {shorter.origin, longer.origin}
            # What a log and the pace both tell is the same time.
            is_told_twice = RHYTHM_ORIGIN in origins and len(origins) > 1
            more_ms, others = self._spikes[-1].more_ms, self._spikes[-1].others
            if not is_told_twice:
                more_ms += shorter.duration_ms
                others = (*others, replace(shorter, more_ms=0.0, others=()))
            self._spikes[-1] = replace(longer, more_ms=more_ms, others=others)
            return
        self._append(spike)

    def _append(self, spike: Spike) -> None:
        self._cluster_start_ns, self._cluster_end_ns = spike.start_ns, spike.monotonic_ns
        self._spikes.append(spike)

    def _continues_cluster(self, spike: Spike) -> bool:
        return (
            bool(self._spikes)
            and (self._spikes[-1].origin == spike.origin or self.are_sampled)
            and spike.start_ns - self._cluster_end_ns < FELT_AS_ONE_NS
            and spike.start_ns - self._cluster_start_ns < MOST_AS_ONE_NS
        )

    def _drop_frameless(self) -> None:
        # From the first frame on the game itself is measured; counting both would double.
        self._spikes.clear()
        self._last_standstill = None
        self.revision += 1
