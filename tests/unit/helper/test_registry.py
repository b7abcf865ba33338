# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed list of settings is consistent in itself."""

import re

import pytest

from destutter_helper.api.safe_values import refusal, safe_range
from destutter_helper.api.tunables import (
    BY_ID,
    CELLS,
    CHOICE,
    DEVICE_KINDS,
    HOLD,
    INT,
    LATENCY,
    POLICY,
    TUNABLES,
    Tunable,
    is_kernel_value,
)

GIB_KIB = 1024 * 1024
each_tunable = pytest.mark.parametrize("tunable", TUNABLES, ids=lambda tunable: tunable.id)


def test_ids_are_unique() -> None:
    """No two settings share an id."""
    assert len(BY_ID) == len(TUNABLES)


def test_the_list_is_the_one_that_was_promised() -> None:
    """Ids end up in users' files: none is renamed and none disappears."""
    assert {tunable.id for tunable in TUNABLES if not tunable.scheduler} == {
        "vm.min_free_kbytes",
        "vm.watermark_scale_factor",
        "vm.watermark_boost_factor",
        "vm.swappiness",
        "vm.page-cluster",
        "vm.vfs_cache_pressure",
        "vm.zone_reclaim_mode",
        "vm.max_map_count",
        "vm.compaction_proactiveness",
        "vm.dirty_ratio",
        "vm.dirty_bytes",
        "vm.dirty_background_ratio",
        "vm.dirty_background_bytes",
        "vm.dirty_expire_centisecs",
        "vm.dirty_writeback_centisecs",
        "thp.enabled",
        "thp.defrag",
        "thp.khugepaged_defrag",
        "block.scheduler",
        "block.nr_requests",
        "block.wbt_lat_usec",
        "block.read_ahead_kb",
        "nvme.latency_tolerance",
        "sata.link_power",
        "kernel.split_lock_mitigate",
        "softirq.policy",
        "cpu.power_profile",
        "cpu.dma_latency",
    }


@each_tunable
def test_id_follows_the_path(tunable: Tunable) -> None:
    """An id is the sysctl's or attribute's own name, so that people recognise it."""
    last = re.split(r"[./]", tunable.path)[-1]
    if tunable.id.startswith("vm."):
        assert tunable.path == f"/proc/sys/vm/{tunable.id.removeprefix('vm.')}"
    elif tunable.id.startswith("block."):
        assert tunable.id.endswith(last)


@each_tunable
def test_path_lies_below_a_kernel_directory(tunable: Tunable) -> None:
    """No setting points anywhere but into /proc/sys, /sys and the one device node."""
    if tunable.kind == POLICY or tunable.id == "cpu.power_profile":
        assert tunable.path == ""
    else:
        assert tunable.path.startswith(
            ("/proc/sys/vm/", "/proc/sys/kernel/", "/sys/", "/dev/cpu_")
        )
        assert ".." not in tunable.path
        assert ("{device}" in tunable.path) == bool(tunable.device_kind)


@each_tunable
@pytest.mark.parametrize("memory_gib", [1, 2, 4, 8, 16, 64, 256, 1024])
def test_safe_range_lies_within_the_kernels(tunable: Tunable, memory_gib: int) -> None:
    """What a user may ask for is something that the kernel takes, on every size of computer."""
    limits = safe_range(tunable, memory_gib * GIB_KIB)
    if tunable.choices:
        assert limits is None
    else:
        assert limits is not None
        assert tunable.low <= limits[0] <= limits[1] <= tunable.high


@each_tunable
def test_kind_and_device_kind_are_known(tunable: Tunable) -> None:
    """Every setting is of a kind that the kernel writer can handle."""
    assert tunable.kind in {INT, CHOICE, LATENCY, POLICY, HOLD}
    assert tunable.device_kind in {"", *DEVICE_KINDS}
    assert bool(tunable.choices) == (tunable.kind == CHOICE or tunable.id == "cpu.power_profile")


@each_tunable
def test_masters_are_written_before_what_they_move(tunable: Tunable) -> None:
    """The order of writing puts a scheduler before its queue and huge pages before the reserve."""
    for name in tunable.moves:
        assert BY_ID[name].rank > tunable.rank
        assert BY_ID[name].device_kind == tunable.device_kind


@each_tunable
def test_what_the_kernel_ties_together_has_one_state(tunable: Tunable) -> None:
    """Both members of a pair, and a master with all that it moves, are in one cell."""
    tied = [*tunable.moves, *([tunable.twin] if tunable.twin else [])]
    for name in tied:
        assert BY_ID[name].cell == tunable.cell
        assert BY_ID[name].device_kind == tunable.device_kind
    if tunable.twin:
        assert BY_ID[tunable.twin].twin == tunable.id
    assert tunable in CELLS[tunable.cell]
    assert not any(one.path == "" or one.kind == HOLD for one in CELLS[tunable.cell][1:])


@each_tunable
def test_label_is_fit_for_a_dialog(tunable: Tunable) -> None:
    """Labels appear in the authentication dialog: plain words only."""
    assert re.fullmatch(r"[A-Za-z0-9 /-]{3,60}", tunable.label)


@pytest.mark.parametrize(
    ("memory_gib", "low", "high"),
    [(1, 2048, 52428), (8, 5792, 167772), (32, 11585, 671088), (128, 23170, 1048576)],
)
def test_reserve_is_bounded_by_the_memory(memory_gib: int, low: int, high: int) -> None:
    """min_free_kbytes stays between half of the kernel's own choice and 2 % of memory or 1 GiB."""
    assert safe_range(BY_ID["vm.min_free_kbytes"], memory_gib * GIB_KIB) == (low, high)


def test_limit_of_unwritten_data_never_stops_every_writer() -> None:
    """8192 bytes of dirty data would be accepted by the kernel and bring a computer to a halt."""
    limits = safe_range(BY_ID["vm.dirty_bytes"], 16 * GIB_KIB)
    assert limits is not None
    assert limits[0] == 32 * 1024 * 1024


def test_link_power_that_may_damage_data_is_read_but_not_offered() -> None:
    """min_power is reputed to: a user cannot ask for it, undo writes it back where it was."""
    link = BY_ID["sata.link_power"]
    assert "min_power" not in link.offered
    assert refusal(link, "min_power", 16 << 20)
    assert is_kernel_value(link, "min_power")
    assert refusal(link, "max_performance", 16 << 20) is None
