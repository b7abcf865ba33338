# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kinds of waits the kernel's trace tells, and of which it has all for a time."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from destutter.core.traced import (
    COMPACTION,
    CORE,
    DIRTY_PAUSE,
    MEMCG_RECLAIM,
    RECLAIM,
    REQUEST,
    SPLIT_LOCK,
    THROTTLED,
    WBT,
    TraceLook,
)
from destutter_helper.api.tracing import DRIVES, GAME, WAITS

_EVENT_OF = {
    RECLAIM: "vmscan/mm_vmscan_direct_reclaim_begin",
    MEMCG_RECLAIM: "vmscan/mm_vmscan_memcg_reclaim_begin",
    COMPACTION: "compaction/mm_compaction_begin",
    THROTTLED: "vmscan/mm_vmscan_throttled",
    DIRTY_PAUSE: "writeback/balance_dirty_pages",
    REQUEST: "block/block_rq_complete",
    WBT: "wbt/wbt_timer",
    CORE: "sched/sched_switch",
    SPLIT_LOCK: "printk/console",
}
_OF_THE_GAME = (CORE, SPLIT_LOCK)
_INSTANCES_OF = {
    REQUEST: (DRIVES,),
    WBT: (DRIVES, WAITS),
    CORE: (GAME,),
    SPLIT_LOCK: (WAITS, GAME),
}
"""Where it is recorded, if not with the waits for memory alone."""


def kinds_told(missing: AbstractSet[str], *, is_followed: bool) -> frozenset[str]:
    """Those of a kernel without the ``missing`` events, of a game that ``is_followed`` or not."""
    return frozenset(
        kind
        for kind, event in _EVENT_OF.items()
        if event not in missing and (kind not in _OF_THE_GAME or is_followed)
    )


def kinds_lost(looks: Iterable[TraceLook], losing: Iterable[str]) -> frozenset[str]:
    """Those of which these looks left something out, or records were lost in ``losing``."""
    lost = set(losing)
    for each in looks:
        if each.untold_requests > each.untold_other_requests:
            lost.add(DRIVES)
        if each.untold - each.untold_requests > each.untold_other_waits:
            lost |= {WAITS, GAME}
    return frozenset(
        kind
        for kind in _EVENT_OF
        if "" in lost or lost.intersection(_INSTANCES_OF.get(kind, (WAITS,)))
    )
