# SPDX-License-Identifier: GPL-3.0-or-later
"""Recommendations: each row of the rules, and what must hold on any computer."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.tuning.advice import is_safe, recommend
from destutter.tuning.advice_memory import reserve_limit_bytes
from destutter.tuning.advice_storage import best_scheduler, dirty_limits_mib
from destutter.tuning.machine_profile import Drive, DriveKind, MachineProfile, SwapKind
from destutter.tuning.presets import GENERAL, load_presets
from destutter.tuning.recommendation import (
    LOW,
    Measured,
    PairResult,
    Situation,
    against,
    usual_risk,
    with_twins,
)
from destutter.tuning.watermarks import total_marks, zone_marks
from destutter.words.catalogue import places
from destutter.words.measures import NBSP
from tests.unit.tuning.computers import DEFAULTS, SCHEDULERS, advice, causes, machine, zones

PRESETS = load_presets(Path(__file__).resolve().parents[3] / "resources" / "presets")
ALL_CAUSES = (
    "direct_reclaim kswapd_overwhelmed compaction_stall swap_thrash dirty_throttling slow_device "
    "io_unfairness wbt_throttling nvme_power_state link_power zone_exhaustion deep_c_state "
    "frequency_ramp split_lock"
).split()


@pytest.mark.parametrize(
    ("gib", "wanted"), [(8, 150), (16, 200), (32, 188), (64, 100), (128, 100)]
)
def test_scale_factor_follows_the_memory(gib, wanted):
    """Two seconds at 300 MiB/s, within the limits of each size of memory."""
    assert advice(machine(gib))["vm.watermark_scale_factor"].recommended == str(wanted)


def test_scale_factor_follows_the_measured_rate():
    """A game that takes more gets more, up to the largest that its memory allows."""
    for rate, wanted in ((100.0, "100"), (350.0, "220"), (5000.0, "239")):
        found = advice(machine(32), measured=Measured(peak_mib_per_s=rate))
        assert found["vm.watermark_scale_factor"].recommended == wanted
        reason = found["vm.watermark_scale_factor"].reason
        assert reason.id == "tuning.scale_factor.reason.measured"
        assert reason.values["rate_bytes_per_s"] == rate * 2**20


@pytest.mark.parametrize(("available_mib", "is_any"), [(1000, False), (1500, True)])
def test_a_reserve_that_lasts_for_a_moment_is_none(available_mib, is_any):
    """What can be afforded beside a program that fills memory made no wait shorter: it is to be
    closed, and a setting beside that advice would only be in its way. Nor is the boost switched
    off for it."""
    measured = Measured(least_available_mib=available_mib)
    found = advice(machine(24), measured=measured)
    assert ("vm.watermark_scale_factor" in found) is is_any


def test_reserve_is_a_part_of_what_was_ever_available():
    """At most 30 % of the least available memory of the session."""
    measured = Measured(least_available_mib=2000)
    found = advice(machine(32), measured=measured)["vm.watermark_scale_factor"]
    marks = total_marks(zone_marks(zones(32), 67584, int(found.recommended)))
    more = total_marks(zone_marks(zones(32), 67584, int(found.recommended) + 1))
    assert marks.high_bytes <= 600 * 2**20 < more.high_bytes


def test_only_a_large_and_empty_memory_gets_the_largest_factor():
    """Over 300 from 64 GB on, with stalls measured and twice the reserve always available, and
    still within 7 % of memory."""
    stalls = {"direct_reclaim": frozenset[str]()}
    rich = Measured(stalls, peak_mib_per_s=5000, least_available_mib=40_000)
    poor = Measured(stalls, peak_mib_per_s=5000, least_available_mib=12_000)
    quiet = Measured(peak_mib_per_s=5000, least_available_mib=40_000)
    preset = replace(PRESETS["flight_sim"], raises_min_free=False)
    found = {
        name: int(
            advice(machine(96), measured=each, preset=preset)[
                "vm.watermark_scale_factor"
            ].recommended
        )
        for name, each in {"rich": rich, "poor": poor, "quiet": quiet}.items()
    }
    assert 300 < found["rich"] <= 500
    assert found["poor"] <= 300
    assert found["quiet"] == 300


@pytest.mark.parametrize(
    ("setting", "value", "is_one"),
    [
        ("vm.swappiness", "200", True),
        ("vm.swappiness", "201", False),
        ("vm.page-cluster", "31", True),
        ("vm.page-cluster", "32", False),
    ],
)
def test_a_value_that_no_kernel_has_brings_no_advice(setting, value, is_one):
    """As in a damaged recording: what is told of it would be nonsense (2 to the 999 pages)."""
    found = advice(machine(swap=SwapKind.SSD), {setting: value})
    assert (setting in found) is is_one


def test_cost_is_told_in_numbers():
    """Between what free memory will swing, and does now."""
    cost = str(advice(machine(32))["vm.watermark_scale_factor"].cost).replace(NBSP, " ")
    assert cost == (
        "Between 667 MB and 1.2 GB of memory stay free and hold no files; now it is 97.9 MB to "
        "130 MB."
    )


def test_small_memory_that_swaps_keeps_what_it_has():
    """At most 8 GiB and pages in swap: a reserve would make it worse, but for measured stalls."""
    small = machine(8, swap=SwapKind.ZRAM, swapped_kib=100_000)
    assert "vm.watermark_scale_factor" not in advice(small)
    assert "vm.watermark_scale_factor" in advice(small, measured=causes("direct_reclaim"))


def test_no_boost_beside_a_wide_gap():
    """The boost goes with the gap that is there, or that is advised; a narrow one keeps it."""
    found = advice(machine(32))["vm.watermark_boost_factor"]
    assert found.with_others == ("vm.watermark_scale_factor",)
    wide = advice(machine(32), {"vm.watermark_scale_factor": "300"})
    assert wide["vm.watermark_boost_factor"].with_others == ()
    assert "vm.watermark_boost_factor" not in advice(machine(32, is_guest=True))
    chosen = {"vm.watermark_scale_factor": "/etc/sysctl.d/a.conf:1"}
    assert "vm.watermark_boost_factor" not in advice(machine(32), chosen=chosen)


@pytest.mark.parametrize(("gib", "kib"), [(16, 163_569), (32, 327_139), (96, 981_467)])
def test_minimum_grows_only_for_a_simulator(gib, kib):
    """One percent of memory within a limit, and only where the preset asks."""
    assert "vm.min_free_kbytes" not in advice(machine(gib))
    found = advice(machine(gib), preset=PRESETS["flight_sim"])["vm.min_free_kbytes"]
    assert int(found.recommended) == pytest.approx(min(kib, 1024 * 1024), rel=0.03)
    assert found.risk == "medium"


@pytest.mark.parametrize(
    ("swap", "gib", "swappiness", "cluster"),
    [
        (SwapKind.ZRAM, 12, "150", "0"),
        (SwapKind.ZRAM, 32, "100", "0"),
        (SwapKind.ZRAM_AND_DISK, 16, "100", "0"),
        (SwapKind.ZSWAP, 16, None, "0"),
        (SwapKind.SSD, 32, "30", "0"),
        (SwapKind.HDD, 32, "10", None),
        (SwapKind.NONE, 32, None, None),
        (SwapKind.UNKNOWN, 32, None, None),
    ],
)
def test_swap_by_its_kind(swap, gib, swappiness, cluster):
    """Cheap swap early, dear swap late, no neighbours where seeking costs nothing."""
    found = advice(machine(gib, swap=swap))
    for key, wanted in (("vm.swappiness", swappiness), ("vm.page-cluster", cluster)):
        assert (found[key].recommended if key in found else None) == wanted


def test_a_simulator_keeps_its_files_in_memory_beside_zram():
    """They are read again and again, so that less is swapped than elsewhere."""
    found = advice(machine(12, swap=SwapKind.ZRAM), preset=PRESETS["flight_sim"])
    assert found["vm.swappiness"].recommended == "100"


def test_fitting_swappiness_is_left_alone():
    """What a distribution sets for zram is as good as what we would say."""
    for value in ("100", "150", "180"):
        assert "vm.swappiness" not in advice(
            machine(12, swap=SwapKind.ZRAM), {"vm.swappiness": value}
        )
    large = machine(96, swap=SwapKind.SSD)
    assert "vm.swappiness" not in advice(large, {"vm.swappiness": "8"})


@pytest.mark.parametrize(
    ("speed", "limits"),
    [
        (1000, (250, 1000)),
        (400, (100, 400)),
        (120, (32, 128)),
        (20, (32, 128)),
        (9000, (256, 1024)),
    ],
)
def test_unwritten_data_by_the_speed_of_the_drive(speed, limits):
    """A quarter of a second and a second, within limits, at least four times apart."""
    assert dirty_limits_mib(speed) == limits


def test_dirty_limits_need_evidence_and_never_rise():
    """Only against measured throttling, both together, and below what holds now."""
    assert "vm.dirty_bytes" not in advice(machine(32))
    throttled = causes("dirty_throttling")
    found = advice(machine(32), measured=throttled)
    assert found["vm.dirty_bytes"].recommended == str(1000 * 2**20)
    assert found["vm.dirty_background_bytes"].recommended == str(250 * 2**20)
    low = machine(32, dirty_threshold_pages=999 * 256)
    assert "vm.dirty_bytes" not in advice(low, measured=throttled)
    assert "vm.dirty_background_bytes" not in advice(low, measured=throttled)


def test_a_limit_below_all_that_is_advised_is_raised_where_somebody_waits():
    """16 MB of a "gaming tweak" froze a game at each save, and no better value was known."""
    mib = 256  # pages
    set_so = {"vm.dirty_ratio": "0", "vm.dirty_bytes": "16000000"}
    throttled = causes("dirty_throttling")
    tweaked = machine(32, dirty_threshold_pages=15 * mib, dirty_background_pages=7 * mib)
    assert "vm.dirty_bytes" not in advice(tweaked, set_so)
    found = advice(tweaked, set_so, throttled)
    assert found["vm.dirty_bytes"].recommended == str(1000 * 2**20)
    assert found["vm.dirty_background_bytes"].recommended == str(250 * 2**20)
    assert found["vm.dirty_bytes"].risk == "low"
    assert len({each.effect.id for each in found.values() if "raised" in each.effect.id}) == 2
    assert found["vm.dirty_bytes"].reason.values == {"piled_bytes": 15 * 2**20}
    assert "vm.dirty_bytes" not in advice(tweaked, set_so, causes("filesystem_commit"))
    # Where memory is small the kernel's own share is, too.
    assert "vm.dirty_bytes" not in advice(tweaked, measured=throttled)
    enough = machine(32, dirty_threshold_pages=128 * mib, dirty_background_pages=7 * mib)
    assert "vm.dirty_bytes" not in advice(enough, set_so, throttled)
    half = machine(32, dirty_threshold_pages=100 * mib, dirty_background_pages=300 * mib)
    found = advice(half, set_so, throttled)
    assert "vm.dirty_background_bytes" not in found
    assert "vm.dirty_bytes" in found


def test_slowest_busy_drive_decides_about_unwritten_data():
    """A hard disk that nobody wrote to does not slow down the others; a measured speed counts."""
    drives = (Drive("nvme0n1", DriveKind.NVME), Drive("sda", DriveKind.HDD))
    throttled = {"dirty_throttling": frozenset[str]()}
    both = advice(machine(32, drives=drives), measured=Measured(throttled))
    assert both["vm.dirty_bytes"].recommended == str(128 * 2**20)
    busy = Measured(throttled, busy_drives=frozenset({"nvme0n1"}))
    one = advice(machine(32, drives=drives), measured=busy)
    assert one["vm.dirty_bytes"].recommended == str(1000 * 2**20)
    slow = Measured(throttled, write_mib_per_s={"nvme0n1": 200.0})
    assert advice(machine(32), measured=slow)["vm.dirty_bytes"].recommended == str(200 * 2**20)


@pytest.mark.parametrize(
    ("kind", "now", "wanted"),
    [
        (DriveKind.NVME, "none", None),
        (DriveKind.HDD, "mq-deadline", "bfq"),
        (DriveKind.CARD, "none", "bfq"),
        (DriveKind.SATA_SSD, "none", "mq-deadline"),
        (DriveKind.SATA_SSD, "kyber", None),
        (DriveKind.VIRTUAL, "mq-deadline", "none"),
        (DriveKind.LAYERED, "bfq", "none"),
    ],
)
def test_scheduler_by_drive_and_only_with_evidence(kind, now, wanted):
    """Kept without contention; with it, what suits the kind, and NVMe only by its own test."""
    profile = machine(32, drives=(Drive("d", kind, SCHEDULERS),))
    values = {"block.scheduler@d": now}
    assert "block.scheduler@d" not in advice(profile, values)
    assert "block.scheduler@d" not in advice(
        profile, values, causes("io_unfairness", on="another")
    )
    found = advice(profile, values, causes("io_unfairness", on="d"))
    assert (
        found["block.scheduler@d"].recommended if found.get("block.scheduler@d") else None
    ) == (wanted)


def test_scheduler_that_is_not_loaded_is_not_advised():
    """A hard disk without bfq keeps what it has."""
    profile = machine(32, drives=(Drive("d", DriveKind.HDD, ("none", "mq-deadline")),))
    values = {"block.scheduler@d": "mq-deadline"}
    assert "block.scheduler@d" not in advice(profile, values, causes("io_unfairness"))


def test_measured_pairs_decide_about_the_scheduler():
    """The quickest reader among those that keep 85 % of the heavy job; a tie goes to none."""
    results = {
        "none": PairResult(4.0, 100.0),
        "bfq": PairResult(1.0, 80.0),
        "kyber": PairResult(2.0, 90.0),
        "mq-deadline": PairResult(3.0, 99.0),
    }
    assert best_scheduler(results) == "kyber"
    assert best_scheduler({**results, "none": PairResult(2.1, 100.0)}) == "none"
    assert best_scheduler({}) is None
    measured = Measured({"io_unfairness": frozenset({"nvme0n1"})}, pairs={"nvme0n1": results})
    found = advice(machine(32), {"block.scheduler@nvme0n1": "none"}, measured)
    assert found["block.scheduler@nvme0n1"].recommended == "kyber"


def test_what_speaks_for_an_advice_is_no_case_against_it():
    """A virtual drive gets "none" because its host decides: that is no reason not to."""
    drives = (Drive("vda", DriveKind.VIRTUAL, ("none", "mq-deadline")),)
    values = {"block.scheduler@vda": "mq-deadline"}
    told = advice(machine(32, drives=drives), values, causes("io_unfairness"))
    assert [each.id for each in told["block.scheduler@vda"].not_when] == [
        "tuning.scheduler.not_when.alone"
    ]


def test_throttling_of_writes_stays_but_on_a_measured_nvme():
    """Never on a hard disk, never without the cause."""
    values = {"block.wbt_lat_usec@nvme0n1": "2000", "block.wbt_lat_usec@sda": "75000"}
    assert not [key for key in advice(machine(32), values) if "wbt" in key]
    found = advice(machine(32), values, causes("wbt_throttling"))
    assert found["block.wbt_lat_usec@nvme0n1"].recommended == "0"
    assert "block.wbt_lat_usec@sda" not in found


@pytest.mark.parametrize(
    ("profile", "measured", "is_told"),
    [
        (machine(32), causes("nvme_power_state", on="nvme0n1"), True),
        (machine(32), causes("nvme_power_state", on="nvme1n1"), False),
        (machine(32), None, False),
        (machine(32, is_on_battery=True), causes("nvme_power_state"), False),
        (machine(32, is_on_battery=None), causes("nvme_power_state"), False),
        (machine(32, is_guest=True), causes("nvme_power_state"), False),
    ],
)
def test_drive_is_kept_awake_on_mains_with_evidence(profile, measured, is_told):
    """Not on battery, not in a guest, not another drive, not without the pattern."""
    values = {"nvme.latency_tolerance@nvme0": "100000"}
    assert ("nvme.latency_tolerance@nvme0" in advice(profile, values, measured)) is is_told


def test_drive_is_kept_awake_for_a_simulator_on_mains():
    """The preset asks for it without the pattern."""
    values = {"nvme.latency_tolerance@nvme0": "100000"}
    assert "nvme.latency_tolerance@nvme0" in advice(
        machine(32), values, preset=PRESETS["flight_sim"]
    )


@pytest.mark.parametrize(
    ("cause", "key", "value", "wanted"),
    [
        ("compaction_stall", "thp.enabled", "always", "madvise"),
        ("compaction_stall", "thp.defrag", "always", "defer+madvise"),
        ("compaction_stall", "thp.khugepaged_defrag", "1", "0"),
        ("compaction_stall", "vm.compaction_proactiveness", "20", "0"),
        ("split_lock", "kernel.split_lock_mitigate", "1", "0"),
        ("deep_c_state", "cpu.dma_latency", "none", "20"),
        ("link_power", "sata.link_power@host0", "med_power_with_dipm", "max_performance"),
        ("frequency_ramp", "cpu.power_profile", "none", "performance"),
    ],
)
def test_what_only_a_measured_cause_brings(cause, key, value, wanted):
    """Nothing without it; with it, against it."""
    assert key not in advice(machine(32), {key: value})
    found = advice(machine(32), {key: value}, causes(cause))
    assert found[key].recommended == wanted
    assert found[key] in against(list(found.values()), cause)


def test_reclaim_inside_a_node_is_never_wanted():
    """Whoever chose it."""
    found = advice(
        machine(32), {"vm.zone_reclaim_mode": "1"}, chosen={"vm.zone_reclaim_mode": "tuned"}
    )
    assert found["vm.zone_reclaim_mode"].recommended == "0"


def test_chosen_values_are_left_alone_without_evidence():
    """A distribution's swappiness stays, until thrashing was measured."""
    profile, chosen = machine(32, swap=SwapKind.SSD), {"vm.swappiness": "/usr/lib/x.conf:1"}
    assert "vm.swappiness" not in advice(profile, chosen=chosen)
    assert "vm.swappiness" in advice(profile, measured=causes("swap_thrash"), chosen=chosen)


def test_a_guest_is_told_little():
    """Memory of a guest is the host's business; swap is its own."""
    found = advice(machine(32, is_guest=True, swap=SwapKind.ZRAM))
    assert set(found) == {"vm.swappiness", "vm.page-cluster"}


@pytest.mark.parametrize(
    ("name", "scale", "others"),
    [
        ("flight_sim", 250, {"vm.min_free_kbytes", "vm.dirty_bytes"}),
        ("open_world", 188, set()),
        ("competitive", 125, {"cpu.dma_latency"}),
        ("desktop_background", 125, {"vm.dirty_bytes"}),
        ("kvm_guest", None, {"vm.dirty_bytes"}),
        ("kvm_host", 125, {"vm.dirty_bytes"}),
    ],
)
def test_each_preset(name, scale, others):
    """What every kind of game gets on a desktop with 32 GB and an NVMe drive."""
    found = advice(machine(32), preset=PRESETS[name])
    factor = found.get("vm.watermark_scale_factor")
    assert (int(factor.recommended) if factor else None) == scale
    beside = {"vm.watermark_scale_factor", "vm.watermark_boost_factor"}
    assert set(found) - beside - {"vm.dirty_background_bytes"} == others


def test_recordings_leave_out_the_passive_member():
    """It is 0 and can be set."""
    assert with_twins({"vm.dirty_ratio": "20"})["vm.dirty_bytes"] == "0"
    assert "vm.dirty_bytes" not in with_twins({})


profiles = st.builds(
    MachineProfile,
    memory_kib=st.integers(2**20, 2**30),
    managed=st.dictionaries(
        st.sampled_from(("node0/DMA", "node0/DMA32", "node0/Normal", "node1/Movable")),
        st.integers(0, 2**28),
    ),
    page_kib=st.sampled_from((4, 16, 64)),
    cache_kib=st.integers(0, 2**30),
    swapped_kib=st.integers(0, 2**24),
    dirty_threshold_pages=st.none() | st.integers(0, 2**26),
    dirty_background_pages=st.none() | st.integers(0, 2**26),
    swap=st.sampled_from(SwapKind),
    drives=st.tuples(
        st.builds(Drive, st.just("sda"), st.sampled_from(DriveKind), st.just(SCHEDULERS)),
        st.builds(Drive, st.just("nvme0n1"), st.sampled_from(DriveKind), st.just(("none",))),
    ),
    is_on_battery=st.none() | st.booleans(),
    is_guest=st.booleans(),
)
numbers = st.sampled_from(("0", "1", "3", "10", "60", "125", "500", "15000", "67584", "3000000"))
values = st.dictionaries(
    st.sampled_from(
        (
            *DEFAULTS,
            "block.scheduler@sda",
            "block.scheduler@nvme0n1",
            "block.wbt_lat_usec@nvme0n1",
            "nvme.latency_tolerance@nvme0",
            "sata.link_power@host0",
            "cpu.power_profile",
        )
    ),
    numbers | st.sampled_from(("none", "always", "auto", "bfq", "-1", "")),
)
measurements = st.builds(
    Measured,
    causes=st.dictionaries(
        st.sampled_from(ALL_CAUSES), st.frozensets(st.sampled_from(("sda", "nvme0n1")))
    ),
    peak_mib_per_s=st.none() | st.floats(0.1, 1e6),
    least_available_mib=st.none() | st.floats(0, 1e6),
    write_mib_per_s=st.dictionaries(st.just("sda"), st.floats(0, 1e5)),
)
situations = st.builds(
    Situation,
    profiles,
    values.map(lambda drawn: {**DEFAULTS, **drawn}) | values,
    st.dictionaries(st.sampled_from(tuple(DEFAULTS)), st.just("somebody")),
    measurements,
    st.sampled_from((GENERAL, *PRESETS.values())),
)


@given(situations)
def test_recommendations_are_safe_and_new_on_any_computer(situation):
    """In the registry's safe range, for what is there, never the present value, never a choice
    without evidence, each setting once, and with words for all that is said."""
    told = recommend(situation)
    assert len({each.key for each in told}) == len(told)
    for each in told:
        assert each.current == situation.values[each.key] != each.recommended
        assert is_safe(each.tunable, each.recommended, situation.profile.memory_kib)
        has_evidence = any(cause in situation.measured.causes for cause in each.causes)
        assert has_evidence or each.stands_alone
        assert has_evidence or each.overrules or each.key not in situation.chosen
        is_raised = each.reason.id == "tuning.dirty.raised.reason"
        assert each.risk == (LOW if is_raised else usual_risk(each.tunable))
        assert each.not_when
        for said in (each.reason, each.cost, each.effect, each.risk_word, *each.not_when):
            assert places(said.id) == said.values.keys()


@given(situations)
def test_reserve_never_exceeds_its_budget(situation):
    """What we raise keeps at most the budget free, on any computer."""
    told = {each.key: int(each.recommended) for each in recommend(situation) if "vm.w" in each.key
            or each.key == "vm.min_free_kbytes"}  # fmt: skip
    if not told.keys() & {"vm.watermark_scale_factor", "vm.min_free_kbytes"}:
        return
    profile = situation.profile
    min_free = told.get("vm.min_free_kbytes", situation.number("vm.min_free_kbytes"))
    scale = (
        told.get("vm.watermark_scale_factor", situation.number("vm.watermark_scale_factor")) or 10
    )
    managed = profile.managed
    if not sum(managed.values()):
        managed = {"node0/Normal": (profile.memory_kib or 0) // profile.page_kib}
    marks = total_marks(zone_marks(managed, min_free, scale, profile.page_kib), profile.page_kib)
    assert marks.high_bytes <= reserve_limit_bytes(situation)
