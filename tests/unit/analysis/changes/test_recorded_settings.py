# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a recording's computer: values, advice, and whether it is this computer."""

from pathlib import Path
from typing import Any

from destutter.analysis.changes.recorded_settings import RecordedSettings, is_same_computer
from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.sample import Header
from destutter.core.statement import Statement
from destutter.diagnosis.finding import (
    Assessment,
    Confidence,
    Finding,
    Group,
    Verdict,
    VerdictKind,
)
from destutter.tuning.presets import load_presets

PRESETS = Path(__file__).resolve().parents[4] / "resources" / "presets"
MACHINE: dict[str, Any] = {
    "memory_kib": 32 * 1024 * 1024,
    "page_bytes": 4096,
    "cpu_model": "Scripted 8",
    "cpus": 8,
    "gpus": [],
    "virtual_machine": "no",
}
TUNABLES = {
    "vm.min_free_kbytes": "67584",
    "vm.watermark_scale_factor": "10",
    "vm.watermark_boost_factor": "15000",
    "vm.dirty_bytes": "268435456",
    "from.the.future": "1",
}


def snapshot(*findings, tunables=None):
    """A snapshot of the recording."""
    verdict = Verdict(VerdictKind.STUTTER, Statement("x"), Statement("x"))
    assessment = Assessment(1, verdict, (), (), tuple(findings), ())
    header = Header(0, 0.0, 100, MACHINE, TUNABLES if tunables is None else tunables)
    return Snapshot(assessment, header=header)


def finding(confidence=Confidence.HIGH):
    """Direct reclaim."""
    return Finding("direct_reclaim", Group.MEMORY, confidence, 2, 2, 0, 1, ())


def test_values_and_advice_are_of_the_recording():
    """The header's values; advice against what was found in it."""
    settings = RecordedSettings()
    assert settings.accept_snapshot(snapshot(finding()))
    assert settings.values["vm.watermark_scale_factor"].value == "10"
    assert "from.the.future" not in settings.values
    assert not settings.values["vm.dirty_ratio"].is_active
    assert settings.recommendations["vm.watermark_scale_factor"].current == "10"
    assert settings.journal_changes == ()
    assert settings.trial is None


def test_nothing_new_advises_nothing_anew():
    """The same findings again are no news, another confidence is."""
    settings = RecordedSettings()
    assert settings.accept_snapshot(snapshot(finding()))
    assert not settings.accept_snapshot(snapshot(finding()))
    assert settings.accept_snapshot(snapshot(finding(Confidence.LOW)))


def test_advice_for_a_recording_follows_what_is_played():
    """Another kind of game is news, although nothing else was found."""
    settings = RecordedSettings()
    assert settings.accept_snapshot(snapshot(finding()))
    assert "vm.min_free_kbytes" not in settings.recommendations
    flight_sim = load_presets(PRESETS)["flight_sim"]
    assert settings.accept_snapshot(snapshot(finding()), flight_sim)
    assert not settings.accept_snapshot(snapshot(finding()), flight_sim)
    assert "vm.min_free_kbytes" in settings.recommendations


def test_old_recording_without_settings_advises_nothing():
    """What was not recorded is not guessed."""
    settings = RecordedSettings()
    settings.accept_snapshot(snapshot(finding(), tunables={}))
    assert settings.values == {}
    assert settings.recommendations == {}


def test_same_computer_may_have_another_kernel():
    """A little less memory is the same computer; another processor or none told is not."""
    assert is_same_computer(MACHINE, dict(MACHINE))
    assert is_same_computer(MACHINE, MACHINE | {"memory_kib": MACHINE["memory_kib"] - 9000})
    assert not is_same_computer(MACHINE, MACHINE | {"cpus": 16})
    assert not is_same_computer(MACHINE, MACHINE | {"memory_kib": 16 * 1024 * 1024})
    assert not is_same_computer({}, {})
    assert not is_same_computer({"name": "scripted"}, MACHINE)
