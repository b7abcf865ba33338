# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether threads run as much as they usually do."""

from destutter.sampling.game.paces import LeadPace, PaceInTick, SharedPace

_MS = 1_000_000


def _lead(runs_ms):
    pace, run_ns, told = LeadPace(), 0, []
    for each in runs_ms:
        run_ns += int(each * _MS)
        told.append(pace.take(run_ns))
    return told


def test_a_thread_that_runs_as_ever_neither_pauses_nor_spins():
    """Small differences are no pause."""
    assert set(_lead([10, 9, 11, 10, 8] * 10)) == {PaceInTick()}


def test_a_thread_that_runs_less_pauses_and_one_that_runs_far_more_spins():
    """Less than 0.7 times its usual time, or twice of it and long."""
    assert _lead([20] * 30 + [10])[-1] == PaceInTick(pauses=True)
    assert _lead([20] * 30 + [50])[-1] == PaceInTick(spins=True)
    assert _lead([2] * 30 + [10])[-1] == PaceInTick()


def test_what_is_not_told_is_no_pause():
    """And what comes after it is compared with nothing."""
    pace = LeadPace()
    for tick in range(30):
        pace.take(tick * 10 * _MS)
    assert pace.take(None) == PaceInTick()
    assert pace.take(300 * _MS) == PaceInTick()
    assert pace.take(300 * _MS) == PaceInTick(pauses=True)


class _Shared:
    def __init__(self, *names):
        self.names = names
        self.pace = SharedPace()
        self.runs = [0] * len(names)

    def tick(self, *grown_ms):
        self.runs = [run + each * _MS for run, each in zip(self.runs, grown_ms, strict=True)]
        return self.pace.take(self.names, tuple(self.runs))


def test_the_thread_that_lacks_most_while_all_together_stand():
    """One of several that rests is no pause of the game."""
    shared = _Shared("1 main", "2 render", "3 sound")
    for _ in range(30):
        assert shared.tick(5, 60, 20) is None
    assert shared.tick(5, 60, 0) is None
    assert shared.tick(5, 0, 10) == "2 render"
    assert shared.tick(0, 0, 0) == "2 render"


def test_nobody_stands_before_the_usual_is_known():
    """Nor right after one more thread counts as busy."""
    shared = _Shared("1 main", "2 render")
    assert [shared.tick(5, 60 * (tick % 2)) for tick in range(20)] == [None] * 20
    for _ in range(30):
        shared.tick(5, 60)
    shared.names, shared.runs = ("1 main", "2 render", "3 new"), [*shared.runs, 0]
    assert shared.tick(0, 0, 0) is None
    assert shared.tick(0, 0, 0) is None


def test_no_thread_is_no_pause():
    """No game, or one that rests."""
    shared = _Shared()
    assert [shared.tick() for _ in range(50)] == [None] * 50


def test_a_thread_that_has_ended_is_no_pause():
    """The others are compared anew."""
    shared = _Shared("1 main", "2 render")
    for _ in range(30):
        shared.tick(5, 60)
    assert shared.pace.take(("1 main",), (shared.runs[0],)) is None
