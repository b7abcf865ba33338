# SPDX-License-Identifier: GPL-3.0-or-later
"""The window: navigation at the side, one page at a time.

A new page is one line in ``_add_pages``. Pages receive what the bridge offers and say what they
want by signals; this class passes both on.
"""

from collections.abc import Callable

from PySide6.QtCore import QLocale, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QIcon,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from destutter.bridge.helper_client import HelperStatus
from destutter.bridge.pipeline import Snapshot
from destutter.diagnosis.spikes import DEFAULT_REFRESH_HZ
from destutter.ui.feed_state import FeedState, RecordingState
from destutter.ui.live_page import LivePage
from destutter.ui.own_cost import OwnCost
from destutter.ui.quantities import Quantities
from destutter.ui.settings_page import SettingsPage
from destutter.ui.sidebar import Sidebar
from destutter.ui.theme import Theme
from destutter.ui.tokens import COMPACT_BELOW_PX

LIVE, SETTINGS = "live", "settings"


class MainWindow(QWidget):
    """The only window.

    ``read_cost`` gives (CPU time in microseconds since the start, resident KiB) of this process.
    Signals: ``record_requested()``, ``stop_requested()``, ``marker_requested()``,
    ``pause_changed(bool)``, ``game_chosen(int)`` with a process id,
    ``watch_computer_requested()``, ``restart_requested()`` after measuring has failed, and
    ``theme_chosen(str)`` for the settings file.
    """

    record_requested = Signal()
    stop_requested = Signal()
    marker_requested = Signal()
    pause_changed = Signal(bool)
    game_chosen = Signal(int)
    watch_computer_requested = Signal()
    restart_requested = Signal()
    theme_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        read_cost: Callable[[], tuple[int, int]],
        *,
        locale: QLocale | None = None,
        watches_computer: bool = False,
        refresh_hz: float = DEFAULT_REFRESH_HZ,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._cost = OwnCost(read_cost)
        self._is_drawn = False
        self._is_compact: bool | None = None
        self._was_recording = False
        self._helper_reason = ""
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        quantities = Quantities(QLocale() if locale is None else locale, is_mirrored=is_mirrored)
        self.sidebar = Sidebar(theme, quantities, self)
        self.live = LivePage(
            theme, quantities, watches_computer=watches_computer, refresh_hz=refresh_hz
        )
        self.settings = SettingsPage(theme)
        self._stack = QStackedWidget(self)
        self._pages: dict[str, QScrollArea] = {}
        self._build()
        self._add_pages()
        self._connect()
        self.show_page(LIVE)

    # --- construction ------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle("Destutter")
        self.setWindowIcon(_app_icon(self._theme))
        self.setMinimumSize(640, 480)
        self.resize(1440, 900)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addWidget(self._stack, 1)
        self._after_paint = QTimer(self)
        self._after_paint.setSingleShot(True)
        self._after_paint.timeout.connect(self.live.prepare_graphs)

    def _add_pages(self) -> None:
        self._add_page(LIVE, "pulse", self.tr("Live"), self.live)
        self._add_page(SETTINGS, "settings", self.tr("Settings"), self.settings, is_below=True)

    def _add_page(
        self, page: str, icon: str, text: str, widget: QWidget, *, is_below: bool = False
    ) -> None:
        scroll = QScrollArea(self)
        scroll.setObjectName("page")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(widget)
        self._stack.addWidget(scroll)
        self._pages[page] = scroll
        self.sidebar.add_page(page, icon, text, is_below=is_below)
        if not is_below:
            self._shortcut(f"Alt+{len(self._pages)}", lambda: self.show_page(page))

    def _shortcut(self, keys: str, action: Callable[[], None]) -> None:
        QShortcut(QKeySequence(keys), self).activated.connect(action)

    def _connect(self) -> None:
        live = self.live
        live.record_requested.connect(self.record_requested)
        live.stop_requested.connect(self.stop_requested)
        live.marker_requested.connect(self.marker_requested)
        live.pause_changed.connect(self.pause_changed)
        live.game_chosen.connect(self.game_chosen)
        live.watch_computer_requested.connect(self.watch_computer_requested)
        live.restart_requested.connect(self.restart_requested)
        self.settings.theme_chosen.connect(self._choose_theme)
        self.sidebar.page_chosen.connect(self.show_page)
        self.sidebar.helper_clicked.connect(self._explain_helper)
        self._shortcut("Ctrl+R", live.toggle_recording)
        self._shortcut("F8", live.mark)
        self._shortcut("Ctrl+Q", self._quit)

    # --- what it shows -----------------------------------------------------------------------

    @property
    def page(self) -> str:
        """The id of the page that is shown."""
        shown = self._stack.currentWidget()
        return next(name for name, widget in self._pages.items() if widget is shown)

    @Slot(str)
    def show_page(self, page: str) -> None:
        """Show a page; raises ``KeyError`` for one that does not exist."""
        scroll = self._pages[page]
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
        self.live.show_snapshot(snapshot)
        if self.isVisible() and not self.isMinimized():
            cost = self._cost.take()
            if cost is not None:
                self.sidebar.show_cost(cost)

    @Slot(object)
    def show_feed_state(self, state: FeedState) -> None:
        """Where the measurements come from, or that they have stopped."""
        self.live.show_feed_state(state)

    @Slot(object)
    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs."""
        self.live.show_recording(state)
        if state.is_recording != self._was_recording:
            self._was_recording = state.is_recording
            begun, ended = self.tr("Recording started"), self.tr("Recording stopped")
            event = QAccessibleAnnouncementEvent(self, begun if state.is_recording else ended)
            QAccessible.updateAccessibility(event)

    @Slot(object)
    def show_helper(self, status: HelperStatus) -> None:
        """Whether settings can be changed."""
        self._helper_reason = status.reason
        self.sidebar.show_helper(status)

    @Slot()
    def _explain_helper(self) -> None:
        self.show_page(LIVE)
        self.live.panels.show_helper_advice(self._helper_reason)

    @Slot(str)
    def _choose_theme(self, choice: str) -> None:
        self._theme.choose(choice)
        self.theme_chosen.emit(choice)

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
            self.live.set_compact(is_compact=is_compact)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first picture of the window is there: the graphs can be loaded."""
        super().paintEvent(event)
        if not self._is_drawn:
            self._is_drawn = True
            self._after_paint.start(0)


def _app_icon(theme: Theme) -> QIcon:
    icon = QIcon()
    for size in (16, 32, 64):
        icon.addPixmap(theme.icons.app_pixmap(size))
    return icon
