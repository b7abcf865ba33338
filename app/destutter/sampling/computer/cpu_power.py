# SPDX-License-Identifier: GPL-3.0-or-later
"""Clock frequency, idle states and thermal throttling of the CPUs, from /sys/devices/system/cpu.

Units: kHz, microseconds and milliseconds, as the kernel gives them
(Documentation/admin-guide/pm/{cpufreq,cpuidle}.rst, arch/x86/kernel/cpu/mce/therm_throt.c).
"""

from collections.abc import Iterable, Iterator, Sequence

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.files.measurement import AbsentError, Measurement, whole

CPUS = "/sys/devices/system/cpu"
_LIMITS_EVERY = 5  # limits change seldom, and are three of four files


def cpu_numbers(files: KernelFiles) -> list[int]:
    """The CPUs that have a folder, in their order."""
    names = (name[3:] for name in files.list_names(CPUS) if name.startswith("cpu"))
    return sorted(int(name) for name in names if name.isdigit())


def kept_number(file: KeptFile) -> RawValue:
    """The whole number in a kept file; None when it is absent, or the driver does not know."""
    data = file.find()
    if data is None or data.startswith(b"<unknown>"):
        return None
    return whole(file.path, 1, data)


class FrequencySampler:
    """The present frequency and the limits of each cpufreq policy."""

    sources = ("cpufreq",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._current: list[KeptFile] = []
        self._limits: list[tuple[KeptFile, ...]] = []
        self._limit_values: list[tuple[RawValue, ...]] = []
        self._instances: tuple[str, ...] = ()
        self._reads = 0

    def read(self) -> Sequence[Measurement]:
        """kHz per policy. The limits are looked up at every fifth reading."""
        if self._reads % _LIMITS_EVERY == 0:
            self._learn()
            self._limit_values = [tuple(map(kept_number, files)) for files in self._limits]
        self._reads += 1
        values: list[RawValue] = []
        for current, limits in zip(self._current, self._limit_values, strict=True):
            values.append(kept_number(current))
            values += limits
        return (Measurement("cpufreq", self._instances, tuple(values)),)

    def close(self) -> None:
        for file in self._current:
            file.close()
        for files in self._limits:
            for file in files:
                file.close()
        self._current = []
        self._limits = []
        self._instances = ()
        self._reads = 0

    def _learn(self) -> None:
        names = self._files.list_names(f"{CPUS}/cpufreq")
        policies = [name for name in names if name.startswith("policy")]
        if not policies:
            raise AbsentError(Statement("sampling.no_cpufreq"))
        if tuple(policies) == self._instances:
            return
        self.close()
        policies.sort(key=lambda name: int(name[6:]) if name[6:].isdigit() else -1)
        for name in policies:
            base = f"{CPUS}/cpufreq/{name}"
            self._current.append(KeptFile(self._files, f"{base}/scaling_cur_freq"))
            limits = ("scaling_min_freq", "scaling_max_freq", "cpuinfo_max_freq")
            self._limits.append(
                tuple(KeptFile(self._files, f"{base}/{limit}") for limit in limits)
            )
        self._instances = tuple(policies)


class IdleSampler:
    """Use of each idle state, summed over CPUs; the instance is its name and exit latency.

    There are several files per state and CPU, so they are not held open.
    """

    sources = ("cpuidle",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files

    def read(self) -> Sequence[Measurement]:
        """Entries, microseconds and rejected entries per state."""
        sums: dict[str, list[RawValue]] = {}
        for base in self._states():
            label = self._label(base)
            if label is None:
                continue
            found = [self._files.read_int(f"{base}/{name}") for name in ("usage", "time")]
            found.append(self._files.read_int(f"{base}/rejected"))
            old = sums.get(label)
            sums[label] = found if old is None else _added(old, found)
        if not sums:
            raise AbsentError(Statement("sampling.no_cpuidle"))
        values = tuple(value for found in sums.values() for value in found)
        return (Measurement("cpuidle", tuple(sums), values),)

    def close(self) -> None:
        """Nothing is held open."""

    def _states(self) -> Iterator[str]:
        for number in cpu_numbers(self._files):
            base = f"{CPUS}/cpu{number}/cpuidle"
            states = (name for name in self._files.list_names(base) if name.startswith("state"))
            for name in sorted(states, key=lambda name: (len(name), name)):
                yield f"{base}/{name}"

    def _label(self, base: str) -> str | None:
        name = self._files.read_text(f"{base}/name")
        latency = self._files.read_int(f"{base}/latency")
        return None if name is None or latency is None else f"{name} {latency}us"


def _added(old: list[RawValue], new: list[RawValue]) -> list[RawValue]:
    return [
        first if second is None else second if first is None else first + second
        for first, second in zip(old, new, strict=True)
    ]


class ThrottleSampler:
    """How often and how long Intel CPUs were slowed down by their temperature.

    Siblings of a core show the same count, and so do all CPUs of a package: one CPU of each is
    read, and cores and packages are summed.
    """

    sources = ("throttle",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._kept: dict[str, list[KeptFile]] = {}

    def read(self) -> Sequence[Measurement]:
        """Events and milliseconds of cores and of packages."""
        if not self._kept:
            self._learn()
        values = []
        for files in self._kept.values():
            found = [value for file in files if (value := kept_number(file)) is not None]
            values.append(sum(found) if found else None)
        if all(value is None for value in values):
            self.close()
            raise AbsentError(Statement("sampling.no_throttle_counts"))
        return (Measurement("throttle", None, tuple(values)),)

    def close(self) -> None:
        for files in self._kept.values():
            for file in files:
                file.close()
        self._kept = {}

    def _learn(self) -> None:
        cores: dict[tuple[RawValue, RawValue], int] = {}
        packages: dict[RawValue, int] = {}
        for number in cpu_numbers(self._files):
            topology = f"{CPUS}/cpu{number}/topology"
            package = self._number(f"{topology}/physical_package_id")
            core = self._number(f"{topology}/core_id")
            # Without a topology every CPU counts for itself.
            cores.setdefault((package, core) if core is not None else (None, number), number)
            packages.setdefault(package if package is not None else number, number)
        self._kept = {
            "core_count": self._open(cores.values(), "core_throttle_count"),
            "core_ms": self._open(cores.values(), "core_throttle_total_time_ms"),
            "package_count": self._open(packages.values(), "package_throttle_count"),
            "package_ms": self._open(packages.values(), "package_throttle_total_time_ms"),
        }

    def _open(self, cpus: Iterable[int], name: str) -> list[KeptFile]:
        return [KeptFile(self._files, f"{CPUS}/cpu{cpu}/thermal_throttle/{name}") for cpu in cpus]

    def _number(self, path: str) -> RawValue:
        try:
            return self._files.read_int(path)
        except KernelFileError:
            return None
