# SPDX-License-Identifier: GPL-3.0-or-later
"""Who set a value, as far as the value alone tells.

A value that equals what the kernel starts with was set by nobody, or to the same. Anything else
was set by the distribution, a tool or a person: which of them, the value does not say.
"""

from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue

KERNEL = Statement("tuning.owner.kernel")
UNKNOWN = Statement("tuning.owner.unknown")

# kernel/sysctl.c, mm/page-writeback.c, mm/vmscan.c, mm/page_alloc.c, mm/compaction.c,
# mm/swap.c, mm/mmap.c, arch/x86/kernel/cpu; the same from Linux 5.15 to 6.18.
_KERNEL_DEFAULTS = {
    "vm.watermark_scale_factor": "10",
    "vm.watermark_boost_factor": "15000",
    "vm.swappiness": "60",
    "vm.page-cluster": "3",
    "vm.vfs_cache_pressure": "100",
    "vm.zone_reclaim_mode": "0",
    "vm.max_map_count": "65530",
    "vm.compaction_proactiveness": "20",
    "vm.dirty_background_ratio": "10",
    "vm.dirty_ratio": "20",
    "vm.dirty_background_bytes": "0",
    "vm.dirty_bytes": "0",
    "vm.dirty_expire_centisecs": "3000",
    "vm.dirty_writeback_centisecs": "500",
    "kernel.split_lock_mitigate": "1",
    "nvme.latency_tolerance": "100000",
    "softirq.policy": "other",
}


def kernel_default(tunable: str) -> str | None:
    """What the kernel starts a setting with; None where that depends on the computer."""
    return _KERNEL_DEFAULTS.get(tunable)


def set_by(current: CurrentValue) -> Statement:
    """``KERNEL`` when the value is the kernel's own, else ``UNKNOWN``."""
    is_default = current.value is not None and current.value == _KERNEL_DEFAULTS.get(current.id)
    return KERNEL if is_default else UNKNOWN
