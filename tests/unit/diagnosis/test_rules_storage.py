# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow drives and writing that is held back."""

import pytest

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from tests.support.windows import Given, empty_window, fill, fill_ticks, window_of

SLOW = CAUSE_BY_ID["slow_device"]
DIRTY = CAUSE_BY_ID["dirty_throttling"]
MIB = 1024.0 * 1024.0


def _disk(name="nvme0n1", **values):
    known = {
        "await_ms": "disk.read_await_ms",
        "reads": "disk.reads_per_s",
        "bytes": "disk.read_bytes_per_s",
        "in_flight": "disk.reads_in_flight",
        "queue": "disk.queue_depth",
    }
    return {known[key]: {name: value} for key, value in values.items()}


def _strength(spec, window):
    signal = spec.rule(window, spec.limits)
    return None if signal is None else signal.strength


@pytest.mark.parametrize(
    ("await_ms", "reads", "holds"),
    [(19.0, 50.0, False), (21.0, 50.0, True), (500.0, 9.0, False), (500.0, 10.0, True)],
)
def test_a_drive_is_slow_from_20_ms_over_ten_reads_a_second(await_ms, reads, holds):
    """One odd request among few does not decide."""
    window = window_of(_disk(await_ms=await_ms, reads=reads, bytes=reads * 4096))
    assert (_strength(SLOW, window) >= 1.0) is holds


def test_a_rotating_drive_may_take_three_times_as_long():
    """Seeking takes 10 ms by nature: 60 ms is where a hard disk counts as slow."""
    window = window_of(_disk("sda", await_ms=50.0, reads=50.0, bytes=50.0 * 4096))
    assert _strength(SLOW, window) >= 1.0
    window.facts = {"disk.sda.rotational": "1"}
    assert _strength(SLOW, window) < 1.0


def test_large_requests_may_take_longer():
    """Reads of 4 MiB at 60 ms are a copy; reads of 4 KiB at 60 ms are trouble."""
    copy = window_of(_disk(await_ms=60.0, reads=300.0, bytes=300 * 4 * MIB))
    small = window_of(_disk(await_ms=60.0, reads=300.0, bytes=300 * 4096.0))
    assert _strength(SLOW, copy) < 1.0
    assert _strength(SLOW, small) >= 1.0


def test_a_drive_that_does_not_answer_at_all_counts_at_once():
    """Reads in flight for a whole second without an answer: no average, but no doubt either."""
    window = window_of(_disk(reads=0.0, in_flight=2.0))
    signal = SLOW.rule(window, SLOW.limits)
    assert signal is not None
    assert signal.strength >= 5.0
    assert signal.subject == "nvme0n1"


def test_an_idle_drive_is_measured_and_clear():
    """No reads: a signal of no strength, not an absent one."""
    assert _strength(SLOW, window_of(_disk(reads=0.0, in_flight=0.0))) == 0.0


def test_memory_that_looks_like_a_drive_is_not_blamed():
    """Compressed memory has other reasons to be slow."""
    for name in ("zram0", "ram0"):
        assert SLOW.rule(window_of(_disk(name, await_ms=900.0, reads=99.0)), SLOW.limits) is None


@pytest.mark.parametrize(("below_ms", "named"), [(500.0, "nvme0n1"), (0.2, "loop3")])
def test_a_loop_device_is_named_only_when_the_drive_below_is_quick(below_ms, named):
    """It is as slow as what it lies on, and a little slower."""
    loop = _disk("loop3", await_ms=900.0, reads=99.0, bytes=4e5)
    drive = _disk("nvme0n1", await_ms=below_ms, reads=99.0, bytes=4e5)
    both = {key: {**loop[key], **drive[key]} for key in loop}
    signal = SLOW.rule(window_of(both), SLOW.limits)
    assert signal is not None
    assert (signal.subject, signal.strength >= 1.0) == (named, True)


def test_drives_of_virtual_machines_do_not_turn():
    """Their default says so, whatever lies below; a limit for hard disks would hide them."""
    window = window_of(_disk("vda", await_ms=50.0, reads=50.0, bytes=50.0 * 4096))
    window.facts = {"disk.vda.rotational": "1", "machine.virtual": "KVM"}
    assert _strength(SLOW, window) >= 1.0
    window.facts = {"disk.vda.rotational": "1", "machine.virtual": "no"}
    assert _strength(SLOW, window) < 1.0


QUICK = _disk(await_ms=0.1, reads=30.0, bytes=2e6)
HELD_BACK: Given = {
    **QUICK,
    "game.read_bytes_per_s": 2e5,
    "game.blocked_pct": 60.0,
    "game.pressure_some_pct": {"io": 70.0},
}


def test_reads_that_a_limit_holds_back_never_reach_the_drive():
    """The drive is quick, and the game's main thread sleeps for it most of the time."""
    signal = SLOW.rule(window_of(HELD_BACK), SLOW.limits)
    assert signal is not None
    assert signal.strength >= 1.0
    assert signal.stall_ms == pytest.approx(700.0)
    assert {each.metric for each in signal.evidence} == {
        "game.blocked_pct",
        "game.pressure_some_pct",
    }


@pytest.mark.parametrize(
    ("requests", "limits", "kind"), [(0.9, 0.0, ""), (0.01, 1.0, "limit"), (0.01, 0.0, None)]
)
def test_a_wait_needs_requests_in_a_drive_or_a_limit_of_the_group(requests, limits, kind):
    """Whoever waits for a drive has a request in it; else the limit is told, or nothing here."""
    given = {**HELD_BACK, **_disk(queue=requests), "cgroup.io_limits": limits}
    signal = SLOW.rule(window_of(given), SLOW.limits)
    assert signal is not None
    assert (signal.kind if signal.strength >= 1.0 else None) == kind
    assert signal.subject == ("nvme0n1" if kind != "limit" else None)


def test_a_save_that_a_limit_holds_back_is_seen_too():
    """A game that only writes, and sleeps until its data is on the drive, waits like a reader."""
    saving = {**HELD_BACK, "game.read_bytes_per_s": 0.0, "game.write_bytes_per_s": 2e5}
    assert _strength(SLOW, window_of(saving)) >= 1.0


@pytest.mark.parametrize(
    "missing",
    [
        {"game.blocked_pct": 0.0},
        {"game.pressure_some_pct": {"io": 5.0}},
        {"game.read_bytes_per_s": 0.0},
        {"memory.swap_in_per_s": 900.0},
        {"game.dirty_wait_pct": 60.0},
        {"game.journal_wait_pct": 60.0},
    ],
)
def test_a_thread_that_waits_for_something_else_is_no_slow_drive(missing):
    """Asleep, but not for a drive; waiting, but in another thread; or nothing was read."""
    assert _strength(SLOW, window_of({**HELD_BACK, **missing})) < 1.0


AT_REST: Given = {
    **QUICK,
    "game.read_bytes_per_s": 2e5,
    "game.blocked_pct": 0.0,
    "game.dirty_wait_pct": 0.0,
    "game.journal_wait_pct": 0.0,
    "game.pressure_some_pct": {"io": 0.0},
}
JOURNAL: Given = {"game.blocked_pct": 100.0, "game.journal_wait_pct": 100.0}


def _waits(share_pct: float) -> Given:
    return {"game.blocked_pct": 100.0, "game.pressure_some_pct": {"io": share_pct}}


def _second_of(*ticks: Given):
    """A game that reads, and in the newest second at last these ticks."""
    quiet: list[Given] = [{}] * (10 - len(ticks))
    return fill_ticks(window_of(AT_REST), [{**AT_REST, **each} for each in (*quiet, *ticks)])


@pytest.mark.parametrize(
    ("ticks", "holds"),
    [
        ([_waits(75)], True),
        ([_waits(30), _waits(30)], True),
        ([_waits(30)], False),
        ([_waits(75), {}, JOURNAL], True),
        ([{**_waits(75), "game.blocked_pct": 0.0}], False),
        ([{**_waits(75), **JOURNAL}], False),
        ([{**_waits(75), "game.dirty_wait_pct": 100.0}], False),
    ],
)
def test_one_wait_as_long_as_a_stutter_is_seen_in_a_quiet_second(ticks, holds):
    """75 ms at once are 8 % of a second, and a stutter.

    It may lie across two ticks, and beside another wait. That of another thread does not count,
    nor one that has a rule of its own.
    """
    assert (_strength(SLOW, _second_of(*ticks)) >= 1.0) is holds


@pytest.mark.parametrize(("read", "waited", "holds"), [(0.0, 0.0, False), (1e6, 0.0, True)])
def test_slow_reads_of_others_are_not_the_games(read, waited, holds):
    """Who neither reads nor waits is not held up; one that reads without waiting may be."""
    slow = _disk(await_ms=90.0, reads=50.0, bytes=2e5)
    own = {"game.read_bytes_per_s": read, "game.pressure_some_pct": {"io": waited}}
    assert (_strength(SLOW, window_of({**slow, **own})) >= 1.0) is holds


def test_the_slowest_drive_is_named():
    """Evidence and subject are those of the drive that is furthest beyond its limit."""
    fast = _disk("nvme0n1", await_ms=1.0, reads=100.0, bytes=4e5)
    slow = _disk("sdb", await_ms=200.0, reads=100.0, bytes=4e5)
    both = {key: {**fast[key], **slow[key]} for key in fast}
    signal = SLOW.rule(window_of(both), SLOW.limits)
    assert signal is not None
    assert signal.subject == "sdb"
    assert signal.evidence[0].instance == "sdb"


WRITER = {
    "memory.dirty_of_threshold_pct": 92.0,
    "memory.dirtied_bytes_per_s": 300 * MIB,
    "memory.writeback_bytes": 100 * MIB,
}
GAME_WRITES = {"game.write_bytes_per_s": 5 * MIB}


def test_a_game_that_writes_near_the_limit_is_held_back():
    """Over 80 % of the limit and the game itself writes."""
    assert _strength(DIRTY, window_of({**WRITER, **GAME_WRITES})) >= 1.0
    below = {**WRITER, **GAME_WRITES, "memory.dirty_of_threshold_pct": 70.0}
    assert _strength(DIRTY, window_of(below)) < 1.0


@pytest.mark.parametrize(("of_sum_pct", "holds"), [(49.0, False), (51.0, True)])
def test_writers_wait_from_the_middle_of_both_thresholds(of_sum_pct, holds):
    """Far below 80 % of the limit already, as balance_dirty_pages does."""
    given = {**WRITER, **GAME_WRITES, "memory.dirty_of_threshold_pct": 76.0}
    window = window_of({**given, "memory.dirty_of_sum_pct": of_sum_pct})
    assert (_strength(DIRTY, window) >= 1.0) is holds


def test_the_main_thread_put_to_sleep_is_proof():
    """However little is written: the function that it sleeps in is that of the limit."""
    given: Given = {
        **WRITER,
        "memory.dirtied_bytes_per_s": 1e5,
        "game.dirty_wait_pct": 40.0,
        "game.pressure_some_pct": {"io": 45.0},
    }
    signal = DIRTY.rule(window_of(given), DIRTY.limits)
    assert signal is not None
    assert signal.strength >= DIRTY.alarm
    assert signal.stall_ms == pytest.approx(450.0)


def test_a_big_copy_that_hurts_nobody_is_no_finding():
    """Near the limit, but reads rest and the game does not write: only the copy waits."""
    given = {**WRITER, **_disk(reads=0.0), "game.write_bytes_per_s": 0.0}
    assert _strength(DIRTY, window_of(given)) < 1.0


def test_a_high_share_that_nobody_adds_to_is_no_finding():
    """Much unwritten data on an idle computer harms nobody."""
    still = {**WRITER, **GAME_WRITES, "memory.dirtied_bytes_per_s": 0.0}
    assert DIRTY.rule(window_of(still), DIRTY.limits) is None


def test_a_burst_that_makes_reads_three_times_slower_counts():
    """256 MiB under way and reads far above their own median."""
    window = fill(empty_window(), {**WRITER, **_disk(await_ms=2.0, reads=50.0)}, 20)
    burst = {**WRITER, "memory.dirty_of_threshold_pct": 40.0, "memory.writeback_bytes": 400 * MIB}
    fill(window, {**burst, **_disk(await_ms=15.0, reads=50.0)}, 2)
    assert _strength(DIRTY, window) >= 1.0


def test_reads_that_are_quick_anyway_do_not_count_as_slowed():
    """From 0.1 to 0.5 ms is five times slower and harms nobody."""
    window = fill(empty_window(), {**WRITER, **_disk(await_ms=0.1, reads=50.0)}, 20)
    fill(window, {**WRITER, **_disk(await_ms=0.5, reads=50.0)}, 2)
    assert _strength(DIRTY, window) < 1.0


def test_pressure_is_a_gate_for_writing_too():
    """Where PSI reports no time lost to I/O, nobody was held back."""
    given: Given = {**WRITER, **GAME_WRITES, "pressure.some_pct": {"io": 0.0}}
    assert _strength(DIRTY, window_of(given)) < 1.0


def test_the_write_probe_is_a_victim_as_well():
    """A write of the probe that took 40 ms shows that writers wait."""
    assert _strength(DIRTY, window_of({**WRITER, "write.worst_write_ms": 40.0})) >= 1.0


def test_writing_is_not_measured_without_its_counters():
    """No dirty counters, no signal."""
    assert DIRTY.rule(window_of(_disk(reads=5.0)), DIRTY.limits) is None
