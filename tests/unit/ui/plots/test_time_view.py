# SPDX-License-Identifier: GPL-3.0-or-later
"""The span of time in view: following, holding, zooming, panning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.ui.plots.time_view import LONGEST_S, RETENTION_S, SHORTEST_S, TimeView


def at(now_s=1000.0, **given_fields):
    """A view at this time with everything since zero."""
    view = TimeView(**given_fields)
    view.advance(now_s)
    return view


def test_follows_the_present():
    """The right edge moves with the measurements."""
    view = at()
    view.advance(1002.0)
    assert view.is_live
    assert (view.left_s, view.right_s) == (882.0, 1002.0)


def test_holds_and_follows_again():
    """While it stands still, it says how far behind it is."""
    view = at()
    view.hold()
    view.advance(1042.0)
    assert view.right_s == 1000.0
    assert view.behind_s == 42.0
    view.follow()
    assert view.is_live
    assert view.behind_s == 0.0


def test_zoom_keeps_the_moment_below_the_pointer():
    """The moment under the pointer stays at its place while the view stands still."""
    view = at()
    view.hold()
    moment = 940.0
    share = (view.right_s - moment) / view.span_s
    view.zoom(0.5, moment)
    assert view.span_s == 60.0
    assert (view.right_s - moment) / view.span_s == pytest.approx(share)


def test_zoom_keeps_the_present_while_following():
    """Zooming a moving view does not stop it."""
    view = at()
    view.zoom(0.25, 900.0)
    assert view.is_live
    assert view.right_s == 1000.0


@given(st.lists(st.tuples(st.sampled_from("zpo"), st.floats(-500, 500)), max_size=30))
def test_view_stays_within_what_is_kept(steps):
    """No sequence of zooms and pans leaves the limits, or the future, behind."""
    view = at(2000.0)
    for kind, amount in steps:
        if kind == "z":
            view.zoom(2.0 ** (amount / 100), view.right_s - amount)
        elif kind == "p":
            view.pan(amount)
        else:
            view.go_to_oldest()
        assert SHORTEST_S <= view.span_s <= LONGEST_S
        assert view.right_s <= view.now_s
        assert view.right_s >= min(view.now_s, view.oldest_s)


def test_shows_a_moment_only_when_it_is_out_of_view():
    """A moment in view changes nothing; one outside is brought to the middle."""
    view = at()
    view.show_moment(950.0)
    assert view.is_live
    view.show_moment(500.0)
    assert view.left_s <= 500.0 <= view.right_s
    assert view.right_s == 560.0


def test_oldest_is_never_before_the_retention():
    """What has been forgotten cannot be shown."""
    view = at(5000.0)
    view.go_to_oldest()
    assert view.left_s == 5000.0 - RETENTION_S


def test_ticks_are_round_and_have_room():
    """Two minutes get a label every 15 s on a wide graph and every 30 s on a narrow one."""
    view = at()
    assert view.tick_step_s(940) == 15
    assert view.tick_step_s(420) == 30
    view.set_span(600.0)
    assert view.tick_step_s(940) == 60
