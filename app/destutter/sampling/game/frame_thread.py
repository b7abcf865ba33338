# SPDX-License-Identifier: GPL-3.0-or-later
"""Which thread of the game shows its frames: the one that writes the log of them.

MangoHud writes a row in the very call that shows a frame, and each of them at once
(``Logger::try_log`` in its src/logging.cpp, with ``log_interval=0``). The kernel counts what each
thread writes, so that of this one the count grows as the log does. No clock is needed for it, and
no trace: a log's rows are up to a frame late by ours, and many threads run at the end of a frame.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import (
    PROC,
    list_threads,
    read_if_shown,
    status_value,
)
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.threads import MOST_THREADS
from destutter.sampling.game.watched_process import WatchedProcess

_LEAST_BYTES = 1500  # a second of 20 frames; of less nothing is told yet
_ROW_BYTES = 256  # between a write and its count, and between our looks at both
_SURE_AFTER = 3  # such growths in a row
_EXACT = 0.02  # beyond the log's growth: of several that write as much it is that of its writer
_MOST_IN_VAIN = 10  # growths without an answer; then they are looked at seldom
_SELDOM = 10  # looks
_WRITES_SOME = b"mangohud-log"  # writes a row now and then, and shows no frame


class _Counts(NamedTuple):
    """What threads had written, and the log's length before and after they were asked."""

    written: Mapping[int, int]
    before: int
    after: int


class _WriterSearch:
    """Who wrote as much as the log grew, each time of so many, and who wrote no more.

    It begins after ``rests`` looks.
    """

    def __init__(self, rests: int = 0) -> None:
        self.rests = rests
        self.times = 0
        self.as_much: frozenset[int] = frozenset()
        self.exact: frozenset[int] = frozenset()
        self._before: _Counts | None = None

    def take(self, counts: _Counts) -> bool:
        """Take in the next counts; whether they tell anything."""
        before, self._before = self._before, self._before or counts
        if before is None or counts.before - before.after < _LEAST_BYTES:
            if before is not None and counts.after < before.before:
                self._before = counts  # the log was begun anew
            return False
        self._before = counts
        least = counts.before - before.after - _ROW_BYTES
        most = (counts.after - before.before) * (1 + _EXACT) + _ROW_BYTES
        known = before.written
        more = {tid: now - known[tid] for tid, now in counts.written.items() if tid in known}
        as_much = frozenset(tid for tid, written in more.items() if written >= least)
        exact = frozenset(tid for tid in as_much if more[tid] <= most)
        self.as_much = self.as_much & as_much if self.times else as_much
        self.exact = self.exact & exact if self.times else exact
        self.times += 1
        return True


class FrameThread:
    """Looked for once a second, outside the tick; ``tid`` is that thread, None while unknown.

    Once sure it stays, until it has ended or another one is as sure. ``label`` is its number and
    name, empty while unknown.
    """

    def __init__(
        self, files: KernelFiles, watch: WatchedProcess, threads: GameThreads | None = None
    ) -> None:
        self._files = files
        self._watch = watch
        self._threads = GameThreads() if threads is None else threads
        self.tid: int | None = None
        self._game: tuple[int | None, Path | None] = (None, None)
        self._search = _WriterSearch()

    @property
    def label(self) -> str:
        pid, tid = self._watch.pid, self.tid
        if pid is None or tid is None:
            return ""
        return f"{tid} {text_of(self._name(pid, tid))}"

    def look(self, log: Path | None) -> None:
        """Compare what the threads of the game have written with the growth of its log."""
        pid = self._watch.pid
        if pid != self._game[0]:
            self.tid = None
        if (pid, log) != self._game:
            self._game, self._search = (pid, log), _WriterSearch()
        if pid is None or log is None:
            return
        if self.tid is not None and self._written(pid, self.tid) is None:
            self.tid, self._search = None, _WriterSearch()
        self._search.rests -= 1
        counts = None if self._search.rests > 0 else self._counts(pid, log)
        if counts is not None and self._search.take(counts) and self._search.times >= _SURE_AFTER:
            self._judge(pid, log, self._search)

    def _judge(self, pid: int, log: Path, search: _WriterSearch) -> None:
        """Who wrote as much each time, and no more, is its writer; or the only one that did.

        Wine's threads write to their server hundreds of times a second, some of those that show
        frames to the X server.
        """
        if len(search.exact) == 1:
            (found,) = search.exact
        elif len(search.as_much) == 1 and self._has_open(pid, log):
            (found,) = search.as_much
        else:
            if not search.as_much or search.times >= _MOST_IN_VAIN:
                self._search = _WriterSearch(_SELDOM)
            return
        self._search = _WriterSearch(_SELDOM)
        if self._name(pid, found) != _WRITES_SOME:
            self.tid = found

    def _name(self, pid: int, tid: int) -> bytes:
        return read_if_shown(self._files, f"{PROC}/{pid}/task/{tid}/comm").strip()

    def _has_open(self, pid: int, log: Path) -> bool:
        """Whether the game has the log open: another program may write it for a compositor."""
        try:
            names = self._files.list_names(f"{PROC}/{pid}/fd")
            links = [self._files.read_link(f"{PROC}/{pid}/fd/{name}") for name in names]
        except KernelFileError:
            return False
        return any((link or "").endswith(f"/{log.name}") for link in links)

    def _counts(self, pid: int, log: Path) -> _Counts | None:
        """None where the log or the game is gone, or its counts are not shown."""
        try:
            before = os.stat(log).st_size
            tids = list_threads(self._files, pid)
            if len(tids) > MOST_THREADS:
                tids = [tid for tid in tids if self._threads.works(tid)]
            told = ((tid, self._written(pid, tid)) for tid in tids)
            written = {tid: count for tid, count in told if count is not None}
            after = os.stat(log).st_size
        except (OSError, ValueError, KernelFileError):
            return None
        return _Counts(written, before, after) if written else None

    def _written(self, pid: int, tid: int) -> RawValue:
        path = f"{PROC}/{pid}/task/{tid}/io"
        return status_value(path, read_if_shown(self._files, path), b"wchar")
