# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of messages written by hand: counters that grow as a test says, tick by tick."""

from collections.abc import Iterator, Mapping, Sequence

from destutter.core.catalog import SOURCES
from destutter.core.sample import (
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Message,
    RawValue,
    Reading,
    Sample,
    Trouble,
)
from destutter.core.statement import Statement, told

START_NS = 1_000_000_000_000
TICK_NS = 100_000_000

Rates = Mapping[str, float]
"""Growth per second by "source.field" or "source:instance.field"."""

QUIET: Rates = {
    "stat.idle": 390.0,
    "stat.user": 8.0,
    "stat.system": 2.0,
    "stat.context_switches": 800.0,
    "vmstat.pgfault": 500.0,
    **{f"cpu:cpu{number}.idle": 98.0 for number in range(4)},
    **{f"cpu:cpu{number}.user": 2.0 for number in range(4)},
}

INSTANCES = {
    "pressure": ("cpu", "io", "memory"),
    "disk": ("nvme0n1", "sda"),
    "cpu": tuple(f"cpu{number}" for number in range(4)),
}
LEVELS = {
    "vmstat.nr_dirty": 1_000,
    "vmstat.nr_writeback": 0,
    "vmstat.nr_dirty_threshold": 500_000,
    "vmstat.nr_dirty_background_threshold": 250_000,
    "meminfo.MemTotal": 16_000_000,
    "meminfo.MemAvailable": 12_000_000,
    "stat.procs_running": 1,
    "stat.procs_blocked": 0,
    "game.is_stopped": 0,
    "game.is_blocked": 0,
    "game.waits_for_dirty_limit": 0,
    "game.waits_for_journal": 0,
}


class ScriptedSource:
    """A ``SampleSource`` that plays messages from a list."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self.is_closed = False
        self.last_looks: list[Message] = []

    def messages(self) -> Iterator[Message]:
        """Play them once."""
        for message in self._messages:
            if self.is_closed:
                return
            yield message

    def close(self) -> None:
        """Stop playing."""
        self.is_closed = True


class Script:
    """Writes a stream: a header, then samples ten times a second.

    Counters start at ``base`` and grow by the rates of each ``run``; sources are those of
    ``sources``. A quiet four-core computer with two drives runs in the background.
    """

    def __init__(
        self,
        sources: Sequence[str] = ("vmstat", "meminfo", "stat", "pressure", "disk", "cpu"),
        instances: Mapping[str, Sequence[str]] = INSTANCES,
        *,
        has_probe: bool = True,
        base: int = 1_000_000,
    ) -> None:
        self.now_ns = START_NS
        self.messages: list[Message] = [Header(START_NS, 1.7e9, 100)]
        self._has_probe = has_probe
        self._values: dict[str, dict[str, float]] = {}
        self._names: dict[str, tuple[str, ...] | None] = {}
        for source in sources:
            spec = SOURCES[source]
            names = tuple(instances[source]) if spec.is_instanced else None
            self._add(source, names, base)
        for key, level in LEVELS.items():
            if key.partition(".")[0] in sources:
                self.set(key, level)
        for number in range(2):
            for field in ("in_flight", "reads_in_flight", "writes_in_flight"):
                if "disk" in sources:
                    self.set(f"disk:{INSTANCES['disk'][number]}.{field}", 0)
        if has_probe:
            self.messages.append(Layout("wakeup", SOURCES["wakeup"].fields))

    def _add(self, source: str, names: tuple[str, ...] | None, base: int) -> None:
        fields = SOURCES[source].fields
        self._names[source] = names
        for name in names or ("",):
            slot = f"{source}:{name}" if name else source
            self._values[slot] = dict.fromkeys(fields, float(base))
        self.messages.append(Layout(source, fields, names))

    def set(self, key: str, value: float | None) -> "Script":
        """Set a value: "stat.procs_running" or "disk:sda.reads_in_flight"; None: absent."""
        slot, _, field = key.rpartition(".")
        values = self._values[slot]
        if value is None:
            del values[field]
        else:
            values[field] = value
        return self

    def run(self, seconds: float, rates: Rates | None = None, late_ms: float = 0.2) -> "Script":
        """Let time pass with these rates beside the quiet ones; wakes are this late."""
        for _ in range(round(seconds * 10)):
            self.now_ns += TICK_NS
            for key, rate in {**QUIET, **(rates or {})}.items():
                slot, _, field = key.rpartition(".")
                if field in self._values.get(slot, {}):
                    self._values[slot][field] += rate / 10
            self._emit(late_ms)
        return self

    def hiccup(self, late_ms: float) -> "Script":
        """One tick in which the probe woke up this late."""
        return self.run(0.1, late_ms=late_ms)

    def frames(self, *frame_ms: float, origin: str = "mangohud") -> "Script":
        """Frames that end now, one after the other; time does not advance."""
        lengths = tuple(round(each * 1000) for each in frame_ms)
        end_ns = self.now_ns - 1000 * sum(lengths)
        times = []
        for length in lengths:
            end_ns += 1000 * length
            times.append(end_ns)
        self.messages.append(Frames(origin, tuple(times), lengths))
        return self

    def look(self, *processes: Mapping[str, float], names: Sequence[str]) -> "Script":
        """A look at processes: one mapping of catalog fields for each name "PID COMM"."""
        fields = SOURCES["process"].fields
        values: list[RawValue] = []
        for process in processes:
            values += [int(process.get(field, 0)) for field in fields]
        self.messages.append(Layout("process", fields, tuple(names)))
        reading = Reading("process", self.now_ns, tuple(values))
        self.messages.append(Sample(self.now_ns, 0, 500, 10, (reading,)))
        return self

    def fact(self, **facts: str) -> "Script":
        """State facts; two underscores in a name stand for a dot."""
        named = {name.replace("__", "."): value for name, value in facts.items()}
        self.messages.append(Facts(self.now_ns, named))
        return self

    def trouble(self, source: str, reason: str | Statement) -> "Script":
        """Say why a source cannot deliver; an empty text says that it can again."""
        why = told(reason) if isinstance(reason, str) and reason else reason or None
        assert not isinstance(why, str)
        self.messages.append(Trouble(self.now_ns, source, why))
        return self

    def mark(self, text: str) -> "Script":
        """Put in a marker."""
        self.messages.append(Marker(self.now_ns, text))
        return self

    def sleep(self, seconds: float) -> "Script":
        """Nothing is sampled for a while, as on a frozen computer."""
        self.now_ns += round(seconds * 1e9)
        return self

    def source(self) -> ScriptedSource:
        """What was written so far, as a source."""
        return ScriptedSource(tuple(self.messages))

    def _emit(self, late_ms: float) -> None:
        readings = tuple(
            Reading(source, self.now_ns, tuple(self._row(source, names)))
            for source, names in self._names.items()
        )
        self.messages.append(Sample(self.now_ns, 0, 500, 10, readings))
        if self._has_probe:
            worst_us = round(late_ms * 1000)
            wakes = (20, worst_us, worst_us + 19 * 100, *self._over(late_ms), self.now_ns, 1000)
            reading = Reading("wakeup", self.now_ns, wakes)
            self.messages.append(Sample(self.now_ns, 0, 0, 0, (reading,)))

    def _row(self, source: str, names: tuple[str, ...] | None) -> list[RawValue]:
        row: list[RawValue] = []
        for name in names or ("",):
            values = self._values[f"{source}:{name}" if name else source]
            row += [
                int(values[field]) if field in values else None for field in SOURCES[source].fields
            ]
        return row

    @staticmethod
    def _over(late_ms: float) -> list[int]:
        return [int(late_ms > limit) for limit in (1, 4, 10, 50)]
