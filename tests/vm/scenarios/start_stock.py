# SPDX-License-Identifier: GPL-3.0-or-later
"""The last boot of `restarts`, after everything was undone."""

from pathlib import Path


def scenario_after_an_undo_the_next_start_is_stock() -> None:
    """nothing is kept any more: the boot unit sets nothing and tidies up, every value is stock"""
    assert Path("/proc/sys/vm/swappiness").read_text().strip() == "60"
    assert Path("/sys/block/sda/queue/read_ahead_kb").read_text().strip() == "128"
    assert not Path("/var/lib/destutter/journal.json").exists()
