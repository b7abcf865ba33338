# SPDX-License-Identifier: GPL-3.0-or-later
"""How often one answer of the helper is told, and how often the kernel is read for it."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtDBus import QDBusUnixFileDescriptor
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.tuning_state import TuningReading
from destutter.bridge.owned_trial import OwnedTrial
from destutter.bridge.tuning_model import TuningModel
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change
from tests.support import tuning_scenes
from tests.support.tuning_scenes import ScriptedHelper

_TEN = (Change("vm.swappiness", "10"),)


class Counted:
    """A model that has settled, what it told since, and how often the kernel was read."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.reads = 0
        self.helper = ScriptedHelper()
        self.model = TuningModel(self.helper, self._read)
        self.model.refresh()
        self.rest()
        self.told: list[str] = []
        self.model.changed.connect(lambda: self.told.append("changed"))
        self.model.outcome_changed.connect(lambda: self.told.append("outcome"))
        self.reads = 0

    def _read(self) -> TuningReading:
        self.reads += 1
        return tuning_scenes.reading()

    def rest(self) -> None:
        """Until nothing is being read."""
        self.qtbot.waitUntil(lambda: bool(self.model.values) and not self.is_reading)

    @property
    def is_reading(self) -> bool:
        """Whether the kernel is read, or will be."""
        return self.model._background._thread is not None


@pytest.fixture
def counted(qtbot: QtBot) -> Iterator[Counted]:
    """The helper is there and has nothing on trial."""
    made = Counted(qtbot)
    yield made
    made.model.stop()
    made.model.deleteLater()
    made.helper.deleteLater()


def test_one_answer_is_told_once_and_the_kernel_read_once(counted: Counted) -> None:
    """A trial begins: state, trial and outcome are there together, and one look follows."""
    helper, model = counted.helper, counted.model
    model.try_changes(_TEN)
    counted.told.clear()
    trial = replace(tuning_scenes.IDLE, state="trial", seconds_left=20, owner_uid=1000)
    seen: list[tuple[bool, str, bool]] = []
    model.changed.connect(
        lambda: seen.append((model.trial is not None, model.busy, model.outcome is not None))
    )
    # The order of the client: the answer, the kernel, and the state that it asks for.
    helper.trial_begun.emit(OwnedTrial("tx", QDBusUnixFileDescriptor()))
    helper.kernel_changed.emit()
    helper.give_state(trial, is_ours=True)
    assert counted.told == ["changed", "outcome"]
    assert seen == [(True, "", True)]
    counted.rest()
    assert counted.reads == 1


def test_state_of_another_program_is_told_and_read_once(counted: Counted) -> None:
    """Somebody else began a trial: nothing was asked here, and the values are others."""
    trial = replace(tuning_scenes.IDLE, state="trial", seconds_left=20, owner_uid=1000)
    counted.helper.give_state(trial)
    assert counted.told == ["changed"]
    counted.rest()
    assert counted.reads == 1
    counted.helper.give_state(trial)
    counted.rest()
    assert counted.reads == 1


def test_kernel_is_read_also_when_no_state_comes(counted: Counted) -> None:
    """A helper that ended right after a change leaves values that are to be seen."""
    counted.helper.kernel_changed.emit()
    counted.helper.failed.emit("GetState", HelperError("Internal", "gone"))
    counted.rest()
    assert counted.reads == 1
