# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed set of what is recorded of the kernel.

Nothing of it comes from a caller. A new event has to be measured first: what it is good for and
what it costs (``make bench ARGS=trace``). It must not be of those that ``shows_addresses``
refuses: a raw record holds true addresses of the kernel, which are worth hiding.
"""

from typing import NamedTuple

from destutter_helper.api.tracing import CLOCK, DRIVES, EXPERT, GAME, PATHS, WAITS


class Setup(NamedTuple):
    """How an instance is set up: its files, in this order, then its events, each with a filter."""

    files: tuple[tuple[str, str], ...]
    events: dict[str, str]


# Sizes are per processor. The size before anything is enabled: the kernel would give 1,410 KB
# first. Overwriting, for only then do the pages say what was lost. disable_on_free belongs to the
# dead man's handle (`trace_instances`). Of 0 percent, so that a reader can ask with poll whether
# there is anything: a ring that is read in vain costs three times as much.
_ON = (("buffer_percent", "0"), ("options/overwrite", "1"), ("options/disable_on_free", "1"))

OFF = ("options/stacktrace", "options/userstacktrace", "options/copy_trace_marker")
"""What an instance takes over from whoever has set it for the whole kernel, and has to be without:
a stack behind each record holds true addresses, of the kernel and of others' programs; what they
write into ``trace_marker`` is theirs. A kernel that lacks one of these records nothing of it."""

SETUPS = {
    WAITS: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "512"), *_ON),
        {
            "vmscan/mm_vmscan_direct_reclaim_begin": "",
            "vmscan/mm_vmscan_direct_reclaim_end": "",
            "vmscan/mm_vmscan_memcg_reclaim_begin": "",
            "vmscan/mm_vmscan_memcg_reclaim_end": "",
            "vmscan/mm_vmscan_throttled": "",
            "compaction/mm_compaction_begin": "",
            "compaction/mm_compaction_end": "",
            "wbt/wbt_timer": "step > 0",
            "writeback/balance_dirty_pages": "pause > 0",
            "jbd2/jbd2_run_stats": "",
            "btrfs/btrfs_transaction_commit": "",
            # Without the filter it would be the whole log of the kernel.
            "printk/console": 'msg ~ "*split lock detection*" || msg ~ "*bus_lock trap*"',
            "oom/mark_victim": "",
        },
    ),
    DRIVES: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "1024"), *_ON),
        {f"block/block_{name}": "" for name in ("bio_queue", "rq_issue", "rq_complete")},
    ),
    GAME: Setup(
        # event-fork: new threads of those listed join, and the kernel takes off those that end.
        (("trace_clock", CLOCK), ("buffer_size_kb", "2048"), *_ON, ("options/event-fork", "1")),
        {"sched/sched_waking": "", "sched/sched_switch": ""},
    ),
    EXPERT: Setup(
        (("trace_clock", CLOCK), ("buffer_size_kb", "1024"), *_ON, ("options/event-fork", "1")),
        {
            "irq/irq_handler_entry": "",
            "irq/irq_handler_exit": "",
            "dma_fence/dma_fence_wait_start": "",
            "dma_fence/dma_fence_wait_end": "",
            "filemap/mm_filemap_fault": "",  # from Linux 6.12 on
        },
    ),
    PATHS: Setup(
        # Names alone: a new instance takes over from the top one how its text is to be written.
        (
            ("trace_clock", CLOCK),
            ("buffer_size_kb", "128"),
            *_ON,
            ("options/event-fork", "1"),
            *((f"options/{name}", "0") for name in ("sym-addr", "sym-offset", "latency-format")),
            ("options/stacktrace", "1"),
        ),
        # A sleep that no signal ends: for a drive, a page, a lock of the kernel (TASK_REPORT in
        # include/linux/sched.h).
        {"sched/sched_switch": "prev_state == 2"},
    ),
}
"""By instance. What is not here is never switched on."""

LISTED = (GAME, EXPERT, PATHS)
"""The instances that record nothing but the threads on their list."""
