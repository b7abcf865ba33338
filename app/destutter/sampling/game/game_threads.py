# SPDX-License-Identifier: GPL-3.0-or-later
"""Which threads the game has, and which of them work: noted once a second, used at every tick."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from destutter.core.sample import RawValue

MOST_BUSY = 12  # a file each at every tick; of fewer the one that was late is often none
MOST_LOOKED_AT = 256  # at 3.2 us each a look takes 0.8 ms (thread_waits.py)

_WORKS_NS_PER_S = 20_000_000  # 2 % of a core: threads that only tick over are left out
_RESTS_NS_PER_S = 5_000_000  # a quarter of that; at one mark threads would come and go
# A main thread that only hands frames out runs for 3 ms in a second, and one that joins the others
# not at all; longer than any freeze that is a stutter.
_IDLE_NS_PER_S = 200_000
_IDLE_S = 3.0
_STAYS = 1.5  # times as much as one that is taken in has to work who takes its place
_KEEP = 0.5  # how much of the old pace stays at each reading


class AloneWait(NamedTuple):
    """A wait of the main thread for nobody of its own game: in memory, or at pipes or sockets.

    ``ends`` are those, as in ``connections.end_at``; none where they are not known.
    ``for_events``: it waits for something to read at any of them.
    """

    in_memory: bool
    ends: frozenset[str] = frozenset()
    for_events: bool = False


class GameThreads:
    """The roll of one process's threads.

    ``tids`` are all of them, ``busy`` those that used most time lately, each with its name; a
    thread is taken in from 2 % of a core and leaves below 0.5 %, so that the set seldom changes
    (each change is a message in the stream). ``was_held_up``: one of those stood in a run queue
    for long since somebody last asked, or the main thread paused while time was lost to memory or
    drives. ``waits_alone``: the main thread was found waiting for another process, since somebody
    last asked. ``lead`` is the thread that drives the frames, as far as
    can be told: ``shows_frames`` where that is known (`frame_thread`), else the first one, but for
    games whose first thread has ended or only waits for the end (a loader, a runtime) the busiest;
    ``lead_run_ns`` how long that one has run, where it is
    not the first. ``busy_runs`` are the busy ones that live, each as "number name", and how long
    each has run in ns.
    """

    def __init__(self) -> None:
        self.pid: int | None = None
        self.tids: Sequence[int] = ()
        self.busy: tuple[tuple[int, str], ...] = ()
        self.was_held_up = False
        self.waits_alone: AloneWait | None = None
        self.shows_frames: int | None = None
        self.lead: int | None = None
        self.lead_run_ns: RawValue = None
        self.busy_runs: tuple[tuple[str, ...], Sequence[RawValue]] = ((), ())
        self._idle_s = 0.0
        self._run_ns: dict[int, int] = {}
        self._pace: dict[int, float] = {}
        self._read_ns = 0

    def begin(self, pid: int | None) -> None:
        """Forget everything: another process is watched now."""
        self.__init__()  # type: ignore[misc]
        self.pid = self.lead = pid

    def works(self, tid: int) -> bool:
        """Whether a thread did not rest lately, as far as it is read."""
        return tid in self._pace

    def take_hold_up(self) -> bool:
        """Whether the game was held up since the last call."""
        was_held_up, self.was_held_up = self.was_held_up, False
        return was_held_up

    def take_wait(self) -> AloneWait | None:
        """How it was found waiting for nobody of its own since the last call; None: it was not."""
        waits_alone, self.waits_alone = self.waits_alone, None
        return waits_alone

    def note(self, now_ns: int, names: Mapping[int, str], run_ns: Mapping[int, int]) -> None:
        """Take in how long each thread has run since it began."""
        seconds = (now_ns - self._read_ns) / 1e9
        if self._read_ns and seconds > 0:
            self._pace = self._paces(seconds, run_ns)
            self._choose_lead(seconds, run_ns)
        self._read_ns, self._run_ns = now_ns, dict(run_ns)
        known = {self.shows_frames, *(tid for tid, _ in self.busy)}
        paces = {
            tid: pace
            for tid, pace in self._pace.items()
            if tid in run_ns and (tid in known or pace >= _WORKS_NS_PER_S)
        }
        # Of the twenty equal workers of a job system others would be ahead in each second.
        ranked = {tid: pace * (_STAYS if tid in known else 1.0) for tid, pace in paces.items()}
        busiest = sorted(ranked, key=lambda tid: (-ranked[tid], tid))[:MOST_BUSY]
        chosen = tuple((tid, names[tid]) for tid in sorted(busiest))
        if chosen != self.busy:
            self.busy = chosen

    def _choose_lead(self, seconds: float, run_ns: Mapping[int, int]) -> None:
        """The thread that shows the frames, or the first one, unless that has not run for seconds
        while others work.
        """
        first = self.pid or 0
        before = self._run_ns.get(first, 0)
        is_idle = run_ns.get(first, before) - before < _IDLE_NS_PER_S * seconds
        self._idle_s = self._idle_s + seconds if is_idle else 0.0
        if self.shows_frames in run_ns:
            self.lead = self.shows_frames
        elif self._idle_s < _IDLE_S:
            self.lead = self.pid
        elif self.lead == self.pid or self.lead not in run_ns:
            self.lead = max(self._pace, key=lambda tid: self._pace[tid], default=self.pid)

    def _paces(self, seconds: float, run_ns: Mapping[int, int]) -> dict[int, float]:
        """How long each thread runs in a second lately, of those that do not rest.

        What is kept of a pace below that of rest would never count again.
        """
        before, old = self._run_ns, self._pace
        paces = {}
        for tid, run in run_ns.items():
            grown = run - before.get(tid, run)
            if not grown and tid not in old:
                continue
            pace = max(grown / seconds, _KEEP * old.get(tid, 0.0))
            if pace >= _RESTS_NS_PER_S:
                paces[tid] = pace
        return paces
