# SPDX-License-Identifier: GPL-3.0-or-later
"""A boot of `restarts` with something kept: set by the boot unit, then a trial and a power cut."""

import json
import time
from pathlib import Path

from tests.vm.inside import say
from tests.vm.installed import (
    begin,
    call,
    check_success,
    plug_nvme_in,
    scheduler_of,
    shown,
    until,
)

SWAPPINESS = Path("/proc/sys/vm/swappiness")
READ_AHEAD = Path("/sys/block/sda/queue/read_ahead_kb")
NVME = Path("/sys/block/nvme0n1/queue/scheduler")
PAGE_CLUSTER = Path("/proc/sys/vm/page-cluster")


def scenario_a30_the_kept_values_are_set_and_the_computer_is_up() -> None:
    """the boot unit set everything kept, the highest allowed reserve too, and all is well"""
    check_success("destutter-boot.service")
    assert shown("ActiveState", "destutter-boot.service") == "active"
    assert SWAPPINESS.read_text().strip() == "10"
    assert READ_AHEAD.read_text().strip() == "512"
    state = json.loads(call("GetState"))
    assert state["state"] == "kept", state
    origins = {result["id"]: result["origin"] for result in state["changed"]}
    assert origins["vm.swappiness"] == "60", origins


def scenario_f06_a_drive_that_comes_late_is_set() -> None:
    """a drive that is plugged in after the start gets what is kept for it, by our udev rule"""
    assert not NVME.exists()
    plug_nvme_in()
    until(lambda: NVME.exists() and scheduler_of(NVME) == "bfq")


def scenario_f14_the_power_fails_in_a_trial() -> None:
    """a trial is in the kernel when the power is cut"""
    assert PAGE_CLUSTER.read_text().strip() == "3"
    _txid, _hold = begin([("vm.page-cluster", "", "0")])
    assert PAGE_CLUSTER.read_text().strip() == "0"
    say("# cut the power")
    time.sleep(3600)
