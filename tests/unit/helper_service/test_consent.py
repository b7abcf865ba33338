# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long a password that was typed for a trial is one for keeping it as well."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from destutter_helper.api import names
from destutter_helper.authority import Authority
from destutter_helper.service import Service
from tests.support.faulty_kernel import Computer

TRIAL = ('{"changes":[{"id":"vm.swappiness","value":"10"}]}', 30, True)
NOTHING: dict[str, str] = {}
NEEDS_DIALOG, GRANTED = (False, True, NOTHING), (True, False, NOTHING)


class TypedPolkit:
    """Wants a password for everything; its dialogs wait until somebody types one."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.type: Callable[[Any], None] = lambda _answer: pytest.fail("no dialog is open")

    def call_async(self, *call: Any, **_timeout: Any) -> None:
        """Answer CheckAuthorization, unless it opened a dialog."""
        (_subject, action, _details, flags, _id), then = call[5:7]
        self.asked.append((action, int(flags)))
        if flags:
            self.type = then
        else:
            then(NEEDS_DIALOG)


@pytest.mark.parametrize(("later_s", "flags"), [(299, [0]), (300, [0, 1, 0])])
def test_a17_a_password_of_more_than_five_minutes_ago_does_not_keep(
    monkeypatch: pytest.MonkeyPatch, later_s: int, flags: list[int]
) -> None:
    """A flight may last twelve hours: whoever sits there by then could set what every start sets.

    Up to then one password does for trying and keeping.
    """
    now_s = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now_s)
    polkit, engine = TypedPolkit(), Computer().start()
    service = Service(Mock(), engine, Mock(), Authority(polkit, Mock()), Mock())

    def serve(member: str, *arguments: Any) -> Any:
        key = names.INTERFACE, member
        call = Mock(key=key, arguments=arguments, uid=1000, sender=":1.7")
        call.was_asked, call.allows_dialog, call.run = False, False, lambda work: work()
        service.serve(call)
        return call.reply

    replied = serve("BeginTrial", *TRIAL)
    polkit.type(GRANTED)
    txid, _hold = replied.call_args.args
    now_s += later_s
    serve("Keep", txid, "always", True)
    assert [flag for action, flag in polkit.asked if action == names.ACTION_PERSIST] == flags
    assert (engine.trial is None) == (flags == [0])
