# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the engine from its parts, on the running kernel or on a scratch tree."""

import secrets
import time
from collections.abc import Mapping

from destutter_helper.api.names import ENDED_OWNER_GONE, HelperError
from destutter_helper.api.payload import Result
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import DmaLatencyHold, Hold, KernelWriter
from destutter_helper.stores import Log, Stores, open_stores
from destutter_helper.transaction import Engine

LOCK_WAIT_S = 2.0
_LOOK_AGAIN_S = 0.02


def open_engine(
    root: str, *, log: Log, holds: Mapping[str, Hold] | None = None, wait_s: float = 0.0
) -> Engine:
    """The engine on the running kernel ("/") or on a scratch tree.

    ``holds`` are the holds of the layers above, by tunable id. HelperError Busy when another
    helper has the lock for longer than ``wait_s``: one may be on its way out. OSError when a
    directory of ours is not safe.
    """
    stores = _open_when_free(root, log, time.monotonic() + wait_s)
    tree = KernelTree(root)
    own: dict[str, Hold] = {"cpu.dma_latency": DmaLatencyHold(tree)}
    return Engine(
        KernelWriter(tree, own | dict(holds or {})),
        stores,
        boottime_ns=lambda: time.clock_gettime_ns(time.CLOCK_BOOTTIME),
        new_txid=lambda: secrets.token_hex(16),
    )


def recover(engine: Engine) -> tuple[Result, ...]:
    """Finish what a killed helper left; its trial ends, since its owner's hold ended with it."""
    results = engine.recover()
    trial = engine.trial
    return results if trial is None else engine.revert(trial.txid, ENDED_OWNER_GONE)


def _open_when_free(root: str, log: Log, give_up: float) -> Stores:
    while True:
        try:
            return open_stores(root, log)
        except HelperError:
            if time.monotonic() >= give_up:
                raise
        time.sleep(_LOOK_AGAIN_S)
