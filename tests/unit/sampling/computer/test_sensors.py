# SPDX-License-Identifier: GPL-3.0-or-later
"""Temperatures and power, without waking what sleeps."""

import errno
import os

import pytest

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.sensors import HWMON, THERMAL, PowerSampler, TemperatureSampler
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import SteppedClock, read_once


@pytest.fixture
def root(tmp_path):
    """A processor, two drives and a graphics card that may fall asleep."""
    made = FakeRoot(tmp_path)
    put_chip(made, "hwmon0", "k10temp", temp1_input=45000, temp1_label="Tctl", temp1_crit=95000)
    put_chip(made, "hwmon1", "nvme", temp1_input=51000, temp1_label="Composite", temp1_crit=84000)
    put_chip(made, "hwmon2", "nvme", temp1_input=52000, temp1_label="Composite")
    put_chip(made, "hwmon3", "amdgpu", temp1_input=60000, power1_average=30_000_000)
    made.put(f"{HWMON}/hwmon3/device/power/control", "auto\n")
    return made


def put_chip(root, folder, name, **files):
    """A chip of hwmon."""
    root.put(f"{HWMON}/{folder}/name", f"{name}\n")
    for file, value in files.items():
        root.put(f"{HWMON}/{folder}/{file}", f"{value}\n")


def test_chips_and_zones_are_named(root):
    """Chip and label; two drives are told apart; the limits of drives are not asked for."""
    root.put(f"{THERMAL}/thermal_zone0/type", "acpitz\n")
    root.put(f"{THERMAL}/thermal_zone0/temp", "71000\n")
    root.put(f"{THERMAL}/thermal_zone0/trip_point_0_type", "passive\n")
    root.put(f"{THERMAL}/thermal_zone0/trip_point_1_type", "critical\n")
    root.put(f"{THERMAL}/thermal_zone0/trip_point_1_temp", "105000\n")
    found = read_once(TemperatureSampler(root.files, SteppedClock()))["temperature"]
    assert {name: tuple(row.values()) for name, row in found.items()} == {
        "k10temp Tctl": (45000, 95000),
        "nvme Composite": (51000, None),
        "nvme Composite #2": (52000, None),
        "acpitz": (71000, 105000),
    }


def test_drives_are_asked_once_a_minute(root):
    """A drive's temperature stays that of the last minute; others are those of now."""
    clock = SteppedClock()
    sampler = TemperatureSampler(root.files, clock)
    read_once(sampler)
    root.put(f"{HWMON}/hwmon0/temp1_input", "46000\n")
    root.put(f"{HWMON}/hwmon1/temp1_input", "53000\n")
    clock.advance(5)
    soon = read_once(sampler)["temperature"]
    assert soon["k10temp Tctl"]["millidegrees"] == 46000
    assert soon["nvme Composite"]["millidegrees"] == 51000
    clock.advance(60)
    later = read_once(sampler)["temperature"]
    assert later["nvme Composite"]["millidegrees"] == 53000


def test_a_card_that_may_fall_asleep_is_left_alone(root):
    """Neither temperature nor power of such a card is asked; of one that stays awake they are."""
    with pytest.raises(AbsentError):
        PowerSampler(root.files).read()
    root.put(f"{HWMON}/hwmon3/device/power/control", "on\n")
    assert read_once(PowerSampler(root.files))["power"] == {
        "amdgpu power1": {"microwatts": 30_000_000}
    }


def test_a_sensor_that_answers_with_an_error_is_none(root, monkeypatch):
    """EAGAIN of a busy chip costs its own value, not the others."""
    real = os.read

    def busy(descriptor, size):
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("hwmon0/temp1_input"):
            raise OSError(errno.EAGAIN, "busy")
        return real(descriptor, size)

    monkeypatch.setattr("destutter.core.kernel_files.os.read", busy)
    found = read_once(TemperatureSampler(root.files, SteppedClock()))["temperature"]
    assert found["k10temp Tctl"]["millidegrees"] is None
    assert found["nvme Composite"]["millidegrees"] == 51000


def test_a_sensor_that_is_no_number_is_an_error(root):
    """A sensor's file that is there and no number raises with its path."""
    root.put(f"{HWMON}/hwmon0/temp1_input", "warm\n")
    with pytest.raises(KernelFileError, match="temp1_input"):
        TemperatureSampler(root.files, SteppedClock()).read()


def test_a_computer_without_sensors_says_so(tmp_path):
    """A virtual machine has none, which is told in words."""
    files = FakeRoot(tmp_path).files
    with pytest.raises(AbsentError, match="no temperatures"):
        TemperatureSampler(files, SteppedClock()).read()
    with pytest.raises(AbsentError, match="no power"):
        PowerSampler(files).read()
