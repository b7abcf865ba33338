# SPDX-License-Identifier: GPL-3.0-or-later
"""Watermark arithmetic against the running kernel's own numbers."""

import re
from pathlib import Path

from destutter.tuning.watermarks import zone_marks

_FIELD = re.compile(r"^\s+(?:pages )?(boost|min|low|high|managed)\s+(\d+)$", re.MULTILINE)


def _zones() -> dict[str, dict[str, int]]:
    zones = {}
    text = Path("/proc/zoneinfo").read_text()
    for block in re.split(r"^Node ", text, flags=re.MULTILINE)[1:]:
        head = re.match(r"(\d+), zone\s+(\w+)", block)
        assert head is not None
        fields: dict[str, int] = {}
        for name, value in _FIELD.findall(block):
            fields.setdefault(name, int(value))
        zones[f"node{head[1]}/{head[2]}"] = fields
    return zones


def test_marks_equal_what_this_kernel_prints() -> None:
    """Every zone of this machine that holds memory, to the page, boost taken off."""
    zones = _zones()
    min_free = int(Path("/proc/sys/vm/min_free_kbytes").read_text())
    factor = int(Path("/proc/sys/vm/watermark_scale_factor").read_text())
    marks = zone_marks({name: zone["managed"] for name, zone in zones.items()}, min_free, factor)
    checked = 0
    for name, zone in zones.items():
        if zone["managed"] == 0:
            continue
        boost = zone.get("boost", 0)
        printed = tuple(zone[mark] - boost for mark in ("min", "low", "high"))
        assert (marks[name].min, marks[name].low, marks[name].high) == printed, name
        checked += 1
    assert checked
