# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage's offer to put itself into the desktop's menu, at its first start."""

import logging

from PySide6.QtCore import QObject, Slot

from destutter.bridge.kept_settings import KeptSettings
from destutter.menu_entry import MenuEntry, MenuEntryError
from destutter.ui.controls.notices import Notice
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.words import said

log = logging.getLogger("destutter.application")

OFFER = "menu"


class MenuOffer(QObject):
    """One line on the Live page, until somebody takes or closes it; none without an AppImage."""

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
        offers = self._window.live.offers
        offers.acted.connect(self._accept)
        offers.closed.connect(self._decline)
        if self._settings.value.offers_menu_entry and self._entry.may_be_offered:
            text = self.tr("Destutter is not in your desktop's menu yet")
            offers.show_notice(Notice(OFFER, "info", text, action=self.tr("Put it there")))

    @Slot(str)
    def _accept(self, offer: str) -> None:
        if offer != OFFER or self._entry is None:
            return
        try:
            self._entry.add()
        except MenuEntryError as error:
            text = self.tr("Not in the menu: {reason}").format(reason=said(error.statement))
            self._window.live.offers.show_notice(
                Notice(OFFER, "info", text, action=self.tr("Try again"))
            )
            return
        self._window.live.offers.remove(OFFER)

    @Slot(str)
    def _decline(self, offer: str) -> None:
        if offer == OFFER:
            self._settings.change(offers_menu_entry=False)
