# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that an outsider wrote against us, each with the answer that it deserves."""

import pytest

from destutter.diagnosis.finding import BUSY, Confidence, Group, TileState, VerdictKind
from destutter.words.renderer import english
from tests.support.engine_scenes import (
    ONE_SLOW_READ,
    SOURCES,
    WORKING,
    assessed,
    begin,
    engine,
    see,
)
from tests.support.scripted_source import Script

_MAIN_RUNS = {
    "game.run_ns": 9.8e8,
    "game.user_ticks": 98,
    "busy_thread:7 main.run_ns": 9.8e8,
}


def _played(trouble, seen=(), **options):
    """Beside a drive that never rests, which would be a reason of its own."""
    working = {**WORKING, "disk:sda.reads": 60, "disk:sda.read_ms": 12, "disk:sda.io_ms": 12}
    return assessed(engine(trouble, seen, working=working, **options).script)


@pytest.mark.parametrize(
    ("found", "works", "told"),
    [
        ("timer", True, "worker_timer"),
        ("socket", True, "worker_socket"),
        ("timer", False, "own_work"),
        ("other", True, "own_work"),
    ],
)
def test_who_spins_until_a_worker_is_done_waits_for_that_one(found, works, told):
    """It runs all the time, and the worker that runs in each frame sleeps where it never does."""
    working = {**WORKING, "busy_thread:8 streamer.run_ns": 1e8 if works else 0}
    verdict = assessed(engine(_MAIN_RUNS, (f"worker_{found}",), working=working).script).verdict
    assert verdict.detail.id.startswith(f"verdict.{told}.")
    assert verdict.detail.values["thread"] == ("main" if told == "own_work" else "streamer")


@pytest.mark.parametrize("own_group", [None, {"game_pressure:io.some_us": 9.8e5}])
def test_who_spins_until_a_worker_has_its_data_waits_for_the_drive(own_group):
    """The main thread runs all the time; its streamer sleeps in a single read of the stutter."""
    told = _played({**_MAIN_RUNS, **ONE_SLOW_READ}, ("io",), own_group=own_group)
    assert told.verdict.kind is VerdictKind.STUTTER
    assert told.verdict.finding.cause == "slow_device"
    assert told.verdict.finding.confidence is not Confidence.LOW
    assert {each.comm for each in told.verdict.finding.culprits} == {"sda"}


def test_who_computes_while_a_worker_streams_computes():
    """The same, but the drive serves many quick reads: a level is unpacked."""
    streaming = {**ONE_SLOW_READ, "disk:sda.reads": 900, "disk:sda.io_ms": 300}
    told = _played({**_MAIN_RUNS, **streaming}, ("io",))
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.values["thread"] == "main"
    assert all(each.confidence is Confidence.LOW for each in told.findings)


def test_a_thread_that_polls_for_its_reads_is_not_told_as_work_alone():
    """io_uring without sleeping: nobody is blocked, and the drive works for the game meanwhile."""
    reads = {**ONE_SLOW_READ, "pressure:io.some_us": 0, "disk:sda.read_ms": 600}
    told = _played({**_MAIN_RUNS, **reads})
    assert told.verdict.detail.id == "verdict.own_work.busy.detail"
    assert told.verdict.detail.values["group"] == "storage"
    beside = next(each for each in told.findings if each.cause == "slow_device")
    assert (beside.kind, beside.confidence) == (BUSY, Confidence.LOW)
    assert beside.stutters_explained == 6


def test_a_few_small_reads_that_nobody_is_blocked_for_are_told_as_busy_storage():
    """libaio: the main thread waits for events, and the drive works for the game alone."""
    told = _played({**ONE_SLOW_READ, "pressure:io.some_us": 0}, ("main_events",))
    assert told.verdict.finding.cause == "slow_device"
    assert (told.verdict.finding.kind, told.verdict.finding.confidence) == (BUSY, Confidence.LOW)


def test_who_polls_shared_memory_of_a_helper_is_not_told_as_work_alone():
    """The helper's reads are not the game's bytes."""
    reads = {name: value for name, value in ONE_SLOW_READ.items() if "game" not in name}
    told = _played({**_MAIN_RUNS, **reads})
    assert told.verdict.detail.id == "verdict.own_work.busy.detail"
    assert told.verdict.headline.id == "verdict.own.frames"


def test_a_helper_process_that_reads_is_not_told_as_another_program_alone():
    """The main thread waits in a pipe for a process of its own, which nobody looks into."""
    reads = {name: value for name, value in ONE_SLOW_READ.items() if "game" not in name}
    told = _played(reads, ("main_pipe",))
    assert told.verdict.detail.id == "verdict.pipe.busy.detail"
    beside = next(each for each in told.findings if each.cause == "slow_device")
    assert beside.kind == BUSY


def test_a_game_that_sleeps_on_its_own_timer_is_told_as_that():
    """Beside a compiler, in a beat of its own: neither is the reason."""
    crowd = {
        "pressure:cpu.some_us": 9.8e5,
        "stat.user": 390,
        "stat.idle": 10,
        "game.user_ticks": 1,
    }
    told = _played(crowd, ("main_timer",))
    assert told.verdict.detail.id.startswith("verdict.timer.")
    assert all(each.confidence is Confidence.LOW for each in told.findings)


def test_a_game_that_freezes_all_the_time_is_told_while_it_plays():
    """Every two seconds, so that the newest stutter is never settled; its beat is no cause."""
    script = begin()
    for _ in range(12):
        script.run(1.8, WORKING).frames(*[16.67] * 108)
        script.run(0.2, _MAIN_RUNS).frames(200.0)
    told = assessed(script)
    assert told.verdict.detail.id.startswith("verdict.own_work.")
    assert told.verdict.headline.id == "verdict.own.frames"
    assert not told.findings


def test_what_came_before_the_game_is_not_the_games():
    """Hiccups of the computer, and then a game is watched."""
    script = Script().run(20)
    for _ in range(3):
        script.hiccup(60.0).run(2)
    told = assessed(script.fact(game__pid="7", game__name="Test Flight").run(12))
    assert told.verdict.kind is VerdictKind.NOT_MEASURED
    assert told.verdict.headline.id == "verdict.smooth.wakeup"
    assert (len(told.spikes), len(told.uncounted)) == (0, 3)


def test_a_computer_that_nobody_plays_on_is_told_as_that():
    """Late wake-ups accuse nobody, and a quiet hour is no smooth game."""
    late = Script().run(20)
    for _ in range(3):
        late.hiccup(60.0).run(2)
    told = assessed(late).verdict
    assert (told.headline.id, told.headline.values["count"]) == ("verdict.computer", 3)
    assert told.is_of_computer
    quiet = assessed(Script().run(30)).verdict
    assert quiet.headline.id == "verdict.computer.smooth"
    assert quiet.is_of_computer
    framed = Script().run(12)
    assert not assessed(framed.fact(game__pid="7").run(12)).verdict.is_of_computer


def test_a_computer_in_time_proves_no_game_smooth():
    """Without frame times a freezing game shows nowhere; without a game the computer is meant."""
    assert assessed(Script().run(20)).verdict.kind is VerdictKind.SMOOTH
    watched = assessed(Script().fact(game__pid="7", game__name="Test Flight").run(20))
    assert watched.verdict.kind is VerdictKind.NOT_MEASURED
    assert "frame times" in english(watched.verdict.detail)
    framed = Script().fact(game__pid="7").run(10).frames(*[16.67] * 600)
    assert assessed(framed).verdict.kind is VerdictKind.SMOOTH


def test_memory_that_is_waited_for_is_not_clear():
    """No rule speaks, but the kernel counts the time."""
    told = assessed(Script().run(20).run(20, {"pressure:memory.some_us": 400_000}))
    (tile,) = [each for each in told.groups if each.group is Group.MEMORY]
    assert tile.state is not TileState.CLEAR


def test_a_beat_alone_is_no_cause():
    """Nothing is known of the stutters but when they come."""
    script = begin(("vmstat", "meminfo", "stat", "pressure", "disk", "cpu"))
    for _ in range(12):
        script.run(1.7).frames(*[16.67] * 96, 100.0)
    told = assessed(script.run(3).frames(*[16.67] * 180))
    assert told.verdict.kind is VerdictKind.UNEXPLAINED
    assert told.verdict.detail.id == "verdict.beat.detail"
    assert "1.7" in english(told.verdict.detail)


def test_hitches_that_the_game_computes_itself_are_told_as_that():
    """A drive was busy at one of them, by chance; the main thread ran at all."""
    script = begin()
    for turn in range(8):
        script.run(1, WORKING).frames(*[16.67] * 60)
        see(script, ())
        working = {name: 1.1 * value for name, value in WORKING.items()}
        busy = ONE_SLOW_READ if turn == 4 else {}
        script.run(0.9, working).frames(*[16.67] * 54)
        hitch = {"game.run_ns": 5.1e8, "busy_thread:7 main.run_ns": 5.1e8, "game.user_ticks": 50}
        script.run(0.1, {**hitch, **busy}).frames(*[16.67] * 2, 33.0, *[16.67] * 2)
    told = assessed(script.run(3, WORKING).frames(*[16.67] * 180))
    assert told.verdict.kind is VerdictKind.HITCHES
    assert told.verdict.detail.id == "verdict.hitches.own_work.detail"
    assert told.verdict.detail.values["thread"] == "main"


@pytest.mark.parametrize(
    ("delay_ns", "causes"),
    [(5e7, ["slow_device"]), (5e8, ["slow_device", "run_queue_delay"])],
)
def test_a_moment_in_the_run_queue_after_something_else_is_no_reason(delay_ns, causes):
    """The first thread waits for its drive for 400 ms, then stands 20 ms in a queue; or longer,
    and is told behind the drive, which has most of the time."""
    crowd = {"game.run_delay_ns": delay_ns, "pressure:cpu.some_us": 2e5, "stat.running": 6}
    told = _played({**ONE_SLOW_READ, **crowd}, ("io",))
    assert [each.cause for each in told.findings if each.stutters_explained] == causes
    assert told.verdict.finding.cause == causes[0]


@pytest.mark.parametrize(("delay_ms", "is_told"), [(5.2, False), (9.5, True)])
def test_a_hitch_is_no_wait_for_a_core_by_what_six_frames_of_a_tick_have(delay_ms, is_told):
    """Frames of 26 ms, 10 late; a few ms in run queues are there in any tick."""
    script = begin()
    for _ in range(8):
        script.run(1.9, WORKING).frames(*[16.67] * 114)
        wait = {**WORKING, "game.run_delay_ns": delay_ms * 1e7, "pressure:cpu.some_us": 5e4}
        script.run(0.1, wait).frames(*[16.67] * 2, 29.0, *[16.67] * 2)
    told = assessed(script.run(3, WORKING).frames(*[16.67] * 180))
    assert told.hitches
    waited = [each for each in told.findings if each.hitches_explained]
    assert bool(waited) is is_told


def _mixed(few, many, seen_many, times):
    """``times`` stutters of a kind, and one with a measured wait for a core."""
    script = begin(SOURCES)
    for number in range(times + 1):
        for _ in range(5):
            script.run(1, WORKING).frames(*[16.67] * 60)
        see(script, () if number == 1 else seen_many)
        script.run(0.4, few if number == 1 else many).frames(400.0)
        see(script, ())
        script.run(0.6, WORKING).frames(*[16.67] * 36)
    script.run(3, WORKING).frames(*[16.67] * 180)
    return assessed(script).verdict


NO_CORE = {
    "game.run_ns": 0,
    "game.run_delay_ns": 9.5e8,
    "busy_thread:7 main.run_delay_ns": 9.5e8,
    "pressure:cpu.some_us": 9.8e5,
    "stat.procs_running": 6,
}


@pytest.mark.parametrize(
    ("seen", "headline"),
    [
        (("main_socket",), "verdict.program.frames"),
        (("main_futex", "worker_timer"), "verdict.slept.frames"),
        (("main_futex",), "verdict.unexplained.frames"),
    ],
)
def test_what_explains_the_fewest_stutters_is_not_the_headline(seen, headline):
    """One of five waited for a core: what is known of the others is said first."""
    verdict = _mixed(NO_CORE, {}, seen, 4)
    assert verdict.kind is VerdictKind.UNEXPLAINED
    assert verdict.headline.id == headline
    assert verdict.rest.id == "verdict.rest.cause"
    assert verdict.rest.values == {"count": 1, "cause": "run_queue_delay"}


def test_of_several_kinds_each_stands_alone():
    """Two waited for a core and two each for a program and for a worker that slept: that four of
    them had other reasons makes none of those the headline.
    """
    script = begin(SOURCES)
    for seen in ((), ("main_socket",), ("main_futex", "worker_timer")):
        for _ in range(2):
            for _ in range(5):
                script.run(1, WORKING).frames(*[16.67] * 60)
            see(script, seen)
            script.run(0.4, {} if seen else NO_CORE).frames(400.0)
            see(script, ())
            script.run(0.6, WORKING).frames(*[16.67] * 36)
    script.run(3, WORKING).frames(*[16.67] * 180)
    verdict = assessed(script).verdict
    assert verdict.kind is VerdictKind.STUTTER
    assert (verdict.finding.cause, verdict.finding.stutters_explained) == ("run_queue_delay", 2)
    assert verdict.rest.id == "verdict.rest.several"
    assert verdict.rest.values == {"count": 4}


def test_what_explains_as_many_as_nobody_knows_stays_the_headline():
    """Of two one was measured."""
    verdict = _mixed(NO_CORE, {}, ("main_futex",), 1)
    assert verdict.kind is VerdictKind.STUTTER
    assert verdict.finding.cause == "run_queue_delay"


def test_the_thread_that_changes_the_memory_map_is_named():
    """It runs all the time; now it takes gigabytes, for which the kernel locks everybody's map."""
    takes = {
        "game.run_ns": 0,
        "game.user_ticks": 2,
        "game.system_ticks": 98,
        "game.minor_faults": 600_000,
        "busy_thread:9 worker.run_ns": 9.8e8,
    }
    working = {**WORKING, "busy_thread:9 worker.run_ns": 9.8e8}
    told = assessed(engine(takes, ("main_futex", "maps"), working=working).script)
    assert told.verdict.headline.id == "verdict.map.frames"
    assert told.verdict.detail.id.startswith("verdict.maps_own.")
    assert told.verdict.detail.values["thread"] == "worker"
    assert _played({}, ("main_futex", "maps")).verdict.detail.id.startswith("verdict.maps.")


def test_a_drive_that_others_fill_is_not_told_as_slow_as_well():
    """They move three times as much as the game: it is theirs, in each of the stutters."""
    crowd = {
        "pressure:io.some_us": 9.8e5,
        "disk:sda.reads": 4000,
        "disk:sda.read_ms": 160_000,
        "disk:sda.io_ms": 980,
        "disk:sda.sectors_read": 800_000,
        "game_status.read_bytes": 100_000_000,
    }
    told = _played(crowd, ("io",))
    explaining = {each.cause for each in told.findings if each.stutters_explained}
    assert told.verdict.finding.cause == "io_unfairness"
    assert explaining == {"io_unfairness"}


def test_a_lock_is_told_on_a_computer_whose_cores_are_all_busy():
    """A backup has it while others use both cores: threads of the game stand in line as well, for
    a third of each stutter, and the rule for that had 11 of 13 at high confidence.
    """
    crowded = {
        "stat.user": 390,
        "stat.idle": 10,
        "pressure:cpu.some_us": 1e6,
        "thread:8 streamer.run_delay_ns": 6e8,
        "thread:8 streamer.run_ns": 1e8,
        "busy_thread:8 streamer.run_delay_ns": 3e8,
    }
    script = begin((*SOURCES, "thread"))
    for _ in range(6):
        script.run(5, {**WORKING, **crowded}).frames(*[16.67] * 300)
        see(script, ("main_futex", "worker_other"))
        script.run(0.4, crowded).frames(400.0)
        see(script, ())
        script.run(0.6, {**WORKING, **crowded}).frames(*[16.67] * 36)
    told = assessed(script.run(3, {**WORKING, **crowded}).frames(*[16.67] * 180))
    explaining = {each.cause for each in told.findings if each.stutters_explained}
    assert "run_queue_delay" not in explaining
    assert told.verdict.detail.id.startswith("verdict.worker_elsewhere")
