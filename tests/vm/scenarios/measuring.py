# SPDX-License-Identifier: GPL-3.0-or-later
"""The application's own measuring on this kernel, with nothing but the distribution's Python."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

EVERYWHERE = frozenset(
    """
    vmstat meminfo stat disk cpu softirq interrupt cpu_interrupt runqueue softnet zone process
    wakeup temperature
    """.split()
)
"""Sources that every kernel of the guest offers."""


def scenario_every_source_is_read() -> None:
    """doctor measures every source of this kernel, and says how to get pressure when it is off"""
    found = {source["id"]: source for source in _json("doctor")["sources"]}
    silent = {name: found[name]["why"] for name in EVERYWHERE if not found[name]["is_measured"]}
    assert not silent, f"not measured: {silent}"
    pressure = found["pressure"]
    if "psi=0" in Path("/proc/cmdline").read_text().split():
        assert not pressure["is_measured"]
        assert "psi=1" in pressure["why"]
    else:
        assert pressure["is_measured"], pressure["why"]


def scenario_watch_ticks() -> None:
    """watch tells one JSON object per tick with free memory in it, and ends by itself"""
    lines = _destutter("watch", "--seconds", "4", "--json").splitlines()
    ticks = [json.loads(line) for line in lines]
    assert len(ticks) >= 4, f"only {len(ticks)} ticks"
    free = [tick["metrics"].get("memory.free_bytes") for tick in ticks[1:]]
    assert all(value for value in free), free


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


def _settings(status: Any) -> dict[tuple[str, str], str | None]:
    rows = status["settings"]
    return {(row["tunable"], row["device"] or ""): row["value"] for row in rows if row["value"]}


def _json(*arguments: str) -> Any:
    return json.loads(_destutter(*arguments, "--json"))


def _destutter(*arguments: str) -> str:
    """What the program printed; its errors are part of the exception when it fails."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "destutter", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.returncode}: {done.stderr}"
    return done.stdout
