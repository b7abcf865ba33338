# SPDX-License-Identifier: GPL-3.0-or-later
"""A main window without a desktop: fixed locale, no bus, own cost that never changes."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from destutter.resource_folder import resource_folder
from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.icons import Icons
from destutter.ui.look.theme import Theme
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from destutter.bridge.tuning_model import TuningModel

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)

SEEN = 8
"""So many snapshots of a scene, two seconds, come while the window is seen. What came before is in
it as in one that was opened later: words and graphs of each moment nobody looks at take as long as
the test.
"""


@functools.cache
def icons() -> Icons:
    """The program's icons."""
    return Icons(resource_folder() / "icons")


def make_theme(app: QApplication, choice: str = "dark") -> Theme:
    """A theme that asks no portal."""
    return Theme(app, DesktopScheme(app.styleHints(), None), icons(), choice)


def make_window(
    theme: Theme, *, watches_computer: bool = False, tuning: TuningModel | None = None
) -> MainWindow:
    """A window that writes numbers as ``LOCALE`` does."""
    window = MainWindow(
        theme, lambda: {1: (0, 108_000)}, locale=LOCALE, watches_computer=watches_computer
    )
    if tuning is not None:
        window.offer_sources(PageSources(tuning))
    return window
