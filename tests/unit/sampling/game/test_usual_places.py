# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose place is looked at while all is well: everybody soon, then seldom."""

from collections import Counter

from destutter.sampling.game.usual_places import UsualPlaces

TIDS = tuple(range(100, 150))


def _asked(usual: UsualPlaces, tids: tuple[int, ...], ticks: int) -> list[int]:
    asked = []
    for _ in range(ticks):
        usual.there(tids)
        tid = usual.next_of(tids)
        if tid is not None:
            asked.append(tid)
    return asked


def test_everybody_is_looked_at_twice_before_it_becomes_seldom() -> None:
    """Two rounds learn everybody at one a tick; afterwards one tick in ten asks for one."""
    usual = UsualPlaces()
    assert Counter(_asked(usual, TIDS, 100)) == dict.fromkeys(TIDS, 2)
    later = _asked(usual, TIDS, 500)
    assert Counter(later) == dict.fromkeys(TIDS, 1), "one tick in ten, and nobody is left out"


def test_a_new_thread_is_learnt_at_once() -> None:
    """A thread that nobody has looked at yet is not left to the slow round."""
    usual = UsualPlaces()
    _asked(usual, TIDS, 400)
    assert 999 in _asked(usual, (*TIDS, 999), len(TIDS) + 1)


def test_threads_that_end_do_not_start_it_again() -> None:
    """Who is left stays learnt when others end: a hundred ticks ask ten times."""
    usual = UsualPlaces()
    _asked(usual, TIDS, 400)
    assert len(_asked(usual, TIDS[:10], 100)) == 10


def test_nobody_is_asked_for_without_threads() -> None:
    """Without a thread there is nothing to ask for."""
    assert UsualPlaces().next_of(()) is None
