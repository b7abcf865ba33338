# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page in the window: what it asks for is asked by the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from destutter.ui.live.live_page import LivePage
from destutter.ui.pages.trace_row import TraceRow

if TYPE_CHECKING:
    from destutter.ui.look.theme import Theme
    from destutter.ui.pages.page_sources import PageSources
    from destutter.ui.shell.window_requests import WindowRequests
    from destutter.ui.words.quantities import Quantities


def make_live_page(
    requests: WindowRequests,
    look: tuple[Theme, Quantities],
    sources: PageSources,
    explain_helper: Callable[[], None],
    *,
    watches_computer: bool,
    refresh_hz: float,
) -> LivePage:
    """The page with the chosen lanes; a trace that runs is told on it, and can be ended there.

    Whoever makes it shows what it asks to be shown: a cause, a group, a stutter.
    """
    live = LivePage(*look, watches_computer=watches_computer, refresh_hz=refresh_hz)
    live.record_requested.connect(requests.record_requested)
    live.stop_requested.connect(requests.stop_requested)
    live.marker_requested.connect(requests.marker_requested)
    live.pause_changed.connect(requests.pause_changed)
    live.game_chosen.connect(requests.game_chosen)
    live.watch_computer_requested.connect(requests.watch_computer_requested)
    live.restart_requested.connect(requests.restart_requested)
    if sources.read_games is not None:
        live.panels.read_games = sources.read_games
    settings = sources.settings
    if settings is not None:
        live.lanes.choice = settings.value.lanes
        live.lanes.chosen.connect(lambda lanes: settings.change(lanes=lanes))
    row = TraceRow(look[0], sources.trace, live)
    row.helper_requested.connect(explain_helper)
    live.quiet.addWidget(row)
    return live
