# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the cores the game's own threads had, and who gives its core away by itself."""

import pytest

from destutter.core.traced import OwnCores, TraceLineError
from tests.support.built_pages import ns

GAME, RENDER, CHILD, STRANGER = 4700, 4711, 5200, 6100
SLEEPS, RUNS_ON = 1, 0


@pytest.fixture
def game(stage, computer):
    """A game that is followed, a program that it started, and one of somebody else."""
    for pid, parent in ((CHILD, GAME), (STRANGER, 1)):
        folder = computer / "proc" / str(pid)
        folder.mkdir()
        status = f"Name:\tcc\nState:\tR\nTgid:\t{pid}\nPid:\t{pid}\nPPid:\t{parent}\n"
        (folder / "status").write_text(status)
    stage.reader.game = GAME
    return stage


def switch(stage, ms, before, after, state=RUNS_ON, cpu=0):
    """A core goes from one thread to another."""
    switched = {"prev_pid": before, "prev_state": state, "next_pid": after}
    stage.emit(cpu, ms, "sched/sched_switch", **switched)


def runs(stage, tid, begin_ms, end_ms, cpu=0):
    """A thread is woken, has a core for so long, and sleeps."""
    stage.emit(cpu, begin_ms, "sched/sched_waking", pid=tid, common_pid=4712)
    switch(stage, begin_ms, 0, tid, cpu=cpu)
    switch(stage, end_ms, tid, 0, SLEEPS, cpu=cpu)


def shares(look):
    """How much of all cores, by bin in ms."""
    return {} if look.own is None else {at / 1e6: share for at, share in look.own.bins()}


def test_threads_of_the_game_and_its_children_are_added_up(game):
    """Of two cores: one that draws and one that compiles, and none of a stranger's time."""
    game.look(10)
    runs(game, RENDER, 20, 40)
    runs(game, CHILD, 30, 50, cpu=1)
    runs(game, STRANGER, 60, 80, cpu=1)
    told = shares(game.look(90))
    assert told == pytest.approx({10: 0, 20: 0.5, 30: 1, 40: 0.5, 50: 0, 60: 0, 70: 0, 80: 0})


def test_what_shares_a_core_has_a_part_of_it(game):
    """Two threads take turns of 5 ms for 40 ms: each has half a core, over several looks."""
    game.look(10)
    for tid in (RENDER, GAME):
        game.emit(0, 10, "sched/sched_waking", pid=tid, common_pid=4712)
    switch(game, 10, 0, RENDER)
    for at in range(15, 50, 10):
        switch(game, at, RENDER, GAME)
        switch(game, at + 5, GAME, RENDER)
    told = {**shares(game.look(31)), **shares(game.look(60))}
    assert [told[at] for at in (10, 20, 30, 40)] == pytest.approx([0.5] * 4, abs=0.03)


def test_a_child_that_is_gone_is_the_games(game):
    """It got an idle core, which the kernel records only of threads that it is to record."""
    game.look(10)
    switch(game, 20, 0, 5300)
    switch(game, 40, 5300, 0, SLEEPS)
    assert shares(game.look(50))[20] == 0.5


def test_a_child_that_ended_since_the_look_before_is_the_games(game, computer):
    """Its number and process are known, but nobody can tell any more who started it."""
    game.look(10)
    runs(game, CHILD, 20, 40)
    game.look(50)
    runs(game, CHILD, 60, 80)
    (computer / "proc" / str(CHILD) / "status").unlink()
    assert shares(game.look(90))[60] == 0.5


def test_a_child_that_never_found_an_idle_core_is_the_games(game):
    """It had the name of the game's thread that started it when it got its first one, and shares
    that with a stranger.
    """
    game.look(10)
    for at, tid, name in ((20, 5300, b"game"), (25, 6200, b"make")):
        switched = {"prev_pid": GAME, "next_pid": tid, "next_comm": name}
        game.emit(0, at, "sched/sched_switch", prev_state=RUNS_ON, **switched)
        switch(game, at + 2, tid, GAME)
    for at in range(30, 60, 10):
        switch(game, at, GAME, 5300)
        switch(game, at + 5, 5300, 6200)
        switch(game, at + 8, 6200, GAME)
    told = shares(game.look(70))
    assert told[40] == pytest.approx(0.5 * 0.7, abs=0.1)


def test_nothing_is_known_where_records_were_lost(game):
    """Whoever ran meanwhile."""
    game.look(10)
    runs(game, RENDER, 20, 40)
    game.reader.lead = RENDER
    assert game.look(50).own is None


def test_who_gives_its_core_away_again_and_again_runs(game):
    """It spins in sched_yield() until a worker on the same core is done: no wait for a core."""
    game.emit(0, 10, "sched/sched_waking", pid=GAME, common_pid=4712)
    switch(game, 10, 0, GAME)
    at = 14.0
    while at < 60:
        switch(game, at, GAME, RENDER)
        switch(game, at + 5, RENDER, GAME)
        at += 5.002
    switch(game, at, GAME, 0, SLEEPS)
    look = game.look(100)
    assert look.main is not None
    bins = [one for one in look.main.bins() if one is not None]
    assert sum(one[0] for one in bins) >= ns(30)
    assert sum(one[1] for one in bins) <= ns(16)
    assert sum(each.duration_ns for each in look.waits) <= ns(16)


def test_a_few_short_turns_are_those_of_who_wants_its_core(game):
    """Somebody takes the core twice at once: it waits for it all the while."""
    game.emit(0, 10, "sched/sched_waking", pid=GAME, common_pid=4712)
    switch(game, 10, 0, GAME)
    switch(game, 10.01, GAME, STRANGER)
    switch(game, 20, STRANGER, GAME)
    switch(game, 25, GAME, STRANGER)
    switch(game, 40, STRANGER, GAME)
    switch(game, 40.01, GAME, 0, SLEEPS)
    look = game.look(60)
    assert [each.duration_ns / 1e6 for each in look.waits] == pytest.approx([9.99, 15])


def test_only_shares_are_taken():
    """A line of somebody else is none."""
    assert [share for _, share in OwnCores.of(0, [0.0, 0.5, 1.7]).bins()] == [0, 0.5, 1]
    with pytest.raises(TraceLineError):
        OwnCores(0, "a-b")
