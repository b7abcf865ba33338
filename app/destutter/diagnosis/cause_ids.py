# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of causes, as recordings and texts have them, that other rooms than theirs decide about."""

CPU_STEAL = "cpu_steal"
DIRECT_RECLAIM = "direct_reclaim"
FILESYSTEM_COMMIT = "filesystem_commit"
IO_UNFAIRNESS = "io_unfairness"
OWN_MEMORY = "memcg_reclaim"
RUN_QUEUE_DELAY = "run_queue_delay"
SLOW_DEVICE = "slow_device"
SWAP_THRASH = "swap_thrash"

WAITS_FOR_CORE = frozenset(
    {RUN_QUEUE_DELAY, "rt_runaway", "softirq_starvation", "kworker_starvation"}
)
"""Causes that hold a thread back from a core; others make its own work last longer."""
