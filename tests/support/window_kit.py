# SPDX-License-Identifier: GPL-3.0-or-later
"""A main window without a desktop: fixed locale, no bus, own cost that never changes."""

import functools

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from destutter.bridge.tuning_model import TuningModel
from destutter.ui.desktop_scheme import DesktopScheme
from destutter.ui.icons import Icons
from destutter.ui.main_window import MainWindow
from destutter.ui.resource_folder import resource_folder
from destutter.ui.theme import Theme

LOCALE = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


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
    return MainWindow(
        theme,
        lambda: (0, 108_000),
        locale=LOCALE,
        watches_computer=watches_computer,
        tuning=tuning,
    )
