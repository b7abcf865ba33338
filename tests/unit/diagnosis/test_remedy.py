# SPDX-License-Identifier: GPL-3.0-or-later
"""What helps before any setting, where another program held the game up."""

from dataclasses import replace

import pytest

from destutter.core.statement import Statement
from destutter.diagnosis.finding import OWN_LIMIT, Confidence, Culprit, Finding, Group
from destutter.diagnosis.remedy import remedy
from destutter.words.renderer import english

DRIVE = Culprit("device", "sda")
READS = Statement("culprit.traffic.read", {"io_bytes_per_s": 432e6})


def _cpu(used):
    return Statement("culprit.cpu", {"cpu_pct": used})


def _finding(*culprits, group=Group.STORAGE):
    return Finding("io_unfairness", group, Confidence.MEDIUM, 8, 8, 0, 1, (), culprits)


@pytest.mark.parametrize("group", [Group.STORAGE, Group.CPU, Group.MEMORY])
def test_the_program_that_did_it_is_to_rest(group):
    """Whatever it took from the game."""
    told = remedy(_finding(DRIVE, Culprit("process", "steamupdate", 7, READS), group=group))
    assert told is not None
    assert english(told).startswith("Close steamupdate while you play, or let it wait")


def test_a_limit_of_its_own_is_to_be_lifted_whoever_runs_beside():
    """No other program makes it, and none that rests helps."""
    busy = Culprit("process", "steamupdate", 7, _cpu(90.0))
    told = remedy(replace(_finding(busy, group=Group.CPU), kind=OWN_LIMIT))
    assert told == Statement("remedy.limit")


def test_a_script_is_told_by_its_id():
    """There are many of that name, and the player has to find the one."""
    told = remedy(_finding(Culprit("process", "python3", 7, _cpu(90.0)), group=Group.CPU))
    assert told == Statement("remedy.cpu", {"program": "python3 (7)"})


def test_of_a_program_that_is_gone_at_once_its_starter_is_to_rest():
    """Unless that is the desktop."""
    child = Culprit("process", "sha256sum", 7, READS, "backup.sh (5)")
    told = remedy(_finding(DRIVE, child))
    assert told is not None
    words = "Close sha256sum, and backup.sh (5) that keeps starting it, while you play, or let it"
    assert english(told).startswith(words)
    by_desktop = remedy(_finding(DRIVE, replace(child, starter="plasmashell (5)")))
    assert by_desktop is not None
    assert english(by_desktop).startswith("Close sha256sum while")


@pytest.mark.parametrize(
    "culprit",
    [
        DRIVE,
        Culprit("process", "kwin_wayland", 7, _cpu(90.0)),
        Culprit("process", "wineserver", 7, _cpu(90.0)),
        Culprit("process", "meter", 7, _cpu(8.4)),
        Culprit("process", "mangohud"),
        Culprit("thread", "shaders", 7, Statement("culprit.own_thread")),
        Culprit("realtime", "mixer", 7, Statement("culprit.realtime.own", {"cpu_pct": 90.0})),
    ],
)
def test_nobody_is_asked_to_close_what_cannot_or_did_little(culprit):
    """The game's own threads, the desktop, the kernel, a meter."""
    assert remedy(_finding(culprit)) is None


def test_who_only_computes_took_no_memory():
    """It was busy while memory was short; to close it gives nothing back."""
    encoder = Culprit("process", "encoder", 7, _cpu(90.0))
    assert remedy(_finding(encoder, group=Group.MEMORY)) is None
    assert remedy(_finding(encoder, group=Group.CPU)) is not None


def test_nobody_is_asked_to_close_the_second_where_the_first_did_little():
    """One that lives for a moment did it; the miner beside it only takes what is left."""
    moment, miner = (
        Culprit("process", "hotkeyd", 7, _cpu(20.0)),
        Culprit("process", "miner", 8, _cpu(140.0)),
    )
    assert remedy(_finding(moment, miner, group=Group.CPU)) is None
    desktop = Culprit("process", "kwin_wayland", 9, _cpu(90.0))
    assert remedy(_finding(desktop, miner, group=Group.CPU)) is not None


def test_a_guess_closes_nothing():
    """Nor does what only came with another cause."""
    found = _finding(Culprit("process", "backupd", 7, READS))
    assert remedy(replace(found, confidence=Confidence.LOW)) is None
    assert remedy(replace(found, consequence_of="slow_device")) is None
    assert remedy(replace(found, stutters_explained=0)) is None


def test_of_who_moves_data_no_memory_is_asked_back():
    """It fills memory with files and holds none of its own; one that holds it can take less."""
    moves = remedy(_finding(Culprit("process", "log", 7, READS), group=Group.MEMORY))
    assert moves is not None
    assert "how fast it reads and writes" in english(moves)
    for deed in ("grew", "holds"):
        why = Statement(f"culprit.{deed}", {f"{deed}_bytes": 5e9})
        told = remedy(_finding(Culprit("process", "vm", 7, why), group=Group.MEMORY))
        assert told is not None
        assert "how much memory it takes" in english(told)
