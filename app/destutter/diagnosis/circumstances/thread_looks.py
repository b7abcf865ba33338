# SPDX-License-Identifier: GPL-3.0-or-later
"""What looks at the game's threads saw at moments within one stutter, and how often."""

from collections.abc import Mapping, Sequence

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS, Tick, TickLog

KINDS = ("io", "memory", "dirty", "journal", "maps", "other", "frozen")
PLACES = ("futex", "events", "socket", "pipe", "gpu", "server", "other")
UNTIMED = "untimed"
"""A futex that nothing but another thread or process ends."""
_FOUND = {
    "running": "thread.found_running",
    **{
        place: f"thread.found_in_{place}"
        for place in ("timer", "socket", "pipe", "events", "gpu", "server", "other")
    },
}
_HOLDERS = ("traces", "locks", "serves", "child", "reads")
_IN_D = ("game.dirty_wait_pct", "game.journal_wait_pct")


_ENOUGH_TICKS = 50  # five seconds


def usually_seen(log: TickLog) -> dict[str, float]:
    """In what share of the ticks outside of stutters a thread was found blocked, by what.

    Nothing while there were few. In a tick without a look nobody seemed to wait.
    """
    ticks, seen = 0, dict.fromkeys(KINDS, 0)
    for tick in log.outside():
        ticks += "game.main_cpu_ms_per_s" in tick.values
        for kind in KINDS:
            seen[kind] += bool(tick.values.get(f"game.threads_waiting_{kind}"))
    return {kind: count / ticks for kind, count in seen.items()} if ticks >= _ENOUGH_TICKS else {}


class ThreadLooks:
    """What the looks at the game's threads saw at moments within a stutter."""

    def __init__(self, spike: Spike, ticks: Sequence[Tick]) -> None:
        self.count = self.stopped = self.inside = self.on_timer = self.handed_on = 0
        self.seen = dict.fromkeys(KINDS, 0)
        self.asleep = dict.fromkeys((*PLACES, UNTIMED), 0)
        self.waiters: dict[str, int] = {}
        self.holders: dict[tuple[str, str], int] = {}
        self._found: dict[tuple[str, str], int] = {}
        for tick in ticks:
            if spike.start_ns - LOOK_NS <= tick.end_ns <= spike.monotonic_ns + LOOK_NS:
                self._take(tick.values, tick.instanced.get("thread.waiting", {}))
                self._take_found(tick)
            if spike.start_ns < tick.end_ns < spike.monotonic_ns:
                self._take_inside(tick.values)

    def times_blocked(self, tid: str) -> int:
        """How many looks found this thread blocked."""
        return sum(count for name, count in self.waiters.items() if name.split()[0] == tid)

    @property
    def kept(self) -> tuple[str, str, int]:
        """The thread that was found most often where it never is, where, and how often.

        Of several one that sleeps: what runs there may run for nobody.
        """
        (name, place), count = max(
            self._found.items(),
            key=lambda item: (item[1], item[0][1] != "running"),
            default=(("", ""), 0),
        )
        return name, place, count

    def _take_found(self, tick: Tick) -> None:
        values = tick.values
        self.handed_on += bool(
            values.get("game.main_in_futex") or values.get("game.main_in_events")
        )
        for place, metric in _FOUND.items():
            for name, is_there in tick.instanced.get(metric, {}).items():
                if is_there:
                    self._found[name, place] = self._found.get((name, place), 0) + 1
        for how in _HOLDERS:
            for name, is_there in tick.instanced.get(f"holder.{how}", {}).items():
                if is_there:
                    self.holders[how, name] = self.holders.get((how, name), 0) + 1

    def _take_inside(self, values: Mapping[str, float]) -> None:
        self.inside += "game.threads_waiting_io" in values
        self.on_timer += bool(values.get("game.main_in_timer"))

    def _take(self, values: Mapping[str, float], waiting: Mapping[str, float]) -> None:
        is_stopped = values.get("game.stopped_pct") or values.get("game.threads_stopped")
        self.stopped += bool(is_stopped)
        if "game.threads_waiting_io" in values:
            self.count += 1
            for kind in KINDS:
                self.seen[kind] += bool(values.get(f"game.threads_waiting_{kind}"))
            for place in PLACES:
                self.asleep[place] += bool(values.get(f"game.main_in_{place}"))
            self.asleep[UNTIMED] += bool(values.get("game.main_untimed"))
            for name in waiting:
                self.waiters[name] = self.waiters.get(name, 0) + 1
        elif values.get("game.blocked_pct"):
            # Recordings from before every thread was looked at have the main thread only.
            self.count += 1
            is_dirty, is_journal = (values.get(metric) for metric in _IN_D)
            kind = "journal" if is_journal else "dirty" if is_dirty else "io"
            self.seen[kind] += 1
