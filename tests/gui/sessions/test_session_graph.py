# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of a session: what is in view, by wheel, pointer and keys, and what is read of it."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.summary import Histogram, SessionSummary
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from destutter.ui.sessions.graph import SessionGraph
from destutter.ui.sessions.graph_data import (
    FRAMES,
    GraphView,
    Points,
    SessionCurve,
    cut,
    distribution_of,
    dots,
    points_in,
    top_of,
)
from destutter.ui.sessions.graph_panel import GraphPanel
from destutter.ui.sessions.graph_ticks import (
    level_places,
    log_places,
    share_read,
    share_word,
    time_places,
)
from destutter.ui.sessions.pictures import png_of, svg_of
from destutter.ui.words.quantities import Quantities
from tests.gui.sessions.page_kit import settled
from tests.support.sessions import frames_of, summary
from tests.support.window_kit import LOCALE, make_theme

THREE_HOURS_S = 10_800
SPIKE_S, SPIKE_MS = 6_000, 250.0
EDGES_MS = np.geomspace(1, 1000, 73)


def _worst(length_s: int) -> np.ndarray:
    """Frames of 17 to 18 ms, each second another."""
    return 17 + np.arange(length_s) % 10 / 10


def _curve(worst_ms: np.ndarray, badge: str = "") -> SessionCurve:
    counts, _ = np.histogram(worst_ms[np.isfinite(worst_ms)], EDGES_MS)
    phases = (PhaseSpan(Phase.WARM_UP, 0, worst_ms.size // 4),)
    return SessionCurve(badge, worst_ms, phases, Histogram(EDGES_MS, counts))


def _long(badge: str = "") -> SessionCurve:
    """Three hours with one long frame."""
    worst_ms = _worst(THREE_HOURS_S)
    worst_ms[SPIKE_S] = SPIKE_MS
    return _curve(worst_ms, badge)


@pytest.fixture
def panel(qtbot, qapp) -> Iterator[GraphPanel]:
    """A card of graphs, shown."""
    panel = GraphPanel(make_theme(qapp, "dark"), Quantities(LOCALE))
    panel.resize(900, 420)
    panel.show()
    panel.graph.show_curves((_long(),))
    settled()
    yield panel
    panel.close()
    panel.deleteLater()
    settled()


@pytest.fixture
def graph(panel: GraphPanel) -> SessionGraph:
    """Its graph, of three hours."""
    return panel.graph


def _summary(name: str, curve: SessionCurve) -> SessionSummary:
    """The recording with this curve."""
    return summary(
        frames_of(1, 0),
        f"{name}.destutter",
        phases=curve.phases,
        seconds={FRAMES: curve.worst_ms},
        histogram=curve.histogram,
    )


def _show(graph: SessionGraph, *curves: SessionCurve, view: GraphView = GraphView.OVERLAY) -> None:
    graph.show_curves(curves)
    graph.show_view(view)
    settled()


def _plot_place(graph: SessionGraph, share: float = 0.5, plot: int = 0) -> QPointF:
    """A place in a plot, so far from its left edge."""
    views = [each.view for each in graph.plots]
    rect = views[plot].sceneBoundingRect()
    return QPointF(rect.left() + share * rect.width(), rect.center().y())


def _wheel(graph: SessionGraph, steps: int, place: QPointF | None = None) -> bool:
    """Turn the wheel away from the hand; whether the graph took it."""
    at = _plot_place(graph) if place is None else place
    none, no_phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        at,
        QPointF(graph.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        none,
        no_phase,
        False,
    )
    event.setAccepted(False)
    QApplication.sendEvent(graph.viewport(), event)
    settled()
    return event.isAccepted()


def _move(graph: SessionGraph, at: QPointF, *, is_pressed: bool = False) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        QPointF(graph.mapToGlobal(at.toPoint())),
        none,
        left if is_pressed else none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(graph.viewport(), event)


def _drag(qtbot, graph: SessionGraph, share: float) -> None:
    """Hold the middle and move it by this share of the plot's width."""
    start, end = _plot_place(graph), _plot_place(graph, 0.5 + share)
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(graph.viewport(), left, pos=start.toPoint())
    _move(graph, (start + end) / 2, is_pressed=True)
    _move(graph, end, is_pressed=True)
    qtbot.mouseRelease(graph.viewport(), left, pos=end.toPoint())
    settled()


# --- zoom and limits -------------------------------------------------------------------------


def test_wheel_zooms_into_time_where_the_pointer_is(graph) -> None:
    """The second below the pointer stays there; the axis of values fits what is in view."""
    assert graph.in_view == (0, THREE_HOURS_S)
    whole_top = graph.plots[0].view.viewRange()[1][1]
    place = _plot_place(graph, 0.25)
    assert _wheel(graph, 5, place)
    low, high = graph.in_view
    assert high - low < THREE_HOURS_S / 2
    assert low + 0.25 * (high - low) == pytest.approx(THREE_HOURS_S / 4, rel=0.01)
    assert not low <= SPIKE_S <= high
    assert graph.plots[0].view.viewRange()[1][1] < whole_top / 4
    assert graph.whole.isVisible()


def test_nothing_beside_the_recording_comes_into_view(qtbot, graph) -> None:
    """Neither by turning and dragging on, nor so close that there is no second left."""
    _wheel(graph, 60)
    low, high = graph.in_view
    assert high - low == pytest.approx(10)
    _drag(qtbot, graph, 0.3)
    moved = graph.in_view
    assert moved[0] == pytest.approx(low - 3, abs=0.2)
    for _ in range(6):
        _wheel(graph, -10, _plot_place(graph, 0.05))
    assert graph.in_view == (0, THREE_HOURS_S)
    _wheel(graph, 6, _plot_place(graph, 0.0))
    _drag(qtbot, graph, 0.4)
    assert graph.in_view[0] == 0


def test_wheel_moves_the_page_where_the_graph_has_nothing_to_show(graph) -> None:
    """Out of the whole, and beside the plot: the page around it scrolls."""
    assert not _wheel(graph, -1)
    assert not _wheel(graph, 1, QPointF(20, 100))
    assert not graph.is_zoomed
    assert _wheel(graph, 1)
    assert _wheel(graph, -1)


@pytest.mark.parametrize("way", ["button", "double click", "Home", "Escape"])
def test_the_whole_recording_comes_back(qtbot, graph, way) -> None:
    """By mouse and by keyboard; the button is there only while a part is shown."""
    _wheel(graph, 4)
    if way == "button":
        graph.whole.click()
    elif way == "double click":
        at = _plot_place(graph).toPoint()
        qtbot.mouseDClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=at)
    else:
        qtbot.keyClick(graph, getattr(Qt.Key, f"Key_{way}"))
    settled()
    assert graph.in_view == (0, THREE_HOURS_S)
    assert not graph.whole.isVisible()


def test_keys_zoom_around_the_moment_that_is_read(qtbot, graph) -> None:
    """Closer and farther, and the arrows take the view along."""
    graph.read(SPIKE_S)
    for _ in range(20):
        qtbot.keyClick(graph, Qt.Key.Key_Plus)
    low, high = graph.in_view
    assert high - low == pytest.approx(10)
    assert low < SPIKE_S < high
    for _ in range(8):
        qtbot.keyClick(graph, Qt.Key.Key_Right)
    assert graph.second == SPIKE_S + 8
    assert graph.in_view[1] >= SPIKE_S + 9
    qtbot.keyClick(graph, Qt.Key.Key_Minus)
    assert np.diff(graph.in_view)[0] == pytest.approx(15)


def test_what_is_shown_again_stays_as_it_is(graph) -> None:
    """Further runs may confirm a comparison meanwhile; another session begins whole."""
    curve = _long()
    _show(graph, curve)
    graph.read(SPIKE_S)
    graph.zoom(0.1)
    zoomed = graph.in_view
    graph.show_curves((curve,))
    assert (graph.in_view, graph.second) == (zoomed, SPIKE_S)
    graph.show_curves((_long(),))
    assert (graph.in_view, graph.second) == ((0, THREE_HOURS_S), None)


def test_no_graph_is_made_before_a_session_is_shown(qtbot, qapp) -> None:
    """Nobody waits for it who only looks at the list."""
    panel = GraphPanel(make_theme(qapp, "dark"), Quantities(LOCALE))
    qtbot.addWidget(panel)
    assert "graph" not in vars(panel)


def test_plots_beside_each_other_show_the_same_time(graph) -> None:
    """Whichever is zoomed."""
    _show(graph, _long("A"), _long("B"), view=GraphView.SIDE_BY_SIDE)
    for plot in (0, 1):
        _wheel(graph, 3, _plot_place(graph, 0.3, plot))
        left, right = (each.view.viewRange() for each in graph.plots)
        assert left == right
        assert left[0] != [0, THREE_HOURS_S]


def test_distribution_zooms_into_lengths_and_has_its_curves_in_view(qtbot, graph) -> None:
    """Zoomed in both directions it showed a place without a curve after two steps."""
    _show(graph, _long("A"), _long("B"), view=GraphView.DISTRIBUTION)
    (plot,) = graph.plots
    whole = plot.view.viewRange()
    for across in (0.2, 0.5, 0.8):
        left, right = whole[0]
        for _ in range(6):
            _wheel(graph, 2, _plot_place(graph, across))
            (left, right), (low, high) = plot.view.viewRange()
            assert high - low > 0.1
            found = distribution_of(graph.curves)
            assert found is not None
            at = (left + right) / 2
            shares = [float(np.interp(at, each.x, each.y)) for each in found.lines]
            assert all(low <= share <= high for share in shares)
        assert right - left < 0.5 * np.diff(whole[0])[0]
        for _ in range(80):
            qtbot.keyClick(graph, Qt.Key.Key_Right)
        assert plot.view.viewRange()[0][1] == pytest.approx(whole[0][1], abs=0.05)
        for _ in range(80):
            qtbot.keyClick(graph, Qt.Key.Key_Left)
        assert plot.view.viewRange()[0][0] == pytest.approx(whole[0][0], abs=0.05)
        qtbot.keyClick(graph, Qt.Key.Key_Escape)
        assert plot.view.viewRange() == whole


@pytest.mark.parametrize("view", [GraphView.OVERLAY, GraphView.DISTRIBUTION])
def test_the_way_back_covers_no_curve(graph, view) -> None:
    """Wherever the view is zoomed to."""
    _show(graph, _curve(np.full(600, 20.0), "A"), _long("B"), view=view)
    for across in (0.1, 0.5, 0.9):
        _wheel(graph, 6, _plot_place(graph, across))
        (plot,) = graph.plots
        button = graph.whole.geometry()
        assert graph.whole.isVisible()
        for line in plot.lines:
            ys = [
                plot.view.mapViewToScene(QPointF(x, y)).y()
                for x, y in zip(*line.getData(), strict=True)
            ]
            assert min(ys, default=1e9) >= button.bottom()
        graph.show_whole()


def test_no_menu_of_another_program_opens(qtbot, graph) -> None:
    """Its words are in no language of ours."""
    at = _plot_place(graph).toPoint()
    qtbot.mouseClick(graph.viewport(), Qt.MouseButton.RightButton, pos=at)
    assert QApplication.activePopupWidget() is None


def test_keyboard_comes_from_the_views_to_the_graph_and_to_the_way_back(panel, graph) -> None:
    """Though the graph was made after all else on the page."""
    button = panel.views.button(GraphView.DISTRIBUTION)
    following = [button.nextInFocusChain()]
    while following[-1] is not button:
        following.append(following[-1].nextInFocusChain())
    stops = [each for each in following if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops[:2] == [graph, graph.whole]


# --- reading ---------------------------------------------------------------------------------


def test_values_are_read_where_the_pointer_is_also_close_up(panel, graph) -> None:
    """The second below it, in the plot that it is over; beside the plot none."""
    graph.read(SPIKE_S)
    graph.zoom(0.005)
    settled()
    low, high = graph.in_view
    _move(graph, _plot_place(graph, (SPIKE_S + 0.5 - low) / (high - low)))
    assert graph.readings() == [("", SPIKE_MS)]
    assert panel.reading.full_text.replace("\xa0", " ") == "At 1:40:00: 250 ms"
    _move(graph, QPointF(5, 100))
    assert graph.second is None


def test_values_are_read_in_either_plot(graph) -> None:
    """The same moment of both."""
    _show(graph, _long("A"), _long("B"), view=GraphView.SIDE_BY_SIDE)
    for plot in (0, 1):
        _move(graph, _plot_place(graph, (SPIKE_S + 0.5) / THREE_HOURS_S, plot))
        assert graph.second == pytest.approx(SPIKE_S, abs=20)
        assert [badge for badge, _value in graph.readings()] == ["A", "B"]


def _plain(text: str) -> str:
    return text.replace("\xa0", " ")


def test_a_distribution_is_read_where_the_pointer_is(panel, graph) -> None:
    """Where it was counted, so that the share is that of the frames and no point between two."""
    panel.show_summaries((_summary("before", _long()),))
    panel.views.button(GraphView.DISTRIBUTION).click()
    settled()
    (plot,) = graph.plots
    (left, right), _ = plot.view.viewRange()
    _move(graph, _plot_place(graph, (np.log10(100) - left) / (right - left)))
    assert graph.length_ms == pytest.approx(100, rel=0.06)
    ((_badge, share),) = graph.readings()
    assert share == pytest.approx(100 / THREE_HOURS_S)
    assert _plain(panel.reading.full_text) == "Longer than 100 ms: 0.0093 % of the frames"
    assert _plain(graph.accessibleDescription()).endswith("0.0093 % of the frames")
    _move(graph, QPointF(5, 100))
    assert graph.length_ms is None
    assert not graph.readings()
    assert panel.reading.full_text.startswith("Point at the graph")


def test_arrows_read_a_distribution_of_both_runs(qtbot, panel, graph) -> None:
    """From one length to the next, also beyond the longest frame of one of them."""
    quiet = _curve(_worst(600), "B")
    panel.show_summaries((_summary("a", _long("A")), _summary("b", quiet)))
    panel.views.button(GraphView.DISTRIBUTION).click()
    settled()
    lengths = []
    for _ in range(80):
        qtbot.keyClick(graph, Qt.Key.Key_Right)
        lengths.append(graph.length_ms or 0.0)
        shares = dict(graph.readings())
        frames = {"A": _long().worst_ms, "B": quiet.worst_ms}
        for badge, worst_ms in frames.items():
            assert shares[badge] == pytest.approx(100 * np.mean(worst_ms > lengths[-1]), abs=1e-9)
    assert lengths == sorted(lengths)
    assert lengths[-1] > 200
    assert _plain(panel.legends["A"].text).endswith(": 0.0093 %")
    assert panel.legends["B"].text.endswith(": none")
    assert _plain(panel.reading.full_text).startswith("Frames longer than ")
    qtbot.keyClick(graph, Qt.Key.Key_Left)
    assert graph.length_ms == lengths[-2] or lengths[-1] == lengths[-2]
    qtbot.keyClick(graph, Qt.Key.Key_Escape)
    assert graph.length_ms is None


def test_a_share_has_two_digits_of_what_is_rare() -> None:
    """Few that are longer, or few that are not."""
    words = [share_read(each, Quantities(LOCALE)) for each in (0, 0.00927, 1.26, 13.4, 99.73, 100)]
    assert [_plain(each) for each in words] == [
        "0 %",
        "0.0093 %",
        "1.3 %",
        "13 %",
        "99.73 %",
        "100 %",
    ]


# --- what there is to draw -------------------------------------------------------------------


def _colored(image: QImage, graph: SessionGraph) -> int:
    """The pixels of a curve, within the first plot."""
    rect = graph.plots[0].view.sceneBoundingRect().toRect()
    lit = 0
    for y in range(rect.top(), rect.bottom()):
        for x in range(rect.left(), rect.right()):
            color = image.pixelColor(x, y)
            lit += color.saturation() > 100 and color.value() > 90
    return lit


@pytest.mark.parametrize("view", GraphView)
def test_nothing_measured_is_drawn_as_nothing(graph, view) -> None:
    """No session, no second, one second, and none of them with a value."""
    for worst_ms in (np.zeros(0), np.full(1, np.nan), np.full(30, np.nan)):
        _show(graph, _curve(worst_ms), view=view)
        assert _colored(graph.grab().toImage(), graph) == 0 if graph.plots else True
        assert not graph.is_zoomed
    _show(graph, view=view)
    assert graph.plots == ()
    assert not _wheel(graph, 1, QPointF(200, 100))


def test_one_second_is_a_dot(qtbot, graph) -> None:
    """And cannot be zoomed; the arrows read it."""
    _show(graph, _curve(np.array([20.0])))
    assert 0 < _colored(graph.grab().toImage(), graph) < 30
    _wheel(graph, 3)
    assert graph.in_view == pytest.approx((0, 1))
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    assert graph.readings() == [("", 20.0)]


def test_a_gap_stays_a_gap_and_a_value_in_it_a_dot(graph) -> None:
    """Nothing is drawn where nothing was measured, from afar as close up."""
    worst_ms = _worst(600)
    worst_ms[200:400] = np.nan
    _show(graph, _curve(worst_ms))
    line = graph.plots[0].lines[0]
    assert line.xData.size == 2 * (199 + 199)
    assert not ((line.xData > 200) & (line.xData < 400)).any()
    worst_ms[300] = 20
    worst_ms[:200] = worst_ms[400:] = np.nan
    _show(graph, _curve(worst_ms))
    assert 0 < _colored(graph.grab().toImage(), graph) < 30


def test_every_second_is_drawn_close_up(graph) -> None:
    """From afar a peak for each column of pixels, and no peak is lost."""
    afar = graph.plots[0].lines[0]
    assert np.unique(afar.xData).size <= graph.plots[0].columns
    assert np.nanmax(afar.yData) == SPIKE_MS
    graph.read(SPIKE_S)
    graph.zoom(0.01)
    close = graph.plots[0].lines[0]
    low, high = graph.in_view
    seconds = np.arange(np.ceil(low - 0.5), np.floor(high - 0.5) + 1) + 0.5
    assert set(seconds) <= set(close.xData)
    assert np.unique(close.xData).size <= seconds.size + 2
    assert set(close.yData[close.xData == SPIKE_S + 0.5]) == {SPIKE_MS}


def test_peaks_do_not_jump_while_the_view_is_moved() -> None:
    """The same spans, wherever the view begins."""
    curve = _long()
    here, there = points_in(curve, 0, 5400, 700), points_in(curve, 33, 5433, 700)
    shared = np.intersect1d(here.x, there.x)
    assert shared.size > 690
    assert np.isin(there.x[there.x < 5400], here.x).all()


def test_the_axis_fits_what_is_in_view() -> None:
    """Empty or not, it has a height."""
    assert top_of((_long(),), 0, THREE_HOURS_S) == pytest.approx(1.06 * SPIKE_MS)
    assert top_of((_long(),), 100, 200) == pytest.approx(1.06 * 40)
    assert top_of((_curve(np.full(9, np.nan)),), 0, 9) == pytest.approx(1.06)
    assert top_of((), 0, 1) == pytest.approx(1.06)
    assert distribution_of((SessionCurve("", np.zeros(0), (), None),)) is None


def test_lines_end_where_the_view_does() -> None:
    """A drawing has nothing to cut them off with: from outside, through, along and beside."""
    nan = np.nan
    points = Points("", np.array([0.0, 2, 4, 4, 9, 10]), np.array([0.0, 2, 0, 9, 9, nan]))
    x, y = cut(points, (1, 5), (0, 4))
    assert list(zip(x, y, strict=True)) == [(1, 1), (2, 2), (2, 2), (4, 0), (4, 0), (4, 4)]
    x, y = cut(points, (5, 12), (9, 9.5))
    assert list(zip(x, y, strict=True)) == [(5, 9), (9, 9)]
    assert cut(Points("", np.zeros(0), np.zeros(0)), (0, 1), (0, 1))[0].size == 0
    alone = Points("", np.arange(5.0), np.array([1, nan, 2, nan, 3]))
    assert dots(alone, (0, 3), (0, 2)) == [(0, 1), (2, 2)]


# --- marks -----------------------------------------------------------------------------------


def test_marks_stand_at_round_places() -> None:
    """Of time and of values, without the beginning; close up between."""
    assert time_places(0, 1440, 9) == [240.0 * each for each in range(1, 7)]
    assert time_places(3595.2, 3605.1, 5) == [3596, 3598, 3600, 3602, 3604]
    assert level_places(0, 212, 5) == [50, 100, 150, 200]
    assert level_places(0, 1.06, 4) == [0.5, 1]
    assert level_places(0, 96.3, 3) == [20, 40, 60, 80]


def test_marks_of_logarithms_grow_with_the_view() -> None:
    """1, 10, 100; 1, 2, 5; and even steps where that would be one mark or none."""
    assert [10**each for each in log_places(-3, 2, 5)] == pytest.approx(
        [0.001, 0.01, 0.1, 1, 10, 100]
    )
    assert [10**each for each in log_places(1, 2.31, 12)] == pytest.approx([10, 20, 50, 100, 200])
    assert [10**each for each in log_places(1.2, 1.4, 12)] == pytest.approx([16, 18, 20, 22, 24])
    few = [10**each for each in log_places(-2.6, -1.3, 4)]
    assert few == pytest.approx([0.005, 0.01, 0.02, 0.05])
    for low in np.linspace(-3, 1.5, 20):
        words = [
            share_word(10**each, Quantities(LOCALE)) for each in log_places(low, low + 0.5, 5)
        ]
        assert words
        assert len(set(words)) == len(words)


def test_shares_have_the_decimals_that_they_need() -> None:
    """As in a sentence."""
    quantities = Quantities(QLocale("en_US"))
    words = [share_word(each, quantities).replace("\xa0", " ") for each in (100, 0.001, 0.15)]
    assert words == ["100 %", "0.001 %", "0.15 %"]


# --- pictures --------------------------------------------------------------------------------


def test_a_drawing_has_what_is_in_view_as_text_and_lines(panel, graph) -> None:
    """Whole and zoomed; no picture in it, and not the way back."""
    with panel.as_picture():
        whole = svg_of(panel).decode()
    graph.read(SPIKE_S)
    graph.zoom(0.005)
    settled()
    with panel.as_picture():
        zoomed = svg_of(panel).decode()
    assert graph.whole.isVisible()
    for drawing in (whole, zoomed):
        assert "<image" not in drawing
        assert "Whole recording" not in drawing
        assert "Warm-up" in drawing if drawing is whole else "1:40:00" in drawing
        assert "non-scaling-stroke" in drawing
    assert "1 h 40 min" not in zoomed
    assert whole.count("<polyline") > zoomed.count("<polyline") > 50


@pytest.mark.parametrize("view", [GraphView.OVERLAY, GraphView.DISTRIBUTION])
def test_a_drawing_of_a_part_has_no_line_beside_it(graph, view) -> None:
    """Nor below the axis: words stand there."""
    _show(graph, _long(), view=view)
    graph.zoom(0.01 if view is GraphView.OVERLAY else 0.8)
    settled()
    drawn = QImage(graph.size(), QImage.Format.Format_RGB32)
    drawn.fill(0)
    painter = QPainter(drawn)
    QSvgRenderer(svg_of(graph)).render(painter)
    painter.end()
    plot = graph.plots[0].view.sceneBoundingRect().toAlignedRect().adjusted(-2, -2, 2, 2)
    lit = {
        QPoint(x, y)
        for x in range(drawn.width())
        for y in range(drawn.height())
        if drawn.pixelColor(x, y).saturation() > 100 and drawn.pixelColor(x, y).value() > 90
    }
    assert {plot.contains(each) for each in lit if not graph.whole.geometry().contains(each)} == {
        True
    }


def test_a_picture_has_the_curve_as_wide_as_the_screen(panel, graph) -> None:
    """Twice the pixels, twice the pen."""
    image = QImage.fromData(png_of(panel))
    assert image.width() == 2 * panel.width()
    _show(graph, _curve(np.full(60, 20.0)))
    image = QImage.fromData(png_of(graph))
    rect = graph.plots[0].view.sceneBoundingRect()
    x = int(2 * rect.center().x()) + 3
    bright = [image.pixelColor(x, y).saturation() > 100 for y in range(image.height())]
    assert 3 <= sum(bright) <= 4
    graph.read(30)
    read = QImage.fromData(png_of(graph))
    y = int(2 * rect.top()) + 20
    assert sum(read.pixel(x, y) != image.pixel(x, y) for x in range(image.width())) == 2
