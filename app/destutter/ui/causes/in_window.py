# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of causes with everything that it takes from the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from destutter.ui.causes.causes_page import CausesPage
from destutter.ui.explanations import ExplanationPages
from destutter.ui.resource_folder import resource_folder
from destutter.ui.translations import languages_of

if TYPE_CHECKING:
    from destutter.ui.main_window import MainWindow
    from destutter.ui.plots.lane_data import LaneData
    from destutter.ui.quantities import Quantities
    from destutter.ui.theme import Theme


def make_causes_page(window: MainWindow, theme: Theme, quantities: Quantities) -> CausesPage:
    """The page, connected: it draws from the buffers of the live page and keeps none itself."""

    def read_data() -> LaneData | None:
        card = window.live.card
        return None if card is None else card.data

    def show_moment(monotonic_ns: int) -> None:
        window.show_page("live")
        window.live.show_moment(monotonic_ns)

    def show_missing() -> None:
        window.show_page("live")
        window.live.panels.show_missing()

    languages = languages_of(quantities.locale)
    explanations = ExplanationPages(resource_folder() / "explanations", languages)
    page = CausesPage(theme, quantities, explanations, read_data, window.tuning)
    page.replayed.read_machine = window.read_machine
    tuning = window.tuning
    if tuning is not None:
        page.replayed.read_preset = lambda: tuning.preset
    page.page_requested.connect(window.show_page)
    page.moment_requested.connect(show_moment)
    page.missing_requested.connect(show_missing)
    page.helper_requested.connect(window.explain_helper)
    page.restart_requested.connect(window.restart_requested)
    return page
