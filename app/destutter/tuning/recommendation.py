# SPDX-License-Identifier: GPL-3.0-or-later
"""A value that a setting should have, and everything that a rule may look at to propose one."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue
from destutter.tuning.keys import key_of
from destutter.tuning.machine_profile import MachineProfile
from destutter.tuning.presets import ALWAYS, EVIDENCE, GENERAL, Preset
from destutter_helper.api.tunables import BY_ID, TUNABLES

LOW, MEDIUM, HIGH = "low", "medium", "high"

_RISKS = {
    "vm.dirty_bytes": MEDIUM,
    "vm.dirty_background_bytes": MEDIUM,
    "vm.dirty_ratio": MEDIUM,
    "vm.dirty_background_ratio": MEDIUM,
    "vm.min_free_kbytes": MEDIUM,
    "block.scheduler": MEDIUM,
    "block.wbt_lat_usec": MEDIUM,
    # It costs power all the time, and a drive that becomes hot slows itself down.
    "nvme.latency_tolerance": MEDIUM,
    "thp.enabled": MEDIUM,
    "thp.khugepaged_defrag": MEDIUM,
    "cpu.dma_latency": MEDIUM,
    "softirq.policy": HIGH,
}
_MOST_DIGITS = 20  # 64 bits have 19; a damaged recording may hold thousands, which int() refuses

ON_BATTERY = Statement("tuning.on_battery")
"""When what costs power all the time is wrong."""


def usual_risk(tunable: str) -> str:
    """``LOW``, ``MEDIUM`` or ``HIGH``: the word of advice and of the page about a setting."""
    return _RISKS.get(tunable, LOW)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A value that a setting should have.

    ``causes`` are ids of what it works against; it is given without any of them measured only
    where ``stands_alone``. ``cost`` says with numbers what it takes from somebody else,
    ``not_when`` in which cases it is wrong. ``overrules``: no choice of anybody is known that
    would be a reason for another value. ``with_others`` names what has to be changed with it.
    """

    tunable: str
    device: str
    current: str
    recommended: str
    reason: Statement
    risk: str
    cost: Statement
    effect: Statement
    not_when: tuple[Statement, ...]
    causes: tuple[str, ...] = ()
    stands_alone: bool = False
    overrules: bool = False
    with_others: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The setting as "ID" or "ID@DEVICE"."""
        return key_of(self.tunable, self.device)

    @property
    def risk_word(self) -> Statement:
        return Statement(f"tuning.risk.{self.risk}")


@dataclass(frozen=True, slots=True)
class PairResult:
    """One I/O scheduler in the fairness test of a drive: a single reader beside a heavy job."""

    reader_p99_ms: float
    heavy_per_s: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, as far as it was.

    ``causes`` are ids of findings of medium or high confidence, with the devices that they are
    about (empty: none in particular). ``peak_mib_per_s`` is the 99th percentile of the rate of
    allocation, ``least_available_mib`` the lowest MemAvailable, ``write_mib_per_s`` how
    fast drives write, ``pairs`` the fairness test by drive and scheduler.
    """

    causes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    peak_mib_per_s: float | None = None
    least_available_mib: float | None = None
    write_mib_per_s: Mapping[str, float] = field(default_factory=dict)
    busy_drives: frozenset[str] = frozenset()
    pairs: Mapping[str, Mapping[str, PairResult]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that a rule may look at.

    ``values`` are present values by "ID" or "ID@DEVICE"; ``chosen`` names those that somebody
    wanted to be as they are.
    """

    profile: MachineProfile
    values: Mapping[str, str]
    chosen: Collection[str] = ()
    measured: Measured = Measured()
    preset: Preset = GENERAL

    def number(self, tunable: str) -> int | None:
        """The present value of a setting; None when it is not there or nothing that the kernel
        would hold, as in a damaged recording."""
        text = self.values.get(tunable, "")
        limits = BY_ID[tunable]
        if not (text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS):
            return None
        return int(text) if limits.low <= int(text) <= limits.high else None

    def devices(self, tunable: str) -> Iterator[tuple[str, str]]:
        """Device and present value of a setting that belongs to devices."""
        for key, value in self.values.items():
            name, _, device = key.partition("@")
            if name == tunable and device:
                yield device, value

    def found(self, *causes: str) -> bool:
        """Whether one of these causes was measured."""
        return any(cause in self.measured.causes for cause in causes)

    def found_on(self, cause: str, device: str) -> bool:
        """Whether this cause was measured on this device, or on none in particular."""
        devices = self.measured.causes.get(cause)
        return devices is not None and (not devices or device in devices)

    def wants(self, when: str, *causes: str) -> bool:
        """Whether the preset asks for advice of a kind: always, or with one of these causes."""
        return when == ALWAYS or (when == EVIDENCE and self.found(*causes))


Rule = Callable[[Situation], Iterator[Recommendation]]


def present_values(values: Sequence[CurrentValue]) -> dict[str, str]:
    """Readable values by "ID" or "ID@DEVICE", with the 0 of pair members that do not count."""
    return {key_of(each.id, each.device): each.value for each in values if each.value is not None}


def with_twins(recorded: Mapping[str, str]) -> dict[str, str]:
    """The values of a recording, which leaves out the passive member of a pair."""
    passive = {
        tunable.id: "0" for tunable in TUNABLES if tunable.twin and tunable.twin in recorded
    }
    return {**passive, **recorded}


def against(recommendations: Sequence[Recommendation], cause: str) -> list[Recommendation]:
    """Those that work against one cause."""
    return [each for each in recommendations if cause in each.causes]
