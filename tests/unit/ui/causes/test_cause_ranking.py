# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings are listed and which one is shown, while they come and go."""

from dataclasses import replace

from destutter.diagnosis.finding import Confidence, Finding, Group
from destutter.ui.causes.finding_ranking import FindingRanking


def finding(cause, group=Group.MEMORY, explained=1):
    """A finding of this cause."""
    return Finding(cause, group, Confidence.HIGH, explained, 3, 0, 1, ())


def chosen(ranking):
    """The finding that is shown."""
    return ranking.chosen


def shown(ranking):
    """The findings that are listed."""
    return ranking.shown


RECLAIM, SWAP = finding("direct_reclaim"), finding("swap_thrash")
DRIVE = finding("slow_device", Group.STORAGE)


def test_first_is_shown_and_stays_chosen():
    """Without a choice the first is shown; a new first does not push it away."""
    ranking = FindingRanking()
    assert chosen(ranking) is None
    ranking.accept_findings([RECLAIM])
    assert chosen(ranking) is RECLAIM
    ranking.accept_findings([DRIVE, RECLAIM])
    assert chosen(ranking) is RECLAIM
    assert shown(ranking) == (DRIVE, RECLAIM)


def test_one_that_explains_no_stutter_stands_behind_those_that_do():
    """ "0 of 17" was opened, beside the cause of all 17, which was over; who chose it keeps it."""
    ranking = FindingRanking()
    hitches = replace(finding("run_queue_delay", Group.CPU, 0), hitches_explained=9)
    ranking.accept_findings([hitches])
    assert chosen(ranking) is hitches
    over = replace(DRIVE, is_over=True)
    ranking.accept_findings([hitches, over])
    assert shown(ranking) == (over, hitches)
    assert chosen(ranking) is over
    ranking.choose("run_queue_delay")
    assert chosen(ranking) is hitches


def test_chosen_one_stays_when_it_ends():
    """A cause that was put right is told no more, but the user still reads about it."""
    ranking = FindingRanking()
    ranking.accept_findings([RECLAIM, SWAP])
    ranking.choose("swap_thrash")
    ranking.accept_findings([RECLAIM])
    assert shown(ranking) == (RECLAIM, replace(SWAP, is_over=True))
    assert chosen(ranking) == replace(SWAP, is_over=True)
    ranking.choose("direct_reclaim")
    assert shown(ranking) == (RECLAIM,)


def test_chosen_one_goes_with_its_game():
    """Under the next one it stood with the numbers of the one before."""
    ranking = FindingRanking()
    ranking.accept_findings([SWAP])
    assert chosen(ranking) is SWAP
    ranking.forget()
    ranking.accept_findings([])
    assert shown(ranking) == ()
    assert chosen(ranking) is None
    ranking.accept_findings([SWAP])
    assert chosen(ranking) is SWAP


def test_what_the_next_game_is_still_told_of_the_one_before_goes_too():
    """The first words after a start are of the game before; the card stood there for minutes."""
    ranking = FindingRanking()
    ranking.accept_findings([SWAP])
    assert chosen(ranking) is SWAP
    ranking.forget()
    ranking.accept_findings([SWAP])
    ranking.accept_findings([RECLAIM])
    assert shown(ranking) == (RECLAIM,)
    assert chosen(ranking) is RECLAIM
    ranking.accept_findings([DRIVE])
    assert shown(ranking) == (DRIVE, replace(RECLAIM, is_over=True))


def test_chosen_one_goes_when_it_explains_nothing_any_more():
    """Its "0 of 8" stood beside the 18 stutters that had come since."""
    ranking = FindingRanking()
    ranking.accept_findings([SWAP, RECLAIM])
    ranking.choose("swap_thrash")
    nothing = finding("swap_thrash", explained=0)
    ranking.accept_findings([RECLAIM, nothing])
    assert chosen(ranking) is nothing
    ranking.accept_findings([RECLAIM])
    assert shown(ranking) == (RECLAIM,)


def test_news_about_the_chosen_one():
    """The newest word about the chosen cause is shown."""
    ranking = FindingRanking()
    ranking.accept_findings([RECLAIM])
    assert chosen(ranking) is RECLAIM
    newer = finding("direct_reclaim", explained=3)
    ranking.accept_findings([newer])
    assert chosen(ranking) is newer


def test_only_one_group():
    """Behind a tile only the findings of its group are listed."""
    ranking = FindingRanking()
    ranking.accept_findings([RECLAIM, DRIVE])
    ranking.group = Group.STORAGE
    ranking.choose("")
    assert shown(ranking) == (DRIVE,)
    ranking.group = Group.GPU
    ranking.choose("")
    assert chosen(ranking) is None
