# SPDX-License-Identifier: GPL-3.0-or-later
"""The ticks that one stutter overlaps, and what of their rates lies within it."""

import math
from collections.abc import Sequence

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.drives import NO_DRIVES
from destutter.diagnosis.history.tick_log import Key, Tick, TickLog

PCT_TO_MS_PER_S = 10.0
_REQUESTS = ("disk.reads_per_s", "disk.writes_per_s")


class StutterSpan:
    """The ticks that one stutter overlaps."""

    def __init__(self, log: TickLog, spike: Spike, ticks: Sequence[Tick]) -> None:
        self._log = log
        self._ticks = ticks
        self._duration_ms = spike.duration_ms
        self._length_ms = sum(tick.length_s for tick in ticks) * 1e3

    def inside(self, key: Key, scale: float = 1.0, most: float | None = 1.0) -> float:
        """What of a rate per second lies within the stutter, in its unit times seconds.

        At most ``most`` times the stutter's length: nobody waits longer than that.
        """
        measured = sum((tick.get(key) or 0.0) * scale * tick.length_s for tick in self._ticks)
        outside_s = max(self._length_ms - self._duration_ms, 0.0) / 1e3
        usual = self._log.usual(key) or 0.0
        value = max(measured - usual * scale * outside_s, 0.0)
        return value if most is None else min(value, most * self._duration_ms)

    def closely(self, key: Key) -> float:
        """The same of a time in ms/s that every frame beside a stutter may have as well.

        A short stutter overlaps few of the ticks that are looked at, wherever in them it lies
        (clocks are a little off), and what is left of those is taken to be as the ticks beside
        them, if that is more than usual: eight writers that kept a game from its core for 21 % of
        each frame had 58 of 64 ms in four ticks, and 13 in the frame.
        """
        lengths = [tick.length_s for tick in self._ticks]
        count = math.ceil(self._duration_ms / 1e3 / max(lengths)) + 1 if any(lengths) else 1
        if count >= len(self._ticks):
            return self.inside(key)
        spent = [(tick.get(key) or 0.0) * tick.length_s for tick in self._ticks]
        starts = range(len(spent) - count + 1)
        first = max(starts, key=lambda each: sum(spent[each : each + count]))
        span_s = sum(lengths[first : first + count])
        most = sum(spent[first : first + count])
        rest_s = sum(lengths) - span_s
        beside = (sum(spent) - most) / rest_s if rest_s > 0 else 0.0
        else_rate = max(self._log.usual(key) or 0.0, min(beside, most / span_s))
        outside_s = max(span_s - self._duration_ms / 1e3, 0.0)
        return min(max(most - else_rate * outside_s, 0.0), self._duration_ms)

    def has(self, key: Key) -> bool:
        """Whether any of the ticks knows a value."""
        return any(tick.get(key) is not None for tick in self._ticks)

    def total(self, metric: str) -> float:
        """What of a rate all the overlapped ticks have."""
        return sum(tick.values.get(metric, 0.0) * tick.length_s for tick in self._ticks)

    def total_of(self, metric: str, name: str) -> float:
        """The same of one instance."""
        return sum((tick.get((metric, name)) or 0.0) * tick.length_s for tick in self._ticks)

    def times_of(self, metric: str, scale: float = 1.0) -> dict[str, float]:
        """``inside`` for each instance of a metric."""
        return {name: self.inside((metric, name), scale) for name in self._names(metric)}

    def closely_of(self, metric: str) -> dict[str, float]:
        """``closely`` for each instance of a metric."""
        return {name: self.closely((metric, name)) for name in self._names(metric)}

    def rates_of(self, metric: str) -> dict[str, float]:
        """The usual value of each instance of a metric."""
        names = self._names(metric)
        return {name: self._log.usual((metric, name)) or 0.0 for name in names}

    def busiest_drive(self, only: frozenset[str] | None = None) -> tuple[str, float | None]:
        """The drive that had work longest, and how long; no name and None without drives.

        ``only`` are those that count, where they are known.
        """
        busy = self.times_of("disk.busy_pct", PCT_TO_MS_PER_S)
        busy = {name: ms for name, ms in busy.items() if name in (only or ())} or busy
        drives = {name: ms for name, ms in busy.items() if not name.startswith(NO_DRIVES)}
        name = max(drives, key=lambda each: drives[each], default="")
        return name, drives.get(name)

    def request_ms(self, drive: str) -> float:
        """The time that a drive worked for each request; 0 where it had none."""
        requests = sum(self.total_of(metric, drive) for metric in _REQUESTS)
        busy_ms = self.inside(("disk.busy_pct", drive), PCT_TO_MS_PER_S)
        return busy_ms / requests if requests > 0 else 0.0

    def used_ms(self) -> float:
        """Processor time of all programs; what the host of a virtual machine took is none."""
        scale = PCT_TO_MS_PER_S * self._log.cores
        busy, stolen = (
            self.inside((metric, None), scale, most=None)
            for metric in ("cpu.busy_pct", "cpu.steal_pct")
        )
        return max(busy - stolen, 0.0)

    def others_kernel_part(self) -> float:
        """The kernel's share of the processor time that all but the game had; 0 of none."""
        scale = PCT_TO_MS_PER_S * self._log.cores
        busy, stolen, system = (
            self.total(metric) * scale
            for metric in ("cpu.busy_pct", "cpu.steal_pct", "cpu.system_pct")
        )
        used_ms = busy - stolen - self.total("game.cpu_ms_per_s")
        kernel_ms = system - self.total("game.system_ms_per_s")
        return min(max(kernel_ms, 0.0) / used_ms, 1.0) if used_ms > 0 else 0.0

    def kernel_part(self) -> float:
        """The kernel's share of the game's processor time; all of it where nothing is known."""
        cpu_s = self.total("game.cpu_ms_per_s")
        return min(self.total("game.system_ms_per_s") / cpu_s, 1.0) if cpu_s > 0 else 1.0

    def _names(self, metric: str) -> list[str]:
        return sorted({name for tick in self._ticks for name in tick.instanced.get(metric, ())})
