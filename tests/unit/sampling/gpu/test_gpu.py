# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphics cards of every maker, those that sleep, and drivers that do not answer."""

import struct
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.gpu.gpu import DRM, GraphicsSampler
from destutter.sampling.gpu.gpu_amd import AmdCards, throttle_reasons
from destutter.sampling.gpu.gpu_intel import IntelCards
from destutter.sampling.gpu.gpu_nvidia import (
    DEVICES,
    DRIVER,
    DRIVER_VERSION,
    NvidiaCards,
    load_nvml,
)
from tests.support.fake_root import FakeRoot
from tests.support.measuring import SteppedClock, parsed, read_once

ADDRESS = "0000:01:00.0"
WALL_NS = 1_790_000_000_000_000_000


def metrics_table(revision, content, offset, status, size=160):
    """A table of gpu_metrics with its throttle status at an offset."""
    data = bytearray(size)
    struct.pack_into("<HBB", data, 0, size, revision, content)
    struct.pack_into("<Q", data, offset, status)
    return bytes(data)


@pytest.fixture
def root(tmp_path):
    """A computer without cards."""
    return FakeRoot(tmp_path)


@pytest.fixture
def clock():
    """A clock that is moved by hand."""
    return SteppedClock()


def put_amd(root, name="card1", busy=97):
    """A card run by amdgpu."""
    base = f"{DRM}/{name}/device"
    for file, value in {
        "uevent": "DRIVER=amdgpu\nPCI_ID=1002:7480",
        "gpu_busy_percent": busy,
        "mem_busy_percent": 32,
        "mem_info_vram_used": 8_000,
        "mem_info_vram_total": 16_000,
        "mem_info_gtt_used": 500,
        "current_link_speed": "8.0 GT/s PCIe",
        "max_link_speed": "16.0 GT/s PCIe",
        "current_link_width": 8,
        "max_link_width": 16,
        "power/control": "auto",
        "power/runtime_status": "active",
        "hwmon/hwmon4/freq1_input": 2_615_000_000,
        "hwmon/hwmon4/freq2_input": 1_000_000_000,
        "hwmon/hwmon4/power1_average": 98_000_000,
        "hwmon/hwmon4/power1_cap": 100_000_000,
        "hwmon/hwmon4/temp1_input": 78_000,
    }.items():
        root.put(f"{base}/{file}", f"{value}\n")
    root.put(f"{base}/gpu_metrics", metrics_table(1, 3, 112, 1 << 36))
    root.put(f"{DRM}/{name}-DP-1/status", "connected\n")


def test_an_amd_card_has_everything(root, clock):
    """Load, memory, clocks, power, temperature, throttling and the link of an AMD card."""
    put_amd(root)
    sampler = GraphicsSampler([AmdCards(root.files, clock), IntelCards(root.files)], root.files)
    assert read_once(sampler)["gpu"] == {
        "card1 amdgpu": {
            "busy_pct": 97, "memory_busy_pct": 32, "vram_used_bytes": 8_000,
            "vram_total_bytes": 16_000, "gtt_used_bytes": 500, "clock_mhz": 2615,
            "memory_clock_mhz": 1000, "power_mw": 98_000, "power_limit_mw": 100_000,
            "temperature_mdeg": 78_000, "throttle_reasons": 0x40, "pcie_generation": 3,
            "pcie_generation_max": 4, "pcie_width": 8, "pcie_width_max": 16,
        }
    }  # fmt: skip
    sampler.close()


def test_a_slot_with_fewer_lanes_is_the_most_that_a_link_can_have(root, clock):
    """A card for 16 lanes in a slot with 8 misses nothing; the port above the card tells."""
    put_amd(root)
    root.put(f"{DRM}/card1/max_link_width", "8\n")
    root.put(f"{DRM}/card1/max_link_speed", "8.0 GT/s PCIe\n")
    card = read_once(GraphicsSampler([AmdCards(root.files, clock)], root.files))["gpu"][
        "card1 amdgpu"
    ]
    assert (card["pcie_width"], card["pcie_width_max"]) == (8, 8)
    assert (card["pcie_generation"], card["pcie_generation_max"]) == (3, 3)


def test_a_sleeping_card_is_not_woken(root, clock):
    """A card that is suspended is left out; without any card that is said."""
    sampler = GraphicsSampler([AmdCards(root.files, clock), IntelCards(root.files)], root.files)
    with pytest.raises(AbsentError, match="no graphics card"):
        sampler.read()
    put_amd(root)
    root.put(f"{DRM}/card1/device/power/runtime_status", "suspended\n")
    assert read_once(sampler)["gpu"] == {}


def test_an_idle_card_is_given_rest(root, clock):
    """After some idle readings a card that may sleep is left alone, and asked again later."""
    put_amd(root, busy=0)
    cards = AmdCards(root.files, clock)
    answers = []
    for _ in range(8):
        answers.append(len(cards.read() or ()))
        clock.advance(1)
    assert answers == [1, 1, 1, 1, 1, 0, 0, 0]
    clock.advance(30)
    assert len(cards.read() or ()) == 1


def test_a_card_that_wakes_is_read_at_once(root, clock):
    """When a card fell asleep during its rest and wakes again, somebody uses it."""
    put_amd(root, busy=0)
    cards = AmdCards(root.files, clock)
    for _ in range(5):
        cards.read()
    assert cards.read() == []
    root.put(f"{DRM}/card1/device/power/runtime_status", "suspended\n")
    assert cards.read() == []
    root.put(f"{DRM}/card1/device/power/runtime_status", "active\n")
    assert len(cards.read() or ()) == 1


def test_a_card_that_never_sleeps_is_read_on(root, clock):
    """An idle card that stays awake anyway is not left alone."""
    put_amd(root, busy=0)
    root.put(f"{DRM}/card1/device/power/control", "on\n")
    cards = AmdCards(root.files, clock)
    assert [len(cards.read() or ()) for _ in range(20)] == [1] * 20


@pytest.mark.parametrize(
    ("table", "reasons"),
    [
        (metrics_table(1, 3, 112, 0), 0),
        (metrics_table(1, 3, 112, 1 << 2), 0x4),
        (metrics_table(1, 3, 112, 1 << 22 | 1 << 46), 0x44),
        (metrics_table(2, 4, 120, 1 << 57), 0x8),
        (metrics_table(1, 3, 112, 2**64 - 1), None),
        (metrics_table(3, 0, 112, 1), None),
    ],
)
def test_throttling_of_amd_in_the_bits_of_nvml(table, reasons):
    """Power, temperature and others are told apart; an unknown revision is unknown."""
    assert throttle_reasons("/p", table) == reasons


@given(st.binary(max_size=130), st.sampled_from([b"", b"\x80\x00\x01\x03"]))
def test_any_table_gives_reasons_or_an_error(data, start):
    """No content of gpu_metrics makes the parser fail in another way."""
    parsed(lambda: throttle_reasons("/p", start + data), "/p")


def test_intel_cards_tell_frequency_and_throttling(root):
    """i915 and xe have their files at different places; their load is not told."""
    root.put(f"{DRM}/card0/device/uevent", "DRIVER=i915\n")
    root.put(f"{DRM}/card0/device/current_link_width", "255\n")
    root.put(f"{DRM}/card0/gt_act_freq_mhz", "950\n")
    root.put(f"{DRM}/card0/gt/gt0/throttle_reason_status", "1\n")
    root.put(f"{DRM}/card0/gt/gt0/throttle_reason_pl1", "1\n")
    root.put(f"{DRM}/card0/gt/gt0/throttle_reason_thermal", "0\n")
    root.put(f"{DRM}/card1/device/uevent", "DRIVER=xe\n")
    root.put(f"{DRM}/card1/device/tile0/gt0/freq0/act_freq", "2400\n")
    root.put(f"{DRM}/card1/device/tile0/gt0/freq0/throttle/reason_status", "0\n")
    root.put(f"{DRM}/card2/device/uevent", "DRIVER=xe\n")
    root.put(f"{DRM}/card2/device/power/runtime_status", "suspended\n")
    found = read_once(GraphicsSampler([IntelCards(root.files)], root.files))["gpu"]
    assert list(found) == ["card0 i915", "card1 xe"]
    first, second = found.values()
    assert (first["clock_mhz"], first["throttle_reasons"], first["pcie_width"]) == (950, 4, None)
    assert (second["clock_mhz"], second["throttle_reasons"], second["busy_pct"]) == (2400, 0, None)


class FakeNvml:
    """NVML with one card, as nvidia-ml-py looks to its callers."""

    NVML_TEMPERATURE_GPU = 0
    NVML_CLOCK_GRAPHICS = 0
    NVML_CLOCK_MEM = 2
    NVML_GPU_UTILIZATION_SAMPLES = 1

    class NVMLError(Exception):
        """The base of its errors."""

    class NVMLError_NotSupported(NVMLError):  # noqa: N801  NVML's own name
        """This card has no such thing."""

    class NVMLError_FunctionNotFound(NVMLError):  # noqa: N801  NVML's own name
        """The driver is too old for it."""

    def __init__(self):
        self.starts = 0
        self.is_open = False
        self.load = 55
        self.fails = ""
        self.samples = []
        self.users = {}
        self.asked_since_us = []

    def _check(self, name):
        if self.fails == name:
            raise self.NVMLError("GPU is lost")

    def nvmlInit(self):
        self._check("nvmlInit")
        self.starts += 1
        self.is_open = True

    def nvmlShutdown(self):
        self.is_open = False
        self._check("nvmlShutdown")

    def nvmlDeviceGetHandleByPciBusId(self, address):
        assert address == ADDRESS.encode()
        return address

    def nvmlDeviceGetIndex(self, _handle):
        return 0

    def nvmlDeviceGetName(self, _handle):
        return b"NVIDIA GeForce RTX 4070"

    def nvmlDeviceGetUtilizationRates(self, _handle):
        self._check("load")
        return SimpleNamespace(gpu=self.load, memory=20)

    def nvmlDeviceGetSamples(self, _handle, kind, since_us):
        """Each fifth of a second: the stamp of its end, and what the card worked."""
        assert kind == self.NVML_GPU_UTILIZATION_SAMPLES
        self._check("samples")
        rows = [
            SimpleNamespace(timeStamp=at_us, sampleValue=SimpleNamespace(uiVal=busy))
            for at_us, busy in self.samples
            if at_us > since_us
        ]
        if not rows:
            raise self.NVMLError("Not Found")
        return 1, rows

    def nvmlDeviceGetProcessUtilization(self, _handle, since_us):
        """Whoever had work on the card."""
        self.asked_since_us.append(since_us)
        self._check("users")
        return [SimpleNamespace(pid=pid, smUtil=used) for pid, used in self.users.items()]

    def nvmlDeviceGetMemoryInfo(self, _handle):
        return SimpleNamespace(used=10, total=40)

    def nvmlDeviceGetTemperature(self, _handle, sensor):
        assert sensor == self.NVML_TEMPERATURE_GPU
        return 64

    def nvmlDeviceGetClockInfo(self, _handle, clock):
        return 2500 if clock == self.NVML_CLOCK_GRAPHICS else 10_500

    def nvmlDeviceGetPowerUsage(self, _handle):
        return 180_500

    def nvmlDeviceGetEnforcedPowerLimit(self, _handle):
        raise self.NVMLError_NotSupported

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, _handle):
        return 0x20

    def nvmlDeviceGetCurrPcieLinkGeneration(self, _handle):
        return 4

    def nvmlDeviceGetMaxPcieLinkGeneration(self, _handle):
        return 4

    def nvmlDeviceGetCurrPcieLinkWidth(self, _handle):
        raise self.NVMLError_FunctionNotFound

    def nvmlDeviceGetMaxPcieLinkWidth(self, _handle):
        raise self.NVMLError_FunctionNotFound


@pytest.fixture
def nvml():
    """A library that works."""
    return FakeNvml()


@pytest.fixture
def nvidia(root, clock, nvml):
    """The cards of a computer with NVIDIA's driver and one card that is awake."""
    root.put(DRIVER_VERSION, "NVRM version: 560\n")
    root.put(f"{DRIVER}/{ADDRESS}/power/control", "auto\n")
    root.put(f"{DEVICES}/{ADDRESS}/power/control", "auto\n")
    root.put(f"{DEVICES}/{ADDRESS}/power/runtime_status", "active\n")
    return NvidiaCards(root.files, clock, lambda: nvml, lambda: WALL_NS)


def test_an_nvidia_card_tells_what_it_can(nvidia, root):
    """What this model or driver does not report is None; the older name of a call is used."""
    found = read_once(GraphicsSampler([nvidia], root.files))["gpu"]
    assert found == {
        "0 NVIDIA GeForce RTX 4070": {
            "busy_pct": 55, "memory_busy_pct": 20, "vram_used_bytes": 10,
            "vram_total_bytes": 40, "gtt_used_bytes": None, "clock_mhz": 2500,
            "memory_clock_mhz": 10_500, "power_mw": 180_500, "power_limit_mw": None,
            "temperature_mdeg": 64_000, "throttle_reasons": 0x20, "pcie_generation": 4,
            "pcie_generation_max": 4, "pcie_width": None, "pcie_width_max": None,
        }
    }  # fmt: skip


WALL_US = WALL_NS // 1000


def test_how_the_card_worked_in_each_fifth_of_a_second(nvidia, nvml, root, clock):
    """The newest first, by the clock of everything else; what lies in the future is no reading."""
    clock.advance(100)
    nvml.samples = [
        *((WALL_US - ago_ms * 1000, busy) for ago_ms, busy in [(550, 21), (350, 44), (150, 99)]),
        (WALL_US + 50_000, 12),
    ]
    read = read_once(GraphicsSampler([nvidia], root.files))
    name = "0 NVIDIA GeForce RTX 4070"
    newest = {"busy_pct": 99, "end_ns": clock() - 150_000_000, "length_us": 200_000}
    assert read["gpu_stretch"][f"{name}/0"] == newest
    assert read["gpu_stretch"][f"{name}/1"]["busy_pct"] == 44
    assert read["gpu_stretch"][f"{name}/2"] == dict.fromkeys(newest)
    assert len(read["gpu_stretch"]) == 8


def test_who_used_the_card_is_asked_where_it_was_full(nvidia, nvml, root, clock):
    """By process; whoever has ended, and what is no percentage, is left out."""
    root.put("/proc/12/comm", "game\n")
    root.put("/proc/14/comm", "trainer\n")
    sampler = GraphicsSampler([nvidia], root.files)
    nvml.users = {12: 28, 13: 50, 14: 60, 15: 0}
    nvml.samples = [(WALL_US - 400_000, 21), (WALL_US - 200_000, 84)]
    assert read_once(sampler)["gpu_process"] == {}
    assert nvml.asked_since_us == []
    nvml.samples.append((WALL_US - 1000, 99))
    read = read_once(sampler)["gpu_process"]
    assert read == {"12 game": {"used_pct": 28}, "14 trainer": {"used_pct": 60}}
    assert nvml.asked_since_us == [WALL_US]


@pytest.mark.parametrize("call", ["samples", "users"])
def test_a_driver_that_does_not_count_costs_nothing_else(nvidia, nvml, root, call):
    """The card is read as before."""
    nvml.samples = [(WALL_US - 400_000, 99), (WALL_US - 200_000, 99)]
    nvml.fails = call
    read = read_once(GraphicsSampler([nvidia], root.files))
    assert len(read["gpu"]) == 1
    assert not read.get("gpu_process")


def test_the_library_is_loaded_once_and_let_go(nvidia, nvml):
    """The library stays open while the card works."""
    nvidia.read()
    nvidia.read()
    assert (nvml.starts, nvml.is_open) == (1, True)
    nvidia.close()
    nvidia.close()
    assert not nvml.is_open


def test_a_sleeping_nvidia_card_is_not_woken(root, nvidia, nvml):
    """While the card is suspended the library is not even loaded, and an open one is let go."""
    root.put(f"{DEVICES}/{ADDRESS}/power/runtime_status", "suspended\n")
    assert (nvidia.read(), nvml.starts) == ([], 0)
    root.put(f"{DEVICES}/{ADDRESS}/power/runtime_status", "active\n")
    nvidia.read()
    root.put(f"{DEVICES}/{ADDRESS}/power/runtime_status", "suspended\n")
    assert (nvidia.read(), nvml.is_open) == ([], False)


def test_an_idle_nvidia_card_is_given_rest(nvidia, nvml, clock):
    """After some idle readings the library is closed, so that the card may fall asleep."""
    nvml.load = 0
    for _ in range(5):
        assert len(nvidia.read()) == 1
        clock.advance(1)
    assert not nvml.is_open
    assert nvidia.read() == []
    clock.advance(30)
    assert len(nvidia.read()) == 1


@pytest.mark.parametrize("call", ["nvmlInit", "load"])
def test_a_driver_that_does_not_answer_is_told(nvidia, nvml, call):
    """An error of the library is given in its words, and it is tried again afterwards."""
    nvml.fails = call
    with pytest.raises(AbsentError, match="GPU is lost"):
        nvidia.read()
    nvml.fails = ""
    assert len(nvidia.read()) == 1


def test_a_driver_that_went_away_needs_no_goodbye(nvidia, nvml):
    """An error at the end is no error of ours."""
    nvidia.read()
    nvml.fails = "nvmlShutdown"
    nvidia.close()
    assert not nvml.is_open


def test_one_silent_maker_does_not_hide_another(root, nvidia, nvml, clock):
    """With an AMD card beside it, a driver of NVIDIA that fails costs only its own card."""
    put_amd(root)
    nvml.fails = "nvmlInit"
    found = read_once(GraphicsSampler([nvidia, AmdCards(root.files, clock)], root.files))["gpu"]
    assert list(found) == ["card1 amdgpu"]


def test_a_captured_tree_asks_no_library(root, clock, nvidia):
    """In a captured tree the library would show the wrong computer."""
    with pytest.raises(AbsentError, match="captured tree"):
        NvidiaCards(root.files, clock, None, lambda: WALL_NS).read()


def test_without_the_driver_there_are_no_cards(root, clock, nvml):
    """No driver, no library."""
    assert NvidiaCards(root.files, clock, lambda: nvml, lambda: WALL_NS).read() is None
    assert nvml.starts == 0


def test_the_binding_is_installed():
    """NVIDIA's binding can be imported and has the calls that are made."""
    nvml = load_nvml()
    assert issubclass(nvml.NVMLError_NotSupported, nvml.NVMLError)
    for name in dir(FakeNvml):
        if name.startswith(("nvml", "NVML")):
            assert hasattr(nvml, name), name


def test_a_missing_binding_is_told(monkeypatch):
    """Without the Python package the reason names it."""
    monkeypatch.setitem(__import__("sys").modules, "pynvml", None)
    with pytest.raises(AbsentError, match="nvidia-ml-py"):
        load_nvml()


def test_damaged_files_are_errors(root, clock):
    """A load that is no number raises with its path."""
    put_amd(root, busy="much")
    with pytest.raises(KernelFileError, match="gpu_busy_percent"):
        AmdCards(root.files, clock).read()
