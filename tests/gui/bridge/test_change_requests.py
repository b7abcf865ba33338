# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to the helper one after the other, with a helper that says what the test says."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from PySide6.QtDBus import QDBusConnection, QDBusUnixFileDescriptor
from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, LASTS_RESTART, JournalChange
from destutter.bridge.change_requests import ChangeRequests
from destutter.bridge.helper_client import HelperClient
from destutter.bridge.owned_trial import OwnedTrial
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, Results, UndoRequest, encode
from tests.support.tuning_scenes import TuningScene, four_changes

_TEN = (Change("vm.swappiness", "10"),)


@pytest.fixture
def scene(qapp: QApplication) -> Iterator[TuningScene]:
    """A model with a scripted helper, and nothing changed."""
    made = TuningScene()
    made.settle()
    yield made
    made.close()


def _begin(scene: TuningScene) -> None:
    """The helper has granted what was asked for."""
    scene.helper.give_state(four_changes()[0], is_ours=True)
    scene.helper.trial_begun.emit(scene.helper.trial)


def test_a_trial_goes_back_while_the_password_for_keeping_it_is_asked_for(
    scene: TuningScene,
) -> None:
    """The way back is never barred by a dialog."""
    scene.give(*four_changes(), is_ours=True)
    scene.model.keep()
    assert scene.model.busy == "asking"
    scene.model.revert()
    assert [what for what, _ in scene.helper.asked] == ["Keep", "Revert"]


def test_who_gave_up_a_dialog_that_is_closed_then_can_try_again(scene: TuningScene) -> None:
    """What was given up was never there: the next trial is not the one that goes back."""
    scene.model.try_changes(_TEN)
    scene.model.cancel()
    scene.helper.failed.emit("BeginTrial", HelperError("Dismissed", "no"))
    scene.model.try_changes(_TEN)
    _begin(scene)
    assert [what for what, _ in scene.helper.asked] == ["BeginTrial", "BeginTrial"]


def test_what_is_kept_for_every_start_is_set_again_first(scene: TuningScene) -> None:
    """A redo that is refused half way has set again what lasts the longest."""
    changes = {each.lasts: each for each in _kept(scene)}
    requests = ChangeRequests(scene.helper)
    taken_back = (changes[LASTS_RESTART], changes[LASTS_ALWAYS])
    requests.undo(UndoRequest(), taken_back, frozenset())
    scene.helper.answered.emit("Undo", Results(()))
    requests.settle()
    requests.redo()
    method, (asked, _seconds) = scene.helper.asked[-1]
    assert (method, asked) == ("BeginTrial", (changes[LASTS_ALWAYS].change,))
    requests.deleteLater()


def _kept(scene: TuningScene) -> Sequence[JournalChange]:
    """One that lasts until the restart, and one for every start."""
    scene.give(*four_changes())
    return scene.model.journal_changes


class Answering(HelperClient):
    """Owns a trial, and has each call answered at once."""

    def __init__(self) -> None:
        super().__init__(QDBusConnection("nowhere"))
        self._trial = OwnedTrial("tx", QDBusUnixFileDescriptor())

    def _call(
        self,
        method: str,
        arguments: list[Any],
        take: Callable[[Sequence[Any]], None],
        timeout_ms: int,
    ) -> None:
        if method in {"Keep", "Revert"}:
            take([encode(Results(()))])


@pytest.mark.parametrize("end", [HelperClient.revert, lambda client: client.keep("restart")])
def test_a_trial_is_over_with_the_answer(
    qapp: QApplication, end: Callable[[HelperClient], None]
) -> None:
    """Whoever hears of it owns none any more; the signal of its end may come later."""
    client, owned = Answering(), []
    client.answered.connect(lambda _method, _value: owned.append(client.trial))
    end(client)
    assert owned == [None]
    client.deleteLater()
