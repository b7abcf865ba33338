# SPDX-License-Identifier: GPL-3.0-or-later
"""What recommendations of a measurement rest on."""

from dataclasses import replace

import pytest

from destutter.analysis.examining.measured_demand import MeasuredDemand
from destutter.commands.advice import apply_line
from destutter.core.metrics import Metrics
from destutter.core.statement import Statement
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group
from destutter.tuning.machine_profile import Drive, DriveKind, SwapKind
from destutter.tuning.recommendation import Recommendation
from tests.unit.tuning.computers import advice, causes, machine

_MIB = 2**20


def _finding(confidence=Confidence.HIGH):
    evidence = (
        Evidence("disk.read_await_ms", "ms", 30, 20, 0, "sda"),
        Evidence("pressure.some_pct", "%", 3, 1, 0, "io"),
    )
    return Finding("slow_device", Group.STORAGE, confidence, 1, 1, 0, 1, evidence)


def _second(number, free_mib, pages=0.0, available_mib=None):
    values = {
        "memory.free_bytes": free_mib * _MIB,
        "memory.kswapd_reclaim_per_s": pages,
        "memory.direct_reclaim_per_s": 0.0,
    }
    if available_mib is not None:
        values["memory.available_bytes"] = available_mib * _MIB
    return Metrics(number * 1_000_000_000, 1.0, values)


def test_demand_is_what_was_reclaimed_and_what_free_memory_lost():
    """100 MiB less each second and 25,600 pages reclaimed are 200 MiB/s."""
    demand = MeasuredDemand()
    demand.accept_metrics(_second(number, 9000 - 100 * number, 25_600.0) for number in range(40))
    assert demand.peak_mib_per_s() == pytest.approx(200)


def test_too_short_a_measurement_has_no_peak():
    """Below half a minute, and on a computer where nothing was taken."""
    short = MeasuredDemand()
    short.accept_metrics(_second(number, 9000 - 100 * number) for number in range(20))
    assert short.peak_mib_per_s() is None
    idle = MeasuredDemand()
    idle.accept_metrics(_second(number, 9000 + number) for number in range(60))
    assert idle.peak_mib_per_s() is None


def test_findings_become_causes_with_their_drives():
    """A finding of low confidence is no evidence; only drives count as devices."""
    demand = MeasuredDemand()
    demand.accept_metrics([_second(0, 100, available_mib=900), _second(1, 100, available_mib=800)])
    measured = demand.measured([_finding()])
    assert measured.causes == {"slow_device": frozenset({"sda"})}
    assert measured.least_available_mib == 800
    assert demand.measured([_finding(Confidence.LOW)]).causes == {}


def test_busy_drives_are_those_that_are_written_to():
    """From a MiB a second on."""
    written = {"sda": 2.0 * _MIB, "sdb": 100.0, "sdc": None}
    demand = MeasuredDemand()
    demand.accept_metrics([Metrics(0, 1.0, {}, {"disk.write_bytes_per_s": written})])
    assert demand.measured([]).busy_drives == {"sda"}


def _writing(number, share_pct, **mib_per_s):
    written = {name: speed * _MIB for name, speed in mib_per_s.items()}
    values = {"memory.dirty_of_sum_pct": share_pct}
    return Metrics(number * 10**8, 0.1, values, {"disk.write_bytes_per_s": written})


def test_drive_is_as_fast_as_it_writes_while_others_wait_for_it():
    """The drive with most to write, by its mean then; at other times it may just have had less."""
    demand = MeasuredDemand()
    demand.accept_metrics(_writing(number, 30.0, vda=900.0) for number in range(20))
    assert demand.measured([]).write_mib_per_s == {}
    demand.accept_metrics(_writing(number, 55.0, vda=60.0, vdb=5.0) for number in range(20, 30))
    demand.accept_metrics(_writing(number, 55.0, vda=20.0, vdb=5.0) for number in range(30, 40))
    assert demand.measured([]).write_mib_per_s == {"vda": pytest.approx(40.0)}


def test_moment_of_waiting_says_nothing_of_a_drive():
    """Less than a second, drives that were not measured, and drives that wrote nothing."""
    short = MeasuredDemand()
    short.accept_metrics(_writing(number, 55.0, vda=60.0) for number in range(9))
    assert short.write_mib_per_s() == {}
    unknown = MeasuredDemand()
    unknown.accept_metrics(Metrics(0, 1.0, {"memory.dirty_of_sum_pct": 60.0}) for _ in range(9))
    assert unknown.write_mib_per_s() == {}
    idle = MeasuredDemand()
    idle.accept_metrics(_writing(number, 55.0, vda=0.0) for number in range(20))
    assert idle.write_mib_per_s() == {}


def test_guest_is_told_limits_by_how_its_drive_wrote():
    """The kind of its drives says nothing, so without a measurement there is nothing to say."""
    guest = machine(32, is_guest=True, drives=(Drive("vda", DriveKind.VIRTUAL),))
    throttled = causes("dirty_throttling")
    assert "vm.dirty_bytes" not in advice(guest, measured=throttled)
    demand = MeasuredDemand()
    demand.accept_metrics(_writing(number, 55.0, vda=200.0) for number in range(20))
    measured = replace(throttled, write_mib_per_s=demand.write_mib_per_s())
    found = advice(guest, measured=measured)
    assert found["vm.dirty_bytes"].recommended == str(200 * _MIB)
    assert found["vm.dirty_background_bytes"].recommended == str(50 * _MIB)


def test_a_setting_is_named_once_in_the_command():
    """With its device."""
    said = Statement("tuning.zone_reclaim.reason")
    words = (said, "low", said, said, ())
    one = Recommendation("block.scheduler", "sda", "none", "bfq", *words)
    two = Recommendation("vm.swappiness", "", "60", "10", *words)
    assert (
        apply_line([one, two, one]) == "destutter apply block.scheduler@sda=bfq vm.swappiness=10"
    )


def test_causes_of_recommendations_are_in_the_registry():
    """A cause that no rule can find would be evidence that never comes."""
    profile = machine(32, swap=SwapKind.SSD)
    values = {
        "block.scheduler@nvme0n1": "bfq",
        "block.wbt_lat_usec@nvme0n1": "2000",
        "nvme.latency_tolerance@nvme0": "100000",
        "sata.link_power@host0": "min_power",
        "cpu.power_profile": "none",
        "vm.zone_reclaim_mode": "1",
    }
    found = advice(profile, values, causes(*CAUSE_BY_ID))
    named = {cause for each in found.values() for cause in each.causes}
    assert len(found) >= 15
    assert named <= set(CAUSE_BY_ID)
