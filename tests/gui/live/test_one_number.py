# SPDX-License-Identifier: GPL-3.0-or-later
"""Banner, strip and legend tell one number of stutters, of one moment and one span."""

import functools
import random
import re

import pytest

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.sample import Frames
from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import make_live, settle
from tests.gui.plots.test_graphs import plain
from tests.support.live_scenes import snapshots
from tests.support.scripted_source import START_NS, Script

__all__ = ["make_live"]

_SECONDS, _LATEST = 150, 160


@functools.cache
def _stream() -> tuple[Snapshot, ...]:
    """Frames with a stutter of any length at any moment, some 0.8 a second, and long freezes."""
    script = Script().fact(game__pid="7", game__name="Alpenglow")
    chance = random.Random(33)  # noqa: S311  the same each time
    told_us = 0
    for _ in range(10 * _SECONDS):
        script.run(0.1)
        long_ms = chance.choice((0.0,) * 9 + (chance.uniform(60, 400),))
        if chance.random() < 0.005:
            long_ms = chance.uniform(900, 2_900)
        room_us = (script.now_ns - START_NS) // 1000 - told_us
        if room_us < 1000 * long_ms:
            continue
        lengths = [round(1000 * long_ms)] if long_ms else []
        lengths += [16_667] * ((room_us - sum(lengths)) // 16_667)
        start_ns = START_NS + 1000 * told_us
        ends = [start_ns + 1000 * sum(lengths[: at + 1]) for at in range(len(lengths))]
        told_us += sum(lengths)
        if lengths:
            script.messages.append(Frames("mangohud", tuple(ends), tuple(lengths)))
    return tuple(snapshots(script.messages))


def _number(text: str) -> int:
    found = re.search(r"(\d+)", plain(text))
    return int(found[1]) if found else 0


def _told(window: MainWindow) -> tuple[int, int]:
    """Of the strip, and of the legend of the frames below it."""
    card = window.live.card
    assert card is not None
    (legend,) = re.findall(r"stutter (\d+)", plain(card.rows[0].gutter.text))
    return _number(card.strip_row.count.full_text), int(legend)


def _in_banner(window: MainWindow) -> int:
    live = window.live
    (told,) = re.findall(
        r"(\d+) stutters? in the last",
        plain(f"{live.banner.headline.full_text} {live.banner.detail.full_text}"),
    )
    return int(told)


def test_while_it_runs_all_three_are_one_figure_at_every_snapshot(make_live, qapp):
    """98 stood in the banner and the legend, and 99 in the strip between them."""
    window = make_live(None)
    numbers = set()
    for snapshot in _stream()[:-_LATEST]:
        window.live.take_in(snapshot)
    for place, snapshot in enumerate(_stream()[-_LATEST:]):
        window.show_snapshot(snapshot)
        if place % 7 == 0:
            qapp.processEvents()  # a busy computer paints a lane now and then
        strip, legend = _told(window)
        assert (strip, legend) == (_in_banner(window), strip), place
        numbers.add(strip)
    assert len(numbers) > 6


@pytest.mark.parametrize("span_s", [30.0, 600.0])
def test_right_after_another_span_strip_and_legend_are_of_it(make_live, qapp, span_s):
    """Before any lane was painted again, and while the graphs stand still."""
    window = make_live(None)
    for snapshot in _stream()[:-1]:
        window.live.take_in(snapshot)
    window.show_snapshot(_stream()[-1])
    settle(qapp)
    card, now_ns = window.live.card, _stream()[-1].assessment.monotonic_ns
    ends = [each.monotonic_ns for each in _stream()[-1].assessment.spikes]
    window.live.header.spans.chosen.emit({30.0: "30", 600.0: "600"}[span_s])
    wanted = sum(end >= now_ns - span_s * 1e9 for end in ends)
    assert _told(window) == (wanted, wanted)
    card.hold()
    card.set_span(120.0)
    wanted = sum(end >= now_ns - 120e9 for end in ends)
    assert _told(window) == (wanted, wanted)
    assert wanted == _in_banner(window)
