# SPDX-License-Identifier: GPL-3.0-or-later
"""Which settings an undo on the command line means."""

import argparse
from types import SimpleNamespace

import pytest

from destutter.commands.terminal import CommandError
from destutter.commands.undoing import NOTHING_TO_DO, undo_in
from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter_helper.api.payload import Result, Results, State, UndoRequest
from destutter_helper.api.statement import Said

BOTH = Said("helper.note.somebody_else", {"settings": "vm.dirty_bytes=0 vm.dirty_ratio=30"})


class Helper:
    """A conversation with a helper that has changed one thing, and leaves what is foreign."""

    def __init__(self, result: Result, outcome: str) -> None:
        self.asked: list[UndoRequest] = []
        self._verified = Result(result.id, result.device, outcome, result.value, result.origin, "")
        self._result = result
        self.client = SimpleNamespace(
            ask_state=lambda: None, verify=lambda: None, undo=self.asked.append
        )

    def ask(self, request, answer):
        """Answer at once."""
        request()
        if answer == "state":
            changed = (self._result,)
            return State("active", 0, -1, "", changed, (), (), (), ())
        if answer == "Verify":
            return Results((self._verified,))
        outcome = "accepted" if self.asked[-1].accept else "foreign"
        return Results((Result(*self._key, outcome, "30", "0", notes=(BOTH,)),))

    @property
    def _key(self) -> tuple[str, str]:
        return self._result.id, self._result.device


def accept(helper: Helper, *names: str) -> tuple[tuple[Result, ...], Statement]:
    """As typed: ``undo NAMES --accept``."""
    options = argparse.Namespace(ids=list(names), accept=True, force=False, all=False)
    return undo_in(helper, KernelFiles("/"), options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id_", "device", "named"),
    [
        ("vm.dirty_bytes", "", "vm.dirty_bytes"),
        ("vm.dirty_bytes", "", "vm.dirty_ratio"),  # either of a pair
        ("thp.enabled", "", "thp.enabled"),
        ("block.nr_requests", "sda", "block.nr_requests"),
        ("vm.swappiness", "", "vm.swappiness"),
    ],
)
def test_what_belongs_to_others_can_be_accepted_too(id_, device, named):
    """A pair, a queue and huge pages are tied together: their parts have names all the same."""
    result = Result(id_, device, "changed", "1", "0", "restart")
    helper = Helper(result, "foreign")
    results, _nothing = accept(helper, named)
    assert [each.outcome for each in results] == ["accepted"]
    assert helper.asked[-1].accept == ((f"{id_}@{device}" if device else id_),)


def test_what_is_as_we_set_it_is_not_accepted():
    """Accepting leaves what somebody else has set; this nobody has."""
    helper = Helper(Result("vm.dirty_bytes", "", "changed", "1", "0", "restart"), "ok")
    with pytest.raises(CommandError, match="is as Destutter set it"):
        accept(helper, "vm.dirty_bytes")
    assert not helper.asked


def test_what_is_not_named_is_not_accepted():
    """And nothing is asked of the helper."""
    helper = Helper(Result("vm.dirty_bytes", "", "changed", "1", "0", "restart"), "foreign")
    assert accept(helper, "vm.swappiness") == ((), NOTHING_TO_DO)
    assert not helper.asked
