# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of causes beside the live page, whose graphs and advice it leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from destutter.resource_folder import resource_folder
from destutter.ui.causes.causes_page import CausesPage
from destutter.ui.pages.pages import LIVE
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.translations import languages_of

if TYPE_CHECKING:
    from destutter.ui.live.live_page import LivePage
    from destutter.ui.look.theme import Theme
    from destutter.ui.pages.page_sources import PageSources
    from destutter.ui.plots.lane_data import LaneData
    from destutter.ui.words.quantities import Quantities


def make_causes_page(
    theme: Theme, quantities: Quantities, live: Callable[[], LivePage], sources: PageSources
) -> CausesPage:
    """The page; it draws from the buffers of the live page and keeps none itself.

    Whoever makes it shows the pages that ``page_requested`` names.
    """

    def read_data() -> LaneData | None:
        card = live().card
        return None if card is None else card.data

    def show_moment(monotonic_ns: int) -> None:
        page.page_requested.emit(LIVE)
        live().show_moment(monotonic_ns)

    def show_missing() -> None:
        page.page_requested.emit(LIVE)
        live().panels.show_missing()

    languages = languages_of(quantities.locale)
    explanations = ExplanationPages(resource_folder() / "explanations", languages)
    page = CausesPage(theme, quantities, explanations, read_data, sources)
    page.moment_requested.connect(show_moment)
    page.missing_requested.connect(show_missing)
    return page
