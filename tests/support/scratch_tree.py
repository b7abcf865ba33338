# SPDX-License-Identifier: GPL-3.0-or-later
"""The scratch tree of the engine tests, with the settings that tests on a bus use besides."""

from pathlib import Path

from tests.support import helper_tree

MORE = {
    "kernel/osrelease": "6.12.0",
    "kernel/split_lock_mitigate": "1",
    "vm/watermark_scale_factor": "10",
    "vm/watermark_boost_factor": "15000",
    "vm/vfs_cache_pressure": "100",
    "vm/dirty_background_ratio": "10",
    "vm/dirty_background_bytes": "0",
    "vm/dirty_writeback_centisecs": "500",
    "vm/compaction_proactiveness": "20",
}


def build(root: Path) -> Path:
    """Write the tree below `root` and return it."""
    helper_tree.build(root)
    for name, text in MORE.items():
        (root / "proc/sys" / name).write_text(text + "\n")
    return root


def value(root: Path, name: str) -> str:
    """Return the text of a setting, such as "vm/swappiness"."""
    return (root / "proc/sys" / name).read_text().strip()
