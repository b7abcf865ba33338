# SPDX-License-Identifier: GPL-3.0-or-later
"""A boot of `restarts` with destutter=off: nothing of ours happens."""

from pathlib import Path

from tests.vm.installed import shown


def scenario_destutter_off_leaves_a_stock_system() -> None:
    """with destutter=off on the kernel command line the boot unit does not run"""
    assert shown("ConditionResult", "destutter-boot.service") == "no"
    assert Path("/proc/sys/vm/swappiness").read_text().strip() == "60"
    assert Path("/sys/block/sda/queue/read_ahead_kb").read_text().strip() == "128"


def scenario_f14_the_trial_before_the_power_cut_is_gone() -> None:
    """what was on trial when the power failed is stock again"""
    assert Path("/proc/sys/vm/page-cluster").read_text().strip() == "3"
