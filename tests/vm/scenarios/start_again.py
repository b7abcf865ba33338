# SPDX-License-Identifier: GPL-3.0-or-later
"""A boot of `restarts` that is the second in a row which nobody confirms."""

from pathlib import Path

from tests.vm.installed import check_success


def scenario_f14_what_was_kept_is_set_again_after_the_power_cut() -> None:
    """the profile survived the power cut whole; the trial did not"""
    check_success("destutter-boot.service")
    assert Path("/proc/sys/vm/swappiness").read_text().strip() == "10"
    assert Path("/proc/sys/vm/page-cluster").read_text().strip() == "3"
