# SPDX-License-Identifier: GPL-3.0-or-later
"""Temperatures and power of chips: /sys/class/hwmon and /sys/class/thermal.

Units: millidegrees Celsius and microwatts (Documentation/hwmon/sysfs-interface.rst).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.graphics_drivers import DRM_DRIVERS
from destutter.sampling.files.measurement import AbsentError, Measurement

HWMON = "/sys/class/hwmon"
THERMAL = "/sys/class/thermal"
# Asking a drive for its temperature is a command to the drive: it wakes one that sleeps, which is
# itself a cause of stutter, so it is done seldom.
_DRIVES = ("nvme", "drivetemp")
_MINUTE_NS = 60_000_000_000


class _Sensor(NamedTuple):
    label: str
    path: str
    critical: RawValue = None
    is_drive: bool = False


class TemperatureSampler:
    """Every temperature of hwmon, then the thermal zones; ``clock`` gives nanoseconds.

    Which sensors there are, their critical temperatures and the drives' own temperatures are
    looked up once a minute.
    """

    sources = ("temperature",)

    def __init__(self, files: KernelFiles, clock: Callable[[], int]) -> None:
        self._files = files
        self._clock = clock
        self._sensors: list[_Sensor] = []
        self._instances: tuple[str, ...] = ()
        self._drive_values: dict[str, RawValue] = {}
        self._due_ns: int | None = None

    def read(self) -> Sequence[Measurement]:
        """Present and critical temperature. That of drives is up to a minute old."""
        now_ns = self._clock()
        if self._due_ns is None or now_ns >= self._due_ns:
            self._learn()
            self._due_ns = now_ns + _MINUTE_NS
        values: list[RawValue] = []
        for sensor in self._sensors:
            if sensor.is_drive:
                values.append(self._drive_values[sensor.path])
            else:
                values.append(sensor_value(self._files, sensor.path))
            values.append(sensor.critical)
        return (Measurement("temperature", self._instances, tuple(values)),)

    def close(self) -> None:
        """Look for the sensors again at the next reading."""
        self._due_ns = None

    def _learn(self) -> None:
        self._due_ns = None
        sensors = unique([*self._hwmon(), *self._zones()])
        if not sensors:
            raise AbsentError(Statement("sampling.no_temperatures"))
        self._sensors = sensors
        self._instances = tuple(sensor.label for sensor in sensors)
        self._drive_values = {
            sensor.path: sensor_value(self._files, sensor.path)
            for sensor in sensors
            if sensor.is_drive
        }

    def _hwmon(self) -> Iterator[_Sensor]:
        for chip, base, names in hwmon_chips(self._files):
            for name in names:
                if not (name.startswith("temp") and name.endswith("_input")):
                    continue
                stem = f"{base}/{name.removesuffix('_input')}"
                label = self._files.read_text(f"{stem}_label") or name.removesuffix("_input")
                is_drive = chip in _DRIVES
                # The limits of a drive are commands to it as well.
                critical = None if is_drive else sensor_value(self._files, f"{stem}_crit")
                yield _Sensor(f"{chip} {label}", f"{stem}_input", critical, is_drive)

    def _zones(self) -> Iterator[_Sensor]:
        for name in self._files.list_names(THERMAL):
            if name.startswith("thermal_zone"):
                base = f"{THERMAL}/{name}"
                label = self._files.read_text(f"{base}/type") or name
                yield _Sensor(label, f"{base}/temp", self._critical(base))

    def _critical(self, base: str) -> RawValue:
        for name in self._files.list_names(base):
            if name.startswith("trip_point_") and name.endswith("_type"):
                stem = f"{base}/{name.removesuffix('_type')}"
                if self._files.read_text(f"{stem}_type") == "critical":
                    return sensor_value(self._files, f"{stem}_temp")
        return None


class PowerSampler:
    """Power of the chips that measure it."""

    sources = ("power",)

    def __init__(self, files: KernelFiles) -> None:
        self._files = files

    def read(self) -> Sequence[Measurement]:
        """Microwatts per chip."""
        sensors = unique(list(self._sensors()))
        if not sensors:
            raise AbsentError(Statement("sampling.no_power"))
        values = tuple(sensor_value(self._files, sensor.path) for sensor in sensors)
        return (Measurement("power", tuple(sensor.label for sensor in sensors), values),)

    def close(self) -> None:
        """Nothing is held open."""

    def _sensors(self) -> Iterator[_Sensor]:
        for chip, base, names in hwmon_chips(self._files):
            stems = {
                name.rpartition("_")[0]: name
                for name in names
                if name.startswith("power") and name.endswith(("_average", "_input"))
            }
            for stem, name in stems.items():
                label = self._files.read_text(f"{base}/{stem}_label") or stem
                yield _Sensor(f"{chip} {label}", f"{base}/{name}")


def sensor_value(files: KernelFiles, path: str) -> RawValue:
    """The number of a sensor; None when there is none, or the chip answers with an error.

    A sensor whose device is off or busy fails with EAGAIN or EIO; that is its answer, not a
    file that cannot be understood.
    """
    try:
        return files.read_int(path)
    except KernelFileError as error:
        if isinstance(error.__cause__, OSError):
            return None
        raise


def hwmon_chips(files: KernelFiles) -> Iterator[tuple[str, str, list[str]]]:
    """Name, folder and files of each hwmon chip that may be asked at any time.

    A graphics card that may fall asleep is left out: asking keeps it awake. The source "gpu"
    knows how to deal with it.
    """
    for entry in files.list_names(HWMON):
        base = f"{HWMON}/{entry}"
        try:
            chip = files.read_text(f"{base}/name")
        except KernelFileDeniedError:
            continue
        may_sleep = (
            chip in DRM_DRIVERS and files.read_text(f"{base}/device/power/control") == "auto"
        )
        if chip and not may_sleep:
            yield chip, base, files.list_names(base)


def unique(sensors: list[_Sensor]) -> list[_Sensor]:
    """The same sensors with labels told apart: two drives both say "nvme Composite"."""
    seen: dict[str, int] = {}
    told_apart = []
    for sensor in sensors:
        count = seen[sensor.label] = seen.get(sensor.label, 0) + 1
        label = sensor.label if count == 1 else f"{sensor.label} #{count}"
        told_apart.append(sensor._replace(label=label))
    return told_apart
