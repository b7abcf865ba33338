# SPDX-License-Identifier: GPL-3.0-or-later
"""One sampler under way: its layouts, its failures, and when it is tried again."""

from collections.abc import Callable
from dataclasses import dataclass, field

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import Layout, Message, Reading, Trouble
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError, SourceSampler

_FIRST_DELAY_NS = 1_000_000_000
_LONGEST_DELAY_NS = 60_000_000_000  # what comes back is measured again within a minute
_NEVER = ("never delivered",)


@dataclass(slots=True)
class Batch:
    """What was collected: events to send first, then readings."""

    messages: list[Message] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)


class SamplerTrack:
    """Reads a sampler and says what changed. ``clock`` gives nanoseconds of CLOCK_MONOTONIC.

    A failure costs only the sources of this sampler: it is told once when it begins and once
    when it is over, and the sampler is tried again after one second, two, four, up to a minute.
    """

    __slots__ = ("_clock", "_failures", "_instances", "_retry_ns", "_told", "is_absent", "sampler")

    def __init__(self, sampler: SourceSampler, clock: Callable[[], int]) -> None:
        self.sampler = sampler
        self.is_absent = False
        self._clock = clock
        self._retry_ns = 0
        self._failures = 0
        self._told: dict[str, str] = {}
        self._instances: dict[str, tuple[str, ...] | None] = dict.fromkeys(sampler.sources, _NEVER)

    def run(self, batch: Batch) -> None:
        """Take one reading, if it is time for one."""
        now_ns = self._clock()
        if now_ns < self._retry_ns:
            return
        try:
            measurements = self.sampler.read()
        except AbsentError as error:
            self._fail(now_ns, error.statement, batch, is_absent=True)
            return
        except KernelFileError as error:
            self._fail(now_ns, error.statement, batch, is_absent=False)
            return
        except Exception as error:  # noqa: BLE001  a mistake of ours must cost one source only
            reason = Statement(
                "sampling.mistake", {"kind": type(error).__name__, "reason": str(error)}
            )
            self._fail(now_ns, reason, batch, is_absent=False)
            return
        for source, instances, values in measurements:
            known = self._instances[source]
            if instances is not known and instances != known:
                self._instances[source] = instances
                batch.messages.append(Layout(source, SOURCES[source].fields, instances))
            batch.readings.append(Reading(source, now_ns, values))
        if self._failures and measurements:
            self._recover(now_ns, batch)

    def wake(self) -> None:
        """Try again at once: what was missing may be there now."""
        self._retry_ns = 0
        self.is_absent = False

    def close(self) -> None:
        self.sampler.close()

    def _fail(self, now_ns: int, reason: Statement, batch: Batch, *, is_absent: bool) -> None:
        kind = "absent" if is_absent else "broken"
        self.is_absent = is_absent
        self.sampler.close()
        delay_ns = min(_FIRST_DELAY_NS << min(self._failures, 6), _LONGEST_DELAY_NS)
        self._failures += 1
        self._retry_ns = now_ns + delay_ns
        for source in self.sampler.sources:
            if self._told.get(source) != kind:
                self._told[source] = kind
                batch.messages.append(Trouble(now_ns, source, reason))

    def _recover(self, now_ns: int, batch: Batch) -> None:
        self._failures = 0
        self.is_absent = False
        for source in self._told:
            batch.messages.append(Trouble(now_ns, source))
        self._told = {}
