# SPDX-License-Identifier: GPL-3.0-or-later
"""Frequency, idle states and throttling."""

import pytest

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.cpu_power import (
    CPUS,
    FrequencySampler,
    IdleSampler,
    ThrottleSampler,
)
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import read_once


@pytest.fixture
def root(tmp_path):
    """An empty tree."""
    return FakeRoot(tmp_path)


def put_policy(root, name, current, limits=(400_000, 4_000_000, 5_000_000)):
    """A cpufreq policy."""
    base = f"{CPUS}/cpufreq/{name}"
    root.put(f"{base}/scaling_cur_freq", f"{current}\n")
    for file, value in zip(
        ("scaling_min_freq", "scaling_max_freq", "cpuinfo_max_freq"), limits, strict=True
    ):
        root.put(f"{base}/{file}", f"{value}\n")


def test_frequencies_per_policy_in_order_of_their_number(root):
    """Present frequency and limits in kHz; policy10 comes after policy2."""
    put_policy(root, "policy10", 3_000_000)
    put_policy(root, "policy2", 1_000_000)
    sampler = FrequencySampler(root.files)
    found = read_once(sampler)["cpufreq"]
    assert list(found) == ["policy2", "policy10"]
    assert found["policy10"] == {
        "current_khz": 3_000_000,
        "min_khz": 400_000,
        "max_khz": 4_000_000,
        "hardware_max_khz": 5_000_000,
    }
    sampler.close()


def test_a_limit_that_changes_is_noticed(root):
    """Limits are looked up now and then, and policies that come or go with them."""
    put_policy(root, "policy0", 3_000_000)
    sampler = FrequencySampler(root.files)
    read_once(sampler)
    put_policy(root, "policy0", 2_000_000, (400_000, 2_000_000, 5_000_000))
    put_policy(root, "policy1", 2_000_000)
    seen = [read_once(sampler)["cpufreq"] for _ in range(5)]
    assert seen[0]["policy0"]["current_khz"] == 2_000_000
    assert seen[-1]["policy0"]["max_khz"] == 2_000_000
    assert list(seen[-1]) == ["policy0", "policy1"]
    sampler.close()


def test_a_frequency_that_the_driver_does_not_know_is_none(root):
    """The kernel writes "<unknown>" for it."""
    put_policy(root, "policy0", "<unknown>")
    sampler = FrequencySampler(root.files)
    assert read_once(sampler)["cpufreq"]["policy0"]["current_khz"] is None
    sampler.close()


@pytest.mark.parametrize("sampler", [FrequencySampler, IdleSampler, ThrottleSampler])
def test_a_computer_without_the_driver_says_so(root, sampler):
    """A virtual machine has none of them, which is told in words."""
    with pytest.raises(AbsentError):
        sampler(root.files).read()


def test_idle_states_are_summed_over_cpus(root):
    """One instance per state with its exit latency; rejected entries may be unknown."""
    for cpu in (0, 1):
        for number, (name, latency) in enumerate((("POLL", 0), ("C6", 133))):
            base = f"{CPUS}/cpu{cpu}/cpuidle/state{number}"
            root.put(f"{base}/name", f"{name}\n")
            root.put(f"{base}/latency", f"{latency}\n")
            root.put(f"{base}/usage", f"{10 + cpu}\n")
            root.put(f"{base}/time", f"{1000 * (number + 1)}\n")
    root.put(f"{CPUS}/cpu0/cpuidle/state1/rejected", "4\n")
    assert read_once(IdleSampler(root.files))["cpuidle"] == {
        "POLL 0us": {"usage": 21, "time_us": 2000, "rejected": None},
        "C6 133us": {"usage": 21, "time_us": 4000, "rejected": 4},
    }


def test_throttling_counts_each_core_and_package_once(root):
    """Two siblings of a core and all CPUs of a package show the same counts."""
    for cpu, core in ((0, 0), (1, 0), (2, 4)):
        base = f"{CPUS}/cpu{cpu}"
        root.put(f"{base}/topology/physical_package_id", "0\n")
        root.put(f"{base}/topology/core_id", f"{core}\n")
        root.put(f"{base}/thermal_throttle/core_throttle_count", "5\n")
        root.put(f"{base}/thermal_throttle/core_throttle_total_time_ms", "70\n")
        root.put(f"{base}/thermal_throttle/package_throttle_count", "9\n")
    sampler = ThrottleSampler(root.files)
    assert read_once(sampler)["throttle"][""] == {
        "core_count": 10,
        "core_ms": 140,
        "package_count": 9,
        "package_ms": None,
    }
    sampler.close()


def test_without_topology_every_cpu_counts(root):
    """Where the kernel does not tell cores apart, nothing is left out."""
    for cpu in (0, 1):
        root.put(f"{CPUS}/cpu{cpu}/thermal_throttle/core_throttle_count", "5\n")
    root.put(f"{CPUS}/cpu0/topology/core_id", "rubbish\n")
    sampler = ThrottleSampler(root.files)
    assert read_once(sampler)["throttle"][""]["core_count"] == 10
    sampler.close()


def test_damaged_numbers_are_errors(root):
    """A frequency or count that is no number raises with its path."""
    put_policy(root, "policy0", "fast")
    root.put(f"{CPUS}/cpu0/thermal_throttle/core_throttle_count", "often\n")
    for sampler, file in (
        (FrequencySampler(root.files), "scaling_cur_freq"),
        (ThrottleSampler(root.files), "core_throttle_count"),
    ):
        with pytest.raises(KernelFileError, match=file):
            sampler.read()
        sampler.close()
