# SPDX-License-Identifier: GPL-3.0-or-later
"""What drives say of their sleep: asked once, shown where it helps."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtDBus import QDBusMessage

from destutter.bridge.helper_client import Availability
from destutter.bridge.power_states import PowerStatesModel, WakeUpDelays
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Culprit
from destutter.ui.system.drives import drive_section
from destutter.ui.words.quantities import Quantities
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Controller, PowerState
from destutter_helper.api.statement import Said
from tests.support import live_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.known_snapshots import snapshots_of
from tests.support.roots import FOLDER, unpacked
from tests.support.tuning_scenes import ScriptedHelper
from tests.support.window_kit import make_theme

ASLEEP = Controller(
    "nvme0",
    (
        PowerState(0, 0, works=True),
        PowerState(54_000, 45_000, works=False),
        PowerState(5_000, 10_000, works=False),
    ),
)


@pytest.fixture
def helper(qapp) -> Iterator[ScriptedHelper]:
    """A helper that knows one drive with two depths of sleep, and one that tells nothing."""
    made = ScriptedHelper()
    made.drives = (ASLEEP, Controller("nvme1", (), Said("helper.kernel.drive_silent")))
    yield made
    made.deleteLater()


def test_it_is_asked_once_and_told_by_drive(helper):
    """Times are in ascending order; a SATA drive has none."""
    states = PowerStatesModel(helper)
    assert states.of_drive("nvme0n1") is None
    for _ in range(3):
        states.ask()
    assert [method for method, _ in helper.asked] == ["GetPowerStates"]
    assert states.of_drive("nvme0n1") == WakeUpDelays((10.0, 45.0))
    assert states.of_drive("nvme1n2") == WakeUpDelays((), Statement("helper.kernel.drive_silent"))
    assert states.of_drive("sda") is None


def test_a_helper_that_was_exchanged_is_asked_again(helper):
    """Nobody is asked while there is none."""
    states = PowerStatesModel(helper)
    helper.set_status(Availability.ABSENT)
    states.ask()
    assert helper.asked == []
    helper.set_status(Availability.READY)
    states.ask()
    helper.set_status(Availability.ABSENT)
    helper.set_status(Availability.READY)
    states.ask()
    assert len(helper.asked) == 2


def test_a_helper_from_before_the_question_stays_in_use(helper, monkeypatch):
    """It knows no such method: nothing is known, and settings can be changed as ever."""
    failed = []
    helper.failed.connect(lambda method, error: failed.append((method, error)))
    unknown = QDBusMessage.createError("org.freedesktop.DBus.Error.UnknownMethod", "no such")
    monkeypatch.setattr(helper, "power_states", lambda: helper._fail("GetPowerStates", unknown))
    states = PowerStatesModel(helper)
    states.ask()
    assert [(method, error.name) for method, error in failed] == [
        ("GetPowerStates", "Unsupported")
    ]
    assert isinstance(failed[0][1], HelperError)
    assert helper.status.availability is Availability.READY
    assert states.of_drive("nvme0n1") is None


@pytest.mark.parametrize(
    ("controllers", "words"),
    [
        ((ASLEEP,), "wakes in 10\N{NO-BREAK SPACE}ms, 45\N{NO-BREAK SPACE}ms"),
        ((Controller("nvme0", (PowerState(0, 0, works=True),)),), "never sleeps by itself"),
        (
            (Controller("nvme0", (), Said("helper.kernel.drive_silent")),),
            "it has not answered yet",
        ),
        ((), ""),
    ],
)
def test_the_system_page_says_what_the_drive_says(helper, controllers, words):
    """Beside the delay that the kernel tolerates; without an answer who could tell is named."""
    from destutter.tuning.drive_health import HealthReport
    from destutter.tuning.system_reading import read_system

    helper.drives = controllers
    states = PowerStatesModel(helper)
    states.ask()
    files = unpacked(FOLDER / "synthetic-amdgpu-laptop.tar.gz")
    reading = read_system(files)
    english = Quantities(QLocale(QLocale.Language.English))
    section = drive_section(reading, HealthReport(), states, english)
    (row,) = (row for row in section.rows if row[0].text == "nvme0n1")
    assert words in row[5].note
    assert ("only the helper" in section.note) == (not controllers)


def test_the_finding_says_what_the_drive_says(helper, qtbot, qapp):
    """Behind the reasons of a drive that falls asleep, and of no other cause."""
    window, tuning = open_causes(qapp, make_theme(qapp), (1440, 900), live_scenes.stuttering)
    try:
        tuning.helper.drives = (ASLEEP,)
        (*_, last) = snapshots_of(live_scenes.stuttering)
        first, *others = last.assessment.findings
        drive = Culprit("device", "nvme0n1")
        asleep = replace(first, cause="nvme_power_state", culprits=(drive,))
        for findings, is_told in (((asleep, *others), True), ((first, *others), False)):
            window.causes.begin_anew()
            told = replace(last, assessment=replace(last.assessment, findings=findings))
            window.causes.show_snapshot(told)
            window.causes.show_cause(findings[0].cause)
            settle(qapp)
            assert ("wakes in 10" in window.causes.detail.reasons.text()) == is_told
    finally:
        window.close()
        window.deleteLater()
        tuning.close()
