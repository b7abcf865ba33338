# SPDX-License-Identifier: GPL-3.0-or-later
"""CPUs below /sys/devices/system/cpu: topology, frequency, idle states, thermal throttling.

Documentation/ABI/testing/sysfs-devices-system-cpu, Documentation/admin-guide/pm/{amd-pstate,
intel_pstate,cpuidle}.rst, arch/x86/kernel/cpu/mce/therm_throt.c.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.data.roots.synthetic.computer import Computer, Cpu
from tests.data.roots.synthetic.tree import Content, Tree, cpu_list

BASE = "/sys/devices/system/cpu"


@dataclass(frozen=True)
class IdleState:
    """One cpuidle state: exit latency and wanted residency in µs."""

    name: str
    latency_us: int
    residency_us: int
    is_disabled: bool = False


@dataclass(frozen=True)
class Frequency:
    """The cpufreq policy of one CPU, in kHz."""

    driver: str
    minimum_khz: int
    maximum_khz: int
    current_khz: int
    preference: str
    preferences: str


def add_topology(tree: Tree, computer: Computer, idle_driver: str) -> None:
    """Which CPUs there are, and which share a core."""
    every = cpu_list(computer.numbers)
    for name in ("online", "present", "possible"):
        tree.put(f"{BASE}/{name}", every)
    tree.put(f"{BASE}/offline", "")
    tree.put(f"{BASE}/isolated", "")
    tree.put(f"{BASE}/smt/active", int(any(len(cpu.siblings) > 1 for cpu in computer.cpus)))
    tree.put_all(f"{BASE}/cpuidle", {"current_driver": idle_driver, "current_governor": "menu"})
    for cpu in computer.cpus:
        topology: dict[str, Content] = {
            "core_id": cpu.core,
            "physical_package_id": 0,
            "die_id": 0,
            "thread_siblings_list": cpu_list(list(cpu.siblings)),
            "core_cpus_list": cpu_list(list(cpu.siblings)),
            "package_cpus_list": every,
        }
        tree.put_all(f"{BASE}/cpu{cpu.number}/topology", topology)
        tree.put(f"{BASE}/cpu{cpu.number}/power/pm_qos_resume_latency_us", 0)


def add_idle_states(tree: Tree, cpu: Cpu, states: Sequence[IdleState]) -> None:
    """The idle states of one CPU; deeper ones were entered less often, for longer."""
    for index, state in enumerate(states):
        usage = 1_000_000 // (index + 1) + cpu.number
        files: dict[str, Content] = {
            "name": state.name,
            "desc": state.name,
            "latency": state.latency_us,
            "residency": state.residency_us,
            "usage": 0 if state.is_disabled else usage,
            "time": 0 if state.is_disabled else usage * max(2 * state.residency_us, 1),
            "rejected": 0,
            "above": usage // 10,
            "below": usage // 20,
            "disable": int(state.is_disabled),
            "default_status": "disabled" if state.is_disabled else "enabled",
        }
        tree.put_all(f"{BASE}/cpu{cpu.number}/cpuidle/state{index}", files)


def add_frequency(tree: Tree, cpu: Cpu, frequency: Frequency, **more: Content) -> None:
    """The policy of one CPU; ``more`` are the files that only its driver has."""
    policy = f"{BASE}/cpufreq/policy{cpu.number}"
    files: dict[str, Content] = {
        "affected_cpus": cpu.number,
        "related_cpus": cpu.number,
        "cpuinfo_min_freq": frequency.minimum_khz,
        "cpuinfo_max_freq": frequency.maximum_khz,
        "cpuinfo_transition_latency": 0,
        "scaling_min_freq": frequency.minimum_khz,
        "scaling_max_freq": frequency.maximum_khz,
        "scaling_cur_freq": frequency.current_khz,
        "scaling_driver": frequency.driver,
        "scaling_governor": "powersave",
        "scaling_available_governors": "performance powersave",
        "scaling_setspeed": "<unsupported>",
        "energy_performance_preference": frequency.preference,
        "energy_performance_available_preferences": frequency.preferences,
        **more,
    }
    tree.put_all(policy, files)
    tree.link(f"{BASE}/cpu{cpu.number}/cpufreq", policy)


def add_throttling(tree: Tree, cpu: Cpu, core_ms: int, package_ms: int) -> None:
    """Intel's counters of thermal throttling; a package's are the same on all of its CPUs."""
    files: dict[str, Content] = {}
    for scope, total_ms in (("core", core_ms), ("package", package_ms)):
        files[f"{scope}_throttle_count"] = total_ms // 3
        files[f"{scope}_throttle_max_time_ms"] = min(total_ms, 12)
        files[f"{scope}_throttle_total_time_ms"] = total_ms
    tree.put_all(f"{BASE}/cpu{cpu.number}/thermal_throttle", files)
