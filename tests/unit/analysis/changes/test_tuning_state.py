# SPDX-License-Identifier: GPL-3.0-or-later
"""What pages show of changes: drift, pairs, what a redo can set, and risk."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.changes import tuning_state
from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.tuning_state import (
    JournalChange,
    RunningTrial,
    changes_of,
    read_tuning,
)
from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import KERNEL
from destutter.tuning.recommendation import HIGH, LOW, MEDIUM, Recommendation
from destutter.tuning.risk import risk_of
from destutter_helper.api.payload import Change, Result, State
from tests.support.fake_root import FakeRoot

_EMPTY = State("kept", 0, -1, "", (), (), (), (), ())


def _value(id_: str, value: str | None, device: str = "") -> dict[str, CurrentValue]:
    key = f"{id_}@{device}" if device else id_
    return {key: CurrentValue(id_, device, "", "", value)}


def _result(id_: str, value: str, device: str = "", note: str = "restart") -> Result:
    return Result(id_, device, "changed", value, "1", note)


def test_value_of_somebody_else_is_drift_and_rounding_is_none() -> None:
    """Another value is drift; what the kernel rounds, an unreadable value and a pair are not."""
    for id_, value, now, is_drifted in (
        ("vm.swappiness", "10", "10", False),
        ("vm.swappiness", "10", "77", True),
        ("vm.swappiness", "10", None, False),
        ("block.read_ahead_kb", "500", "512", False),
        ("vm.dirty_ratio", "vm.dirty_bytes=1048576", "0", False),
    ):
        state = replace(_EMPTY, changed=(_result(id_, value),))
        (change,) = changes_of(state, _value(id_, now), {})
        assert change.is_drifted == is_drifted, id_


def test_conflict_is_left_alone_and_has_no_value_to_set_again() -> None:
    """What an undo found to be somebody else's."""
    state = replace(_EMPTY, conflicts=(_result("vm.swappiness", "77"),))
    (change,) = changes_of(state, _value("vm.swappiness", "77"), {"vm.swappiness": (5.0, 1000)})
    assert change.is_drifted
    assert change.is_left_alone
    assert change.change is None
    assert (change.changed_at, change.by_uid) == (5.0, 1000)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("10", Change("vm.swappiness", "10")), ("a=b", None), ("a b", None), (None, None)],
)
def test_only_a_plain_value_can_be_set_again(value: str | None, expected: Change | None) -> None:
    """A state of a pair is no value of one of its members."""
    assert JournalChange("vm.swappiness", "", "60", value, "restart").change == expected


def test_partial_results_are_those_that_left_something() -> None:
    """Foreign and failed; gone and accepted are an end, too."""
    assert is_partial(
        (_result("vm.swappiness", "1"), replace(_result("a", "1"), outcome="foreign"))
    )
    assert not is_partial((replace(_result("vm.swappiness", "1"), outcome="gone"),))


def test_risk_is_the_advisers_or_that_of_the_value() -> None:
    """High is what can keep a computer from starting; advice of the same value knows it best."""
    memory_kib = 16 * 1024 * 1024
    for change, risk in (
        (Change("vm.swappiness", "10"), LOW),
        (Change("vm.dirty_bytes", "268435456"), MEDIUM),
        (Change("vm.min_free_kbytes", "131072"), MEDIUM),
        (Change("nvme.latency_tolerance", "0", "nvme0"), MEDIUM),
        (Change("vm.min_free_kbytes", "900000"), HIGH),
        (Change("vm.watermark_scale_factor", "125"), LOW),
        (Change("vm.watermark_scale_factor", "450"), HIGH),
        (Change("softirq.policy", "fifo:10", "cpu0"), HIGH),
        (Change("softirq.policy", "other", "cpu0"), LOW),
    ):
        assert risk_of(change, memory_kib) == risk, change
    said = Statement("tuning.min_free.effect")
    advice = Recommendation(
        "vm.min_free_kbytes", "", "1", "900000", said, MEDIUM, said, said, (said,)
    )
    assert risk_of(Change("vm.min_free_kbytes", "900000"), memory_kib, advice) == MEDIUM
    assert risk_of(Change("vm.min_free_kbytes", "900001"), memory_kib, advice) == HIGH


def test_reading_has_values_owners_computer_and_identities(tmp_path: Path) -> None:
    """All from one tree, by the same keys; a drive by what it says of itself."""
    root = FakeRoot(
        tmp_path,
        {
            "/proc/sys/vm/swappiness": "60\n",
            "/proc/meminfo": "MemTotal: 1000 kB\n",
            "/sys/block/sda/size": "100\n",
            "/sys/block/sda/wwid": "naa.5\n",
            "/sys/block/sda/queue/read_ahead_kb": "128\n",
        },
    )
    reading = read_tuning(root.files)
    assert reading.values["vm.swappiness"].value == "60"
    assert reading.owners["vm.swappiness"].set_by == KERNEL
    assert reading.profile.memory_kib == 1000
    assert reading.identities["block.read_ahead_kb@sda"] == 'ATTRS{wwid}=="naa.5"'


@pytest.mark.parametrize(
    ("left_ns", "told"),
    [(2 * 10**9, 2), (10**9 + 1, 2), (10**9, 1), (1, 1), (0, 0), (-5 * 10**9, 0)],
)
def test_the_countdown_says_0_when_the_trial_is_over(
    monkeypatch: pytest.MonkeyPatch, left_ns: int, told: int
) -> None:
    """Not for the whole last second, in which the values can still be kept."""
    now_ns = 1_000 * 10**9
    monkeypatch.setattr(tuning_state, "boottime_ns", lambda: now_ns)
    trial = RunningTrial("t", (), now_ns + left_ns, 60, is_ours=True)
    assert trial.seconds_left == told
