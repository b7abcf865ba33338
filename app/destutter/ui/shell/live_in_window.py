# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page in the window: what it asks for is asked by the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from destutter.ui.live.live_page import LivePage
from destutter.ui.pages.trace_row import TraceRow

if TYPE_CHECKING:
    from destutter.ui.look.theme import Theme
    from destutter.ui.shell.main_window import MainWindow
    from destutter.ui.words.quantities import Quantities


def make_live_page(
    window: MainWindow,
    theme: Theme,
    quantities: Quantities,
    *,
    watches_computer: bool,
    refresh_hz: float,
) -> LivePage:
    """The page; a trace that runs is told on it, and can be ended there."""
    live = LivePage(theme, quantities, watches_computer=watches_computer, refresh_hz=refresh_hz)
    live.record_requested.connect(window.record_requested)
    live.stop_requested.connect(window.stop_requested)
    live.marker_requested.connect(window.marker_requested)
    live.pause_changed.connect(window.pause_changed)
    live.game_chosen.connect(window.game_chosen)
    live.watch_computer_requested.connect(window.watch_computer)
    live.cause_requested.connect(window.show_cause)
    live.group_requested.connect(window.show_group)
    live.spike_requested.connect(window.show_spike)
    live.restart_requested.connect(window.restart_requested)
    live.live_requested.connect(window.live_requested)
    row = TraceRow(theme, window.sources.trace, live)
    row.helper_requested.connect(window.explain_helper)
    live.quiet.addWidget(row)
    return live
