# SPDX-License-Identifier: GPL-3.0-or-later
"""First boot of `restarts`: the package is installed, and something is kept for every start."""

import json
from pathlib import Path

import dbus

from tests.vm.installed import begin, call, install_helper


def scenario_something_is_kept_for_every_start() -> None:
    """memory settings and two drives' settings are kept always, the reserve as high as allowed"""
    install_helper()
    _give_services_time()
    kept = [("vm.swappiness", "", "10"), ("block.read_ahead_kb", "sda", "512")]
    kept += [("block.scheduler", "nvme0n1", "bfq")]
    kept += [("vm.min_free_kbytes", "", str(highest("vm.min_free_kbytes")))]
    txid, _hold = begin(kept)
    call("Keep", txid, "always", dbus.Boolean(False))


def _give_services_time() -> None:
    """An emulated processor that others use as well needs minutes where others need a second."""
    drop_in = Path("/etc/systemd/system/service.d/emulated.conf")
    drop_in.parent.mkdir()
    drop_in.write_text("[Service]\nTimeoutStartSec=300\n")


def highest(name: str) -> int:
    """The highest value that the helper accepts on this computer."""
    found = [one for one in json.loads(call("ListTunables"))["tunables"] if one["id"] == name]
    return int(found[0]["high"])
