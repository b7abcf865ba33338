# SPDX-License-Identifier: GPL-3.0-or-later
"""The short runs: what units and the text console ask for, without any bus."""

import sys
from collections.abc import Callable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.log import Log
from destutter_helper.opening import LOCK_WAIT_S, open_engine, recover
from destutter_helper.transaction import Engine

LEFT_TO_THE_SERVICE = ("resume", "confirm-boot")  # a running one does both by itself

Results = tuple[Result, ...]


def _confirm(engine: Engine) -> Results:
    engine.confirm_boot()
    return ()


RUNS: dict[str, tuple[str, Callable[[Engine], Results]]] = {
    "boot": ("set what is kept for every start", Engine.boot),
    "confirm-boot": ("this start went well", _confirm),
    "resume": ("after a sleep: set again what was reset", lambda e: e.verify(reapply=True)),
    "recover": ("finish what a killed helper left", lambda _engine: ()),
    "undo-all": ("take back everything, also what is kept", lambda e: e.undo(UndoRequest())),
}


def run_once(mode: str, root: str, log: Log) -> int:
    """Do what the mode says, one line for each setting; 1 when one of them failed."""
    is_left = mode in LEFT_TO_THE_SERVICE
    try:
        engine = open_engine(root, log=log, wait_s=0.0 if is_left else LOCK_WAIT_S)
    except HelperError as error:
        if error.name == "Busy" and is_left:
            return 0
        raise
    try:
        results = recover(engine) + RUNS[mode][1](engine)
    finally:
        engine.close()
    for one in results:
        name = f"{one.id} on {one.device}" if one.device else one.id
        sys.stdout.write(f"{name}: {one.outcome}, now {one.value} {one.note}".rstrip() + "\n")
    return int(any(result.outcome == "failed" for result in results))
