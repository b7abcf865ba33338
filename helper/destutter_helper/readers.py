# SPDX-License-Identifier: GPL-3.0-or-later
"""What everybody may ask for: each reads, and changes nothing."""

import dataclasses
import json
import os
from collections.abc import Callable
from typing import Any

import dbus

from destutter_helper.api import names, payload
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.engine import Engine
from destutter_helper.game_sets import KeptForGames
from destutter_helper.gate import Call

LISTING = "ListTunables"
PLACE = os.path.dirname(__file__)


def _state_for(state: payload.State, uid: int) -> payload.State:
    """The state; whose trial runs is told to root and to that user only."""
    if uid in (0, state.owner_uid):
        return state
    return dataclasses.replace(state, owner_uid=-1, owner_name="")


def _report(engine: Engine, call: Call) -> str:
    """The history; who did it is left out for everybody but root and that user."""
    uid, entries = call.uid, engine.stores.history()
    for entry in entries:
        if uid not in (0, entry.get("uid")):
            entry.pop("uid", None)
            entry.pop("owner_name", None)
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def _properties(engine: Engine, call: Call) -> Any:
    """GetAll: the properties of an interface, ours or none; Get: one of them."""
    ours = {"ProtocolVersion": dbus.UInt32(names.API_VERSION), "Version": names.HELPER_VERSION}
    ours |= {"Place": PLACE, "State": engine.state().state}
    values = ours if call.arguments[0] == names.INTERFACE else {}
    if call.key[1] == "GetAll":
        return dbus.Dictionary(values, signature="sv")
    if call.arguments[1] not in values:
        raise HelperError("InvalidArgument", Said("helper.request.no_property"))
    return values[call.arguments[1]]


def _preview(engine: Engine, call: Call) -> str:
    return payload.encode(engine.preview(payload.read_change_set(call.arguments[0])))


def _tunables(engine: Engine, _call: Call) -> str:
    text = payload.encode(payload.Tunables(engine.list_tunables()))
    if len(text) > names.REPLY_MAX_BYTES:
        raise HelperError("TooLarge", Said("helper.request.answer_too_long"))
    return text


def _introspection(_engine: Engine, _call: Call) -> str:
    with open(os.path.join(PLACE, "introspection.xml"), encoding="utf-8") as file:
        return file.read()


READERS: dict[str, Callable[[Engine, Call], Any]] = {
    "GetState": lambda engine, call: payload.encode(_state_for(engine.state(), call.uid)),
    LISTING: _tunables,
    "GetPowerStates": lambda engine, _: payload.encode(
        payload.Controllers(engine.power_states.read())
    ),
    "Preview": _preview,
    "Verify": lambda engine, _: payload.encode(payload.Results(engine.verify())),
    "Recover": lambda engine, _: payload.encode(payload.Results(engine.recover())),
    "ListForGames": lambda engine, call: payload.encode(KeptForGames(engine).listed(call.uid)),
    "GetReport": _report,
    "Get": _properties,
    "GetAll": _properties,
    "Introspect": _introspection,
}
