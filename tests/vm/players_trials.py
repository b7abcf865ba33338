# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the guest as the desktop user: puts settings on trial by calls of its own on the bus.

The password is asked by polkit's agent for the terminal, once: polkit remembers it for trials.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dbus

from tests.vm.installed import begin, call

_MOST_WAIT_S = 180.0
DISKS = ("nvme0n1", "sda")
SCHEDULERS = ("mq-deadline", "bfq", "kyber", "none")
QUEUE = (("block.read_ahead_kb", "512"), ("block.wbt_lat_usec", "5000"))
MEMORY = (
    *(("vm.min_free_kbytes", "32768"), ("vm.watermark_scale_factor", "50")),
    *(("vm.swappiness", "10"), ("vm.dirty_bytes", str(64 << 20)), ("thp.enabled", "never")),
)


def main() -> int:
    """Try everything, one trial each; 0 when every value was set and came back."""
    read, write = os.pipe()
    agent = subprocess.Popen(
        ["pkttyagent", "--process", str(os.getpid()), "--notify-fd", str(write)], pass_fds=[write]
    )
    os.close(write)
    os.read(read, 1)  # it closes its end when it is registered
    try:
        for scheduler in SCHEDULERS:
            try_out([("block.scheduler", device, scheduler) for device in DISKS])
        known = {(one["id"], one["device"]): one["current"] for one in listed()}
        queue = [(name, device, value) for device in DISKS for name, value in QUEUE]
        try_out([one for one in queue if known.get(one[:2])])
        try_out([(name, "", value) for name, value in MEMORY])
    finally:
        agent.terminate()
    modules = Path("/proc/modules").read_text()
    missing = [name for name in ("bfq", "kyber_iosched") if f"{name} " not in modules]
    assert not missing, f"not loaded: {missing}"
    return 0


def listed() -> list[dict[str, Any]]:
    """Every setting, as the helper tells it."""
    text = when_allowed(lambda: call("ListTunables"))
    tunables: list[dict[str, Any]] = json.loads(text)["tunables"]
    return tunables


def try_out(wanted: list[tuple[str, str, str]]) -> None:
    """Begin a trial, compare with what the helper reads, and take it back."""
    before = {(one["id"], one["device"]): one["current"] for one in listed()}
    txid, hold = when_allowed(lambda: begin(wanted, may_ask=True))
    during = {(one["id"], one["device"]): one["current"] for one in listed()}
    for name, device, value in wanted:
        assert during[name, device] == value, (name, device, during[name, device])
    results = json.loads(call("Revert", txid))["results"]
    os.close(hold.take())
    assert {result["outcome"] for result in results} <= {"restored", "already"}, results
    after = {(one["id"], one["device"]): one["current"] for one in listed()}
    changed = {key: (before[key], after.get(key)) for key in before if before[key] != after[key]}
    assert not changed, changed
    names = [f"{name}@{device}={value}".replace("@=", "=") for name, device, value in wanted]
    print("# tried and back:", ", ".join(names))


def when_allowed(ask: Callable[[], Any]) -> Any:
    """What a call says; waits where the helper wants us to, as for many trials in a minute.

    An emulated computer that others keep busy needs a user's share of the helper's time soon.
    """
    deadline = time.monotonic() + _MOST_WAIT_S
    while True:
        try:
            return ask()
        except dbus.DBusException as error:
            is_limited = str(error.get_dbus_name()).endswith(".RateLimited")
            if not is_limited or time.monotonic() > deadline:
                raise
        time.sleep(5)


if __name__ == "__main__":
    sys.exit(main())
