# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits that look like a drive's and were made above it: a limit, a frozen file system, a lock."""

from dataclasses import replace

import pytest

from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent, blames
from destutter.diagnosis.blame.nearest_cause import nearest_cause
from destutter.diagnosis.circumstances.circumstances import Circumstances, circumstances
from destutter.diagnosis.circumstances.drive_load import DriveLimit, Load
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import Tick, TickLog

IDLE = Load(requests=0.01, await_ms=1.0, bytes_per_s=8e5, own_bytes_per_s=7.5e5)
ONE_READER = Load(requests=0.95, await_ms=0.2, bytes_per_s=6e8, own_bytes_per_s=6.5e5)
CROWD = Load(requests=33.0, await_ms=30.0, bytes_per_s=9e8, own_bytes_per_s=1e5)
MET = Circumstances(
    800.0,
    is_covered=True,
    looks=8,
    seen={"io": 8},
    waiters={"8 streamer": 8},
    handed_on=8,
    drive="sda",
    drive_ms=800.0,
    await_ms=0.2,
    own_bytes=5e5,
    drive_bytes=5e8,
)
LIMIT = DriveLimit("sda", "cgroup.read_limit_bytes_per_s", 8e5, own_use=0.94, use=800.0)


def _first(**values):
    met = replace(MET, **values)
    found = blames(met)[0]
    return found, nearest_cause(found, met)


@pytest.mark.parametrize("load", [IDLE, ONE_READER])
def test_a_drive_without_requests_for_the_wait_held_nobody_up(load):
    """A drive that answers in 0.2 ms with one request in it cannot hold a reader for 800 ms."""
    blame, cause = _first(loads={"sda": load})
    assert (blame.where, blame.is_awaited, cause) == (WhereTimeWent.HELD, True, None)


def test_a_single_look_is_no_wait_where_every_request_was_quick():
    """A reader's wait of 1 ms is found as well as one of 60, and stood for all of a stutter."""
    one = {"duration_ms": 63.7, "looks": 1, "seen": {"io": 1}, "await_ms": 1.7}
    found, _ = _first(**one, loads={"sda": CROWD})
    assert found.certainty is Certainty.POSSIBLE
    for more in ({"await_ms": 40.0}, {"main_blocked": 1}, {"looks": 2, "seen": {"io": 2}}):
        assert _first(**{**one, **more}, loads={"sda": CROWD})[0].certainty is Certainty.SEEN


def test_a_crowd_in_the_drive_is_still_its_users():
    """Thirty others' requests stand before the game's."""
    blame, cause = _first(loads={"sda": CROWD})
    assert (blame.where, cause) == (WhereTimeWent.STORAGE, "io_unfairness")


@pytest.mark.parametrize("load", [IDLE, ONE_READER, CROWD])
def test_a_game_that_moves_what_its_limit_allows_is_held_by_that(load):
    """Beside a loud innocent reader of the same drive, or a crowd, too."""
    _, cause = _first(loads={"sda": load}, drive_limit=LIMIT)
    met = replace(MET, loads={"sda": load}, drive_limit=LIMIT)
    assert cause == "slow_device"
    assert met.is_limited(800.0)


def test_a_limit_that_is_far_away_excuses_no_crowded_drive():
    """A service may have a limit that nobody reaches."""
    far = replace(LIMIT, own_use=0.01, use=0.6)
    _, cause = _first(loads={"sda": CROWD}, drive_limit=far)
    assert cause == "io_unfairness"


def test_what_was_asked_for_before_the_wait_counts_against_the_limit():
    """All of it was counted when it was asked for; then nothing moved, beside a fast crowd."""
    crowd = Load(requests=2.3, await_ms=2.6, bytes_per_s=1.2e9, own_bytes_per_s=0.0)
    asked = replace(LIMIT, own_use=0.0, use=1572.0, asked=4.0)
    _, cause = _first(loads={"sda": crowd}, drive_limit=asked)
    assert (cause, replace(MET, drive_limit=asked).is_limited(800.0)) == ("slow_device", True)
    _, cause = _first(loads={"sda": crowd}, drive_limit=replace(asked, asked=0.3))
    assert cause == "io_unfairness"


def test_a_limit_that_others_of_the_group_use_up_is_the_limit():
    """All of the drive's traffic together is just what it allows, and no crowd stands in it."""
    shared = replace(LIMIT, own_use=0.03, use=0.9)
    slow_enough = Load(requests=1.05, await_ms=2.5, bytes_per_s=5e7, own_bytes_per_s=1.7e6)
    met = replace(MET, loads={"sda": slow_enough}, drive_limit=shared)
    assert met.is_limited(800.0)
    assert not replace(met, loads={"sda": CROWD}).is_limited(800.0)


def test_a_thread_that_cannot_be_woken_and_waits_for_no_drive_is_held_in_the_kernel():
    """Its own group has no pressure, however much the rest of the computer waits for drives."""
    blame, cause = _first(loads={"sda": CROWD}, own_ms={"io": 0.0}, lost_ms={"io": 800.0})
    assert (blame.where, blame.certainty, cause) == (WhereTimeWent.HELD, Certainty.SEEN, None)


def test_a_frozen_file_system_is_told_by_where_the_thread_sleeps():
    """Whoever changes a file there sleeps in the lock of the freeze."""
    blame, cause = _first(seen={"frozen": 8}, loads={"sda": CROWD}, lost_ms={"io": 800.0})
    assert (blame.where, blame.thread, cause) == (WhereTimeWent.FROZEN, "8 streamer", None)


def test_who_moved_nothing_in_the_stutter_is_no_holder():
    """A look at processes covers seconds, and what was read then may have been at another time."""
    alone = Load(requests=1.0, await_ms=300.0, bytes_per_s=8e5, own_bytes_per_s=8e5)
    assert not replace(MET, loads={"sda": alone}).has_strangers
    assert replace(MET, loads={"sda": CROWD}).has_strangers


_METRICS = {"limit": "cgroup.read_limit_bytes_per_s"}


def _met(*, ticks=8, values=None, **disk):
    """What is made of a stutter of so many ticks of 100 ms on a drive with these metrics."""
    log = TickLog()
    for at in range(ticks + 4):
        row = {_METRICS.get(name, f"disk.{name}"): {"sda": value} for name, value in disk.items()}
        start_ns = at * 100_000_000
        tick = Tick(start_ns, start_ns + 100_000_000, dict(values or {}), row)
        log._ticks.append(tick)
    spike = Spike(200_000_000 + ticks * 100_000_000, 100.0 * ticks, "frames")
    return circumstances(log, spike)


def test_a_drive_that_hangs_has_its_requests_all_the_while():
    """It ends none, so that no time is known of any; but they are in flight, and it is busy."""
    hung = {"reads_per_s": 0.0, "writes_per_s": 0.0, "busy_pct": 100.0}
    assert _met(**hung, reads_in_flight=1.0).can_be_drive(800.0)
    assert _met(**hung).can_be_drive(800.0)
    assert not _met(reads_per_s=0.0, writes_per_s=0.0, busy_pct=0.0).can_be_drive(800.0)


def test_the_requests_of_a_slow_disk_are_as_many_as_are_waited_for():
    """A hundred reads a second of 9 ms each: one is in it for 90 % of the time."""
    disk = {"reads_per_s": 100.0, "read_await_ms": 9.0, "busy_pct": 90.0}
    met = _met(**disk, values={"game.read_bytes_per_s": 6.4e6})
    assert met.loads["sda"].requests == pytest.approx(0.9)
    assert met.can_be_drive(800.0)
    assert not met.is_crowded(800.0)


def test_a_flush_counts_though_it_is_never_in_flight():
    """The kernel counts its time when it has ended, and nothing before."""
    flushes = {"reads_per_s": 0.0, "busy_pct": 0.0, "flushes_per_s": 1.0, "flush_await_ms": 900.0}
    assert _met(**flushes).can_be_drive(800.0)


def test_a_limit_comes_with_its_drive_and_how_much_of_it_is_used():
    """750 of 800 kB a second; recordings without its value say that there is one."""
    values = {"cgroup.io_limits": 1.0, "game.read_bytes_per_s": 7.5e5}
    disk = {"reads_per_s": 6.0, "read_bytes_per_s": 7.6e5, "busy_pct": 1.0}
    assert _met(values=values, **disk).drive_limit == DriveLimit()
    met = _met(values=values, **disk, limit=8e5)
    assert met.drive_limit is not None
    assert met.drive_limit.drive == "sda"
    assert met.drive_limit.own_use == pytest.approx(0.94, abs=0.01)
    assert met.drive_limit.asked == pytest.approx(0.94, abs=0.01)
    assert met.is_limited(800.0)


def test_what_another_drive_moved_was_not_asked_of_the_limited_one():
    """A game that reads from a fast drive beside its limit for a slow one is not at that limit."""
    log = TickLog()
    for at in range(12):
        row = {
            "cgroup.read_limit_bytes_per_s": {"sda": 8e5},
            "disk.reads_per_s": {"sda": 900.0, "sdb": 90.0},
            "disk.read_bytes_per_s": {"sda": 9e8, "sdb": 5e7, "loop0": 5e7},
        }
        values = {"cgroup.io_limits": 1.0, "game.read_bytes_per_s": 5e7}
        log._ticks.append(Tick(at * 100_000_000, (at + 1) * 100_000_000, values, row))
    limit = circumstances(log, Spike(1_000_000_000, 800.0, "frames")).drive_limit
    assert limit is not None
    assert limit.drive == "sda"
    assert limit.asked == pytest.approx(0.0)


def test_a_limit_that_was_seen_last_just_before_the_stutter_counts():
    """It is read once a second, and may be gone by the next look."""
    log = TickLog()
    for at in range(14):
        row = {"disk.reads_per_s": {"sda": 900.0}, "disk.read_bytes_per_s": {"sda": 9e8}}
        values = {"game.read_bytes_per_s": 5e6}
        if at == 2:
            row["cgroup.read_limit_bytes_per_s"] = {"sda": 8e5}
            values["cgroup.io_limits"] = 1.0
        log._ticks.append(Tick(at * 100_000_000, (at + 1) * 100_000_000, values, row))
    limit = circumstances(log, Spike(800_000_000, 300.0, "frames")).drive_limit
    assert limit is not None
    assert limit.holds(CROWD, 1.0, 300.0)


def test_who_was_found_blocked_did_not_run_all_the_time():
    """A tick has the work of the frames beside the late one: it counts as far as looks allow."""
    ran = replace(
        MET,
        duration_ms=94.0,
        looks=2,
        main_blocked=1,
        seen={"io": 1},
        waiters={"7 game": 1},
        handed_on=0,
        runner=("", 94.0),
        runner_usual=0.3,
        system_ms=94.0,
        loads={"sda": CROWD},
    )
    assert blames(ran)[0].where is WhereTimeWent.STORAGE
    assert blames(replace(ran, main_blocked=0))[0].where is WhereTimeWent.OWN_WORK


def test_files_that_the_games_limit_threw_out_are_its_limits():
    """They come back when the limit is reached no more; without one somebody threw them out."""
    again = {"refaults": 24_000.0, "faults": 36.0, "own_read": 9.8e7, "drive_bytes": 1e8}
    came = {"drive_written": 0.0, "loads": {"sda": CROWD}, **again}
    assert _first(**came)[1] == "dropped_caches"
    assert _first(**came, limit_nearby=900.0)[1] == "memcg_reclaim"


@pytest.mark.parametrize(("own_use", "is_told"), [(2.7, True), (1.5, True), (1.2, False)])
def test_reads_that_are_fetched_later_may_wait_behind_a_limit(own_use, is_told):
    """Nobody is blocked and the drive rests: the game asked for far more than its group may read.

    A thread that polls for its own reads looks like one that waits for the network.
    """
    limit = replace(LIMIT, own_use=own_use, use=own_use)
    seen = {"io": 0}
    asleep = {"futex": 8, "untimed": 8}
    met = replace(
        MET,
        seen=seen,
        waiters={},
        asleep=asleep,
        drive_ms=0.0,
        await_ms=0.0,
        drive_limit=limit,
        kept=("8 streamer", "events", 8),
        lost_ms={"io": 800.0},
        loads={"sda": IDLE},
    )
    first = blames(met)[0]
    is_limit = first.where is WhereTimeWent.STORAGE and first.certainty is Certainty.SEEN
    assert is_limit == is_told
    assert (nearest_cause(first, met) == "slow_device") == is_told


@pytest.mark.parametrize(
    ("first_ms", "cause"),
    [(600.0, "slow_device"), (900.0, "slow_device"), (200.0, None), (2e3, None)],
)
def test_a_single_read_that_takes_as_long_as_its_limit_has_it_take(first_ms, cause):
    """Seldom reads are far below a limit, and each waits for it, beside a loud reader too."""
    limit = replace(LIMIT, own_use=0.0, use=20.0, asked=0.36, first_ms=first_ms)
    _, told = _first(loads={"sda": CROWD}, drive_limit=limit)
    assert told == (cause or "io_unfairness")


def test_what_was_asked_for_as_the_stutter_began_is_told_in_time():
    """512 KiB in the tick before it, of 2 MiB a second: a quarter of a second."""
    log = TickLog()
    for at in range(14):
        row = {
            "cgroup.read_limit_bytes_per_s": {"sda": float(2 << 20)},
            "disk.reads_per_s": {"sda": 900.0},
            "disk.read_bytes_per_s": {"sda": 9e8},
        }
        asked = 10.0 * (512 << 10) if at == 4 else 0.0
        values = {"cgroup.io_limits": 1.0, "game.read_bytes_per_s": asked}
        log._ticks.append(Tick(at * 100_000_000, (at + 1) * 100_000_000, values, row))
    limit = circumstances(log, Spike(780_000_000, 270.0, "frames")).drive_limit
    assert limit is not None
    assert limit.first_ms == pytest.approx(250.0)
    assert limit.asked < 0.7


def test_a_programs_file_system_is_waited_for_beside_a_crowded_drive():
    """The kernel books it as input and output; who reads the drive meanwhile is not the reason."""
    served = {("serves", "0 latefs"): 8}
    pressed = {"own_ms": {"io": 800.0}, "lost_ms": {"io": 800.0}}
    blame, cause = _first(seen={"other": 8}, holders=served, loads={"sda": CROWD}, **pressed)
    assert (blame.where, blame.certainty, cause) == (WhereTimeWent.ELSEWHERE, Certainty.SEEN, None)
    assert blame.ms == 800.0
    blame, _ = _first(seen={"other": 2, "io": 8}, holders={("serves", "0 latefs"): 2})
    assert blame.where is not WhereTimeWent.ELSEWHERE


@pytest.mark.parametrize(("others_ms", "where"), [(45.0, "crowd"), (160.0, "cpu")])
def test_a_game_that_has_nearly_all_cores_waits_for_itself(others_ms, where):
    """Beside a recorder with an eighth of a core; not beside one that takes as much as it can."""
    own_ms = 200.0 - others_ms
    met = Circumstances(
        70.0 if others_ms < 100.0 else 100.0,
        is_covered=True,
        cores=2,
        used_ms=own_ms + others_ms,
        cpu_ms=own_ms if others_ms < 100.0 else 40.0,
        delayed=("", 60.0),
    )
    assert blames(met)[0].where.value == where
