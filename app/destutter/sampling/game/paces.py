# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the game's threads run as much in a tick as they usually do."""

from collections.abc import Sequence
from typing import NamedTuple

from destutter.core.sample import RawValue

_USUAL_WEIGHT = 0.1  # a second's ticks: faster, and a stutter becomes usual while it goes on
_RUNS_LESS = 0.7  # of its usual time: in a stutter of 50 ms a third of a tick's work is missing
_RUNS_MORE = 2.0  # times its usual: a frame that is late by spinning has nothing else in a tick
_RUNS_LONG_NS = 30_000_000  # of a tick: twice next to nothing is no spinning
_LEARNT = 20  # ticks, after which most of its usual time is in the mean
# Of a dozen threads there is always one that rests. All of them together lose half of a tick's
# work in a stutter of 70 ms and more, or wherever it falls in 150 ms.
_STANDS = 0.5


class PaceInTick(NamedTuple):
    """How a thread ran in one tick, beside its usual time."""

    pauses: bool = False
    spins: bool = False


_AS_USUAL = PaceInTick()


class LeadPace:
    """The pace of the thread that drives the frames."""

    def __init__(self) -> None:
        self._run_ns: RawValue = None
        self._usual_ns = 0.0
        self._learnt = 0

    def take(self, run_ns: RawValue) -> PaceInTick:
        """Take in how long it has run since it began; None: not told."""
        before, self._run_ns = self._run_ns, run_ns
        if run_ns is None or before is None:
            return _AS_USUAL
        grown = run_ns - before
        pauses = grown < _RUNS_LESS * self._usual_ns
        spins = grown >= max(_RUNS_MORE * self._usual_ns, _RUNS_LONG_NS)
        self._learnt += 1
        self._usual_ns += _USUAL_WEIGHT * (grown - self._usual_ns)
        spins = spins and self._learnt > _LEARNT
        return PaceInTick(pauses, spins) if pauses or spins else _AS_USUAL


class SharedPace:
    """The pace of all busy threads together.

    A game may draw in another thread than the first, which goes on to take in events while that
    one stands. Then the pause is told by this.
    """

    def __init__(self) -> None:
        self._names: Sequence[str] = ()
        self._runs: Sequence[RawValue] = ()
        self._usual_ns: list[float] = []
        self._learnt = 0

    def take(self, names: Sequence[str], runs: Sequence[RawValue]) -> str | None:
        """The name of the thread that lacks most time in a tick in which all together lack half of
        it; None in other ticks, and until their usual time is known.
        """
        if names is not self._names or len(runs) != len(self._runs):
            self._names, self._runs = names, runs
            self._usual_ns = [0.0] * len(runs)
            self._learnt = 0
            return None
        grown_ns, means = 0, []
        for now, then, mean in zip(runs, self._runs, self._usual_ns, strict=True):
            more = (now or 0) - (then or 0)
            grown_ns += more
            means.append(mean + _USUAL_WEIGHT * (more - mean))
        stands = self._learnt > _LEARNT and grown_ns < _STANDS * sum(self._usual_ns)
        name = self._who_lacks_most(runs) if stands else None
        self._runs, self._usual_ns = runs, means
        self._learnt += 1
        return name

    def _who_lacks_most(self, runs: Sequence[RawValue]) -> str:
        lacks = [
            mean - ((now or 0) - (then or 0))
            for now, then, mean in zip(runs, self._runs, self._usual_ns, strict=True)
        ]
        return self._names[lacks.index(max(lacks))]
