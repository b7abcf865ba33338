# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of changes: each setting in its state."""

from dataclasses import dataclass, field, replace

import pytest

from destutter.analysis.changes.tuning_state import JournalChange
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import UNKNOWN
from destutter.tuning.ownership import Ownership
from destutter.tuning.recommendation import HIGH, LOW, MEDIUM, Recommendation
from destutter.ui.causes.setting_rows import RowState, partners, rows_for
from destutter_helper.api.payload import Change
from destutter_helper.api.tunables import BY_ID

SCALE, BOOST, RESERVE = (
    "vm.watermark_scale_factor",
    "vm.watermark_boost_factor",
    "vm.min_free_kbytes",
)
FINDING = Finding(
    "direct_reclaim",
    Group.MEMORY,
    Confidence.HIGH,
    2,
    3,
    0,
    1,
    (Evidence("memory.direct_reclaim_per_s", "pages/s", 75_000.0, 500.0, 1),),
)


@dataclass
class Facts:
    """What a model of settings says."""

    values: dict[str, CurrentValue] = field(default_factory=dict)
    owners: dict[str, Ownership] = field(default_factory=dict)
    recommendations: dict[str, Recommendation] = field(default_factory=dict)
    journal_changes: tuple[JournalChange, ...] = ()
    trial: None = None


def value(key, now, why=None, *, is_active=True):
    """A present value."""
    id_, _, device = key.partition("@")
    tunable = BY_ID[id_]
    return CurrentValue(id_, device, tunable.label, tunable.unit, now, why, is_active=is_active)


def advice(key, to, risk=LOW, **more):
    """Something advised against direct reclaim."""
    id_, _, device = key.partition("@")
    causes = more.pop("causes", ("direct_reclaim",))
    said = Statement("tuning.zone_reclaim.reason")
    return Recommendation(
        id_, device, "10", to, said, risk, said, said, (said,), causes=causes, **more
    )


def facts(*values, advised=(), **more):
    """Facts with these values and this advice."""
    by_key = {f"{v.id}@{v.device}" if v.device else v.id: v for v in values}
    return Facts(by_key, recommendations={each.key: each for each in advised}, **more)


def states(given, remembered=None, finding=FINDING):
    """The states by key, in order."""
    return {row.key: row.state for row in rows_for(given, finding, remembered or {})}


def test_advised_setting_is_offered_and_suggested():
    """Low risk and nobody's choice: ticked beforehand, and the change says what is asked."""
    given = facts(value(SCALE, "10"), advised=[advice(SCALE, "125")])
    (row,) = rows_for(given, FINDING, {})
    assert row.state is RowState.OFFERED
    assert row.is_suggested
    assert row.change == Change(SCALE, "125")


@pytest.mark.parametrize("risk", [MEDIUM, HIGH])
def test_risk_is_never_suggested(risk):
    """Medium and high risk are offered, and left to the user."""
    given = facts(value(SCALE, "10"), advised=[advice(SCALE, "125", risk)])
    (row,) = rows_for(given, FINDING, {})
    assert row.change is not None
    assert not row.is_suggested
    assert row.is_dangerous == (risk == HIGH)


def test_somebodys_choice_is_not_suggested():
    """A value that a file sets is offered, told with its origin, and not ticked."""
    by_file = Statement("tuning.owner.file", {"place": "/etc/sysctl.d/60.conf:3"})
    owner = Ownership(SCALE, "", by_file, is_chosen=True)
    given = facts(value(SCALE, "10"), advised=[advice(SCALE, "125")], owners={SCALE: owner})
    (row,) = rows_for(given, FINDING, {})
    assert not row.is_suggested
    assert row.set_by == by_file


def test_advice_against_other_causes_is_not_shown():
    """Only what works against this cause."""
    given = facts(
        value("vm.swappiness", "60"),
        advised=[advice("vm.swappiness", "10", causes=("swap_thrash",))],
    )
    assert states(given) == {}


def test_what_was_applied_keeps_its_words():
    """After applying, nothing is advised any more: the row stays, with what was advised before."""
    before = advice(SCALE, "125")
    journal = JournalChange(SCALE, "", "10", "125", "restart", "125", changed_at=5.0)
    given = facts(value(SCALE, "125"), journal_changes=(journal,))
    (row,) = rows_for(given, FINDING, {SCALE: before})
    assert row.state is RowState.APPLIED
    assert row.advice == before
    assert (row.original, row.lasts, row.changed_at) == ("10", "restart", 5.0)
    assert row.change is None


def test_what_is_advised_no_more_is_not_recommended():
    """Beside "0 %" stood "no better value is known", once the setting before it needed less."""
    (row,) = rows_for(facts(value(BOOST, "15000")), FINDING, {BOOST: advice(BOOST, "0")})
    assert row.state is RowState.FITS
    assert row.advice is None


def test_trial_drift_and_values_in_force():
    """On trial; changed by something else; set by hand to what was advised."""
    trial = JournalChange(SCALE, "", "10", "125", "trial", "125")
    drift = JournalChange(BOOST, "", "15000", "0", "restart", "7", is_drifted=True)
    given = facts(
        value(SCALE, "125"),
        value(BOOST, "7"),
        value(RESERVE, "524288"),
        journal_changes=(trial, drift),
    )
    assert states(given, {RESERVE: advice(RESERVE, "524288")}) == {
        RESERVE: RowState.IN_FORCE,
        SCALE: RowState.ON_TRIAL,
        BOOST: RowState.DRIFTED,
    }


@pytest.mark.parametrize("lasts", ["trial", "restart"])
def test_what_destutter_set_is_set_by_nobody_else(lasts):
    """ "Set by unknown" stood beside the value on trial, which it had set two minutes before."""
    change = JournalChange(SCALE, "", "10", "125", lasts, "125")
    owner = Ownership(SCALE, "", UNKNOWN, is_chosen=True)
    given = facts(value(SCALE, "125"), owners={SCALE: owner}, journal_changes=(change,))
    (row,) = rows_for(given, FINDING, {})
    assert (row.set_by, row.is_chosen) == (None, False)


def test_settings_that_bear_on_it_are_listed():
    """A setting without advice fits this computer; one that is not there says why."""
    absent = Statement("tuning.absent.kernel")
    given = facts(value(SCALE, "300"), value(BOOST, None, absent))
    rows = rows_for(given, FINDING, {})
    assert [row.state for row in rows] == [RowState.FITS, RowState.IMPOSSIBLE]
    assert rows[1].why == absent


def test_weak_evidence_judges_no_setting():
    """With low confidence nothing was looked for, so nothing is called fitting."""
    weak = replace(FINDING, confidence=Confidence.LOW)
    assert states(facts(value(SCALE, "300")), finding=weak) == {}


def test_only_the_drives_of_the_finding():
    """A slow drive has rows for its own settings, not for those of the others."""
    evidence = Evidence("disk.read_await_ms", "ms", 90.0, 20.0, 1, "sda")
    slow = replace(FINDING, cause="slow_device", group=Group.STORAGE, evidence=(evidence,))
    given = facts(value("block.scheduler@sda", "none"), value("block.scheduler@sdb", "none"))
    assert list(states(given, finding=slow)) == ["block.scheduler@sda"]


def test_passive_member_of_a_pair_is_left_out():
    """dirty_ratio while dirty_bytes counts is no row of its own."""
    writes = replace(FINDING, cause="dirty_throttling", group=Group.STORAGE, evidence=())
    given = facts(
        value("vm.dirty_bytes", "268435456"), value("vm.dirty_ratio", "0", is_active=False)
    )
    assert list(states(given, finding=writes)) == ["vm.dirty_bytes"]


def test_partners_are_chosen_together():
    """What only makes sense together names its other half."""
    advised = [
        advice("vm.dirty_bytes", "268435456", with_others=("vm.dirty_background_bytes",)),
        advice("vm.dirty_background_bytes", "67108864", with_others=("vm.dirty_bytes",)),
    ]
    given = facts(
        value("vm.dirty_bytes", "0"), value("vm.dirty_background_bytes", "0"), advised=advised
    )
    rows = rows_for(given, FINDING, {})
    by_key = {row.key: row for row in rows}
    assert partners(by_key["vm.dirty_bytes"], rows) == ("vm.dirty_background_bytes",)
