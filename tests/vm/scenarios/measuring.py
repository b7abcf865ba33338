# SPDX-License-Identifier: GPL-3.0-or-later
"""Measuring and changing on this kernel, with nothing but the distribution's Python."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.vm.inside import say
from tests.vm.installed import begin, call, install_helper

EVERYWHERE = frozenset(
    """
    vmstat meminfo stat disk cpu softirq interrupt cpu_interrupt runqueue softnet zone process
    wakeup temperature
    """.split()
)
"""Sources that every kernel of the guest offers."""
ASKED_MAX = 4
"""doctor measures for four seconds, in which a starved processor may not come to everything."""
GENERATIONS = Path("/sys/kernel/mm/lru_gen/enabled")
MEMORY = (("vm.swappiness", "10"), ("vm.watermark_scale_factor", "50"), ("thp.enabled", "never"))
DISKS = ("nvme0n1", "sda")


def scenario_every_source_is_read() -> None:
    """doctor measures every source of this kernel, and says how to get pressure when it is off"""
    found = _asked()
    silent = _silent(found)
    assert not silent, f"not measured: {silent}"
    pressure = found["pressure"]
    if "psi=0" in Path("/proc/cmdline").read_text().split():
        assert not pressure["is_measured"]
        assert "psi=1" in pressure["why"], pressure["why"]
    else:
        assert pressure["is_measured"], pressure["why"]


def scenario_watch_ticks() -> None:
    """watch tells one JSON object per tick, with free memory once a second, and ends by itself"""
    lines = _destutter("watch", "--seconds", "8", "--json").splitlines()
    ticks = [json.loads(line) for line in lines]
    assert len(ticks) >= 8, f"only {len(ticks)} ticks"
    free = [value for tick in ticks if (value := tick["metrics"].get("memory.free_bytes"))]
    assert len(free) >= 3, free


def scenario_capture_is_the_same_computer() -> None:
    """a capture, unpacked, shows the same settings as the running computer"""
    tree = Path("captured")
    tree.mkdir()
    _destutter("capture", "--out", "captured.tar.gz")
    subprocess.run(["tar", "-xzf", "captured.tar.gz", "-C", tree], check=True)
    live = _settings(_json("status"))
    captured = _settings(_json("status", "--root", str(tree)))
    different = {key: (live[key], captured.get(key)) for key in live if key in captured}
    different = {key: pair for key, pair in different.items() if pair[0] != pair[1]}
    assert not different, different
    assert len(captured) > 20, sorted(captured)


def scenario_reclaim_with_and_without_generations() -> None:
    """with the multi-generational LRU on and off every source is measured"""
    before = GENERATIONS.read_text().strip()
    for value in ("y", "n"):
        GENERATIONS.write_text(value)
        scenario_every_source_is_read()
    GENERATIONS.write_text(before)


def scenario_the_helper_sets_and_takes_back() -> None:
    """a trial of memory settings and a scheduler on every drive is set, and comes back whole"""
    install_helper()
    before = _listed()
    wanted = [(name, "", value) for name, value in MEMORY]
    wanted += [("block.scheduler", disk, "bfq") for disk in DISKS]
    txid, hold = begin(wanted)
    during = _listed()
    assert all(during[name, device] == value for name, device, value in wanted), during
    call("Revert", txid)
    os.close(hold.take())
    assert _listed() == before


def _asked() -> dict[str, Any]:
    """Every source by its name, as doctor says once it has come to all of them."""
    asked = 1
    while True:
        found = {source["id"]: source for source in _json("doctor")["sources"]}
        silent = _silent(found)
        if not silent or asked == ASKED_MAX:
            return found
        say(f"# doctor, asked {asked} times: {silent}")
        asked += 1


def _silent(found: dict[str, Any]) -> dict[str, str]:
    return {name: found[name]["why"] for name in EVERYWHERE if not found[name]["is_measured"]}


def _listed() -> dict[tuple[str, str], str | None]:
    listed = json.loads(call("ListTunables"))["tunables"]
    return {(one["id"], one["device"]): one["current"] for one in listed}


def _settings(status: Any) -> dict[tuple[str, str], str | None]:
    rows = status["settings"]
    return {(row["tunable"], row["device"] or ""): row["value"] for row in rows if row["value"]}


def _json(*arguments: str) -> Any:
    return json.loads(_destutter(*arguments, "--json"))


def _destutter(*arguments: str) -> str:
    """What the program printed; its errors are part of the exception when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "destutter", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.returncode}: {done.stderr}"
    return done.stdout
