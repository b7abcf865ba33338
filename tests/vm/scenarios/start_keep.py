# SPDX-License-Identifier: GPL-3.0-or-later
"""First boot of `restarts`: the package is installed, and something is kept for every start."""

import json

import dbus

from tests.vm.installed import begin, call, install_helper


def scenario_something_is_kept_for_every_start() -> None:
    """memory settings and two drives' settings are kept always, the reserve as high as allowed"""
    install_helper()
    kept = [("vm.swappiness", "", "10"), ("block.read_ahead_kb", "sda", "512")]
    kept += [("block.scheduler", "nvme0n1", "bfq")]
    kept += [("vm.min_free_kbytes", "", str(highest("vm.min_free_kbytes")))]
    txid, _hold = begin(kept)
    call("Keep", txid, "always", dbus.Boolean(False))


def highest(name: str) -> int:
    """The highest value that the helper accepts on this computer."""
    found = [one for one in json.loads(call("ListTunables"))["tunables"] if one["id"] == name]
    return int(found[0]["high"])
