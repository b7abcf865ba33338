# SPDX-License-Identifier: GPL-3.0-or-later
"""AMD cards through the files of amdgpu (Documentation/gpu/amdgpu/driver-misc.rst)."""

import struct
from collections.abc import Callable

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.computer.sensors import sensor_value
from destutter.sampling.gpu.gpu import (
    HARDWARE_SLOWDOWN,
    HARDWARE_THERMAL,
    POWER_LIMIT,
    CardReading,
    CardUse,
    Rest,
    drm_cards,
    read_link,
)

# Where indep_throttle_status stands, by format and content revision of gpu_metrics
# (drivers/gpu/drm/amd/include/kgd_pp_interface.h). Other revisions have no such field.
_THROTTLE_OFFSETS = {(1, 3): 112, (2, 2): 120, (2, 3): 120, (2, 4): 120}
# Its bits (drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h): power 0-15, current 16-31,
# temperature 32-55, others from 56.
_POWER_AND_CURRENT = 0x0000_0000_FFFF_FFFF
_TEMPERATURE = 0x00FF_FFFF_0000_0000
_OTHER = 0xFF00_0000_0000_0000


class AmdCards:
    """Cards run by amdgpu. ``clock`` gives nanoseconds."""

    def __init__(self, files: KernelFiles, clock: Callable[[], int]) -> None:
        self.use: CardUse | None = None
        self._files = files
        self._clock = clock
        self._rests: dict[str, Rest] = {}

    def read(self) -> list[tuple[str, CardReading]] | None:
        """Label and reading of each card that is awake; None without any."""
        found = list(drm_cards(self._files, "amdgpu"))
        cards = []
        for name, device in found:
            rest = self._rests.setdefault(name, Rest())
            now_ns = self._clock()
            if rest.is_over(now_ns, self._files, device):
                reading = read_card(self._files, device)
                rest.note(now_ns, self._files, device, reading.busy_pct)
                cards.append((f"{name} amdgpu", reading))
        return cards if found else None

    def close(self) -> None:
        """Nothing is held open."""


def read_card(files: KernelFiles, device: str) -> CardReading:
    """Everything that the files below the device folder say."""
    reading = CardReading(
        busy_pct=sensor_value(files, f"{device}/gpu_busy_percent"),
        memory_busy_pct=sensor_value(files, f"{device}/mem_busy_percent"),
        vram_used_bytes=sensor_value(files, f"{device}/mem_info_vram_used"),
        vram_total_bytes=sensor_value(files, f"{device}/mem_info_vram_total"),
        gtt_used_bytes=sensor_value(files, f"{device}/mem_info_gtt_used"),
        throttle_reasons=_throttle(files, f"{device}/gpu_metrics"),
    )
    chips = files.list_names(f"{device}/hwmon")
    if chips:
        _read_hwmon(files, f"{device}/hwmon/{chips[0]}", reading)
    read_link(files, device, reading)
    return reading


def _read_hwmon(files: KernelFiles, base: str, reading: CardReading) -> None:
    reading.clock_mhz = _scaled(sensor_value(files, f"{base}/freq1_input"), 1_000_000)
    reading.memory_clock_mhz = _scaled(sensor_value(files, f"{base}/freq2_input"), 1_000_000)
    power = sensor_value(files, f"{base}/power1_average")
    if power is None:
        power = sensor_value(files, f"{base}/power1_input")
    reading.power_mw = _scaled(power, 1000)
    reading.power_limit_mw = _scaled(sensor_value(files, f"{base}/power1_cap"), 1000)
    reading.temperature_mdeg = sensor_value(files, f"{base}/temp1_input")


def _scaled(value: RawValue, divisor: int) -> RawValue:
    return None if value is None else value // divisor


def _throttle(files: KernelFiles, path: str) -> RawValue:
    try:
        data = files.read_bytes(path)
    except KernelFileError as error:
        if isinstance(error.__cause__, OSError):
            return None
        raise
    return None if not data else throttle_reasons(path, data)


def throttle_reasons(path: str, data: bytes) -> RawValue:
    """Why the card runs slower than it could, in NVML's bits; None for an unknown revision."""
    if len(data) < 4:
        raise KernelFileError(path, None, Statement("sampling.short_header"))
    _, revision, content = struct.unpack_from("<HBB", data)
    offset = _THROTTLE_OFFSETS.get((revision, content))
    if offset is None:
        return None
    if len(data) < offset + 8:
        raise KernelFileError(path, None, Statement("sampling.short_revision"))
    (status,) = struct.unpack_from("<Q", data, offset)
    if status == 0xFFFF_FFFF_FFFF_FFFF:
        return None  # the driver fills what the card does not report with ones
    return (
        (POWER_LIMIT if status & _POWER_AND_CURRENT else 0)
        | (HARDWARE_THERMAL if status & _TEMPERATURE else 0)
        | (HARDWARE_SLOWDOWN if status & _OTHER else 0)
    )
