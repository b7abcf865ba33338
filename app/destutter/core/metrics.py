# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw values to what a person reads: rates, averages, shares, each with its unit.

A ``MetricSpec`` says how a metric follows from the fields of one source; ``Deriver`` applies the
specs to a stream of samples with the time that really passed. Formulas are data, so that the
live window, the command line and a replayed recording cannot disagree.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from destutter.core.catalog import PROBES
from destutter.core.sample import Layout, RawValue, Reading, Sample

WRAP_32 = 1 << 32
"""Where the kernel's narrow counters start anew."""

SUSPEND_NS = 200_000_000
"""More sleep than this between two samples: the computer was suspended."""

DAMAGED = "damaged"
"""Why there is a gap: lost from a recording."""


class Op(Enum):
    """How a metric follows from its fields (sums over ``numerator`` and ``denominator``)."""

    LEVEL = "the present sum"
    RATE = "growth of the sum per second"
    MEAN = "growth of one sum over the growth of another; nothing while the other rests"
    FRACTION = "one present sum over another"


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric: ``scale`` turns the raw unit into ``unit``.

    ``is_in_pages``: the raw unit is the machine's page, so ``scale`` is per byte of a page.
    """

    id: str
    unit: str
    source: str
    op: Op
    numerator: tuple[str, ...]
    denominator: tuple[str, ...] = ()
    scale: float = 1.0
    is_in_pages: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """A span without measurements.

    ``reason``: "suspend", "stall" (nothing was scheduled) or "damaged" (lost from a recording).
    """

    start_ns: int
    end_ns: int
    reason: str

    @property
    def is_blind(self) -> bool:
        """Whether nothing is known of it, not even by what counters have afterwards."""
        return self.reason != "stall"


@dataclass(frozen=True, slots=True)
class Metrics:
    """What one sample says. Only metrics whose source was read in this sample are present.

    ``elapsed_s`` is the time since the sampler's previous sample; 0 for its first one and for
    samples of the probes, which are streams of their own in between, and after a loss.

    ``values`` holds metrics of scalar sources by id, ``instanced`` those of instanced sources by
    id and instance. None: the kernel does not offer it, or there was nothing to divide by.
    """

    monotonic_ns: int
    elapsed_s: float
    values: Mapping[str, float | None] = field(default_factory=dict)
    instanced: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    gap: Gap | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """A spec with its fields turned into positions within one instance.

    ``counter`` is the position of a rate's only field, which most metrics are; -1 for others.
    """

    spec: MetricSpec
    scale: float
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    counter: int


class Deriver:
    """Derives metrics from samples in order. One object per stream.

    ``interval_ms`` and ``page_bytes`` are those of the stream's header.
    """

    def __init__(
        self, specs: Iterable[MetricSpec], interval_ms: int = 100, page_bytes: int = 4096
    ) -> None:
        self._specs: dict[str, list[MetricSpec]] = {}
        for spec in specs:
            self._specs.setdefault(spec.source, []).append(spec)
        self._page_bytes = page_bytes
        self._gap_ns = max(1_000_000_000, 5 * interval_ms * 1_000_000)
        self._layouts: dict[str, Layout] = {}
        self._plans: dict[str, list[_Plan]] = {}
        self._previous: dict[str, Reading] = {}
        self._last: Sample | None = None

    def accept_layout(self, layout: Layout) -> None:
        """Use this layout for the source's readings from now on.

        Instances that both layouts have keep their history; new ones start without one.
        """
        old = self._layouts.get(layout.source)
        previous = self._previous.pop(layout.source, None)
        self._layouts[layout.source] = layout
        positions = {name: index for index, name in enumerate(layout.fields)}
        self._plans[layout.source] = [
            self._plan(spec, positions) for spec in self._specs.get(layout.source, ())
        ]
        if old is not None and previous is not None:
            values = _rearranged(old, layout, previous.values)
            self._previous[layout.source] = Reading(layout.source, previous.monotonic_ns, values)

    def _plan(self, spec: MetricSpec, positions: Mapping[str, int]) -> _Plan:
        numerator = _positions(spec.numerator, positions)
        is_counter = spec.op is Op.RATE and len(numerator) == 1
        return _Plan(
            spec,
            spec.scale * (self._page_bytes if spec.is_in_pages else 1),
            numerator,
            _positions(spec.denominator, positions),
            numerator[0] if is_counter else -1,
        )

    def derive(self, sample: Sample) -> Metrics:
        """The metrics of a sample against the samples before it."""
        is_probe = all(reading.source in PROBES for reading in sample.readings)
        gap = None if is_probe else self._gap_before(sample)
        if gap is not None and gap.is_blind:
            self._previous.clear()
        is_lost = gap is not None and gap.reason == DAMAGED
        last = None if is_lost else self._last
        if not is_probe:
            self._last = sample
        values: dict[str, float | None] = {}
        instanced: dict[str, dict[str, float | None]] = {}
        for reading in sample.readings:
            layout = self._layouts.get(reading.source)
            if layout is None or len(reading.values) != layout.width:
                continue
            self._derive_reading(layout, reading, values, instanced)
        elapsed_ns = 0 if last is None or is_probe else sample.monotonic_ns - last.monotonic_ns
        return Metrics(sample.monotonic_ns, elapsed_ns / 1e9, values, instanced, gap)

    def _gap_before(self, sample: Sample) -> Gap | None:
        last = self._last
        if last is None:
            return None
        if sample.is_after_loss or sample.monotonic_ns < last.monotonic_ns:
            # Counters of what was lost, spread over what is there, blamed the game itself for
            # freezes of which nothing had been kept.
            return Gap(last.monotonic_ns, sample.monotonic_ns, DAMAGED)
        if sample.suspended_ns - last.suspended_ns > SUSPEND_NS:
            return Gap(last.monotonic_ns, sample.monotonic_ns, "suspend")
        if sample.monotonic_ns - last.monotonic_ns > self._gap_ns:
            return Gap(last.monotonic_ns, sample.monotonic_ns, "stall")
        return None

    def _derive_reading(
        self,
        layout: Layout,
        reading: Reading,
        values: dict[str, float | None],
        instanced: dict[str, dict[str, float | None]],
    ) -> None:
        previous = self._previous.get(reading.source)
        self._previous[reading.source] = reading
        before = None if previous is None else previous.values
        seconds = 0.0 if previous is None else (reading.monotonic_ns - previous.monotonic_ns) / 1e9
        for plan in self._plans[reading.source]:
            if layout.instances is None:
                values[plan.spec.id] = _evaluate(plan, reading.values, before, 0, seconds)
                continue
            width = len(layout.fields)
            instanced[plan.spec.id] = {
                instance: _evaluate(plan, reading.values, before, index * width, seconds)
                for index, instance in enumerate(layout.instances)
            }


def _positions(names: tuple[str, ...], positions: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(positions[name] for name in names if name in positions)


def _rearranged(old: Layout, new: Layout, values: tuple[RawValue, ...]) -> tuple[RawValue, ...]:
    """The old values in the order of the new layout; None where the old one had none."""
    known = {}
    for index, instance in enumerate(_instances(old)):
        for offset, name in enumerate(old.fields):
            known[instance, name] = values[index * len(old.fields) + offset]
    return tuple(
        known.get((instance, name)) for instance in _instances(new) for name in new.fields
    )


def _instances(layout: Layout) -> tuple[str, ...]:
    return ("",) if layout.instances is None else layout.instances


def _evaluate(
    plan: _Plan,
    now: tuple[RawValue, ...],
    before: tuple[RawValue, ...] | None,
    base: int,
    seconds: float,
) -> float | None:
    if plan.counter >= 0:
        # Called hundreds of times a second: the counter that grew, without another call.
        if before is None or seconds <= 0:
            return None
        new, old = now[base + plan.counter], before[base + plan.counter]
        if new is None or old is None:
            return None
        if new >= old:
            return (new - old) * plan.scale / seconds
    spec = plan.spec
    if spec.op is Op.LEVEL:
        total = _sum(now, plan.numerator, base)
        return None if total is None else total * plan.scale
    if spec.op is Op.FRACTION:
        return _ratio(
            _sum(now, plan.numerator, base), _sum(now, plan.denominator, base), plan.scale
        )
    if before is None or seconds <= 0:
        return None
    grown = _growth(now, before, plan.numerator, base)
    if spec.op is Op.RATE:
        return None if grown is None else grown * plan.scale / seconds
    return _ratio(grown, _growth(now, before, plan.denominator, base), plan.scale)


def _ratio(above: int | None, below: int | None, scale: float) -> float | None:
    return None if above is None or not below else above * scale / below


def _sum(values: tuple[RawValue, ...], positions: tuple[int, ...], base: int) -> int | None:
    """The sum of what exists; None when nothing does."""
    if len(positions) == 1:
        return values[base + positions[0]]
    total = None
    for position in positions:
        value = values[base + position]
        if value is not None:
            total = value if total is None else total + value
    return total


def _growth(
    now: tuple[RawValue, ...], before: tuple[RawValue, ...], positions: tuple[int, ...], base: int
) -> int | None:
    """How much the counters grew together; None when one was reset or nothing is known.

    Several kernel counters are 32 bits wide (times in /proc/diskstats, /proc/softirqs): a fall
    from the upper half of that range to below is a wrap. Any other fall is a counter that
    started anew (a device that came back) or one that the kernel corrected downwards (iowait),
    and neither is a measurement.
    """
    total = None
    for position in positions:
        new, old = now[base + position], before[base + position]
        if new is None or old is None:
            continue
        delta = new - old
        if delta < 0:
            if not (WRAP_32 // 2 <= old < WRAP_32 and new < WRAP_32 // 2):
                return None
            delta += WRAP_32
        total = delta if total is None else total + delta
    return total
