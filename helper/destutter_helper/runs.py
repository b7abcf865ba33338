# SPDX-License-Identifier: GPL-3.0-or-later
"""The short runs: what units and the text console ask for, without any bus."""

import sys
import time
from collections.abc import Mapping

from destutter_helper.api.names import ENDED_OWNER_GONE, HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.kernel_writer import Hold
from destutter_helper.log import Log
from destutter_helper.transaction import Engine, open_engine

LOCK_WAIT_S = 2.0
LEFT_TO_THE_SERVICE = ("--resume", "--confirm-boot")  # a running one does both by itself
MODES = ("--boot", "--confirm-boot", "--resume", "--recover", "--undo-all")


def run_once(mode: str, root: str, log: Log) -> int:
    """Do what the mode says, one line for each setting; 1 when one of them failed."""
    try:
        engine = open_when_free(root, log, {}, 0 if mode in LEFT_TO_THE_SERVICE else LOCK_WAIT_S)
    except HelperError as error:
        if error.name == "Busy" and mode in LEFT_TO_THE_SERVICE:
            return 0
        raise
    try:
        results = recover(engine) + _do(engine, mode)
    finally:
        engine.close()
    for result in results:
        where = f" on {result.device}" if result.device else ""
        note = f" ({result.note})" if result.note else ""
        sys.stdout.write(f"{result.id}{where}: {result.outcome}, now {result.value}{note}\n")
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


def recover(engine: Engine) -> tuple[Result, ...]:
    """Finish what a killed helper left; its trial ends, since its owner's hold ended with it."""
    results = engine.recover()
    if engine.trial is not None:
        results = engine.revert(engine.trial.txid, ENDED_OWNER_GONE)
    return results


def _do(engine: Engine, mode: str) -> tuple[Result, ...]:
    if mode == "--boot":
        return engine.boot()
    if mode == "--undo-all":
        return engine.undo(UndoRequest())
    if mode == "--resume":
        return engine.verify(reapply=True)
    if mode == "--confirm-boot":
        engine.confirm_boot()
    return ()
