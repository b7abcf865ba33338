# SPDX-License-Identifier: GPL-3.0-or-later
"""What the door charges for, and what it does not even let in."""

from typing import Any
from unittest.mock import Mock

import pytest

from destutter_helper.api import names
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.callers import Callers
from destutter_helper.gate import Call, gate
from destutter_helper.readers import READERS

METHOD_CALL = 1  # D-Bus Specification, "Message Format"


class Bus:
    """Says of every connection that it is of one user."""

    def call_async(self, *call: Any) -> None:
        """Answer GetConnectionUnixUser."""
        call[6](1000)


def message(member: str, *arguments: str, wants_reply: bool = True) -> Any:
    """A call of the contract, of texts."""
    made = Mock()
    made.get_type.return_value = METHOD_CALL
    made.get_path.return_value = names.OBJECT_PATH
    made.get_interface.return_value, made.get_member.return_value = names.INTERFACE, member
    made.get_args_list.return_value = arguments
    made.get_signature.return_value = "s" * len(arguments)
    made.get_no_reply.return_value = not wants_reply
    return made


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the errors that callers get."""
    found: list[str] = []
    monkeypatch.setattr(Call, "fail", lambda _call, error: found.append(error.name))
    return found


def test_a43_what_is_refused_after_work_costs_its_caller_as_much(
    monkeypatch: pytest.MonkeyPatch, refused: list[str]
) -> None:
    """Else anybody keeps root's helper busy without end, with previews that it refuses."""
    now_s = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now_s)

    def refuse(_call: Call) -> None:
        nonlocal now_s
        now_s += 3
        raise HelperError("DeviceGone", Said("helper.request.no_method"))

    admit = gate(Mock(), Callers(Bus()), refuse, Mock(), {*READERS})
    for _ in range(2):
        admit(None, message("Preview", "{}"))
    assert refused == ["DeviceGone", "RateLimited"]


def test_a34_a_reader_without_reply_is_not_read_for(refused: list[str]) -> None:
    """Work for nobody: with 20,000 such calls a stranger would hold up everybody else."""
    served = list[str]()
    bus = Callers(Bus())
    admit = gate(Mock(), bus, lambda call: served.append(call.key[1]), Mock(), {*READERS})
    admit(None, message("ListTunables"))
    for one in (("ListTunables",), ("GetState",), ("Preview", "{}"), ("NoSuchMethod",)):
        admit(None, message(*one, wants_reply=False))
    assert refused == []
    assert served == ["ListTunables"]


@pytest.mark.parametrize("member", ["Undo", "Revert", "ForgetForGame", "EndTrace"])
def test_who_wants_no_reply_is_obeyed_all_the_same(refused: list[str], member: str) -> None:
    """As by dbus-send, which asks for none unless it is told: what was to end would stay."""
    served = list[str]()
    bus = Callers(Bus())
    admit = gate(Mock(), bus, lambda call: served.append(call.key[1]), Mock(), {*READERS})
    admit(None, message(member, "{}", wants_reply=False))
    assert (served, refused) == ([member], [])
