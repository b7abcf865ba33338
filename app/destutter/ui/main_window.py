# SPDX-License-Identifier: GPL-3.0-or-later
"""The window: navigation at the side, one page at a time.

A new page is one line in ``_add_pages``. Pages receive what the bridge offers and say what they
want by signals; this class passes both on.

The first picture shows the frame of the window; pages, and what they import, are made right
after it. What arrives before that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QIcon, QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from destutter.ui.own_cost import Cost, OwnCost
from destutter.ui.sidebar import Sidebar
from destutter.ui.theme import Theme
from destutter.ui.tokens import COMPACT_BELOW_PX

if TYPE_CHECKING:
    from PySide6.QtCore import QLocale

    from destutter.bridge.helper_client import HelperStatus
    from destutter.bridge.pipeline import Snapshot
    from destutter.ui.feed_state import FeedState, RecordingState
    from destutter.ui.live_page import LivePage
    from destutter.ui.quantities import Quantities

LIVE, SETTINGS = "live", "settings"
_USUAL_REFRESH_HZ = 60.0


class MainWindow(QWidget):
    """The only window.

    ``read_cost`` gives (CPU time in microseconds since the start, resident KiB) of this process.
    Signals: ``record_requested()``, ``stop_requested()``, ``marker_requested()``,
    ``pause_changed(bool)``, ``game_chosen(int)`` with a process id,
    ``watch_computer_requested()``, ``restart_requested()`` after measuring has failed,
    ``theme_chosen(str)`` for the settings file, and ``drawn()`` after the first picture: work
    that can wait until then begins there.
    """

    record_requested = Signal()
    stop_requested = Signal()
    marker_requested = Signal()
    pause_changed = Signal(bool)
    game_chosen = Signal(int)
    watch_computer_requested = Signal()
    restart_requested = Signal()
    theme_chosen = Signal(str)
    drawn = Signal()

    def __init__(
        self,
        theme: Theme,
        read_cost: Callable[[], tuple[int, int]],
        *,
        locale: QLocale | None = None,
        watches_computer: bool = False,
        refresh_hz: float = _USUAL_REFRESH_HZ,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._cost = OwnCost(read_cost)
        self._watches_computer = watches_computer
        self._refresh_hz = refresh_hz
        self._is_drawn = False
        self._is_compact: bool | None = None
        self._was_recording = False
        self._helper_reason = ""
        self._live: LivePage | None = None
        self._waiting: list[Callable[[LivePage], None]] = []
        self._locale = locale
        self._known_quantities: Quantities | None = None
        self.sidebar = Sidebar(theme, self)
        self._stack = QStackedWidget(self)
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self._pages: dict[str, QScrollArea] = {}
        self._page = LIVE
        self._build()
        self._add_pages()
        self.sidebar.choose(LIVE)

    # --- construction ------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle("Destutter")
        self.setMinimumSize(640, 480)
        self.resize(1440, 900)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addWidget(self._stack, 1)
        self._after_paint = QTimer(self)
        self._after_paint.setSingleShot(True)
        self._after_paint.timeout.connect(self._go_on)
        self.sidebar.page_chosen.connect(self.show_page)
        self.sidebar.helper_clicked.connect(self._explain_helper)
        self._shortcut("Ctrl+R", self._toggle_recording)
        self._shortcut("F8", self._mark)
        self._shortcut("Ctrl+Q", self._quit)

    def _add_pages(self) -> None:
        self._add_page(LIVE, "pulse", self.tr("Live"), self._make_live)
        self._add_page(
            SETTINGS, "settings", self.tr("Settings"), self._make_settings, is_below=True
        )

    def _add_page(
        self,
        page: str,
        icon: str,
        text: str,
        make: Callable[[], QWidget],
        *,
        is_below: bool = False,
    ) -> None:
        self._makers[page] = make
        self.sidebar.add_page(page, icon, text, is_below=is_below)
        if not is_below:
            self._shortcut(f"Alt+{len(self._makers)}", lambda: self.show_page(page))

    def _shortcut(self, keys: str, action: Callable[[], None]) -> None:
        QShortcut(QKeySequence(keys), self).activated.connect(action)

    def _make_settings(self) -> QWidget:
        from destutter.ui.settings_page import SettingsPage

        settings = SettingsPage(self._theme)
        settings.theme_chosen.connect(self._choose_theme)
        return settings

    def _make_live(self) -> QWidget:
        from destutter.ui.live_page import LivePage

        live = LivePage(
            self._theme,
            self._quantities,
            watches_computer=self._watches_computer,
            refresh_hz=self._refresh_hz,
        )
        live.record_requested.connect(self.record_requested)
        live.stop_requested.connect(self.stop_requested)
        live.marker_requested.connect(self.marker_requested)
        live.pause_changed.connect(self.pause_changed)
        live.game_chosen.connect(self.game_chosen)
        live.watch_computer_requested.connect(self.watch_computer_requested)
        live.restart_requested.connect(self.restart_requested)
        live.set_compact(is_compact=bool(self._is_compact))
        self._live = live
        return live

    @property
    def _quantities(self) -> Quantities:
        # Made late: the locales' names alone take Qt longer than the first picture.
        if self._known_quantities is None:
            from PySide6.QtCore import QLocale

            from destutter.ui.quantities import Quantities

            is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            locale = QLocale() if self._locale is None else self._locale
            self._known_quantities = Quantities(locale, is_mirrored=is_mirrored)
        return self._known_quantities

    def _made(self, page: str) -> QScrollArea:
        """The page, made now if it was not needed before; it scrolls in a small window."""
        scroll = self._pages.get(page)
        if scroll is None:
            scroll = QScrollArea(self)
            scroll.setObjectName("page")
            scroll.setFrameShape(QFrame.Shape.NoFrame)
            scroll.setWidgetResizable(True)
            scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            scroll.setWidget(self._makers[page]())
            self._stack.addWidget(scroll)
            self._pages[page] = scroll
        if self._live is not None and self._waiting:
            waiting, self._waiting = self._waiting, []
            for show in waiting:
                show(self._live)
        return scroll

    @Slot()
    def _go_on(self) -> None:
        """After the first picture: the page, then what its graphs need."""
        if self._page not in self._pages:
            self.setWindowIcon(QIcon(self._theme.icons.app_pixmap(128)))
            self.show_page(self._page)
            self._after_paint.start(0)
        else:
            self.live.prepare_graphs()
            self.drawn.emit()

    @property
    def live(self) -> LivePage:
        """The live page; made now if the first picture has not been drawn yet."""
        if self._live is None:
            self._made(LIVE)
        assert self._live is not None  # noqa: S101  made by the line above
        return self._live

    # --- what it shows -----------------------------------------------------------------------

    @property
    def page(self) -> str:
        """The id of the page that is shown."""
        return self._page

    @property
    def is_drawn(self) -> bool:
        """Whether the first picture of the window is there."""
        return self._is_drawn

    @Slot(str)
    def show_page(self, page: str) -> None:
        """Show a page; raises ``KeyError`` for one that does not exist."""
        scroll = self._made(page)
        self._page = page
        self._stack.setCurrentWidget(scroll)
        self.sidebar.choose(page)
        # The keys of the page work at once, and no control looks chosen.
        content = scroll.widget()
        if content is not None:
            content.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Hand measurements to the pages."""
        self._cost.accept(snapshot.metrics)
        self._tell(lambda live: live.show_snapshot(snapshot))
        if self.isVisible() and not self.isMinimized():
            cost = self._cost.take()
            if cost is not None:
                self.sidebar.show_cost(self._cost_text(cost))

    def _cost_text(self, cost: Cost) -> str:
        return self.tr("Destutter uses {share} of one core, {memory}").format(
            share=self._quantities.percent(cost.core_pct),
            memory=self._quantities.size(cost.rss_bytes),
        )

    @Slot(object)
    def show_feed_state(self, state: FeedState) -> None:
        """Where the measurements come from, or that they have stopped."""
        self._tell(lambda live: live.show_feed_state(state))

    @Slot(object)
    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs."""
        self._tell(lambda live: live.show_recording(state))
        if state.is_recording != self._was_recording:
            self._was_recording = state.is_recording
            begun, ended = self.tr("Recording started"), self.tr("Recording stopped")
            self._announce(begun if state.is_recording else ended)

    @Slot(object)
    def show_helper(self, status: HelperStatus) -> None:
        """Whether settings can be changed."""
        self._helper_reason = status.reason
        self.sidebar.show_helper(status)

    def _tell(self, show: Callable[[LivePage], None]) -> None:
        if self._live is None:
            self._waiting.append(show)
        else:
            show(self._live)

    def _announce(self, text: str) -> None:
        """Say something through the screen reader, without moving the focus."""
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    @Slot()
    def _explain_helper(self) -> None:
        self.show_page(LIVE)
        self.live.panels.show_helper_advice(self._helper_reason)

    @Slot(str)
    def _choose_theme(self, choice: str) -> None:
        self._theme.choose(choice)
        self.theme_chosen.emit(choice)

    @Slot()
    def _toggle_recording(self) -> None:
        self.live.toggle_recording()

    @Slot()
    def _mark(self) -> None:
        self.live.mark()

    @Slot()
    def _quit(self) -> None:
        self.close()

    # --- events ------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window gets a rail of icons and tiles of one line."""
        super().resizeEvent(event)
        is_compact = self.width() < self._theme.sizes.px(COMPACT_BELOW_PX)
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self.sidebar.set_rail(is_rail=is_compact)
            self._tell(lambda live: live.set_compact(is_compact=is_compact))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first picture of the window is there: the rest can be made."""
        super().paintEvent(event)
        if not self._is_drawn:
            self._is_drawn = True
            self._after_paint.start(0)
