# SPDX-License-Identifier: GPL-3.0-or-later
"""The application's side of the helper, against the real helper on a bus of its own."""

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtDBus import QDBusConnection, QDBusMessage
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.helper_answers import refusal
from destutter.bridge import helper_client
from destutter.bridge.helper_client import Availability, HelperClient
from destutter.commands.helper_session import HelperSession
from destutter.commands.helper_state import answer_in
from destutter.commands.terminal import CommandError
from destutter.core.statement import Statement
from destutter_helper.api.names import (
    ENDED_OWNER_GONE,
    ERROR_PREFIX,
    HELPER_VERSION,
    KEEP_RESTART,
    HelperError,
)
from destutter_helper.api.payload import Change, ChangeSet, Results, State, UndoRequest
from destutter_helper.api.statement import Said, told
from tests.support import private_bus, scratch_tree

_TEN = ChangeSet((Change("vm.swappiness", "10"),))
_WAIT_MS = 20_000


class World:
    """A bus with a scripted polkit, the scratch tree, and a client on it."""

    def __init__(self, bus: private_bus.PrivateBus) -> None:
        self.bus = bus
        self.connection = QDBusConnection.connectToBus(bus.address, bus.address)
        self.client = HelperClient(self.connection)

    def swappiness(self) -> str:
        """What the scratch tree holds."""
        return scratch_tree.value(self.bus.root, "vm/swappiness")

    def close(self) -> None:
        """Leave the bus."""
        self.client.release()
        self.client.deleteLater()
        QDBusConnection.disconnectFromBus(self.bus.address)


@pytest.fixture
def world(granted: private_bus.PrivateBus) -> Iterator[World]:
    """A bus without the helper; polkit grants everything."""
    made = World(granted)
    yield made
    made.close()


@pytest.fixture
def ready(qtbot: QtBot, world: World) -> World:
    """The same with the helper running and known to the client."""
    world.bus.start_helper()
    with qtbot.waitSignal(world.client.state_taken, timeout=_WAIT_MS):
        world.client.refresh()
    return world


def _begin(qtbot: QtBot, world: World, seconds: int = 30) -> None:
    with qtbot.waitSignal(world.client.trial_begun, timeout=_WAIT_MS):
        world.client.begin_trial(_TEN, seconds)


def test_missing_helper_is_absent_and_not_an_error_of_the_program(
    qtbot: QtBot, world: World
) -> None:
    """Nothing on the bus: the status says so in words."""
    with qtbot.waitSignal(
        world.client.status_changed,
        timeout=_WAIT_MS,
        check_params_cb=lambda status: status.availability is Availability.ABSENT,
    ):
        world.client.refresh()
    assert world.client.status.reason == Statement("bridge.helper.absent")


def test_a_helper_that_is_installed_or_removed_meanwhile_is_noticed(
    qtbot: QtBot, world: World
) -> None:
    """Nobody starts it by that: "not installed" stood there until the program was started anew."""
    client = world.client

    def is_now(availability: Availability) -> None:
        qtbot.waitUntil(lambda: client.status.availability is availability, timeout=_WAIT_MS)

    client.refresh()
    is_now(Availability.ABSENT)
    world.bus.offer_helper()
    is_now(Availability.READY)
    world.bus.withdraw_helper()
    is_now(Availability.ABSENT)


def test_a_helper_that_could_not_be_started_at_first_is_asked_again(
    qtbot: QtBot, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bus told of it before systemd knew its unit: "Helper fails" stayed until a second
    password."""
    monkeypatch.setattr(helper_client, "_AGAIN_MS", (300,))
    asked: list[str] = []
    monkeypatch.setattr(world.client, "refresh", lambda: asked.append("again"))
    world.client._set_status(Availability.BROKEN, Statement("bridge.helper.absent"))
    world.client._services_changed()
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=_WAIT_MS)
    world.client._set_status(Availability.ABSENT)
    world.client._services_changed()
    qtbot.wait(600)  # on purpose: twice as long as it would take
    assert len(asked) == 3


def test_unreachable_bus_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    """A system without a system bus is read-only, with the reason."""
    nowhere = QDBusConnection.connectToBus(f"unix:path={tmp_path}/none", "nowhere")
    client = HelperClient(nowhere)
    with qtbot.waitSignal(client.status_changed, timeout=_WAIT_MS):
        client.refresh()
    assert client.status.availability is Availability.NO_BUS
    QDBusConnection.disconnectFromBus("nowhere")


def test_a_bus_that_is_there_later_is_found_when_asked_again(
    qtbot: QtBot, granted: private_bus.PrivateBus, tmp_path: Path
) -> None:
    """ "Ask again" asked a connection that never came about, and nobody else."""
    there: list[str] = []

    def connect_anew() -> QDBusConnection:
        QDBusConnection.disconnectFromBus("later")
        return QDBusConnection.connectToBus((there or [f"unix:path={tmp_path}/none"])[0], "later")

    nowhere = QDBusConnection.connectToBus(f"unix:path={tmp_path}/none", "nowhere")
    client = HelperClient(nowhere, None, connect_anew)
    client.refresh()
    assert client.status.reason is not None
    granted.start_helper()
    there.append(granted.address)
    with qtbot.waitSignal(client.state_taken, timeout=_WAIT_MS):
        client.refresh()
    assert client.status.availability is Availability.READY
    with qtbot.waitSignal(client.trial_begun, timeout=_WAIT_MS):
        client.begin_trial(_TEN, 30)
    with qtbot.waitSignal(client.state_taken, timeout=_WAIT_MS):
        client.revert()
    client.deleteLater()
    for name in ("nowhere", "later"):
        QDBusConnection.disconnectFromBus(name)


def test_bus_that_ends_is_told(qtbot: QtBot, ready: World) -> None:
    """The connection is gone for good: the status says so, and nothing waits for an answer."""
    with qtbot.waitSignal(
        ready.client.status_changed,
        timeout=_WAIT_MS,
        check_params_cb=lambda status: status.availability is Availability.NO_BUS,
    ):
        ready.bus.end_bus()
    # A question from before the end may fail meanwhile, and is not the one that is waited for.
    with qtbot.waitSignal(
        ready.client.failed,
        timeout=_WAIT_MS,
        check_params_cb=lambda method, _error: method == "BeginTrial",
    ):
        ready.client.begin_trial(_TEN, 30)
    qtbot.waitUntil(lambda: not ready.client.status.is_busy, timeout=_WAIT_MS)
    assert ready.client.status.reason == Statement("bridge.helper.bus_left")


def test_helper_that_does_not_say_where_it_lies_is_used(
    qtbot: QtBot, world: World, tmp_path: Path
) -> None:
    """One from before that property: it is ready, and its place is unknown."""
    folder = shutil.copytree(world.bus.program.parent, tmp_path / "before")
    readers = folder / "destutter_helper" / "readers.py"
    lines = readers.read_text().splitlines(keepends=True)
    readers.write_text("".join(lines).replace('"Place": PLACE, ', ""))
    world.bus.program = folder / world.bus.program.name
    world.bus.start_helper()
    failures: list[str] = []
    world.client.failed.connect(lambda method, _error: failures.append(method))
    with qtbot.waitSignal(world.client.state_taken, timeout=_WAIT_MS):
        world.client.refresh()
    assert world.client.status.availability is Availability.READY
    assert (world.client.status.version, world.client.status.place) == (HELPER_VERSION, "")
    assert failures == []


def test_helper_from_before_a_method_says_so(qtbot: QtBot, world: World, tmp_path: Path) -> None:
    """A real one without it: not supported, rather than a mistake in what was asked."""
    folder = shutil.copytree(world.bus.program.parent, tmp_path / "before")
    table = folder / "destutter_helper" / "api" / "methods.py"
    rows = table.read_text().splitlines(keepends=True)
    table.write_text("".join(row for row in rows if '"ListForGames"): Method' not in row))
    world.bus.program = folder / world.bus.program.name
    world.bus.start_helper()
    with qtbot.waitSignal(world.client.failed, timeout=_WAIT_MS) as failed:
        world.client.list_for_games()
    method, error = failed.args or ["", None]
    assert (method, getattr(error, "name", "")) == ("ListForGames", "Unsupported")


def test_helper_of_this_version_is_ready_with_its_state(qtbot: QtBot, world: World) -> None:
    """Version and state are asked once; nothing is busy afterwards."""
    world.bus.start_helper()
    with qtbot.waitSignal(world.client.state_taken, timeout=_WAIT_MS) as taken:
        world.client.refresh()
    assert isinstance(taken.args[0], State)
    assert taken.args[0].state == "idle"
    assert world.client.status.availability is Availability.READY
    assert world.client.status.version == HELPER_VERSION
    assert Path(world.client.status.place, "service.py").is_file()
    qtbot.waitUntil(lambda: not world.client.status.is_busy, timeout=_WAIT_MS)


def test_a_command_waits_for_what_the_helper_changed(qtbot: QtBot, ready: World) -> None:
    """Also when the bus has to start it: that it is ready is not yet its whole answer."""
    client = ready.client
    with qtbot.waitSignal(client.trial_begun, timeout=_WAIT_MS):
        client.begin_trial(_TEN, 60)
    with qtbot.waitSignal(client.answered, timeout=_WAIT_MS):
        client.keep(KEEP_RESTART)
    session = HelperSession(ready.connection)
    try:
        answer = answer_in(session)
    finally:
        session.close()
        session.client.deleteLater()
    assert answer.is_ready
    assert {key: result.value for key, result in answer.changed.items()} == {
        ("vm.swappiness", ""): "10"
    }


def test_a_command_ends_when_the_helper_does_not_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was started and says nothing: an error, not a command that waits for ever."""
    session = HelperSession(world.connection)
    silent = HelperError("Internal", "it did not answer")
    monkeypatch.setattr(session.client, "refresh", lambda: session.client.failed.emit("", silent))
    try:
        with pytest.raises(CommandError, match="it did not answer"):
            session.connect()
    finally:
        session.close()
        session.client.deleteLater()


def test_trial_is_written_read_again_kept_and_undone(qtbot: QtBot, ready: World) -> None:
    """After each step it says that the kernel may be another, when it is."""
    read: list[str] = []
    ready.client.kernel_changed.connect(lambda: read.append(ready.swappiness()))
    _begin(qtbot, ready)
    assert read == ["10"]
    with qtbot.waitSignal(ready.client.answered, timeout=_WAIT_MS) as kept:
        ready.client.keep(KEEP_RESTART)
    assert isinstance(kept.args[1], Results)
    assert ready.client.trial is None
    with qtbot.waitSignal(ready.client.answered, timeout=_WAIT_MS) as undone:
        ready.client.undo(UndoRequest())
    assert [result.outcome for result in undone.args[1].results] == ["restored"]
    assert ready.swappiness() == "60"
    assert read[0] == "10"
    assert read[-1] == "60"


def test_revert_and_release_both_take_the_trial_back(qtbot: QtBot, ready: World) -> None:
    """By the button, and by letting go of the descriptor as a crash would."""
    _begin(qtbot, ready)
    with qtbot.waitSignal(ready.client.answered, timeout=_WAIT_MS):
        ready.client.revert()
    assert ready.swappiness() == "60"
    _begin(qtbot, ready)
    assert ready.swappiness() == "10"
    with qtbot.waitSignal(ready.client.trial_ended, timeout=_WAIT_MS) as ended:
        ready.client.release()
    assert ended.args[0] == "hold-closed"
    assert ready.swappiness() == "60"


def test_refusal_names_the_entry_and_changes_nothing(qtbot: QtBot, ready: World) -> None:
    """An error of the helper arrives with its name and its words."""
    bad = ChangeSet((Change("vm.swappiness", "900"),))
    with qtbot.waitSignal(ready.client.failed, timeout=_WAIT_MS) as failed:
        ready.client.begin_trial(bad, 30)
    method, error = failed.args
    assert method == "BeginTrial"
    assert isinstance(error, HelperError)
    assert error.name == "OutOfRange"
    assert "vm.swappiness" in str(error)
    assert ready.swappiness() == "60"


@pytest.mark.parametrize(("mode", "name"), [("no", "NotAuthorized"), ("dismiss", "Dismissed")])
def test_denied_and_dismissed_are_told_apart(
    qtbot: QtBot, ready: World, mode: str, name: str
) -> None:
    """Closing the dialog is no message to the user; a denial is."""
    ready.bus.allow("apply", mode)
    with qtbot.waitSignal(ready.client.failed, timeout=_WAIT_MS) as failed:
        ready.client.begin_trial(_TEN, 30)
    assert failed.args[1].name == name
    assert ready.swappiness() == "60"


def test_a_refusal_is_told_as_data(qtbot: QtBot, ready: World) -> None:
    """Over the bus: which setting, why by its id, and the values; its line is the English one."""
    wish = ChangeSet((Change("vm.swappiness", "999"),))
    with qtbot.waitSignal(ready.client.failed, timeout=_WAIT_MS) as failed:
        ready.client.begin_trial(wish, 30)
    error = failed.args[1]
    assert (error.name, error.id, error.device) == ("OutOfRange", "vm.swappiness", "")
    values = {"value": "999", "low": "0", "high": "200"}
    assert error.said == Said("helper.value.out_of_range", values)
    assert str(error) == "vm.swappiness: 999 is not a whole number from 0 to 200"


@pytest.mark.parametrize(
    "said",
    [
        [],
        [""],
        ["[" * 10_000],
        ['{"id": "helper.told"}'],
        [json.dumps({"id": "helper.told", "values": {"{0.__class__}": "x"}})],
        [json.dumps({"id": "helper.told", "values": {f"a{at}": "x" for at in range(10_000)}})],
        [7],
    ],
)
def test_a_refusal_of_another_helper_is_shown_in_its_words(said: list[object]) -> None:
    """Of one from before, or of one whose second text cannot be read."""
    reply = QDBusMessage.createError(f"{ERROR_PREFIX}Refused", "as {0.__class__} ever")
    reply.setArguments(["as {0.__class__} ever", *said])
    found = refusal(reply.arguments())
    assert found == told("as {0.__class__} ever")
    assert str(found) == "as {0.__class__} ever"


def test_crash_of_the_helper_in_a_call_is_a_failure_not_a_silence(
    qtbot: QtBot, ready: World
) -> None:
    """The helper is killed while a dialog is open: the call ends with an error."""
    ready.bus.allow("apply", "hang")
    with qtbot.waitSignal(ready.client.failed, timeout=_WAIT_MS) as failed:
        ready.client.begin_trial(_TEN, 30)
        qtbot.waitUntil(lambda: bool(ready.bus.questions()), timeout=_WAIT_MS)
        assert ready.bus.helper is not None
        ready.bus.helper.send_signal(signal.SIGKILL)
    assert failed.args[0] == "BeginTrial"
    assert ready.client.trial is None


def test_crash_of_the_helper_in_a_trial_is_told_with_what_went_back(
    qtbot: QtBot, ready: World
) -> None:
    """Nobody else calls its successor: the values would stay tried, and the window say nothing."""
    ready.bus.offer_helper()
    _begin(qtbot, ready)
    with qtbot.waitSignal(ready.client.trial_ended, timeout=_WAIT_MS) as ended:
        ready.bus.kill_all()
    reason, results = ended.args
    assert reason == ENDED_OWNER_GONE
    assert [(one.id, one.outcome) for one in results.results] == [("vm.swappiness", "restored")]
    assert ready.swappiness() == "60"
