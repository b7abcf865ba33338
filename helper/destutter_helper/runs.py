# SPDX-License-Identifier: GPL-3.0-or-later
"""The short runs: what units and the text console ask for, without any bus."""

import sys
import time
from collections.abc import Callable, Mapping

from destutter_helper.api.names import ENDED_OWNER_GONE, HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.kernel_writer import Hold
from destutter_helper.log import Log
from destutter_helper.opening import open_engine
from destutter_helper.transaction import Engine

LOCK_WAIT_S = 2.0
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
    try:
        engine = open_when_free(root, log, {}, 0 if mode in LEFT_TO_THE_SERVICE else LOCK_WAIT_S)
    except HelperError as error:
        if error.name == "Busy" and mode in LEFT_TO_THE_SERVICE:
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


def open_when_free(
    root: str, log: Log, holds: Mapping[str, Hold], wait_s: float = LOCK_WAIT_S
) -> Engine:
    """Open the engine; a helper that is on its way out may still have the lock."""
    give_up = time.monotonic() + wait_s
    while True:
        try:
            return open_engine(root, log=log, holds=holds)
        except HelperError as error:
            if error.name != "Busy" or time.monotonic() >= give_up:
                raise
        time.sleep(0.02)


def recover(engine: Engine) -> Results:
    """Finish what a killed helper left; its trial ends, since its owner's hold ended with it."""
    results = engine.recover()
    if engine.trial is not None:
        results = engine.revert(engine.trial.txid, ENDED_OWNER_GONE)
    return results
