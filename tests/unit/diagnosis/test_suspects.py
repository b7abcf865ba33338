# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is named for a cause, and who is not."""

from dataclasses import replace

import pytest

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.suspects import (
    who_filled_memory,
    who_filled_the_group,
    who_held_the_cpu,
    who_used_the_disk,
    who_watches,
    who_wrote,
    who_wrote_to_the_disk,
)
from destutter.diagnosis.finding import Confidence, Culprit, Finding, Group, weighty
from destutter.diagnosis.history.witnesses import Process, Witness
from destutter.diagnosis.remedy import remedy
from destutter.words.renderer import english

MIB = 2**20


def _witness(*processes, moved=None, written=None):
    return Witness(0, 2_300_000_000, processes, (), moved or {}, written or {})


def _named(culprits):
    return [(each.what, each.comm) for each in culprits]


def test_who_read_another_drive_is_not_blamed_for_this_one():
    """The backup reads 660 MiB/s from the system's drive, the stick can do 12."""
    told = _witness(
        Process(7, "backup", io_bytes_per_s=660 * MIB),
        Process(8, "photos", io_bytes_per_s=1.4 * MIB),
        Process(9, "photos", io_bytes_per_s=1.4 * MIB),
        moved={"sdb": 3.5 * MIB, "nvme0n1": 660 * MIB},
    )
    stick = Signal(1.0, (), "sdb")
    assert _named(who_used_the_disk(stick, told)) == [("device", "sdb"), ("process", "photos")]
    system = Signal(1.0, (), "nvme0n1")
    assert _named(who_used_the_disk(system, told))[1:] == [("process", "backup")]


def test_who_read_more_than_the_drive_read_was_at_another():
    """Though no other drive moved as much in this look: the life of a child came all at once."""
    backup = Process(7, "backup", io_bytes_per_s=1.2 * MIB)
    starter = Process(8, "starter", io_bytes_per_s=500 * MIB)
    told = _witness(starter, backup, moved={"loop1": 1 * MIB, "vda": 74 * MIB})
    assert [each.comm for each in who_used_the_disk(Signal(1.0, (), "loop1"), told)] == [
        "loop1",
        "backup",
    ]


def test_whose_files_lie_elsewhere_is_not_blamed_for_this_drive():
    """A player reads 901 MB/s of a loop drive in memory, a backup 300 of the game's drive."""
    told = _witness(
        Process(7, "mediaplay", io_bytes_per_s=901e6, drives=frozenset({"loop7"})),
        Process(8, "backupd", io_bytes_per_s=300e6),
        moved={"vda": 310e6, "loop7": 900e6},
    )
    assert _named(who_used_the_disk(Signal(1.0, (), "vda"), told))[1:] == [("process", "backupd")]
    loop = Signal(1.0, (), "loop7")
    assert _named(who_used_the_disk(loop, told))[1:] == [("process", "mediaplay")]


def test_who_may_not_run_on_the_games_cores_took_none_of_them():
    """A converter that is pinned to the other core, beside short bursts on the game's."""
    told = _witness(
        Process(7, "vidconv", cpu_pct=99.0, has_other_cores=True),
        Process(8, "texpack", cpu_pct=40.0),
    )
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "texpack")]


def test_who_fills_the_page_cache_of_a_slow_drive_is_blamed():
    """What is written is counted at once and reaches the drive later; no other drive moved it."""
    told = _witness(
        Process(7, "copy", io_bytes_per_s=500 * MIB, write_bytes_per_s=500 * MIB),
        moved={"sdb": 12 * MIB, "nvme0n1": 1 * MIB},
    )
    assert ("process", "copy") in _named(who_used_the_disk(Signal(1.0, (), "sdb"), told))


def test_who_only_reads_is_not_blamed_for_unwritten_data():
    """A backup reads much more than the updater writes, and nobody waits for what it reads."""
    told = _witness(
        Process(7, "backup", io_bytes_per_s=900 * MIB),
        Process(8, "updater", io_bytes_per_s=20 * MIB, write_bytes_per_s=20 * MIB),
    )
    assert _named(who_wrote(Signal(1.0, ()), told)) == [("process", "updater")]


def test_what_only_the_page_cache_took_held_up_no_reader():
    """A log that is written over again counts fifty times; the drive wrote hardly anything."""
    log = Process(7, "logger", io_bytes_per_s=12 * MIB, write_bytes_per_s=12 * MIB)
    index = Process(8, "indexer", io_bytes_per_s=10 * MIB)
    told = _witness(log, index, moved={"sdb": 10.2 * MIB}, written={"sdb": 0.2 * MIB})
    _, named = who_used_the_disk(Signal(1.0, (), "sdb"), told)
    assert (named.comm, named.pid) == ("indexer", 8)
    flushed = _witness(log, index, moved={"sdb": 22 * MIB}, written={"sdb": 12 * MIB})
    _, named = who_used_the_disk(Signal(1.0, (), "sdb"), flushed)
    assert named.comm == "logger"


@pytest.mark.parametrize("is_own", [True, False])
def test_what_the_game_starts_reads_and_writes_for_the_game(is_own):
    """A loader that is a program of its own read 409 kB/s: "Close AssetX while you play"."""
    loader = Process(
        *(7, "AssetX"),
        io_bytes_per_s=40 * MIB,
        write_bytes_per_s=20 * MIB,
        is_game=is_own,
    )
    told = _witness(loader, moved={"sdb": 45 * MIB}, written={"sdb": 22 * MIB})
    for who in (who_used_the_disk, who_wrote, who_wrote_to_the_disk):
        named = _named(who(Signal(1.0, (), "sdb"), told))
        assert (("process", "AssetX") in named) is not is_own


def test_hardly_any_of_a_drives_traffic_is_nobodys_fault():
    """Neither much by itself nor a good part of what the drive moved."""
    told = _witness(Process(7, "logger", io_bytes_per_s=1 * MIB), moved={"sdb": 40 * MIB})
    assert _named(who_used_the_disk(Signal(1.0, (), "sdb"), told)) == [("device", "sdb")]


@pytest.mark.parametrize(
    ("used", "other", "is_named"), [(5.0, 1.0, True), (5.0, 60.0, False), (0.5, 0.0, False)]
)
def test_six_workers_that_crowd_for_a_moment_are_named_together(used, other, is_named):
    """350 ms of both cores are 30 % of a core in the 2.3 seconds of a look."""
    workers = [Process(number, "indexer", cpu_pct=used) for number in range(10, 16)]
    told = _witness(*workers, Process(4, "browser", cpu_pct=other))
    named = _named(who_held_the_cpu(Signal(1.0, ()), told))
    assert (("process", "indexer") in named) == is_named


def test_compilers_and_pauses_keep_no_beat():
    """New ones are in every look; one that measures runs for a moment only."""
    looks = [
        _witness(
            Process(number, "cc1", cpu_pct=90.0),
            Process(number + 1, "sleep"),
            Process(number + 2, "nvidia-query", cpu_pct=2.0),
        )
        for number in (10, 20, 30, 40)
    ]
    assert _named(who_watches(looks)) == [("process", "nvidia-query")]


def test_who_holds_a_good_part_of_all_memory_is_named_beside_who_took_more():
    """It took 20 of 24 GB an hour ago and rests; who writes a log only moves data through what is
    left. A program of the game's own holds it for the game."""
    vm = Process(7, "vm", held_bytes=20 * 1024 * MIB)
    log = Process(8, "log", io_bytes_per_s=67 * MIB, write_bytes_per_s=67 * MIB)
    grower = Process(9, "browser", grown_bytes=300 * MIB, held_bytes=900 * MIB)
    memory = {"memory_bytes": 24 * 1024.0 * MIB}

    def named(*processes, **more):
        told = replace(_witness(*processes), **more)
        return [
            (each.comm, each.why.id)
            for each in who_filled_memory(Signal(1.0, ()), told)
            if each.why is not None
        ]

    held, wrote = ("vm", "culprit.holds"), ("log", "culprit.traffic.wrote")
    assert named(vm, log, **memory) == [held, wrote]
    assert named(vm, log, grower, **memory) == [("browser", "culprit.grew"), held]
    assert named(replace(vm, is_game=True), log, **memory) == [wrote]
    assert named(replace(vm, held_bytes=5.0 * 1024 * MIB), log, **memory) == [wrote]
    assert named(vm, log) == [wrote]  # how much there is was not recorded
    assert named(replace(vm, grown_bytes=300 * MIB), log, **memory) == [("vm", "culprit.grew")]


def test_only_who_shares_its_limit_fills_the_group_of_the_game():
    """A browser elsewhere grows by more, and takes nothing of the game's share."""
    hog = Process(8, "overlay", grown_bytes=300 * MIB, in_game_group=True)
    browser = Process(7, "browser", grown_bytes=900 * MIB)
    small = Process(9, "launcher", grown_bytes=20 * MIB, in_game_group=True)
    signal = Signal(1.0, ())
    assert _named(who_filled_the_group(signal, _witness(browser, hog, small))) == [
        ("process", "overlay")
    ]
    assert who_filled_the_group(signal, _witness(browser, small)) == ()
    assert who_filled_the_group(signal, None) == ()


@pytest.mark.parametrize(
    ("overlay", "is_named"),
    [
        ({"system_pct": 17.0, "cpu_pct": 18.0}, True),
        ({"system_pct": 17.0, "cpu_pct": 95.0}, False),  # it computes for itself
        ({"system_pct": 6.0, "cpu_pct": 6.0}, False),
        ({}, False),
    ],
)
def test_who_grows_slowly_in_a_full_group_works_in_the_kernel_for_it(overlay, is_named):
    """At the limit each page wanted costs the freeing of another, so that nobody grows fast."""
    hog = Process(8, "overlay", grown_bytes=36 * MIB, in_game_group=True, **overlay)
    still = Process(9, "launcher", system_pct=40.0, cpu_pct=40.0, in_game_group=True)
    told = who_filled_the_group(Signal(1.0, ()), _witness(hog, still))
    assert _named(told) == ([("process", "overlay")] if is_named else [])


def test_who_starts_program_after_program_is_named():
    """Each of them ends before anybody looks; together they take the processor."""
    told = _witness(
        Process(7, "cronrun", cpu_pct=1.0, children_pct=40.0),
        Process(8, "player", cpu_pct=4.0),
        Process(1, "systemd", children_pct=60.0),
    )
    (named,) = who_held_the_cpu(Signal(1.0, ()), told)
    assert (named.comm, named.pid) == ("cronrun", 7)
    assert named.why is not None
    assert named.why == Statement("culprit.started")


def test_the_first_process_has_started_nobody_by_itself():
    """It takes over whoever lost its parent, and has any name in a container."""
    told = _witness(Process(1, "process_api", children_pct=300.0))
    assert not who_held_the_cpu(Signal(1.0, ()), told)


def test_the_one_that_works_itself_is_named_before_a_shell_that_ran_something():
    """A few short programs of a script are no crowd."""
    told = _witness(
        Process(7, "sh", children_pct=12.0),
        Process(8, "encoder", cpu_pct=90.0),
    )
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "encoder")]


def test_a_shell_that_waits_in_a_loop_did_nothing():
    """It starts a pause every few seconds; what that uses is no good part of a core."""
    told = _witness(Process(7, "bash", children_pct=10.5), Process(8, "player", cpu_pct=1.0))
    assert who_held_the_cpu(Signal(1.0, ()), told) == ()


def test_who_only_started_others_stands_behind_who_was_measured():
    """Though what it started used more."""
    told = _witness(Process(7, "cronrun", children_pct=80.0), Process(8, "miner", cpu_pct=20.0))
    named = _named(who_held_the_cpu(Signal(1.0, ()), told))
    assert named == [("process", "miner"), ("process", "cronrun")]


@pytest.mark.parametrize(
    ("read", "written", "said"),
    [
        (432, 0, "read 432"),
        (432, 8, "read 440"),
        (0, 321, "wrote 321"),
        (8, 321, "wrote 329"),
        (300, 100, "read and wrote 400"),
    ],
)
def test_what_moved_data_is_told_by_the_side_that_it_did(read, written, said):
    """A side counts from a twentieth of the sum."""
    moved = Process(
        7, "copy", io_bytes_per_s=(read + written) * MIB, write_bytes_per_s=written * MIB
    )
    _, named = who_used_the_disk(Signal(1.0, (), "sda"), _witness(moved))
    assert named.why is not None
    assert english(named.why).replace("\N{NO-BREAK SPACE}", " ") == f"{said} MB/s"


@pytest.mark.parametrize(
    ("recorded", "said"), [(28, "together up to 190"), (0, "together at least 56")]
)
def test_many_of_one_name_are_told_as_one(recorded, said):
    """With their sum; older recordings hold the eight busiest only. How many of them worked in one
    look of three seconds is no number of those that run: of nine it said 5, 3 and 4.
    """
    workers = [
        Process(number, "buildd", cpu_pct=7.0, same_name=recorded, same_name_pct=6.8 * recorded)
        for number in range(10, 18)
    ]
    (named,) = who_held_the_cpu(
        Signal(1.0, ()), _witness(*workers, Process(4, "browser", cpu_pct=4.0))
    )
    assert (named.comm, named.pid) == ("buildd", None)
    assert named.why is not None
    assert english(named.why).startswith(f"several programs of this name, {said}")


def test_what_an_interpreter_runs_is_no_crowd():
    """Thirty scripts are thirty programs, of which only the id tells one."""
    told = _witness(Process(7, "python3", cpu_pct=60.0, same_name=30, same_name_pct=150.0))
    (named,) = who_held_the_cpu(Signal(1.0, ()), told)
    assert (named.pid, named.why) == (7, Statement("culprit.cpu", {"cpu_pct": 60.0}))


@pytest.mark.parametrize("is_own", [True, False])
def test_a_real_time_thread_of_the_game_is_said_to_be_that(is_own):
    """Nobody else is to be looked for then."""
    mixer = Process(7, "snd-mixer", cpu_pct=50.0, is_game=is_own)
    (named,) = who_held_the_cpu(Signal(1.0, ()), Witness(0, 2_300_000_000, (), (mixer,)))
    assert named.why is not None
    assert english(named.why).startswith("a thread of the game itself") == is_own


LOOP_WORKERS = tuple(
    Process(20 + number, f"kworker/u8:{number}{sign}loop0", cpu_pct=12.0)
    for number, sign in enumerate("-+-+-")
)


def test_the_work_for_a_loop_drive_is_whose_who_uses_that():
    """The kernel reads and writes the file behind it in its own threads."""
    told = _witness(
        *LOOP_WORKERS,
        Process(8, "vmimage", cpu_pct=9.0, io_bytes_per_s=900 * MIB),
        moved={"loop0": 800 * MIB, "sda": 2 * MIB},
    )
    named = who_held_the_cpu(Signal(1.0, ()), told)
    assert _named(named) == [("device", "loop0"), ("process", "vmimage")]
    assert named[0].why is not None
    assert "60" in english(named[0].why)


def test_of_several_loop_drives_none_is_told_apart():
    """Each of the kernel's threads serves now this drive and now that."""
    told = _witness(*LOOP_WORKERS, moved={"loop0": 80 * MIB, "loop1": 70 * MIB})
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("device", "loop*")]


def test_loop_drives_are_not_blamed_for_who_works_more():
    """Their threads take a good part, and an encoder takes more."""
    told = _witness(*LOOP_WORKERS, Process(8, "encoder", cpu_pct=90.0), moved={"loop0": 1 * MIB})
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "encoder")]


def test_who_began_now_comes_before_who_always_computes():
    """A miner uses what it always uses; the encoder came with the stutter."""
    told = _witness(
        Process(7, "miner", cpu_pct=120.0, usual_pct=115.0),
        Process(8, "encoder", cpu_pct=70.0),
    )
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "encoder")]
    alone = _witness(Process(7, "miner", cpu_pct=120.0, usual_pct=115.0))
    assert _named(who_held_the_cpu(Signal(1.0, ()), alone)) == [("process", "miner")]


def test_who_gives_way_is_named_only_where_nobody_else_worked():
    """One of the lowest priority takes what is left; in a group of its own it may take half."""
    miner = Process(7, "miner", cpu_pct=130.0, gives_way=True)
    told = _witness(miner, Process(8, "hotkeyd", cpu_pct=15.0))
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "hotkeyd")]
    assert _named(who_held_the_cpu(Signal(1.0, ()), _witness(miner))) == [("process", "miner")]


def test_a_second_process_of_the_game_is_told_as_that():
    """A server of its own, which nobody should close."""
    told = _witness(Process(8, "engine-game", cpu_pct=175.0, is_game=True))
    (culprit,) = who_held_the_cpu(Signal(1.0, ()), told)
    assert culprit.why is not None
    assert culprit.why.id == "culprit.cpu.own"


def test_compilers_that_the_game_started_are_its_own():
    """Twenty of them translate shaders: no other program, and nothing to close."""
    told = _witness(
        *(Process(number, "fossilize", cpu_pct=30.0, is_game=True) for number in range(8, 12))
    )
    (culprit,) = who_held_the_cpu(Signal(1.0, ()), told)
    assert culprit.why is not None
    assert (
        english(culprit.why)
        == "several processes of the game's own, together up to 120\N{NO-BREAK SPACE}% of one core"
    )
    found = Finding("run_queue_delay", Group.CPU, Confidence.HIGH, 8, 8, 0, 1, (), (culprit,))
    assert remedy(found) is None


def test_one_of_many_of_a_name_is_told_by_its_number():
    """Twenty-seven of a browser, of which one page computes."""
    page = Process(8, "chrome", cpu_pct=90.0, same_name=27, same_name_pct=99.0)
    rest = Process(9, "chrome", cpu_pct=2.0, same_name=27, same_name_pct=99.0)
    (culprit,) = who_held_the_cpu(Signal(1.0, ()), _witness(page, rest))
    assert (culprit.comm, culprit.pid) == ("chrome", 8)


def test_who_did_far_less_of_the_same_is_nobody():
    """A log of 14 MB/s beside a patcher of 471; a drive and who only started others stay."""

    def did(name, rate):
        return Culprit("process", name, 1, Statement("culprit.wrote", {"io_bytes_per_s": rate}))

    drive = Culprit("device", "vda")
    starts = Culprit("process", "make", 2, Statement("culprit.started", {}))
    told = weighty([drive, did("bash", 13.6e6), did("patcher", 471e6), did("sync", 90e6), starts])
    assert [each.comm for each in told] == ["vda", "patcher", "sync", "make"]


def test_who_comes_is_named_before_who_computes_all_the_time():
    """An encoder with 70 to 98 % in each look, and a farm that has 5 but for the hold-ups."""
    encoder = Process(7, "encoder", cpu_pct=97.0, usual_pct=72.0)
    told = _witness(encoder, Process(8, "farm", cpu_pct=10.0, usual_pct=5.0))
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "encoder")]
    steady = replace(encoder, cpu_pct=74.0)
    told = _witness(steady, Process(8, "farm", cpu_pct=31.0, usual_pct=5.0))
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "farm")]
    told = _witness(steady, Process(8, "browser", cpu_pct=15.0, usual_pct=5.0))
    assert _named(who_held_the_cpu(Signal(1.0, ()), told)) == [("process", "encoder")]
