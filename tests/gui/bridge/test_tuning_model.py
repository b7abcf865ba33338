# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of settings and changes, with the real helper on a bus of its own."""

import signal
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtDBus import QDBusConnection
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.history import last_kept
from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, OutcomeKind, read_tuning
from destutter.bridge.helper_client import Availability, HelperClient
from destutter.bridge.tuning_model import TuningModel
from destutter.core.kernel_files import KernelFiles
from destutter.tuning.defaults import KERNEL
from destutter_helper.api.payload import Change
from tests.support import private_bus, scratch_tree

_WAIT_MS = 20_000
_TEN = (Change("vm.swappiness", "10"),)
_TWO = (*_TEN, Change("vm.page-cluster", "0"))


class World:
    """A bus with a scripted polkit, the scratch tree, and a model on it."""

    def __init__(self, qtbot: QtBot, bus: private_bus.PrivateBus) -> None:
        self.qtbot = qtbot
        self.bus = bus
        self.connection = QDBusConnection.connectToBus(bus.address, bus.address)
        self.client = HelperClient(self.connection)
        files = KernelFiles(str(bus.root))
        self.model = TuningModel(self.client, lambda: read_tuning(files))

    def value(self, name: str = "vm/swappiness") -> str:
        """What the scratch tree holds."""
        return scratch_tree.value(self.bus.root, name)

    def write(self, text: str) -> None:
        """Somebody else changes the swappiness."""
        (self.bus.root / "proc/sys/vm/swappiness").write_text(text + "\n")

    def wait(self, condition: Callable[[], object]) -> None:
        """Let the event loop run until this is so."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=_WAIT_MS)

    def end(self) -> OutcomeKind:
        """Wait for the end of the request that is under way."""
        self.wait(lambda: not self.model.busy and self.model.outcome is not None)
        assert self.model.outcome is not None
        return self.model.outcome.kind

    def keys(self) -> set[str]:
        """What the model says that Destutter changed."""
        return {each.key for each in self.model.journal_changes}

    def close(self) -> None:
        """Leave the bus."""
        self.model.stop()
        self.model.deleteLater()
        self.client.deleteLater()
        QDBusConnection.disconnectFromBus(self.bus.address)


@pytest.fixture
def world(qtbot: QtBot, granted: private_bus.PrivateBus) -> Iterator[World]:
    """A bus without the helper; polkit grants everything."""
    made = World(qtbot, granted)
    yield made
    made.close()


@pytest.fixture
def ready(world: World) -> World:
    """The same with the helper running and known to the model."""
    world.bus.start_helper()
    world.model.refresh()
    world.wait(lambda: world.model.state is not None and world.model.values)
    return world


def test_without_a_helper_values_are_known_and_a_request_ends_as_absent(world: World) -> None:
    """Reading needs nobody; asking for a change says at once that nobody is there."""
    world.model.refresh()
    world.wait(lambda: world.model.status.availability is Availability.ABSENT)
    world.wait(lambda: world.model.values)
    assert world.model.values["vm.swappiness"].value == "60"
    assert world.model.owners["vm.swappiness"].set_by == KERNEL
    world.model.try_changes(_TEN)
    assert world.end() is OutcomeKind.ABSENT
    assert world.value() == "60"


def test_helper_that_appears_later_is_noticed(world: World) -> None:
    """Installed while the window is open: the model becomes ready by itself."""
    world.model.refresh()
    world.wait(lambda: world.model.status.availability is Availability.ABSENT)
    world.bus.start_helper()
    world.wait(lambda: world.model.state is not None)
    assert world.model.status.availability is Availability.READY


def test_trial_is_shown_with_its_changes_and_the_helpers_clock(ready: World) -> None:
    """On trial: origin, value, seconds left; extended, then kept and listed with its user."""
    model = ready.model
    model.try_changes(_TWO, 20)
    assert model.busy == "asking"
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: model.trial is not None)
    trial = model.trial
    assert trial is not None
    assert trial.is_ours
    assert (trial.total_s, trial.seconds_left in (19, 20)) == (20, True)
    assert {(each.key, each.origin, each.value) for each in trial.changes} == {
        ("vm.swappiness", "60", "10"),
        ("vm.page-cluster", "3", "0"),
    }
    model.extend(60)
    ready.wait(lambda: model.trial is not None and model.trial.seconds_left > 50)
    assert model.trial is not None
    assert model.trial.total_s == 60
    model.keep()
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: model.trial is None and len(model.journal_changes) == 2)
    ready.wait(lambda: model.journal_changes[0].changed_at is not None)
    assert {each.lasts for each in model.journal_changes} == {"restart"}
    ready.wait(lambda: model.values["vm.swappiness"].value == "10")


def test_revert_takes_the_trial_back(ready: World) -> None:
    """Revert now: values of before, nothing on trial."""
    ready.model.try_changes(_TEN)
    ready.wait(lambda: ready.model.trial is not None)
    ready.model.revert()
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: ready.model.trial is None)
    assert ready.value() == "60"


def test_trial_that_expires_is_an_outcome(ready: World) -> None:
    """Five seconds later the old value is back and the model says why."""
    ready.model.try_changes(_TEN, 5)
    ready.wait(lambda: ready.model.trial is not None)
    ready.wait(lambda: ready.model.outcome and ready.model.outcome.kind is OutcomeKind.ENDED)
    assert ready.model.outcome is not None
    assert ready.model.outcome.name == "deadline"
    assert ready.value() == "60"
    ready.wait(lambda: ready.model.trial is None)


def test_trial_of_another_program_is_shown_and_can_be_reverted(ready: World) -> None:
    """Begun elsewhere: not ours, with its seconds; revert asks polkit and takes it back."""
    other = ready.bus.client()
    text = '{"changes":[{"id":"vm.swappiness","value":"11","device":""}]}'
    other.call("BeginTrial", "sib", text, 60, False)
    ready.wait(lambda: ready.model.trial is not None)
    trial = ready.model.trial
    assert trial is not None
    assert not trial.is_ours
    assert trial.seconds_left > 50
    ready.model.revert()
    ready.wait(lambda: ready.model.trial is None)
    assert ready.value() == "60"


def test_everything_is_undone_and_done_again(ready: World) -> None:
    """Undo all, then redo: each change lasts again as long as it did."""
    model = ready.model
    model.apply(_TEN)
    assert ready.end() is OutcomeKind.DONE
    model.apply((Change("vm.page-cluster", "0"),), "always")
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: len(ready.keys()) == 2)
    model.undo_all()
    assert ready.end() is OutcomeKind.DONE
    assert (ready.value(), ready.value("vm/page-cluster")) == ("60", "3")
    ready.wait(lambda: not ready.keys())
    assert model.can_redo
    model.redo()
    assert ready.end() is OutcomeKind.DONE
    assert (ready.value(), ready.value("vm/page-cluster")) == ("10", "0")
    ready.wait(lambda: {each.lasts for each in model.journal_changes} == {"restart", "always"})


def test_last_change_is_undone_alone(ready: World) -> None:
    """Ctrl+Z: what was kept together last goes, what was kept before stays."""
    model = ready.model
    model.apply((Change("vm.page-cluster", "0"),))
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: len(model.history) >= 2)
    # The helper's log counts whole seconds: what follows is to stand in a later one.
    newest = max(each.at or 0.0 for each in model.history)
    ready.wait(lambda: time.time() >= newest + 1)
    model.apply(_TEN)
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: last_kept(model.history) == ("vm.swappiness",) and len(ready.keys()) == 2)
    model.undo_last()
    assert ready.end() is OutcomeKind.DONE
    ready.wait(lambda: ready.keys() == {"vm.page-cluster"})
    assert ready.value() == "60"


def test_drift_is_seen_kept_or_taken_back(ready: World) -> None:
    """Somebody else writes: the change is drifted; theirs can be kept, or the old one restored."""
    model = ready.model
    for accept in (True, False):
        model.apply(_TEN)
        assert ready.end() is OutcomeKind.DONE
        ready.wait(lambda: ready.keys() == {"vm.swappiness"})
        ready.write("77")
        model.refresh()
        ready.wait(lambda: model.journal_changes and model.journal_changes[0].now == "77")
        assert model.journal_changes[0].is_drifted
        if accept:
            model.undo((), accept=("vm.swappiness",))
        else:
            model.undo((), force=("vm.swappiness",))
        ready.end()
        ready.wait(lambda: not ready.keys())
        assert ready.value() == ("77" if accept else "60")
        ready.write("60")


def test_undone_value_that_comes_back_is_told(ready: World) -> None:
    """Another program saw our value, and writes it after our undo."""
    model = ready.model
    model.apply(_TEN)
    assert ready.end() is OutcomeKind.DONE
    model.undo_all()
    assert ready.end() is OutcomeKind.DONE
    ready.write("10")
    model.refresh()
    ready.wait(lambda: model.resurrected)
    assert model.resurrected[0].id == "vm.swappiness"


@pytest.mark.parametrize(
    ("mode", "kind"), [("no", OutcomeKind.DENIED), ("dismiss", OutcomeKind.CANCELLED)]
)
def test_denied_and_cancelled_change_nothing(ready: World, mode: str, kind: OutcomeKind) -> None:
    """Both end the request; the model is free for the next one."""
    ready.bus.allow("apply", mode)
    ready.model.try_changes(_TEN)
    assert ready.end() is kind
    assert ready.value() == "60"
    assert ready.model.can_change


def test_giving_up_on_a_dialog_takes_back_what_is_granted_later(ready: World) -> None:
    """The user cancels here, then types the password there after all: nothing stays."""
    ready.bus.allow("apply", "hang")
    ready.model.try_changes(_TEN)
    ready.wait(lambda: bool(ready.bus.questions()))
    ready.model.cancel()
    assert ready.end() is OutcomeKind.CANCELLED
    ready.bus.polkit.ask("answer", mode="yes")
    ready.wait(lambda: any(each.event == "reverted" for each in ready.model.history))
    assert ready.value() == "60"
    ready.wait(lambda: ready.model.trial is None)


def test_giving_up_on_the_dialog_for_keeping_keeps_nothing(ready: World) -> None:
    """The values are set by then: they go back, whatever is typed, and the next trial stays."""
    ready.bus.allow("persist", "hang")
    ready.model.apply(_TEN, LASTS_ALWAYS)
    ready.wait(lambda: any("persist" in each["action"] for each in ready.bus.questions()))
    assert ready.value() == "10"
    ready.model.cancel()
    assert ready.end() is OutcomeKind.CANCELLED
    ready.wait(lambda: ready.value() == "60")
    ready.bus.polkit.ask("answer", mode="yes")
    ready.wait(lambda: ready.model.trial is None)
    ready.model.try_changes(_TEN)
    assert ready.end() is OutcomeKind.DONE
    assert ready.value() == "10"
    assert not any(each.event == "kept" for each in ready.model.history)


def test_refusal_keeps_the_helpers_words(ready: World) -> None:
    """A value out of range: which one and why."""
    ready.model.try_changes((Change("vm.swappiness", "900"),))
    assert ready.end() is OutcomeKind.REFUSED
    assert ready.model.outcome is not None
    assert "vm.swappiness" in str(ready.model.outcome.message)


def test_helper_that_is_killed_in_a_call_is_lost_and_not_busy_for_ever(ready: World) -> None:
    """The request ends as lost, and the model is not stuck."""
    ready.bus.allow("apply", "hang")
    ready.model.try_changes(_TEN)
    ready.wait(lambda: bool(ready.bus.questions()))
    assert ready.bus.helper is not None
    ready.bus.helper.send_signal(signal.SIGKILL)
    assert ready.end() is OutcomeKind.LOST
    assert ready.value() == "60"
    assert ready.model.busy == ""
