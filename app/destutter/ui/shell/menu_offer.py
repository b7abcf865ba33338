# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's offer to put itself into the desktop's menu, at its first start."""

import logging

from PySide6.QtCore import QObject, QTimer, Slot

from destutter.bridge.kept_settings import KeptSettings
from destutter.menu_entry import MenuEntry, MenuEntryError
from destutter.ui.controls.notices import Notice
from destutter.ui.controls.offer_row import OfferRow
from destutter.ui.pages.pages import GUIDE
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.words import said

log = logging.getLogger("destutter.application")

OFFER = "menu"
_TOLD_MS = 8000  # a choice: long enough to read one line


class MenuOffer(QObject):
    """One line on the Live page, and in the guide where that comes first, until somebody takes or
    closes it; none without an AppImage.
    """

    def __init__(
        self,
        window: MainWindow,
        settings: KeptSettings,
        entry: MenuEntry | None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._settings = settings
        self._entry = entry
        self._rows: list[OfferRow] = []
        # Whoever clicked saw the line go without a word.
        self._later = QTimer(self, interval=_TOLD_MS, singleShot=True)
        self._later.timeout.connect(self._remove)
        if entry is not None:
            window.drawn.connect(self._begin)

    @Slot()
    def _begin(self) -> None:
        if self._entry is None:
            return
        try:
            self._entry.follow()
        except MenuEntryError as error:
            log.warning("the menu entry still names the old file: %s", error)
        from destutter.ui.guide.guide_page import GuidePage

        self._rows = [self._window.live.offers]
        page = self._window.page_of(GUIDE) if self._window.page == GUIDE else None
        if isinstance(page, GuidePage):  # at the very first start nobody has seen the Live page
            self._rows.append(page.offers)
        for row in self._rows:
            row.acted.connect(self._accept)
            row.closed.connect(self._decline)
        if self._settings.value.offers_menu_entry and self._entry.may_be_offered:
            text = self.tr("Destutter is not in your desktop's menu yet")
            self._show(Notice(OFFER, "info", text, action=self.tr("Put it there")))

    def _show(self, notice: Notice) -> None:
        for row in self._rows:
            row.show_notice(notice)

    @Slot(str)
    def _accept(self, offer: str) -> None:
        if offer != OFFER or self._entry is None:
            return
        try:
            self._entry.add()
        except MenuEntryError as error:
            text = self.tr("Not in the menu: {reason}").format(reason=said(error.statement))
            self._show(Notice(OFFER, "info", text, action=self.tr("Try again")))
            return
        text = self.tr("Destutter is in your desktop's menu now; Settings takes it out again")
        self._show(Notice(OFFER, "ok", text))
        self._later.start()

    @Slot(str)
    def _decline(self, offer: str) -> None:
        if offer == OFFER:
            self._settings.change(offers_menu_entry=False)
            self._remove()

    @Slot()
    def _remove(self) -> None:
        for row in self._rows:
            row.remove(OFFER)
