# SPDX-License-Identifier: GPL-3.0-or-later
"""Which threads of a game with very many are looked at once a second."""

from collections.abc import Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.process_files import PROC, parse_task_schedstat
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.threads import MOST_THREADS
from destutter.sampling.game.watched_process import WatchedProcess

_TURNS = 4


class ThreadRanking:
    """Ranks the threads of a game with very many, outside the tick.

    ``look`` reads all of them and is called from time to time; ``choose`` answers at once from
    the last look.
    """

    def __init__(
        self, files: KernelFiles, watch: WatchedProcess, lists: ThreadLists | None = None
    ) -> None:
        self._files = files
        self._watch = watch
        self._lists = ThreadLists(files) if lists is None else lists
        self._ranked: tuple[int | None, tuple[int, ...]] = (None, ())
        self._choice: tuple[object, Sequence[int], Sequence[int]] = (None, (), ())
        self._used: dict[int, int] = {}
        self._turn = 0

    def look(self) -> None:
        """Rank the threads by the CPU time that they have used."""
        pid = self._watch.pid
        if pid is None:
            return
        tids = self._lists.of(pid, self._watch.threads)
        if len(tids) <= MOST_THREADS:
            return
        if self._ranked[0] != pid:
            self._used = {}
        # Who works stays among the busiest for long; a few hundred are gone through in turn.
        self._turn += 1
        self._used = {
            tid: self._run_ns(pid, tid)
            if tid not in self._used or tid % _TURNS == self._turn % _TURNS
            else self._used[tid]
            for tid in tids
        }
        ranked = sorted(self._used, key=lambda tid: (-self._used[tid], tid))
        self._ranked = (pid, tuple(ranked[:MOST_THREADS]))

    def choose(self, pid: int, tids: Sequence[int]) -> Sequence[int]:
        """The busiest of the last look, filled up with the oldest of the rest.

        The same object while the ranking and the list are the same.
        """
        ranking, listed, chosen = self._choice
        if ranking is not self._ranked or listed is not tids:
            chosen = self._choose(pid, tids)
            self._choice = self._ranked, tids, chosen
        return chosen

    def _choose(self, pid: int, tids: Sequence[int]) -> Sequence[int]:
        ranked_pid, ranked = self._ranked
        there = set(tids)
        known = [tid for tid in ranked if tid in there] if ranked_pid == pid else []
        if len(known) >= MOST_THREADS:
            return known[:MOST_THREADS]
        taken = set(known)
        return [*known, *(tid for tid in tids if tid not in taken)][:MOST_THREADS]

    def _run_ns(self, pid: int, tid: int) -> int:
        path = f"{PROC}/{pid}/task/{tid}/schedstat"
        try:
            data = self._files.read_bytes(path)
            values = parse_task_schedstat(path, data) if data else (0,)
        except KernelFileError:
            return 0
        return values[0] or 0
