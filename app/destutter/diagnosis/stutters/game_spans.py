# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose stutters are counted: those of the game that runs, or of the last one that ran."""

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.spikes import FRAMELESS_ORIGINS, WAKEUP_ORIGIN


class GameSpans:
    """When games were watched. What is counted begins at ``since_ns``.

    A game that starts begins anew: what was before is none of its. Of a recording all of its games
    count (``counts_all``), judged once or played: where the game had been started again in one,
    Sessions told 23 of 23 and its replay 15 of 15. What woke up late while none ran is the
    computer's, which counts only where no game was watched within the horizon: 55 stutters were
    told of a game that was restarted and had 44, beside a banner that had it right.

    Where frames of the game have come, they alone tell its stutters, whether any come just now or
    not: a flight that was paused for a minute had 36 of late wake-ups, and its longest frame took
    67 ms. Frames of any game say so of a recording, of a stream those of the game that runs.
    """

    def __init__(self, horizon_ns: int | None, *, counts_all: bool = False) -> None:
        self._horizon_ns = horizon_ns
        self._counts_all = counts_all or horizon_ns is None
        self._idle: list[tuple[int, int | None]] = [(0, None)]
        self._had_game = False
        self._is_framed = False
        self._name = ""
        self.since_ns = 0

    @property
    def is_framed(self) -> bool:
        """Whether frames tell the stutters that count."""
        return self._is_framed

    @property
    def had_game(self) -> bool:
        """Whether a game was watched so far back as stutters count."""
        return self._had_game

    def accept_frames(self, *, are_sampled: bool) -> None:
        """Frames have come; ``are_sampled``: most are left out, and they prove nothing."""
        self._is_framed = not are_sampled

    def begin(self, now_ns: int, name: str) -> None:
        """A game is watched from now on, be it instead of another one.

        One that told its frames and is started again will tell them again.
        """
        begun_ns, ended_ns = self._idle.pop()
        self._idle.append((begun_ns, now_ns if ended_ns is None else ended_ns))
        self._had_game = True
        if not self._counts_all:
            self.since_ns = now_ns
            self._is_framed = self._is_framed and name == self._name
        self._name = name

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
            self._had_game = self._is_framed = False

    def counts(self, spike: Spike) -> bool:
        """Whether it is the game's, or no game was there whose it could be."""
        if spike.start_ns < self.since_ns or self._is_beside_frames(spike):
            return False
        return not (self._had_game and self._is_of_computer(spike))

    def is_none(self, spike: Spike) -> bool:
        """Whether it is no stutter of anything: what frames tell better, or do not bear out."""
        is_of_this = spike.start_ns >= self.since_ns
        return is_of_this and self._is_beside_frames(spike) and not self._is_of_computer(spike)

    def _is_beside_frames(self, spike: Spike) -> bool:
        return self._is_framed and spike.origin in FRAMELESS_ORIGINS

    def _is_of_computer(self, spike: Spike) -> bool:
        """Whether it is a late wake-up of a time in which no game ran."""
        at_ns = spike.monotonic_ns
        return spike.origin == WAKEUP_ORIGIN and any(
            begun < at_ns and (end is None or at_ns <= end) for begun, end in self._idle
        )
