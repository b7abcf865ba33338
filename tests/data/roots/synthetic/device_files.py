# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphics cards, sensors and power below /sys.

Documentation/gpu/amdgpu/{thermal,driver-misc}.rst, drivers/gpu/drm/amd/pm/amdgpu_pm.c,
drivers/gpu/drm/amd/include/kgd_pp_interface.h (gpu_metrics), drivers/gpu/drm/i915/gt/
intel_gt_sysfs_pm.c, Documentation/hwmon/sysfs-interface.rst,
Documentation/ABI/testing/sysfs-class-{power,thermal,drm}.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from tests.data.roots.synthetic.tree import Content, Tree

MIB = 1 << 20
# gpu_metrics 1.3: header, 10 u16, 2 u64, 14 u16, u32, 3 u16 and a gap, 2 u32, 4 u16, u64, 3 u16
# and a gap, u64; the compiler puts no other gaps there.
METRICS_1_3 = struct.Struct("<HBB10H2Q14HI4H2I4HQ4HQ")


@dataclass(frozen=True)
class AmdCard:
    """A card of amdgpu and what it does at the moment."""

    name: str
    slot: str
    folder: str
    device_id: str
    busy_percent: int
    vram_mib: int
    vram_used_mib: int
    gtt_used_mib: int
    clocks_mhz: tuple[int, ...]
    clock_level: int
    power_uw: int
    power_cap_uw: int | None
    edge_mdeg: int
    hwmon: str
    link: tuple[str, int] | None = None
    throttle: int = 0


def add_amd_card(tree: Tree, card: AmdCard) -> None:
    """The card, its sensors and its node below /sys/class/drm."""
    files: dict[str, Content] = {
        "vendor": "0x1002",
        "device": card.device_id,
        "uevent": f"DRIVER=amdgpu\nPCI_SLOT_NAME={card.slot}",
        "gpu_busy_percent": card.busy_percent,
        "mem_busy_percent": card.busy_percent // 3,
        "mem_info_vram_total": card.vram_mib * MIB,
        "mem_info_vram_used": card.vram_used_mib * MIB,
        "mem_info_vis_vram_total": card.vram_mib * MIB,
        "mem_info_vis_vram_used": card.vram_used_mib * MIB,
        "mem_info_gtt_total": 7734 * MIB,
        "mem_info_gtt_used": card.gtt_used_mib * MIB,
        "power_dpm_force_performance_level": "auto",
        "power_dpm_state": "performance",
        "pp_dpm_sclk": _levels(card.clocks_mhz, card.clock_level),
        "pp_dpm_mclk": _levels((96, 456, 772, 1000), card.clock_level and 3),
        "power/control": "auto",
        "power/runtime_status": "active",
        "gpu_metrics": _metrics(card),
    }
    if card.link is not None:
        speed, width = card.link
        files |= {"current_link_speed": speed, "current_link_width": width}
        files |= {"max_link_speed": "16.0 GT/s PCIe", "max_link_width": 8}
    tree.put_all(card.folder, files)
    _add_node(tree, card.name, card.folder, 226)
    sensors: dict[str, Content] = {
        "freq1_input": card.clocks_mhz[card.clock_level] * 1_000_000,
        "freq1_label": "sclk",
        "in0_input": 812,
        "in0_label": "vddgfx",
        "power1_average": card.power_uw,
        "power1_label": "PPT",
        "temp1_input": card.edge_mdeg,
        "temp1_label": "edge",
    }
    if card.power_cap_uw is not None:
        sensors |= {
            "freq2_input": 1_000_000_000,
            "freq2_label": "mclk",
            "power1_cap": card.power_cap_uw,
            "power1_cap_default": card.power_cap_uw,
            "power1_cap_max": card.power_cap_uw + 20_000_000,
            "power1_cap_min": 0,
            "temp1_crit": 100_000,
            "temp1_crit_hyst": -273_150,
            "temp1_emergency": 105_000,
            "temp2_crit": 110_000,
            "temp2_input": card.edge_mdeg + 14_000,
            "temp2_label": "junction",
            "temp3_crit": 108_000,
            "temp3_input": card.edge_mdeg + 6_000,
            "temp3_label": "mem",
        }
    add_hwmon(tree, card.hwmon, "amdgpu", card.folder, sensors)


def add_i915_card(tree: Tree, folder: str, reasons: Mapping[str, int]) -> None:
    """The graphics inside an Intel processor; ``reasons`` are those that slow it down now."""
    files: dict[str, Content] = {
        "vendor": "0x8086",
        "device": "0xa780",
        "uevent": "DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0",
        "current_link_speed": "Unknown",
        "current_link_width": 0,
        "max_link_speed": "Unknown",
        "max_link_width": 255,
        "power/control": "on",
        "power/runtime_status": "active",
    }
    tree.put_all(folder, files)
    _add_node(tree, "card0", folder, 226)
    card = f"{folder}/drm/card0"
    frequencies = {"RP0": 1650, "RP1": 500, "RPn": 300}
    tree.put_all(card, {f"gt_{name}_freq_mhz": mhz for name, mhz in frequencies.items()})
    for name, mhz in {"act": 950, "cur": 1650, "max": 1650, "min": 300, "boost": 1650}.items():
        tree.put(f"{card}/gt_{name}_freq_mhz", mhz)
        tree.put(f"{card}/gt/gt0/rps_{name}_freq_mhz", mhz)
    names = "pl1 pl2 pl4 thermal prochot ratl vr_thermalert vr_tdc".split()
    for name in names:
        tree.put(f"{card}/gt/gt0/throttle_reason_{name}", reasons.get(name, 0))
    tree.put(f"{card}/gt/gt0/throttle_reason_status", int(any(reasons.values())))


def add_hwmon(
    tree: Tree, name: str, chip: str, device: str, sensors: Mapping[str, Content]
) -> None:
    """A chip with its sensors: millidegrees, microwatts, millivolts, Hz."""
    folder = f"{device}/hwmon/{name}"
    tree.put_all(folder, {"name": chip, **sensors})
    tree.link(f"{folder}/device", device)
    tree.link(f"/sys/class/hwmon/{name}", folder)


def add_thermal_zone(tree: Tree, kind: str, now_mdeg: int, critical_mdeg: int) -> None:
    """The firmware's thermal zone."""
    folder = "/sys/devices/virtual/thermal/thermal_zone0"
    files: dict[str, Content] = {
        "type": kind,
        "temp": now_mdeg,
        "mode": "enabled",
        "policy": "step_wise",
        "trip_point_0_type": "critical",
        "trip_point_0_temp": critical_mdeg,
        "trip_point_0_hyst": 0,
    }
    tree.put_all(folder, files)
    tree.link("/sys/class/thermal/thermal_zone0", folder)


def add_battery(tree: Tree, *, is_plugged: bool, capacity_percent: int) -> None:
    """A mains adapter and a battery."""
    base = "/sys/devices/LNXSYSTM:00/LNXSYBUS:00"
    mains = f"{base}/ACPI0003:00/power_supply/ADP0"
    tree.put_all(mains, {"type": "Mains", "online": int(is_plugged)})
    battery = f"{base}/PNP0C0A:00/power_supply/BAT1"
    full_uwh = 68_000_000
    files: dict[str, Content] = {
        "type": "Battery",
        "present": 1,
        "status": "Full" if is_plugged else "Discharging",
        "capacity": capacity_percent,
        "energy_full": full_uwh,
        "energy_full_design": 72_000_000,
        "energy_now": full_uwh * capacity_percent // 100,
        "power_now": 0 if is_plugged else 61_300_000,
        "voltage_now": 16_120_000,
    }
    tree.put_all(battery, files)
    tree.link("/sys/class/power_supply/ADP0", mains)
    tree.link("/sys/class/power_supply/BAT1", battery)


def _levels(clocks_mhz: tuple[int, ...], current: int) -> str:
    lines = (
        f"{level}: {mhz}Mhz {'*' if level == current else ''}"
        for level, mhz in enumerate(clocks_mhz)
    )
    return "\n".join(lines)


def _metrics(card: AmdCard) -> bytes:
    edge = card.edge_mdeg // 1000
    clock = card.clocks_mhz[card.clock_level]
    busy, power = card.busy_percent, card.power_uw // 1_000_000
    temperatures = (edge, edge + 14, edge + 6, edge, edge, edge)
    averages = (clock, 800, 1000, 0, 0, 0, 0)
    values = [METRICS_1_3.size, 1, 3, *temperatures, busy, busy // 3, 0, power]
    values += [981_234_567, 7_412_000_000_000, *averages, *averages, 0]
    values += [2100, 8, 160, 0, 412_000, 91_000, 0, 0, 0, 0, 741_200_000_000, 780, 812, 1350, 0]
    return METRICS_1_3.pack(*values, card.throttle)


def _add_node(tree: Tree, name: str, device: str, major: int) -> None:
    folder = f"{device}/drm/{name}"
    tree.put(f"{folder}/dev", f"{major}:{name.removeprefix('card')}")
    tree.link(f"{folder}/device", device)
    tree.link(f"/sys/class/drm/{name}", folder)
