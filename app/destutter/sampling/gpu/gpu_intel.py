# SPDX-License-Identifier: GPL-3.0-or-later
"""Intel graphics through the files of i915 and xe: frequency and throttling.

Their load is only known per program (``drm_clients``) or to the superuser.
"""

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.sampling.computer.sensors import sensor_value
from destutter.sampling.gpu.gpu import (
    HARDWARE_THERMAL,
    POWER_LIMIT,
    SOFTWARE_THERMAL,
    CardReading,
    CardUse,
    driver_of,
    drm_cards,
    read_link,
)

_REASONS = {
    "pl1": POWER_LIMIT,
    "pl2": POWER_LIMIT,
    "pl4": POWER_LIMIT,
    "vr_tdc": POWER_LIMIT,
    "thermal": HARDWARE_THERMAL,
    "prochot": HARDWARE_THERMAL,
    "vr_thermalert": HARDWARE_THERMAL,
    "ratl": SOFTWARE_THERMAL,
}


class IntelCards:
    """Cards run by i915 or xe."""

    def __init__(self, files: KernelFiles) -> None:
        self.use: CardUse | None = None
        self._files = files

    def read(self) -> list[tuple[str, CardReading]] | None:
        """Label and reading of each card that is awake; None without any."""
        found = list(drm_cards(self._files, "i915", "xe"))
        cards = [
            self._xe(name, device)
            if driver_of(self._files, device) == "xe"
            else self._i915(name, device)
            for name, device in found
            if self._files.read_text(f"{device}/power/runtime_status") != "suspended"
        ]
        return cards if found else None

    def close(self) -> None:
        """Nothing is held open."""

    def _i915(self, name: str, device: str) -> tuple[str, CardReading]:
        card = device.removesuffix("/device")
        reading = CardReading(
            clock_mhz=sensor_value(self._files, f"{card}/gt_act_freq_mhz"),
            throttle_reasons=self._reasons(f"{card}/gt/gt0/throttle_reason_"),
        )
        read_link(self._files, device, reading)
        return f"{name} i915", reading

    def _xe(self, name: str, device: str) -> tuple[str, CardReading]:
        base = f"{device}/tile0/gt0/freq0"
        reading = CardReading(
            clock_mhz=sensor_value(self._files, f"{base}/act_freq"),
            throttle_reasons=self._reasons(f"{base}/throttle/reason_"),
        )
        read_link(self._files, device, reading)
        return f"{name} xe", reading

    def _reasons(self, stem: str) -> RawValue:
        """The reasons that hold now, in NVML's bits; None when the kernel does not say."""
        status = sensor_value(self._files, f"{stem}status")
        if not status:
            return status
        reasons = 0
        for name, bit in _REASONS.items():
            if sensor_value(self._files, f"{stem}{name}"):
                reasons |= bit
        return reasons
