# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page about the computer takes from the stream: the newest value of each metric."""

from collections.abc import Mapping

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import NotMeasured

_WANTED = frozenset(
    {
        "core.interrupts_per_s",
        "core.softirq_timer_per_s",
        "core.softirq_net_per_s",
        "core.softirq_block_per_s",
        "core.softirq_other_per_s",
        "core.irq_pct",
        "interrupt.per_s",
        "realtime.cpu_pct",
        "realtime.processor",
        "cpufreq.current_mhz",
        "gpu.busy_pct",
        "gpu.vram_used_bytes",
        "gpu.vram_total_bytes",
        "gpu.temperature_celsius",
    }
)
_PLAIN = ("cpu.busy_pct", "memory.available_bytes")

Values = Mapping[str, float | None]


class NewestValues:
    """Keeps the newest values. Instances are those of the newest reading of their source."""

    def __init__(self) -> None:
        self._values: dict[str, Values] = {}
        self._plain: dict[str, float | None] = {}
        self.facts: dict[str, str] = {}
        self.not_measured: tuple[NotMeasured, ...] = ()
        self.is_known = False

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        self.is_known = True
        self.facts = snapshot.facts
        self.not_measured = snapshot.assessment.not_measured
        for metrics in snapshot.metrics:
            for metric in _WANTED & metrics.instanced.keys():
                self._values[metric] = metrics.instanced[metric]
            self._plain |= {
                each: metrics.values[each] for each in _PLAIN if each in metrics.values
            }

    def one(self, metric: str) -> float | None:
        """The value of a metric of the whole computer; None where it is not measured."""
        return self._plain.get(metric)

    def was_read(self, metric: str) -> bool:
        """Whether its source was read at all, be it that nothing was there."""
        return metric in self._values

    def of(self, metric: str) -> dict[str, float]:
        """The values that are there, by instance."""
        found = self._values.get(metric, {})
        return {name: value for name, value in found.items() if value is not None}

    @property
    def realtime_threads(self) -> list[str]:
        """The threads under a real-time policy, as "PID/TID"."""
        return [name.partition(" ")[0] for name in self.of("realtime.cpu_pct")]
