# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of the phases behind the graph of two recordings."""

from dataclasses import replace

from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from destutter.ui.sessions.graph_panel import GraphPanel
from destutter.ui.words.quantities import Quantities
from tests.support.sessions import frames_of, summary
from tests.support.window_kit import LOCALE, make_theme


def test_the_reading_names_whose_phases_are_shaded(qtbot, qapp) -> None:
    """Those that are drawn: of B where A has none, and nobody's where no log has any."""
    panel = GraphPanel(make_theme(qapp, "dark"), Quantities(LOCALE))
    qtbot.addWidget(panel)
    bare = replace(summary(frames_of(4, 3, 1)), phases=())
    known = replace(
        bare, phases=(PhaseSpan(Phase.WARM_UP, 0, 120), PhaseSpan(Phase.STEADY, 120, 240))
    )
    for pair, told in (
        ((known, bare), "Shaded: the phases of A"),
        ((bare, known), "Shaded: the phases of B"),
        ((bare, bare), "Point at the graph to read values"),
    ):
        panel.show_summaries(pair)
        assert panel.reading.full_text == told
