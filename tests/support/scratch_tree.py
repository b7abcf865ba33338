# SPDX-License-Identifier: GPL-3.0-or-later
"""A small tree of plain files that looks to the helper like a computer's /proc and /sys."""

from pathlib import Path

SETTINGS = {
    "proc/sys/kernel/random/boot_id": "5b1f1a2e-6d0c-4a53-9f0e-000000000001",
    "proc/sys/kernel/osrelease": "6.12.0",
    "proc/sys/kernel/split_lock_mitigate": "1",
    "proc/meminfo": "MemTotal:       16384000 kB\nMemAvailable:   12000000 kB",
    "proc/cmdline": "quiet",
    "proc/sys/vm/swappiness": "60",
    "proc/sys/vm/page-cluster": "3",
    "proc/sys/vm/watermark_scale_factor": "10",
    "proc/sys/vm/watermark_boost_factor": "15000",
    "proc/sys/vm/min_free_kbytes": "67584",
    "proc/sys/vm/vfs_cache_pressure": "100",
    "proc/sys/vm/dirty_ratio": "20",
    "proc/sys/vm/dirty_bytes": "0",
    "proc/sys/vm/dirty_background_ratio": "10",
    "proc/sys/vm/dirty_background_bytes": "0",
    "proc/sys/vm/dirty_expire_centisecs": "3000",
    "proc/sys/vm/dirty_writeback_centisecs": "500",
    "proc/sys/vm/compaction_proactiveness": "20",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
    "dev/cpu_dma_latency": "",
}
DIRECTORIES = ("var/lib", "run", "sys/block", "sys/class/nvme", "sys/class/scsi_host")


def build(root: Path) -> Path:
    """Write the tree below `root` and return it."""
    for name, text in SETTINGS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n" if text else "")
    for name in DIRECTORIES:
        (root / name).mkdir(parents=True, exist_ok=True)
    return root


def value(root: Path, name: str) -> str:
    """Return the text of a setting, such as "vm/swappiness"."""
    return (root / "proc/sys" / name).read_text().strip()
