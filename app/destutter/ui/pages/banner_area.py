# SPDX-License-Identifier: GPL-3.0-or-later
"""The place above every page: the trial, a question, a summary; empty it takes no room."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from destutter.ui.controls.banner import Banner, Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN


class BannerArea(QWidget):
    """Shows the most urgent of the banners that are not hidden; two equally urgent ones both.

    ``covered(bool)`` when something begins or ceases to stand here: meanwhile a page keeps back
    what it would say in a banner of its own.
    """

    covered = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pageBody")
        self._theme = theme
        self._places: list[tuple[Urgency, QWidget, QWidget]] = []
        self._is_covered = False
        side, top = PAGE_MARGIN
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(side, top, side, 0)
        self._box.setSpacing(GAP)
        self.hide()

    def banner(self, urgency: Urgency) -> Banner:
        """A new banner in this place, hidden until its owner shows it."""
        made = Banner(self._theme, self)
        made.hide()
        self.add(made, urgency)
        return made

    def add(self, banner: QWidget, urgency: Urgency) -> None:
        """Give a banner its place; its owner shows and hides it."""
        place = QWidget(self)
        box = QVBoxLayout(place)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(banner)
        self._box.addWidget(place)
        self._places.append((urgency, place, banner))
        banner.installEventFilter(self)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the banners."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        wanted = [urgency for urgency, _, banner in self._places if not banner.isHidden()]
        for urgency, place, banner in self._places:
            place.setVisible(not banner.isHidden() and urgency == max(wanted))
        self.setVisible(bool(wanted))
        if bool(wanted) != self._is_covered:
            self._is_covered = bool(wanted)
            self.covered.emit(self._is_covered)
