# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphics cards of every maker as one source; see gpu_amd, gpu_intel and gpu_nvidia."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from itertools import chain
from typing import Protocol

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError, Measurement

DRM = "/sys/class/drm"

# Bits of NVML's nvmlClocksEventReasons, used for every maker.
POWER_LIMIT = 0x4
HARDWARE_SLOWDOWN = 0x8
SOFTWARE_THERMAL = 0x20
HARDWARE_THERMAL = 0x40

STRETCHES = 8
"""So many are told of each second. NVIDIA's driver counts five to seven in one."""

# Reading keeps an unused card awake; the kernel puts it to sleep after some seconds without
# access, so the rest must be longer than that.
_IDLE_READINGS = 5
_REST_NS = 30_000_000_000
_GENERATIONS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}


@dataclass(slots=True)
class CardReading:
    """The fields of the source "gpu", in the order of the catalog; None where nothing is known."""

    busy_pct: RawValue = None
    memory_busy_pct: RawValue = None
    vram_used_bytes: RawValue = None
    vram_total_bytes: RawValue = None
    gtt_used_bytes: RawValue = None
    clock_mhz: RawValue = None
    memory_clock_mhz: RawValue = None
    power_mw: RawValue = None
    power_limit_mw: RawValue = None
    temperature_mdeg: RawValue = None
    throttle_reasons: RawValue = None
    pcie_generation: RawValue = None
    pcie_generation_max: RawValue = None
    pcie_width: RawValue = None
    pcie_width_max: RawValue = None


@dataclass(slots=True)
class CardUse:
    """How the cards worked in the last second, as far as their driver counts it.

    ``stretches`` is by card the latest stretches of time, the newest first, each as (percent that
    the card worked, when it ended in nanoseconds of CLOCK_MONOTONIC, microseconds that it is
    long). ``users`` is by process id the percent of a card that each program had.
    """

    stretches: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    users: dict[int, int] = field(default_factory=dict)


class Cards(Protocol):
    """The cards of one maker."""

    use: CardUse | None
    """Of the last reading; None where the driver does not count it."""

    def read(self) -> list[tuple[str, CardReading]] | None:
        """Label and reading of each card that is awake; None without any card of this maker.

        Raises ``AbsentError`` when there are cards whose driver does not answer.
        """
        ...

    def close(self) -> None:
        """Give back what is held open."""
        ...


class GraphicsSampler:
    """All cards that are awake. One maker's silence does not hide the others."""

    sources = ("gpu", "gpu_stretch", "gpu_process")

    def __init__(self, makers: Sequence[Cards], files: KernelFiles) -> None:
        self._makers = makers
        self._files = files

    def read(self) -> Sequence[Measurement]:
        """One instance per card; none while all sleep."""
        cards: list[tuple[str, CardReading]] | None = None
        silent: AbsentError | None = None
        for maker in self._makers:
            try:
                found = maker.read()
            except AbsentError as error:
                silent = error
                continue
            if found is not None:
                cards = [*(cards or ()), *found]
        if cards is None:
            raise silent or AbsentError(Statement("sampling.no_gpu"))
        values = tuple(value for _, card in cards for value in astuple(card))
        read = Measurement("gpu", tuple(label for label, _ in cards), values)
        uses = [maker.use for maker in self._makers if maker.use is not None]
        return (read, *(_measured(uses, self._files) if uses else ()))

    def close(self) -> None:
        for maker in self._makers:
            maker.close()


def _measured(uses: Sequence[CardUse], files: KernelFiles) -> tuple[Measurement, Measurement]:
    stretches: dict[str, tuple[int | None, ...]] = {}
    for use in uses:
        for card, found in use.stretches.items():
            for place in range(STRETCHES):
                known = found[place] if place < len(found) else (None, None, None)
                stretches[f"{card}/{place}"] = known
    users = {
        f"{pid} {name}": used
        for use in uses
        for pid, used in use.users.items()
        if (name := files.read_text(f"/proc/{pid}/comm")) is not None
    }
    return (
        Measurement("gpu_stretch", tuple(stretches), tuple(chain(*stretches.values()))),
        Measurement("gpu_process", tuple(users), tuple(users.values())),
    )


class Rest:
    """Leaves a card alone that may fall asleep, so that measuring does not keep it awake.

    The kernel puts an unused card to sleep after some seconds without any access; reading its
    load is an access. Times are nanoseconds of CLOCK_MONOTONIC.
    """

    def __init__(self) -> None:
        self._idle_readings = 0
        self._until_ns = 0

    def is_over(self, now_ns: int, files: KernelFiles, device: str) -> bool:
        """Whether the card at this device folder may be read now."""
        if files.read_text(f"{device}/power/runtime_status") == "suspended":
            # It sleeps, so the rest served its purpose; when it wakes, somebody uses it.
            self._until_ns = 0
            return False
        return not self.rests(now_ns)

    def rests(self, now_ns: int) -> bool:
        """Whether the card is left alone at this moment."""
        return now_ns < self._until_ns

    def note(self, now_ns: int, files: KernelFiles, device: str, busy_pct: RawValue) -> None:
        """Take note of a reading: after some idle ones the card is left alone for a while."""
        self._idle_readings = self._idle_readings + 1 if busy_pct == 0 else 0
        if self._idle_readings < _IDLE_READINGS:
            return
        self._idle_readings = 0
        if files.read_text(f"{device}/power/control") == "auto":
            self._until_ns = now_ns + _REST_NS


def drm_cards(files: KernelFiles, *drivers: str) -> Iterator[tuple[str, str]]:
    """Name and device folder of the cards that these drivers run: ("card0", ".../device")."""
    for name in files.list_names(DRM):
        if name.startswith("card") and name[4:].isdigit():
            device = f"{DRM}/{name}/device"
            if driver_of(files, device) in drivers:
                yield name, device


def driver_of(files: KernelFiles, device: str) -> str | None:
    """The driver of a device, from its uevent file."""
    for line in (files.read_text(f"{device}/uevent") or "").splitlines():
        key, _, value = line.partition("=")
        if key == "DRIVER":
            return value
    return None


def read_link(files: KernelFiles, device: str, reading: CardReading) -> None:
    """The PCI Express link: generation and width, now and at most what both of its ends can."""
    # A slot may have fewer lanes than the card, which then misses nothing.
    ends = (device, f"{device}/..")
    speeds = [_generation(files.read_text(f"{end}/max_link_speed")) for end in ends]
    widths = [_width(files.read_text(f"{end}/max_link_width")) for end in ends]
    reading.pcie_generation = _generation(files.read_text(f"{device}/current_link_speed"))
    reading.pcie_generation_max = min(filter(None, speeds), default=None)
    reading.pcie_width = _width(files.read_text(f"{device}/current_link_width"))
    reading.pcie_width_max = min(filter(None, widths), default=None)


def _generation(text: str | None) -> RawValue:
    # "16.0 GT/s PCIe", or "Unknown" for a card inside the processor.
    return _GENERATIONS.get((text or "").split(" ", 1)[0])


def _width(text: str | None) -> RawValue:
    # A device without a link says 0 or, where all bits are set, 255 lanes.
    return int(text) if text and text.isdigit() and text not in ("0", "255") else None
