# SPDX-License-Identifier: GPL-3.0-or-later
"""Help from every page: what it tells, which keys there are, which program this is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt, Slot
from PySide6.QtWidgets import QMenu, QWidget

from destutter.resource_folder import ResourceError, resource_folder
from destutter.ui.controls.own_keys import keys_of, named_shortcut
from destutter.ui.controls.shortcuts import EXPLAIN, LIST_KEYS, key_text
from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.help.advice_view import AdviceView
from destutter.ui.help.page_help import KeyList, about_advice, page_advice
from destutter.ui.look.theme import Theme
from destutter.ui.words.explanation_pages import ExplanationError, ExplanationPages
from destutter.ui.words.translations import languages_of

if TYPE_CHECKING:
    from destutter.ui.shell.main_window import MainWindow

_WIDTH_PX = 380


class HelpInWindow(QObject):
    """Shows help in a drawer above the right side of the page, and offers it at the side."""

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._focus: QWidget | None = None
        self.panel = SidePanel(theme, window)
        self.panel.closed.connect(self._give_focus_back)
        self.menu = QMenu(window.sidebar.help)
        for text, keys, act in (
            (self.tr("Explain this page"), EXPLAIN, self.explain_page),
            (self.tr("List of shortcuts"), LIST_KEYS, self.list_keys),
        ):
            named_shortcut(window, keys, text, act)
            self.menu.addAction(f"{text}\t{key_text(keys)}").triggered.connect(act)
        self.menu.addSeparator()
        strip = self.menu.addAction(self.tr("Show the strip"))
        strip.triggered.connect(window.strip_requested)
        about = self.menu.addAction(self.tr("About Destutter"))
        about.triggered.connect(self.tell_about)
        window.sidebar.help.clicked.connect(self._offer)
        window.installEventFilter(self)

    @Slot()
    def _offer(self) -> None:
        button = self._window.sidebar.help
        room = self.menu.sizeHint().height()
        self.menu.popup(button.mapToGlobal(QPoint(0, -room)))

    @Slot()
    def explain_page(self) -> None:
        """What the page tells that is shown."""
        try:
            pages = ExplanationPages(resource_folder() / "explanations", languages_of(QLocale()))
            advice = page_advice(pages.page(self._window.page))
        except (ExplanationError, ResourceError):
            advice = about_advice()
        self._show(advice.title, AdviceView(self._theme, advice, self.panel))

    @Slot()
    def list_keys(self) -> None:
        """The keys that work now: everywhere, and on the page that is shown."""
        page = self._window.page_of(self._window.page)
        groups = (
            (self.tr("Everywhere"), keys_of(self._window, is_deep=False)),
            (self.tr("On this page"), keys_of(page, is_deep=True)),
        )
        self._show(self.tr("List of shortcuts"), KeyList(self._theme, groups, self.panel))

    @Slot()
    def tell_about(self) -> None:
        """Version, licence, and how to report something."""
        advice = about_advice()
        self._show(advice.title, AdviceView(self._theme, advice, self.panel))

    def _show(self, title: str, content: QWidget) -> None:
        if self.panel.isHidden():
            self._focus = self._window.focusWidget()
        self.panel.show_content(title, content)
        self._place()
        self.panel.raise_()
        self.panel.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _give_focus_back(self) -> None:
        if self._focus is not None:
            self._focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place(self) -> None:
        width = min(self._theme.sizes.px(_WIDTH_PX), self._window.width())
        is_mirrored = self._window.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 0 if is_mirrored else self._window.width() - width
        self.panel.setGeometry(left, 0, width, self._window.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the drawer at its side."""
        if event.type() == QEvent.Type.Resize and not self.panel.isHidden():
            self._place()
        return super().eventFilter(watched, event)
