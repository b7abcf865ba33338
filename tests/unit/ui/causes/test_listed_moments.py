# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments that prove a finding, and stepping through them."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.finding import Confidence, Evidence, Finding, Group, Spike
from destutter.ui.causes.listed_moments import (
    ListedMoment,
    is_beside,
    longest,
    moment_of,
    moments_of,
    neighbour,
)

EVIDENCE = Evidence("memory.allocstall_per_s", "/s", 9.0, 5.0, 777)


def finding(cause="direct_reclaim", evidence=(EVIDENCE,)):
    """A finding of this cause."""
    return Finding(cause, Group.MEMORY, Confidence.HIGH, 1, 2, 0, 1, evidence, ends_ns=(10, 30))


def test_all_stutters_that_it_explains_and_no_other():
    """Be another cause told of one in the list of stutters."""
    spikes = [
        Spike(10, 80.0, "mangohud", "direct_reclaim", Group.MEMORY),
        Spike(20, 90.0, "mangohud"),
        Spike(30, 70.0, "mangohud", "slow_device", Group.STORAGE),
    ]
    assert moments_of(finding(), spikes) == (ListedMoment(10, 80.0), ListedMoment(30, 70.0))
    by_pace = [replace(each, origin="rhythm") for each in spikes[:1]]
    assert moments_of(finding(), by_pace) == (ListedMoment(10, 80.0, is_by_pace=True),)


def test_without_a_stutter_its_worst_moment():
    """A finding that no stutter met is proved where it was strongest; with nothing, nowhere."""
    assert moments_of(finding(), []) == (ListedMoment(777),)
    assert moments_of(finding(evidence=()), []) == ()
    assert ListedMoment(777).start_ns == 777


def test_nobody_says_no_stutter_where_one_lies_beside():
    """Whichever cause it has: its dot stands in the peak."""
    second = 1_000_000_000
    spikes = [Spike(10 * second, 80.0, "mangohud", "direct_reclaim", Group.MEMORY)]
    for at_s, expected in ((8.5, False), (9.2, True), (10.9, True), (11.5, False)):
        assert is_beside(ListedMoment(int(at_s * second)), spikes) is expected
    assert not is_beside(ListedMoment(10 * second), [])


def test_a_figure_is_of_the_stutter_that_it_was_measured_in():
    """Or right beside, for a rule looks at seconds; of none where none is near."""
    second = 1_000_000_000
    moments = (ListedMoment(20 * second, 400.0), ListedMoment(30 * second, 90.0))
    for at, expected in ((30.0, 1), (29.95, 1), (30.8, 1), (19.7, 0), (19.0, 0), (25.0, None)):
        evidence = replace(EVIDENCE, monotonic_ns=int(at * second))
        told = None if expected is None else moments[expected]
        assert moment_of(evidence, moments) == told
    assert moment_of(None, moments) is None


@given(st.lists(st.integers(1, 10**12), unique=True, min_size=1), st.data())
def test_steps_go_through_all_moments(times, data):
    """From the first on, every step leads to the next moment, and back the same way."""
    moments = [ListedMoment(at, float(at % 97)) for at in sorted(times)]
    forward = [moments[0]]
    while (found := neighbour(moments, forward[-1], 1)) is not None:
        forward.append(found)
    assert forward == moments
    chosen = data.draw(st.sampled_from(moments))
    after = neighbour(moments, chosen, 1)
    if after is not None:
        assert neighbour(moments, after, -1) == chosen
    assert neighbour(moments, None, 1) == longest(moments)
