# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the engine from its parts, on the running kernel or on a scratch tree."""

import secrets
import time
from collections.abc import Mapping

from destutter_helper.kernel_tree import KernelTree
from destutter_helper.kernel_writer import DmaLatencyHold, Hold, KernelWriter
from destutter_helper.stores import Log, open_stores
from destutter_helper.transaction import Engine


def open_engine(root: str, *, log: Log, holds: Mapping[str, Hold] | None = None) -> Engine:
    """The engine on the running kernel ("/") or on a scratch tree.

    ``holds`` are the holds of the layers above, by tunable id. HelperError Busy when another
    helper has the lock; OSError when a directory of ours is not safe.
    """
    stores = open_stores(root, log)
    tree = KernelTree(root)
    own: dict[str, Hold] = {"cpu.dma_latency": DmaLatencyHold(tree)}
    return Engine(
        KernelWriter(tree, own | dict(holds or {})),
        stores,
        boottime_ns=lambda: time.clock_gettime_ns(time.CLOCK_BOOTTIME),
        new_txid=lambda: secrets.token_hex(16),
    )
