# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of changes, opened and closed again."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from destutter.bridge.helper_client import Availability
from destutter.core.statement import Statement
from tests.gui.changes.changes_kit import MakePage, Opened
from tests.support.tuning_scenes import ScriptedHelper, TuningScene


@pytest.fixture
def open_page(qtbot, qapp: QApplication) -> Iterator[MakePage]:
    """Opens the page; closes it at the end."""
    made: list[Opened] = []

    def make(
        availability: Availability = Availability.READY,
        reason: Statement | None = None,
        size: tuple[int, int] = (1440, 900),
    ) -> Opened:
        scene = TuningScene(ScriptedHelper(availability, reason))
        made.append(Opened(qapp, scene, size))
        return made[-1]

    yield make
    for opened in made:
        opened.close()
