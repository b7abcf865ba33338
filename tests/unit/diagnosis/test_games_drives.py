# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that holds no file of the game proves nothing."""

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.history.drives import held_by_game, on_held_drives
from tests.support.engine_scenes import ONE_SLOW_READ, WORKING, assessed, begin, see
from tests.support.windows import Given, window_of

MIB = 2.0**20
FLOODED: Given = {
    "game.read_bytes_per_s": 0.9 * MIB,
    "disk.read_await_ms": {"vdb": 300.0, "vda": 1.0},
    "disk.reads_per_s": {"vdb": 400.0, "vda": 60.0},
    "disk.read_bytes_per_s": {"vdb": 400 * MIB, "vda": MIB},
    "disk.queue_depth": {"vdb": 30.0, "vda": 0.1},
}


@pytest.mark.parametrize(
    ("facts", "strongest"),
    [({}, "vdb"), ({"game.drives": "vda"}, "vda"), ({"game.drives": "vda vdb"}, "vdb")],
)
@pytest.mark.parametrize("cause", ["io_unfairness", "slow_device"])
def test_a_flood_on_a_drive_without_a_file_of_the_game_is_none(cause, facts, strongest):
    """Somebody's test filled a loop device for 40 s, and a setting was advised for it."""
    window = window_of(FLOODED)
    window.facts = facts
    spec = CAUSE_BY_ID[cause]
    signal = spec.rule(window, spec.limits)
    assert signal is not None
    assert (signal.strength >= 1.0) is (strongest == "vdb")
    assert signal.subject in (strongest, None)


@pytest.mark.parametrize(
    ("read", "held", "told"),
    [
        (9 * MIB, {"vda"}, ["vda"]),
        (90 * MIB, {"vda"}, ["vda", "vdb"]),
        (9 * MIB, set(), ["vda", "vdb"]),
        (9 * MIB, {"sdz"}, ["vda", "vdb"]),
    ],
    ids=["its drive gave as much", "it read elsewhere", "not known", "not measured"],
)
def test_a_file_that_was_open_for_a_moment_is_not_forgotten(read, held, told):
    """What the game read and its known drives did not give came from another one."""
    assert on_held_drives(["vda", "vdb"], held, read, {"vda": 10 * MIB, "vdb": 400 * MIB}) == told


def test_without_the_fact_all_drives_count():
    """Recordings from before it."""
    assert held_by_game(window_of(FLOODED), ["vda", "vdb"]) == ["vda", "vdb"]


@pytest.mark.parametrize(("drives", "named"), [("", {"nvme0n1", "sda"}), ("sda", {"sda"})])
def test_no_finding_shows_a_drive_without_files_of_the_game(drives, named):
    """Another drive took longer for what somebody else asked of it at the same moments."""
    script = begin().fact(game__drives=drives)
    flood = {"reads": 400, "read_ms": 200_000, "io_ms": 1000}
    others = {f"disk:nvme0n1.{name}": value for name, value in flood.items()}
    for _ in range(6):
        script.run(5, WORKING).frames(*[16.67] * 300)
        see(script, ("io",))
        script.run(0.4, {**ONE_SLOW_READ, **others}).frames(400.0)
        see(script, ())
    told = assessed(script.run(3, WORKING).frames(*[16.67] * 180))
    evidence = [each for finding in told.findings for each in finding.evidence]
    assert {each.instance for each in evidence if each.metric.startswith("disk.")} == named
