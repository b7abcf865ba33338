# SPDX-License-Identifier: GPL-3.0-or-later
"""Standstills of a game whose frame times nobody tells, by the pace of its main thread.

A main thread that draws goes round its loop 25 to 200 times a second and gives up its core in each
turn, be it for vertical sync, a futex or a sleep: the kernel counts its timeslices, which the
sampler reads at every tick. In a freeze there are next to none.

Against the frame logs of 122 recordings 424 of 430 standstills that were found so were frames as
long, half of them within 42 ms of their length. They are only a half of the freezes from 150 ms
on: one that is made of many short waits, as for pages of memory, leaves turns, slower or far
quicker ones. So the pace counts as lost there, and nothing is said of it.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from destutter.core.metrics import Metrics
from destutter.diagnosis.stutters.frame_steps import RunningMedian

LEAST_MS = 120.0  # ticks are 100 ms apart: what is shorter is told by no tick that is empty
MANY_MS = 200.0
"""Shorter ones lie between two ticks often enough, and are missed: one of 180 ms was."""
SURE_MS = 300.0
"""As long was no frame of the 23 recordings in which the pace was kept: 273 ms at the most."""
_METRIC = "game.timeslices_per_s"
_MOST_PER_S = 1e7  # a switch takes some 100 ns at the least: more is a broken counter
_KEPT = 200  # ticks, 20 s: the usual pace must follow a scene, and outlast a freeze
_ENOUGH = 50  # ticks, 5 s
_LEAST_PER_S = 50  # slower, an ordinary tick has less than five: one may well have none
_THIRD = 0.34  # of the usual pace: ticks that have it keep it
_STEADY_SHARE = 0.8  # of the ticks: a thread that rests now and then has no pace to lose
# Of the usual pace. With shares alone an engine whose main thread wakes 1,000 times a second, and
# 250 times while others compile, "stood still" for 2.3 s: 25 times a tick is no standstill.
_BEGINS, _BEGINS_PER_S = 0.2, _LEAST_PER_S
_GOES_ON, _GOES_ON_PER_S = 0.5, 100
# Times the usual pace. Who waits for page after page has up to 200 times it, who naps for 1 ms
# until another thread is done 4 to 5 times: six freezes of 564 to 704 ms were "kept its pace".
_FAR_QUICKER = 3
_LOST_TICKS = 3  # quiet runs have two at the most, those with missed freezes seven times three
_MOST_REMEMBERED = 10  # ticks of a standstill: with all of them a freeze of 5 s ends the pace
_PAUSE_MS = 10_000.0  # minimised, or waiting in a menu: nobody calls that a stutter
_MISSING_NS = 1_000_000_000


class Standstill(NamedTuple):
    """The end of a freeze, and its length; both are known to some tens of milliseconds."""

    end_ns: int
    ms: float


class Rhythm(NamedTuple):
    """The pace that is followed, as turns a second, and since when; the last time it was lost
    without a standstill, None for never."""

    usual_per_s: int
    since_ns: int
    lost_ns: int | None = None


@dataclass(frozen=True, slots=True)
class _Turn:
    """How often the main thread gave up its core in one tick, as times a second."""

    start_ns: int
    end_ns: int
    rate: float

    @property
    def ms(self) -> float:
        return (self.end_ns - self.start_ns) / 1e6

    def missing_ms(self, of_rate: float, usual: float) -> float:
        """The part of the tick in which nothing happened, where ``of_rate`` would have."""
        return max(0.0, of_rate - self.rate) / usual * self.ms


@dataclass(slots=True)
class _Open:
    """A standstill that goes on, and the pace before it."""

    usual: float
    lower: float
    end_ns: int
    ms: float
    ticks: int = 1


class RhythmDetector:
    """Takes in ticks and tells each standstill one tick after its end."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew: another game, or nothing is known of the time between."""
        self._rates = RunningMedian(_KEPT)
        self._unjudged: list[_Turn] = []
        self._open: _Open | None = None
        self._before_ms: float | None = None
        self._last_ns: int | None = None
        self._since_ns: int | None = None
        self._lost_ns: int | None = None
        self._off_ticks = 0

    @property
    def followed(self) -> Rhythm | None:
        """None while there is no pace, or while the game stands still, nobody knows how long."""
        is_still = self._open is not None and self._open.ms >= LEAST_MS
        if self._since_ns is None or is_still:
            return None
        return Rhythm(self._rates.value, self._since_ns, self._lost_ns)

    def accept_metrics(self, metrics: Metrics) -> list[Standstill]:
        """What has ended with this tick; several where the first seconds are judged together."""
        if metrics.gap is not None and metrics.gap.is_blind:
            self.forget()
            return []
        if metrics.elapsed_s <= 0:
            return []
        now_ns, rate = metrics.monotonic_ns, metrics.values.get(_METRIC)
        known_ns = self._last_ns
        if rate is None or not 0 <= rate <= _MOST_PER_S:
            if known_ns is not None and now_ns - known_ns > _MISSING_NS:
                self.forget()
            return []
        start_ns = now_ns - int(metrics.elapsed_s * 1e9) if known_ns is None else known_ns
        self._last_ns = now_ns
        return self._accept(_Turn(start_ns, now_ns, rate)) if start_ns < now_ns else []

    def _accept(self, turn: _Turn) -> list[Standstill]:
        if self._open is None or self._open.ticks < _MOST_REMEMBERED:
            self._rates.add(round(turn.rate))
        self._unjudged.append(turn)
        if len(self._rates) < _ENOUGH:
            return []
        turns, self._unjudged = self._unjudged, []
        if self._open is None and not self._is_steady():
            if self._since_ns is not None:
                self._lost_ns = turn.end_ns
            self._since_ns = self._before_ms = None
            if self._rates.value < _LEAST_PER_S:
                # Of a loading screen, or of a pause, nothing helps to know the play behind it.
                self._rates = RunningMedian(_KEPT)
            return []
        if self._since_ns is None:
            self._since_ns = turns[0].start_ns
        return [found for each in turns if (found := self._judge(each)) is not None]

    def _is_steady(self) -> bool:
        usual = self._rates.value
        kept = self._rates.count_from(math.ceil(_THIRD * usual))
        return usual >= _LEAST_PER_S and kept >= _STEADY_SHARE * len(self._rates)

    def _judge(self, turn: _Turn) -> Standstill | None:
        if self._open is None:
            self._begin(turn, self._rates.value, self._rates.lower_quarter)
            self._note_pace(turn, self._rates.value)
            return None
        still = self._open
        if turn.rate < min(_GOES_ON * still.usual, _GOES_ON_PER_S):
            still.end_ns, still.ticks = turn.end_ns, still.ticks + 1
            still.ms += turn.missing_ms(still.usual, still.usual)
            if still.ms > _PAUSE_MS:
                self.forget()
            return None
        after_ms = turn.missing_ms(still.lower, still.usual)
        self._open, self._before_ms = None, 0.0
        ms = still.ms + after_ms
        return Standstill(still.end_ns + int(after_ms * 1e6), ms) if ms >= LEAST_MS else None

    def _begin(self, turn: _Turn, usual: float, lower: float) -> None:
        if self._before_ms is None:
            # What began before the first tick is a start or a loading screen.
            self._before_ms = 0.0 if turn.rate >= _GOES_ON * usual else None
        elif turn.rate < min(_BEGINS * usual, _BEGINS_PER_S):
            ms = self._before_ms + turn.missing_ms(usual, usual)
            self._open = _Open(usual, lower, turn.end_ns, ms)
        else:
            self._before_ms = turn.missing_ms(lower, usual)

    def _note_pace(self, turn: _Turn, usual: float) -> None:
        is_off = not _GOES_ON * usual <= turn.rate <= _FAR_QUICKER * usual
        self._off_ticks = self._off_ticks + 1 if is_off and self._open is None else 0
        if self._off_ticks >= _LOST_TICKS:
            self._lost_ns = turn.end_ns
