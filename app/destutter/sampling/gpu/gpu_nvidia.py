# SPDX-License-Identifier: GPL-3.0-or-later
"""NVIDIA cards through NVML, the library of their driver.

The library is loaded when a card of theirs is awake, never before: loading it takes tens of
milliseconds and some memory, and asking a sleeping card wakes it.
"""

import importlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.gpu.gpu import STRETCHES, CardReading, CardUse, Rest

DRIVER_VERSION = "/proc/driver/nvidia/version"
DRIVER = "/sys/bus/pci/drivers/nvidia"
DEVICES = "/sys/bus/pci/devices"
_SECOND_US = 1_000_000


def load_nvml() -> Any:
    """NVIDIA's Python binding of NVML. Raises ``AbsentError`` when it is not installed."""
    try:
        return importlib.import_module("pynvml")
    except ImportError:
        reason = Statement("sampling.no_nvidia_library")
        raise AbsentError(reason) from None


# The driver asks the card who used it, which takes it 1.5 ms (H100, driver 580): only where there
# is something to find. A game that has the card to itself stays below it for most of its time.
_FULL_PCT = 85


class NvidiaCards:
    """Cards run by NVIDIA's own driver. ``clock`` gives nanoseconds, ``wall`` those since 1970.

    ``load`` gives the library; None in a captured tree, where it would show the wrong computer.
    """

    def __init__(
        self,
        files: KernelFiles,
        clock: Callable[[], int],
        load: Callable[[], Any] | None,
        wall: Callable[[], int],
    ) -> None:
        self.use: CardUse | None = None
        self._files = files
        self._clock = clock
        self._wall = wall
        self._load = load
        self._read_us = 0
        self._nvml: Any = None
        self._rests: dict[str, Rest] = {}

    def read(self) -> list[tuple[str, CardReading]] | None:
        """Label and reading of each card that is awake; None without NVIDIA's driver."""
        if not self._files.exists(DRIVER_VERSION):
            return None
        self.use = None
        now_ns, wall_us = self._clock(), self._wall() // 1000
        awake = [address for address in self._addresses() if self._may_read(address, now_ns)]
        if not awake:
            self.close()
            return []
        if self._load is None:
            raise AbsentError(Statement("sampling.nvidia_not_captured"))
        nvml = self._started(self._load)
        try:
            # First: the driver asks the card once, and has the load for the next question.
            self.use = self._used(nvml, awake, now_ns, wall_us)
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

    def _used(self, nvml: Any, awake: Sequence[str], now_ns: int, wall_us: int) -> CardUse | None:
        """How the cards worked since the last reading, or in the last seconds at the first one."""
        use = CardUse()
        for address in awake:
            handle = nvml.nvmlDeviceGetHandleByPciBusId(address.encode())
            stretches = read_stretches(nvml, handle, wall_us)
            use.stretches[self._label(nvml, handle)] = [
                (busy, now_ns - 1000 * (wall_us - end_us), length_us)
                for busy, end_us, length_us in stretches
            ]
            if any(busy >= _FULL_PCT for busy, _, _ in stretches):
                use.users |= read_users(nvml, handle, self._read_us or wall_us - _SECOND_US)
        self._read_us = wall_us
        return use if any(use.stretches.values()) else None

    def _read(self, nvml: Any, address: str, now_ns: int) -> tuple[str, CardReading]:
        handle = nvml.nvmlDeviceGetHandleByPciBusId(address.encode())
        label = self._label(nvml, handle)
        reading = read_card(nvml, handle)
        device = f"{DEVICES}/{address}"
        self._rests[address].note(now_ns, self._files, device, reading.busy_pct)
        return label, reading

    def _label(self, nvml: Any, handle: Any) -> str:
        return f"{nvml.nvmlDeviceGetIndex(handle)} {_text(nvml.nvmlDeviceGetName(handle))}"


def read_stretches(nvml: Any, handle: Any, wall_us: int) -> list[tuple[int, int, int]]:
    """The stretches of the last second: percent, end and length in microseconds, newest first.

    None from a driver without them. ``wall_us`` is now, and the ends are such times: microseconds
    since 1970, as NVML stamps its samples. They lie 200 ms
    apart (H100, driver 580), and each is the mean of the time since the one before: a piece of
    work of 311 ms on a card that otherwise works for 21 % had 41, 99 and 44 %.
    """
    try:
        # The newest is up to 200 ms old; two seconds, so that a late reading misses none.
        _, samples = nvml.nvmlDeviceGetSamples(
            handle, nvml.NVML_GPU_UTILIZATION_SAMPLES, wall_us - 2 * _SECOND_US
        )
    except nvml.NVMLError:  # also for "none yet"
        return []
    stamped = sorted((each.timeStamp, each.sampleValue.uiVal) for each in samples)
    steps = [
        (busy, end, end - start)
        for (start, _), (end, busy) in pairwise(stamped)
        if start < end <= wall_us
    ]
    return steps[::-1][:STRETCHES]


def read_users(nvml: Any, handle: Any, since_us: int) -> dict[int, int]:
    """By process id, the percent of the card that each program had; none where it is not told.

    Processes of other users are among them, and no rights are needed.
    """
    try:
        rows = nvml.nvmlDeviceGetProcessUtilization(handle, since_us)
    except nvml.NVMLError:  # also for "none since then"
        return {}
    return {row.pid: row.smUtil for row in rows if 0 < row.smUtil <= 100}


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
