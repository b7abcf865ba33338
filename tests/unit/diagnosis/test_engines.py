# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as engines make them: the main thread only waits, and the trouble is in a worker."""

import pytest

from destutter.diagnosis.finding import BUSY, OWN_LIMIT, Confidence, VerdictKind
from destutter.words.renderer import english
from tests.support.engine_scenes import (
    OWN_CROWD,
    OWN_WORK,
    WAITS_FOR_DRIVE,
    WORKING,
    assessed,
    begin,
    busy_storage,
    engine,
    see,
)
from tests.support.sampled import sampled


def _played(trouble, seen=(), **options):
    return assessed(engine(trouble, seen, **options).script)


def test_a_worker_that_saves_beside_a_full_drive_is_never_nothing():
    """The drive was found by the streamer's wait, and the drive and thread are named."""
    told = _played(WAITS_FOR_DRIVE, ("io",))
    assert told.verdict.kind is VerdictKind.STUTTER
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.finding.confidence is Confidence.MEDIUM
    assert told.verdict.finding.stutters_explained == 6
    assert any("streamer" in english(reason) for reason in told.verdict.finding.reasons)
    assert {each.comm for each in told.verdict.finding.culprits} == {"sda"}


def test_the_journal_is_seen_in_a_worker_too():
    """A wait for the commit is in no pressure at all."""
    assert _played({}, ("journal",)).verdict.finding.cause == "filesystem_commit"


def test_what_cannot_be_tied_is_told_as_it_is():
    """Storage was busy in all of them; that the game waited for it nobody saw."""
    told = assessed(busy_storage().script)
    assert told.verdict.finding.kind == BUSY
    assert "could not be seen" in english(told.verdict.detail)


def test_the_game_itself_needs_evidence():
    """A worker that computed for as long as the stutter is named; what was quiet is said."""
    told = _played(OWN_WORK)
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.values["thread"] == "worker"
    assert "memory" in told.verdict.detail.values["quiet"]


def test_a_busy_drive_beside_own_work_is_told():
    """It may have polled for the drive: storage is named beside it, and nothing is cleared."""
    told = _played({**OWN_WORK, **WAITS_FOR_DRIVE})
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.id == "verdict.own_work.busy.detail"
    assert told.verdict.detail.values["thread"] == "worker"
    assert told.verdict.detail.values["group"] == "storage"


def test_without_evidence_nobody_is_accused():
    """Nothing moved: the main thread waited for another, and not that it is the game's work."""
    told = _played({}, ("main_futex",))
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.headline.id == "verdict.unexplained.frames"
    assert told.verdict.detail.id == "verdict.handed_on.quiet.detail"
    assert _played({}).verdict.detail.id == "verdict.unseen.quiet.detail"


WAITS_FOR = {
    "timer": "worker_timer",
    "socket": "worker_socket",
    "events": "worker_socket",
    "pipe": "worker_pipe",
    "gpu": "worker_gpu",
    "server": "worker_elsewhere",
    "running": "own_work",
}


@pytest.mark.parametrize("found", WAITS_FOR)
@pytest.mark.parametrize("main", sampled(["main_futex", "main_events"], ["main_futex"]))
def test_the_worker_that_the_main_thread_waits_for_is_named(found, main):
    """All of them sleep; one is where it never is while all is well."""
    used = {"game.user_ticks": 100} if found == "running" else {}
    verdict = _played(used, (main, f"worker_{found}")).verdict
    assert verdict.detail.id == f"verdict.{WAITS_FOR[found]}.quiet.detail"
    assert verdict.detail.values["thread"] == "streamer"


def test_a_worker_that_was_found_running_by_chance_is_not_the_reason():
    """The game had no time of a processor meanwhile: it runs a part of each frame anyhow."""
    verdict = _played({}, ("main_futex", "worker_running")).verdict
    assert verdict.detail.id == "verdict.handed_on.quiet.detail"


def test_a_write_beside_a_worker_that_sleeps_is_not_accused():
    """Somebody saves at the same moments; the game's own thread slept on a timer."""
    told = _played(WAITS_FOR_DRIVE, ("main_futex", "worker_timer"))
    assert told.verdict.detail.id == "verdict.worker_timer.quiet.detail"
    assert "storage" not in told.verdict.detail.values["quiet"]
    assert all(not finding.stutters_explained for finding in told.findings)


def test_a_drive_behind_another_program_is_told_beside_the_wait_for_it():
    """A helper program that a worker asks may wait for the drive itself."""
    told = _played(WAITS_FOR_DRIVE, ("main_futex", "worker_pipe"))
    assert told.verdict.detail.id == "verdict.worker_pipe.busy.detail"
    assert told.verdict.detail.values["group"] == "storage"


def test_a_main_thread_that_waits_for_a_lock_of_a_file_waits_elsewhere():
    """A place that is known, and none in which an idle main thread sleeps."""
    verdict = _played({}, ("main_other",)).verdict
    assert verdict.detail.id == "verdict.elsewhere.quiet.detail"


@pytest.mark.parametrize("polls", [False, True])
def test_who_computes_beside_a_main_thread_that_sleeps_is_not_the_reason(polls):
    """Shaders are compiled while it sleeps once; one that polls on a timer waits for them."""
    working = {**WORKING, "game_status.voluntary_switches": 120}
    trouble = {**OWN_WORK, "game_status.voluntary_switches": 900 if polls else 5}
    told = _played(trouble, ("main_timer",), working=working)
    own = "own_work" if polls else "timer"
    assert told.verdict.detail.id == f"verdict.{own}.quiet.detail"


@pytest.mark.parametrize("polls", [False, True])
def test_sleeps_that_are_counted_once_a_second_are_told_apart_too(polls):
    """Nine ticks of ten have none of them, and the tenth those of a second."""

    def counted(switches):
        return {**WORKING, "game_status.voluntary_switches": 10 * switches}

    script = begin()
    for _ in range(6):
        for _ in range(5):
            script.run(0.9, WORKING).run(0.1, counted(60)).frames(*[16.67] * 60)
        see(script, ("main_timer",))
        script.run(0.4, OWN_WORK).frames(400.0)
        see(script, ())
        script.run(0.5, WORKING).run(0.1, counted(435 if polls else 36)).frames(*[16.67] * 36)
    script.run(3, WORKING).frames(*[16.67] * 180)
    own = "own_work" if polls else "timer"
    assert assessed(script).verdict.detail.id == f"verdict.{own}.quiet.detail"


def test_a_worker_that_would_run_is_not_blamed_where_cores_were_short():
    """It stood in a run queue for all that is known."""
    short = {"pressure:cpu.some_us": 9e5}
    verdict = _played(short, ("main_futex", "worker_running")).verdict
    assert "thread" not in verdict.detail.values


@pytest.mark.parametrize(
    ("seen", "told"),
    [(("stopped",), "stopped"), (("main_socket",), "socket"), (("main_gpu",), "gpu")],
)
def test_waits_that_are_nobodys_fault_are_told(seen, told):
    """A stopped game, an answer of the network, the graphics card."""
    assert _played({}, seen).verdict.detail.id == f"verdict.{told}.quiet.detail"


def test_a_strangers_swapping_is_not_the_games():
    """Its own group lost nothing, and its worker computed: memory is no cause of it."""
    own = {"game_pressure:memory.some_us": 0}
    busy = {
        **OWN_WORK,
        "pressure:memory.some_us": 9e5,
        "vmstat.pswpin": 5000,
        "vmstat.allocstall_normal": 300,
    }
    told = _played(busy, own_group=own)
    assert all(not finding.stutters_explained for finding in told.findings)
    assert told.verdict.detail.values["thread"] == "worker"
    assert "memory" not in told.verdict.detail.values.get("quiet", "")


def test_the_wait_of_its_own_group_is_always_told():
    """Half of a stutter in its own group's pressure is a wait of the game, whatever else."""
    own = {"game_pressure:io.some_us": 9e5}
    told = _played({"disk:sda.io_ms": 1000}, own_group=own)
    assert told.verdict.finding.cause == "slow_device"
    assert "measured" in " ".join(english(each) for each in told.verdict.finding.reasons)


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_limit_for_the_drive_is_the_groups_own_and_no_slow_drive(is_slow):
    """Its requests wait before the drive ever sees them; a drive that is slow as well is told."""
    own = {"game_pressure:io.some_us": 9e5}
    reads = {"game_status.read_bytes": 400_000, "disk:sda.reads": 20, "disk:sda.read_ms": 4}
    slow = {"disk:sda.read_ms": 4000, "disk:sda.io_ms": 900} if is_slow else {}
    never_rests = {**WORKING, "disk:sda.reads": 60, "disk:sda.read_ms": 12, "disk:sda.io_ms": 12}
    scene = engine(
        {**reads, **slow},
        ("io",),
        own_group=own,
        more=("game_cgroup",),
        working=never_rests,
        limits={"io_limits": 1},
    )
    finding = assessed(scene.script).verdict.finding
    assert finding.cause == "slow_device"
    assert (finding.kind == OWN_LIMIT) is not is_slow
    assert bool(finding.culprits) is is_slow


def test_a_wait_that_is_booked_as_a_drives_needs_a_drive():
    """io_uring that waits for a server counts as input and output (io_cqring_wait)."""
    own = {"game_pressure:io.some_us": 9e5}
    told = _played({}, own_group=own)
    assert told.verdict.detail.id == "verdict.elsewhere.quiet.detail"
    assert "storage" not in told.verdict.detail.values["quiet"]
    assert all(not finding.stutters_explained for finding in told.findings)


def test_a_thread_blocked_without_a_drive_waits_for_something_else():
    """A program that it started, a lock of the file system in memory: no drive had work."""
    told = _played({"disk:sda.reads": 5, "disk:sda.read_ms": 1}, ("io",))
    assert told.verdict.detail.id == "verdict.elsewhere.quiet.detail"


def test_reads_that_block_nobody_are_found_by_the_games_own_bytes():
    """Asked for and fetched later (io_uring): the drive works for the game all the time."""
    reading = {
        "disk:sda.reads": 300,
        "disk:sda.read_ms": 900,
        "disk:sda.io_ms": 1000,
        "disk:sda.sectors_read": 400_000,
        "game_status.read_bytes": 2e8,
    }
    told = _played(reading, ("main_futex",))
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.finding.confidence is Confidence.MEDIUM


def test_who_held_the_core_is_told_before_the_wait_for_it():
    """The rule knows that the game stood in line; the ticks know for whom."""
    trouble = {
        "game.run_delay_ns": 9.5e8,
        "pressure:cpu.some_us": 9.5e5,
        "realtime_run:5/6 audio-server.run_ns": 9.7e8,
        "stat.user": 390,
        "stat.idle": 10,
        "stat.running": 6,
    }
    told = _played(trouble, ("main_futex",), length_s=0.9, more=("realtime_run",))
    assert told.verdict.finding.cause == "rt_runaway"
    assert told.verdict.finding.stutters_explained == 6
    waited = next(each for each in told.findings if each.cause == "run_queue_delay")
    assert waited.stutters_explained


def test_a_wait_for_a_core_that_its_own_limit_made_is_told_as_that():
    """The kernel books it as any other wait in a run queue; cpu.stat tells who made it."""
    trouble = {
        "game.run_delay_ns": 9.5e8,
        "pressure:cpu.some_us": 9.5e5,
        "game_cgroup.throttled_us": 9e5,
        "stat.running": 3,
    }
    told = _played(trouble, ("main_futex",), more=("game_cgroup",))
    assert told.verdict.finding.cause == "run_queue_delay"
    assert told.verdict.finding.kind == OWN_LIMIT
    assert not told.verdict.finding.culprits
    free = _played({**trouble, "game_cgroup.throttled_us": 0}, ("main_futex",))
    assert free.verdict.finding.kind != OWN_LIMIT


def test_its_own_crowd_is_the_games_own_work():
    """Six workers on two cores wait for each other, and nobody else is there."""
    told = _played(OWN_CROWD, ("main_futex",))
    assert told.verdict.detail.id == "verdict.own_crowd.quiet.detail"
    assert told.verdict.detail.values["cores"] == 4


def test_the_main_thread_that_runs_comes_before_a_helper_that_waits():
    """It burnt the time itself; a helper at low priority stood in the queue all the while."""
    own = {
        "game.run_ns": 9.7e8,
        "game.user_ticks": 97,
        "busy_thread:9 worker.run_delay_ns": 9.8e8,
        "pressure:cpu.some_us": 9e5,
        "stat.user": 390,
        "stat.idle": 10,
    }
    told = _played(own)
    assert told.verdict.detail.values["thread"] == "main"
    assert all(each.confidence is Confidence.LOW for each in told.findings)


def test_time_that_is_lost_in_every_second_is_told():
    """A stutter each second, and the drive slow each time: being there always is no alibi."""
    script = begin()
    script.run(5, WORKING).frames(*[16.67] * 300)
    for _ in range(30):
        see(script, ("io",))
        script.run(0.6, WAITS_FOR_DRIVE).frames(600.0)
        see(script, ())
        script.run(0.4, WORKING).frames(*[16.67] * 24)
    told = assessed(script.run(2, WORKING).frames(*[16.67] * 120))
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.finding.stutters_explained >= 28
    assert "reason.constant" in [reason.id for reason in told.verdict.finding.reasons]
