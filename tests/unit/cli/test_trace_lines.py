# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of ``destutter trace``, and which program is meant; tests/dbus runs the command."""

import dataclasses

import pytest

from destutter.analysis.examining.longest_path import KnownPath
from destutter.commands.named_process import find_process
from destutter.commands.terminal import CommandError
from destutter.commands.trace_lines import TraceTable
from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import (
    FilesystemCommit,
    SlowRequest,
    TracedMoment,
    TracedSleep,
    TracedTally,
    TracedThread,
    TracedWait,
    TraceLook,
    TraceLoss,
)
from destutter.words.language import LANGUAGES
from destutter.words.renderer import renderer
from destutter_helper.api.tracing import EXPERT, INSTANCES

MS = 1_000_000
WAITS = (
    "reclaim",
    "memcg_reclaim",
    "compaction",
    "throttled",
    "dirty_pause",
    "core",
    "split_lock",
    "gpu",
)
TALLIES = ("interrupt", "gpu", "file")
OPERATIONS = ("read", "write", "flush", "discard", "other")
MOMENTS = ("wbt", "split_lock", "oom_kill")
RENDER = TracedThread(4711, "RenderThread", 4700)
HOG = TracedThread(800, "rt-hog", 800)


def lines(look, game=None):
    """The lines of a look without their time."""
    table = TraceTable(renderer(), game)
    text = "\n".join(line[14:] for line in table.lines(look))
    return [" ".join(line.split()) for line in text.splitlines()]


def test_what_is_known_of_a_wait_is_told():
    """Behind whom, and on which drive."""
    waits = (
        TracedWait(RENDER, "core", 0, 30 * MS, "", HOG, 49),
        TracedWait(RENDER, "core", 1, 31 * MS, "", HOG, 120),
        TracedWait(TracedThread(5, ""), "dirty_pause", 2, 180 * MS, "nvme0n1"),
    )
    assert lines(TraceLook(0, 1, 0, 0, waits=waits)) == [
        "30 ms waited for a core RenderThread 4711 behind rt-hog 800 (real-time)",
        "31 ms waited for a core RenderThread 4711 last behind rt-hog 800",
        "180 ms held back from writing 5 nvme0n1",
    ]


def test_with_a_game_only_its_waits_are_told():
    """And those of the kernel's threads for a core, behind which it waits itself."""
    other = TracedThread(900, "other", 900)
    softirq = TracedThread(12, "ksoftirqd/0", 12)
    waits = (
        TracedWait(RENDER, "reclaim", 0, 5 * MS),
        TracedWait(other, "reclaim", 1, 6 * MS),
        TracedWait(softirq, "core", 2, 7 * MS),
    )
    told = lines(TraceLook(0, 1, 0, 0, waits=waits), game=4700)
    assert [line.split()[0] for line in told] == ["5", "7"]


def test_everything_is_told_in_the_order_in_which_it_ended():
    """Requests, commits, moments and losses; what was left out is counted."""
    look = TraceLook(
        *(0, 1, 0, 0, 7),
        requests=(
            SlowRequest("sda", "write", 8, 8, 0, MS, 49 * MS, 2000 * MS, HOG, True),
            SlowRequest("sda", "flush", 0, 0, 0, None, 10 * MS, None, None, False),
        ),
        commits=(
            FilesystemCommit("ext4", "sda1", 30 * MS, 4 * MS, 8 * MS, 12 * MS),
            FilesystemCommit("btrfs", "sdb", 31 * MS),
        ),
        moments=(TracedMoment("wbt", 40 * MS, "sda"), TracedMoment("oom_kill", 41 * MS, "", HOG)),
        losses=(TraceLoss(0, 60 * MS, 3335, "drives"), TraceLoss(0, 61 * MS, None)),
    )
    told = lines(look)
    assert told[:-1] == [
        "10 ms flush sda (unknown) drive 10 ms",
        "24 ms commit ext4 sda1 locked 4 ms, flushing 8 ms, logging 12 ms",
        "commit btrfs sdb",
        "writers held further back sda",
        "killed, memory ran out rt-hog 800",
        "50 ms write sda (written back later) queue 1 ms, drive 49 ms, idle before 2 s",
        "60 ms drives not measured in full 3,335 events lost",
        "61 ms not measured in full",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words(language):
    """In every language."""
    table = TraceTable(renderer(language), None)
    waits = tuple(TracedWait(RENDER, kind, 0, MS) for kind in WAITS)
    moments = tuple(TracedMoment(kind, 0) for kind in MOMENTS)
    requests = tuple(
        SlowRequest("sda", kind, 0, 8, 0, 0, MS, 0, HOG, False) for kind in OPERATIONS
    )
    losses = tuple(TraceLoss(0, MS, 1, instance) for instance in ("", *INSTANCES, EXPERT))
    look = TraceLook(
        *(0, 1, 0, 0, 1), waits=waits, requests=requests, moments=moments, losses=losses
    )
    tallies = tuple(TracedTally(kind, "a", count, MS, MS) for kind in TALLIES for count in (1, 2))
    look = dataclasses.replace(look, tallies=tallies)
    told = [*table.head(["a/b"]), *table.lines(look), *table.end()]
    assert not [line for line in told if "tracing." in line]


def test_what_an_expert_asked_for_is_added_up_at_the_end():
    """The longest in all first; of pages of files only how many there were."""
    table = TraceTable(renderer(), 4700)
    tallies = (
        TracedTally("interrupt", "xhci_hcd", 3, MS, MS),
        TracedTally("interrupt", "nvme0q1", 90, 4 * MS, MS // 2),
        TracedTally("file", "/games/engine.so", 7),
    )
    for _ in range(2):
        list(table.lines(TraceLook(0, 1, 0, 0, tallies=tallies)))
    told = [line.replace("\N{NO-BREAK SPACE}", " ") for line in table.end()]
    assert told[-6:] == [
        "Interrupts that stopped the game's threads:",
        "nvme0q1: 180 times, 8 ms in all, 0.5 ms at most",
        "xhci_hcd: 6 times, 2 ms in all, 1 ms at most",
        "",
        "Files of which the game's threads had to wait for pages:",
        "/games/engine.so: 14 pages",
    ]


def test_the_call_path_of_the_longest_wait_stands_at_the_end():
    """Its functions in lines of their own, or that the kernel did not have them any more."""
    table = TraceTable(renderer(), 4700)
    sleep = TracedSleep(TracedThread(4713, "streamer", 4700), 0, 184 * MS)
    assert list(table.path(None)) == []
    told = list(table.path(KnownPath(sleep, ("io_schedule", "vfs_read"))))
    assert "streamer 4713, 184\N{NO-BREAK SPACE}ms" in told[1]
    assert told[2:] == ["  io_schedule", "  vfs_read"]
    assert list(table.path(KnownPath(sleep)))[1].endswith("; the kernel kept no call path of any.")


@pytest.fixture
def programs(tmp_path):
    """A tree with three programs, of which two have one name."""
    zeros = " ".join(["0"] * 42)
    for pid, name in ((10, "game"), (11, "twin"), (12, "twin")):
        folder = tmp_path / "proc" / str(pid)
        folder.mkdir(parents=True)
        (folder / "stat").write_text(f"{pid} ({name}) S {zeros}\n")
    for pid, line in ((10, "/opt/sim/SkySimulator\0-w\0"), (12, "Z:\\games\\Racer.exe\0")):
        (tmp_path / "proc" / str(pid) / "cmdline").write_text(line)
    return KernelFiles(tmp_path)


def test_a_game_is_found_by_number_and_by_name(programs):
    """Of a long name the kernel keeps 15 letters."""
    assert find_process(programs, "11") == 11
    assert find_process(programs, "game") == 10


def test_a_game_that_calls_itself_otherwise_is_found_by_its_file(programs):
    """Of Windows too; the name that the kernel has goes before it."""
    assert find_process(programs, "SkySimulator") == 10
    assert find_process(programs, "Racer.exe") == 12
    assert find_process(programs, "/opt/sim/SkySimulator") == 10


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("99", "there is no process 99"),
        ("gam", "no program of the name gam runs"),
        ("twin", "several programs of the name twin run; name one by its number: 11, 12"),
    ],
)
def test_a_game_that_is_not_clear_is_asked_for(programs, wanted, said):
    """Nobody is watched by mistake."""
    with pytest.raises(CommandError) as refused:
        find_process(programs, wanted)
    assert str(refused.value) == said
