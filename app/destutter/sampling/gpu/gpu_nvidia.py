# SPDX-License-Identifier: GPL-3.0-or-later
"""NVIDIA cards through NVML, the library of their driver.

The library is loaded when a card of theirs is awake, never before: loading it takes tens of
milliseconds and some memory, and asking a sleeping card wakes it.
"""

import importlib
from collections.abc import Callable
from typing import Any

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.gpu.gpu import CardReading, Rest

DRIVER_VERSION = "/proc/driver/nvidia/version"
DRIVER = "/sys/bus/pci/drivers/nvidia"
DEVICES = "/sys/bus/pci/devices"


def load_nvml() -> Any:
    """NVIDIA's Python binding of NVML. Raises ``AbsentError`` when it is not installed."""
    try:
        return importlib.import_module("pynvml")
    except ImportError:
        reason = Statement("sampling.no_nvidia_library")
        raise AbsentError(reason) from None


class NvidiaCards:
    """Cards run by NVIDIA's own driver. ``clock`` gives nanoseconds.

    ``load`` gives the library; None in a captured tree, where it would show the wrong computer.
    """

    def __init__(
        self, files: KernelFiles, clock: Callable[[], int], load: Callable[[], Any] | None
    ) -> None:
        self._files = files
        self._clock = clock
        self._load = load
        self._nvml: Any = None
        self._rests: dict[str, Rest] = {}

    def read(self) -> list[tuple[str, CardReading]] | None:
        """Label and reading of each card that is awake; None without NVIDIA's driver."""
        if not self._files.exists(DRIVER_VERSION):
            return None
        now_ns = self._clock()
        awake = [address for address in self._addresses() if self._may_read(address, now_ns)]
        if not awake:
            self.close()
            return []
        if self._load is None:
            raise AbsentError(Statement("sampling.nvidia_not_captured"))
        nvml = self._started(self._load)
        try:
            cards = [self._read(nvml, address, now_ns) for address in awake]
        except nvml.NVMLError as error:
            self.close()
            raise AbsentError(
                Statement("sampling.nvidia_silent", {"reason": str(error)})
            ) from error
        if all(self._rests[address].rests(now_ns) for address in awake):
            self.close()
        return cards

    def close(self) -> None:
        """Let go of the library: an open one keeps the cards awake."""
        if self._nvml is not None:
            nvml, self._nvml = self._nvml, None
            try:
                nvml.nvmlShutdown()
            except nvml.NVMLError:
                # The driver went away, and with it what there was to give back.
                return

    def _addresses(self) -> list[str]:
        return [name for name in self._files.list_names(DRIVER) if ":" in name]

    def _may_read(self, address: str, now_ns: int) -> bool:
        rest = self._rests.setdefault(address, Rest())
        return rest.is_over(now_ns, self._files, f"{DEVICES}/{address}")

    def _started(self, load: Callable[[], Any]) -> Any:
        if self._nvml is None:
            nvml = load()
            try:
                nvml.nvmlInit()
            except nvml.NVMLError as error:
                reason = Statement("sampling.nvidia_unusable", {"reason": str(error)})
                raise AbsentError(reason) from error
            self._nvml = nvml
        return self._nvml

    def _read(self, nvml: Any, address: str, now_ns: int) -> tuple[str, CardReading]:
        handle = nvml.nvmlDeviceGetHandleByPciBusId(address.encode())
        index = nvml.nvmlDeviceGetIndex(handle)
        label = f"{index} {_text(nvml.nvmlDeviceGetName(handle))}"
        reading = read_card(nvml, handle)
        device = f"{DEVICES}/{address}"
        self._rests[address].note(now_ns, self._files, device, reading.busy_pct)
        return label, reading


def read_card(nvml: Any, handle: Any) -> CardReading:
    """Everything that NVML says of one card; None for what this model does not report."""

    def ask(name: str, *arguments: Any) -> Any:
        try:
            return getattr(nvml, name)(handle, *arguments)
        except (nvml.NVMLError_NotSupported, nvml.NVMLError_FunctionNotFound):
            return None

    load = ask("nvmlDeviceGetUtilizationRates")
    # What the driver keeps for itself counts as used here and not in nvidia-smi (480 MiB of an
    # H100's 80 GiB, driver 580): a game does not get it, so that full is full.
    memory = ask("nvmlDeviceGetMemoryInfo")
    celsius = ask("nvmlDeviceGetTemperature", nvml.NVML_TEMPERATURE_GPU)
    return CardReading(
        busy_pct=None if load is None else load.gpu,
        memory_busy_pct=None if load is None else load.memory,
        vram_used_bytes=None if memory is None else memory.used,
        vram_total_bytes=None if memory is None else memory.total,
        clock_mhz=ask("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_GRAPHICS),
        memory_clock_mhz=ask("nvmlDeviceGetClockInfo", nvml.NVML_CLOCK_MEM),
        power_mw=ask("nvmlDeviceGetPowerUsage"),
        power_limit_mw=ask("nvmlDeviceGetEnforcedPowerLimit"),
        temperature_mdeg=None if celsius is None else celsius * 1000,
        throttle_reasons=_reasons(nvml, ask),
        pcie_generation=ask("nvmlDeviceGetCurrPcieLinkGeneration"),
        pcie_generation_max=ask("nvmlDeviceGetMaxPcieLinkGeneration"),
        pcie_width=ask("nvmlDeviceGetCurrPcieLinkWidth"),
        pcie_width_max=ask("nvmlDeviceGetMaxPcieLinkWidth"),
    )


def _reasons(nvml: Any, ask: Callable[[str], Any]) -> RawValue:
    # The function was renamed; a library knows one of the names or both.
    for name in (
        "nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetCurrentClocksThrottleReasons",
    ):
        if hasattr(nvml, name):
            found = ask(name)
            if found is not None:
                return int(found)
    return None


def _text(name: str | bytes) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
