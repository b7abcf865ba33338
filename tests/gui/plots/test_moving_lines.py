# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that are moved and drawn on look as if they had been drawn whole."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter.ui.look.theme import Theme
from destutter.ui.plots.lane import Lane, LaneContent, Line
from destutter.ui.plots.scale import LinearScale
from destutter.ui.plots.series import LaneSeries
from destutter.ui.plots.time_view import RETENTION_S, TimeView
from tests.support.pictures import Pixels, differing, pixels
from tests.support.window_kit import make_theme

TOP = 100.0


class Drawn:
    """A lane over series, and how it looks if another lane draws the same whole."""

    def __init__(self, theme: Theme, lines: int, span_s: float) -> None:
        self._theme = theme
        self.view = TimeView(span_s=span_s, now_s=1000.0)
        self.series = [LaneSeries(RETENTION_S) for _ in range(lines)]
        self.content = LaneContent(
            LinearScale(TOP),
            str,
            tuple(
                Line(("metric", str(number)), series, color, is_filled=number == 0)
                for number, (series, color) in enumerate(
                    zip(self.series, ("bad", "accent", "warn"), strict=False)
                )
            ),
        )
        self.lane = self._made()

    def _made(self) -> Lane:
        lane = Lane(self._theme, self.view)
        lane.resize(420, 90)
        lane.set_content(self.content)
        return lane

    def image(self) -> Pixels:
        """What the lane shows that has been moved so far."""
        self.lane.refresh()
        return _image(self.lane)

    def whole(self) -> Pixels:
        """What a new lane shows."""
        fresh = self._made()
        fresh.refresh()
        return _image(fresh)


def _image(lane: Lane) -> Pixels:
    return pixels(lane.grab().toImage())


ROUNDED_PIXELS = 3  # one at a dot's edge differed by 23, in one of 6,000 runs


def assert_alike(drawn: Drawn) -> None:
    """Moved as whole, from the first point of each line on.

    What joins it with the one before the left edge was drawn before it was cut; Qt rounds where it
    cuts, and a steep line then differs by up to 112 of 255 in the first two columns.
    """
    moved, whole = drawn.image(), drawn.whole()
    left = drawn.lane.plot.left()
    begins = [float(x[x >= left][0]) for x, _ in drawn.lane.points() if (x >= left).any()]
    begin = int(max(begins, default=left)) + 2
    assert differing(moved[:, begin:], whole[:, begin:]) <= ROUNDED_PIXELS


@pytest.fixture
def theme(qapp):
    return make_theme(qapp)


steps = st.lists(
    st.tuples(
        st.sampled_from([0.05, 0.25, 0.25, 0.25, 1.0, 7.0]),
        st.lists(
            st.tuples(st.integers(0, 2), st.sampled_from([1, 1, 3, 40]), st.booleans()), max_size=4
        ),
    ),
    min_size=2,
    max_size=9,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=steps, seed=st.integers(0, 1000), span_s=st.sampled_from([5.0, 20.0, 60.0]))
def test_moved_lines_look_as_drawn_whole(theme, steps, seed, span_s):
    """Whatever comes, seldom or often, with breaks, for some lines and not for others."""
    random = np.random.default_rng(seed)
    drawn = Drawn(theme, 3, span_s)
    for by, coming in steps:
        before = drawn.view.now_s
        for number, count, breaks_off in coming:
            times = np.sort(random.uniform(before, before + by, count))
            values = random.uniform(0.0, 90.0, count)
            if breaks_off:
                values[-1] = np.nan
            drawn.series[number].extend(times.tolist(), values.tolist())
        drawn.view.advance(before + by)
        assert_alike(drawn)


def test_a_dense_line_keeps_its_peaks_while_it_moves(theme):
    """More values than pixels: of the newest column both points change until time has passed it,
    and with them what joins it with the one before, which may be far away."""
    random = np.random.default_rng(7)
    drawn = Drawn(theme, 1, 20.0)
    begin = drawn.view.now_s
    times = np.linspace(begin - 30.0, begin, 3000)
    drawn.series[0].extend(times.tolist(), random.uniform(0.0, 90.0, 3000).tolist())
    drawn.image()
    column_s = drawn.view.span_s / drawn.lane.columns
    for number in range(1, 12):
        first = (np.floor(begin / column_s) + 40 * number) * column_s
        for part, value in ((0.1, 5.0), (0.5, 85.0), (0.9, 2.0)):
            drawn.series[0].append(first + part * column_s, value)
            drawn.view.advance(first + part * column_s)
            assert_alike(drawn)


def test_a_view_that_stands_still_and_moves_back_is_drawn_whole(theme):
    """What it uncovers at either edge was never drawn."""
    drawn = Drawn(theme, 1, 20.0)
    drawn.series[0].extend(
        np.arange(900.0, 1000.0, 0.1).tolist(), (np.arange(1000) % 90.0).tolist()
    )
    live = drawn.image()
    drawn.view.hold()
    for by in (-5.0, -3.0, 2.0, 6.0):
        drawn.view.pan(by)
        assert_alike(drawn)
    drawn.view.follow()
    assert differing(drawn.image(), live) <= ROUNDED_PIXELS


def test_another_theme_draws_resting_lines_in_its_colours(theme):
    """A lane that rests draws nothing, but not when its colours change."""
    drawn = Drawn(theme, 1, 5.0)
    drawn.series[0].extend(np.linspace(990.0, 1000.0, 101).tolist(), [50.0] * 101)
    drawn.image()
    drawn.content.lines[0].series.append(1000.25, 50.0)
    drawn.view.advance(1000.25)
    before = drawn.image()
    theme.choose("light")
    drawn.lane.apply_theme()
    after = drawn.image()
    assert differing(before, after) > 1000
    assert differing(after, drawn.whole()) == 0
