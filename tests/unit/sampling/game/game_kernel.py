# SPDX-License-Identifier: GPL-3.0-or-later
"""A game in a tree of its own, looked at tick by tick."""

from destutter.core.catalog import SOURCES
from destutter.sampling.computer.pressure import PressureTotals
from destutter.sampling.files.thread_lists import ThreadLists
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.look_allowance import Allowance
from destutter.sampling.game.map_readers import MapReaders
from destutter.sampling.game.thread_waits import ThreadWaitSampler
from destutter.sampling.game.watched_process import WatchedProcess
from tests.support.fake_root import FakeRoot, process_stat

PID, WORKER = 7, 8
TICK_NS = 100_000_000


class GameKernel:
    """A game with two threads on a computer whose pressure and clocks the test moves."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.now_ns = 0
        self.worked_ns = 0
        self.look_ns = 500_000
        self.lost_us = {"io": 0, "memory": 0}
        self.run_ns = 0
        self.put(PID, "game", "S", "futex_wait_queue")
        self.put(WORKER, "streamer", "S", "futex_wait_queue")
        self.game_threads = game_threads = GameThreads()
        game_threads.begin(PID)
        game_threads.tids = (PID, WORKER)
        self.watch = WatchedProcess(PID)
        self.stalls = PressureTotals()
        self.readers = MapReaders(self.root.files, lambda: self.now_ns)
        self.sampler = ThreadWaitSampler(
            ThreadLists(self.root.files),
            self.watch,
            game_threads,
            self.stalls,
            self.readers,
            Allowance(lambda: self.now_ns, self._cost),
        )

    def put(self, tid, name, state, place):
        """What a thread does now."""
        line = process_stat(tid, name).replace(") S ", f") {state} ", 1)
        assert f") {state} " in line
        self.root.put(f"/proc/{PID}/task/{tid}/stat", line)
        self.root.put(f"/proc/{PID}/task/{tid}/wchan", place)

    def tick(self, *, io_us=0, memory_us=0, run_ms=10.0):
        """Let a tick pass; what the look saw by source, or nothing."""
        self.now_ns += TICK_NS
        self.run_ns += int(run_ms * 1e6)
        for name, grown in (("io", io_us), ("memory", memory_us)):
            self.lost_us[name] += grown
            self.stalls.some_us[name] = self.lost_us[name]
        self.watch.main_run_ns = self.run_ns
        return {each.source: each for each in self.sampler.read()}

    def settle(self):
        """Ticks in which all is well."""
        for _ in range(30):
            assert self.tick() == {}

    def _cost(self):
        self.worked_ns += self.look_ns
        return self.worked_ns


def seen(told):
    """The values of a look by field."""
    return dict(zip(SOURCES["game_wait"].fields, told["game_wait"].values, strict=True))


def held(told):
    """Who was told to keep the game's threads, and how."""
    if "holder" not in told:
        return {}
    fields = SOURCES["holder"].fields
    rows = zip(*[iter(told["holder"].values)] * len(fields), strict=True)
    names = told["holder"].instances
    return {name: fields[row.index(1)] for name, row in zip(names, rows, strict=True)}
