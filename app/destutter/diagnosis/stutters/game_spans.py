# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose stutters are counted: those of the game that runs, or of the last one that ran."""

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN


class GameSpans:
    """When games were watched. What is counted begins at ``since_ns``.

    A game that starts begins anew: what was before is none of its. Of a recording all of its games
    count (``counts_all``), judged once or played: where the game had been started again in one,
    Sessions told 23 of 23 and its replay 15 of 15. What woke up late while none ran is the
    computer's, which counts only where no game was watched within the horizon: 55 stutters were
    told of a game that was restarted and had 44, beside a banner that had it right.
    """

    def __init__(self, horizon_ns: int | None, *, counts_all: bool = False) -> None:
        self._horizon_ns = horizon_ns
        self._counts_all = counts_all or horizon_ns is None
        self._idle: list[tuple[int, int | None]] = [(0, None)]
        self._had_game = False
        self.since_ns = 0

    def begin(self, now_ns: int) -> None:
        """A game is watched from now on, be it instead of another one."""
        begun_ns, ended_ns = self._idle.pop()
        self._idle.append((begun_ns, now_ns if ended_ns is None else ended_ns))
        self._had_game = True
        if not self._counts_all:
            self.since_ns = now_ns

    def end(self, now_ns: int) -> None:
        """The game has gone, and no other is watched."""
        self._idle.append((now_ns, None))

    def forget_before(self, now_ns: int) -> None:
        """Drop what lies behind the horizon; the computer counts again when a game does."""
        if self._horizon_ns is None:
            return
        oldest_ns = now_ns - self._horizon_ns
        *past, (begun_ns, ended_ns) = self._idle
        self._idle = [span for span in past if (span[1] or now_ns) >= oldest_ns]
        self._idle.append((begun_ns, ended_ns))
        if self._had_game and ended_ns is None and begun_ns < oldest_ns:
            self._had_game = False

    def counts(self, spike: Spike) -> bool:
        """Whether it is the game's, or no game was there whose it could be."""
        if spike.start_ns < self.since_ns:
            return False
        if not self._had_game or spike.origin != WAKEUP_ORIGIN:
            return True
        at_ns = spike.monotonic_ns
        return not any(
            begun < at_ns and (end is None or at_ns <= end) for begun, end in self._idle
        )
