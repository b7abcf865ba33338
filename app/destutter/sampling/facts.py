# SPDX-License-Identifier: GPL-3.0-or-later
"""Things with a name rather than a number: clock source, governors, schedulers, the session.

Keys: ``clocksource``, ``clocksource.available``, ``kernel.release``, ``distribution``,
``machine.virtual``, ``cpu.split_lock_detect``, ``session.type``, ``swap.kind``, ``power.source``,
``pressure``, ``display.mode``, ``cpufreq.POLICY.{driver,governor,epp}``, ``cpufreq.boost``,
``disk.NAME.{scheduler,schedulers,rotational,wbt_us,model}``, ``disk.NAME.below`` (the drives that
one lies on, as loop and dm do).
"""

from collections.abc import Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.swap_areas import SWAPS, SwapArea, read_swaps
from destutter.sampling.computer.cpu_power import CPUS
from destutter.sampling.machine import distribution, read_processor, virtual_machine
from destutter.sampling.processes.open_drives import OpenDrives
from destutter_helper.api.choices import active_choice

CLOCKSOURCE = "/sys/devices/system/clocksource/clocksource0"
BLOCK = "/sys/block"
DRM = "/sys/class/drm"
POWER_SUPPLY = "/sys/class/power_supply"
_ON_OTHERS = ("loop", "dm-", "md", "bcache")
_NO_DISKS = ("loop", "ram", "sr", "fd", "nbd")
_FREQUENCY = {
    "driver": "scaling_driver",
    "governor": "scaling_governor",
    "epp": "energy_performance_preference",
}
# Processors that can tell, and slow down, programs with split locks.
_SPLIT_LOCK = frozenset({"split_lock_detect", "bus_lock_detect"})
_DISK = {"rotational": "rotational", "wbt_us": "wbt_lat_usec"}

Fact = tuple[str, str | None]


class FactReader:
    """Reads all facts. ``session_type`` is the user's XDG_SESSION_TYPE, such as "wayland"."""

    def __init__(self, files: KernelFiles, session_type: str = "") -> None:
        self._files = files
        self._session_type = session_type
        self._lasting: dict[str, str] = {}
        self._drives = OpenDrives(files)

    def read(self) -> dict[str, str]:
        """The facts that hold now. One that the kernel does not tell, or not to us, is missing."""
        if not self._lasting:
            self._lasting = self._texts(self._computer())
        found = dict(self._lasting)
        for group in (
            self._pressure,
            self._clock,
            self._swap,
            self._frequency,
            self._disks,
            self._stacks,
            self._power,
            self._display,
        ):
            found |= self._texts(group())
        return found

    def _texts(self, facts: Iterator[Fact]) -> dict[str, str]:
        """Those of the facts that say something."""
        texts = {name: (value or "").strip() for name, value in self._readable(facts)}
        return {name: text for name, text in texts.items() if text}

    def _readable(self, facts: Iterator[Fact]) -> Iterator[Fact]:
        """The facts up to one that cannot be read; the others of its group are left out."""
        try:
            yield from facts
        except KernelFileError:
            return

    def _computer(self) -> Iterator[Fact]:
        """What does not change while the computer runs, and is read once."""
        yield "session.type", self._session_type
        yield "kernel.release", self._files.read_text("/proc/sys/kernel/osrelease")
        yield "distribution", distribution(self._files)
        flags = read_processor(self._files).flags
        yield "machine.virtual", virtual_machine(self._files, flags)
        yield "cpu.split_lock_detect", "yes" if flags & _SPLIT_LOCK else "no"

    def _pressure(self) -> Iterator[Fact]:
        yield "pressure", "yes" if self._files.exists("/proc/pressure/memory") else "no"

    def _clock(self) -> Iterator[Fact]:
        yield "clocksource", self._files.read_text(f"{CLOCKSOURCE}/current_clocksource")
        available = self._files.read_text(f"{CLOCKSOURCE}/available_clocksource")
        yield "clocksource.available", available

    def _swap(self) -> Iterator[Fact]:
        if self._files.exists(SWAPS):
            yield "swap.kind", " ".join(sorted(set(map(_kind, read_swaps(self._files))))) or "none"

    def _frequency(self) -> Iterator[Fact]:
        for policy in self._files.list_names(f"{CPUS}/cpufreq"):
            if policy.startswith("policy"):
                for fact, name in _FREQUENCY.items():
                    path = f"{CPUS}/cpufreq/{policy}/{name}"
                    yield f"cpufreq.{policy}.{fact}", self._files.read_text(path)
        yield "cpufreq.boost", self._boost()

    def _boost(self) -> str | None:
        boost = self._files.read_text(f"{CPUS}/cpufreq/boost")
        if boost is None:
            no_turbo = self._files.read_text(f"{CPUS}/intel_pstate/no_turbo")
            boost = None if no_turbo is None else {"0": "1", "1": "0"}.get(no_turbo)
        return {"0": "off", "1": "on"}.get(boost or "")

    def _disks(self) -> Iterator[Fact]:
        for name in self._files.list_names(BLOCK):
            if name.startswith(_NO_DISKS):
                continue
            queue = f"{BLOCK}/{name}/queue"
            listed = self._files.read_text(f"{queue}/scheduler")
            yield f"disk.{name}.scheduler", active_choice(listed or "")
            yield f"disk.{name}.schedulers", (listed or "").replace("[", "").replace("]", "")
            yield f"disk.{name}.model", self._files.read_text(f"{BLOCK}/{name}/device/model")
            for fact, file in _DISK.items():
                yield f"disk.{name}.{fact}", self._files.read_text(f"{queue}/{file}")

    def _stacks(self) -> Iterator[Fact]:
        """What loop and dm lie on: they are as slow as that, and filled by whoever fills it."""
        self._drives.look()
        for name in self._files.list_names(BLOCK):
            if name.startswith(_ON_OTHERS):
                yield f"disk.{name}.below", " ".join(sorted(self._drives.below(name)))

    def _power(self) -> Iterator[Fact]:
        supplies = [f"{POWER_SUPPLY}/{name}" for name in self._files.list_names(POWER_SUPPLY)]
        mains = [base for base in supplies if self._files.read_text(f"{base}/type") == "Mains"]
        if mains:
            is_plugged = any(self._files.read_text(f"{base}/online") == "1" for base in mains)
            yield "power.source", "mains" if is_plugged else "battery"

    def _display(self) -> Iterator[Fact]:
        """The first mode of each display in use: the one that it prefers."""
        modes = []
        for name in self._files.list_names(DRM):
            _, dash, connector = name.partition("-")
            base = f"{DRM}/{name}"
            if dash and self._files.read_text(f"{base}/enabled") == "enabled":
                first = (self._files.read_text(f"{base}/modes") or "").partition("\n")[0]
                modes.append(f"{connector} {first}".strip())
        yield "display.mode", ", ".join(modes)


def _kind(area: SwapArea) -> str:
    """What a swap area is made of: zram, a disk, or a file."""
    return "zram" if area.is_zram else "file" if area.kind == "file" else "disk"
