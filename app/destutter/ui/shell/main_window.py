# SPDX-License-Identifier: GPL-3.0-or-later
"""The window: navigation at the side, one page at a time.

A new page is one line in ``pages.entries`` and a maker. Pages receive what the bridge offers (see
``PageNews``) and say what they want by signals; this class passes both on.

The first picture shows the frame of the window; pages, and what they import, are made right
after it. What arrives before that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QIcon, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.announcing import announce
from destutter.ui.controls.enter_key import press_with_enter
from destutter.ui.look.theme import Theme
from destutter.ui.pages.banner_area import BannerArea
from destutter.ui.pages.page import News, Page, PageNews
from destutter.ui.pages.page_scroll import PageScroll, bring_into_view
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.pages.pages import CAUSES, CHANGES, LIVE, SETTINGS, entries
from destutter.ui.pages.unseen_snapshots import UnseenSnapshots
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.shell.helper_asked import HelperAsked
from destutter.ui.shell.own_cost import OwnCost, ReadCosts
from destutter.ui.shell.sidebar import Sidebar
from destutter.ui.shell.window_keys import name_keys
from destutter.ui.shell.window_requests import WindowRequests

if TYPE_CHECKING:
    from PySide6.QtCore import QLocale

    from destutter.analysis.examining.pipeline import Snapshot
    from destutter.bridge.helper_client import HelperStatus
    from destutter.bridge.tuning_model import TuningModel
    from destutter.diagnosis.finding import Group, Spike
    from destutter.ui.causes.causes_page import CausesPage
    from destutter.ui.live.live_page import LivePage
    from destutter.ui.pages.feed_state import FeedState, RecordingState
    from destutter.ui.shell.changes_in_window import TuningInWindow
    from destutter.ui.shell.help_in_window import HelpInWindow
    from destutter.ui.words.quantities import Quantities

_TITLE = "Destutter"
MadeWidget = TypeVar("MadeWidget", bound=QWidget)
USUAL_REFRESH_HZ = 60.0  # where no display tells its own


class MainWindow(WindowRequests):
    """The only window.

    ``read_costs`` gives what each process of the program has spent so far, see ``OwnCost``.
    Signals: ``painted()`` after the first picture, when what else the program needs can be made
    and offered, and ``drawn()`` when the first page is there.
    """

    painted = Signal()
    drawn = Signal()

    def __init__(
        self,
        theme: Theme,
        read_costs: ReadCosts,
        *,
        locale: QLocale | None = None,
        watches_computer: bool = False,
        refresh_hz: float = USUAL_REFRESH_HZ,
    ) -> None:
        super().__init__()
        self._sources = PageSources()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._cost = OwnCost(read_costs)
        self._watches_computer = watches_computer
        self._refresh_hz = refresh_hz
        self._is_drawn = False
        self._width_class: WidthClass | None = None
        self._was_recording = self._is_reading = False
        self._helper: HelperStatus | None = None
        self._live: LivePage | None = None
        self._causes: CausesPage | None = None
        self.trial: TuningInWindow | None = None
        self.help: HelpInWindow | None = None
        self._news = PageNews()
        self._unseen = UnseenSnapshots()
        self._locale = locale
        self._known_quantities: Quantities | None = None
        self.sidebar = Sidebar(theme, self)
        self.banner_area = BannerArea(theme, self)
        self._stack = QStackedWidget(self)
        self._makers: dict[str, Callable[[], Page]] = {}
        self._pages: dict[str, PageScroll] = {}
        self._page = LIVE
        self._build()
        self._add_pages()
        self.sidebar.choose(LIVE)

    # --- construction ------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_TITLE)
        self.setMinimumSize(640, 360)  # 1280x800 at 200 %, less a panel
        self.resize(1440, 900)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.banner_area)
        column.addWidget(self._stack, 1)
        self._column = column
        layout.addLayout(column, 1)
        self.banner_area.covered.connect(self._show_covered)
        self._after_paint = QTimer(self)
        self._after_paint.setSingleShot(True)
        self._after_paint.timeout.connect(self._go_on)
        self.sidebar.page_chosen.connect(self.show_page)
        self._helper_asked = HelperAsked(self)
        self.sidebar.helper_clicked.connect(self.explain_helper)
        self.quit_requested.connect(self.close, Qt.ConnectionType.QueuedConnection)
        name_keys(self)

    def _add_pages(self) -> None:
        self._offer(LIVE, self._make_live)
        self._offer(CAUSES, self._make_causes)
        self._makers[SETTINGS] = self._make_settings
        self.sidebar.add_page(SETTINGS, "settings", self.tr("Settings"), is_below=True)

    def expect_pages(self) -> None:
        """Show the entry of every page now; what makes some of them is offered later."""
        for page in entries():
            self._add_entry(page)

    def _add_entry(self, page: str) -> None:
        if page not in self.sidebar.pages:
            known = entries()
            self.sidebar.add_page(page, *known[page], place=list(known).index(page))

    def offer(self, page: str, make: Callable[[Theme, Quantities], Page]) -> None:
        """Offer a page; it is made when somebody looks. Raises ``KeyError`` for an unknown one."""
        self._offer(page, lambda: make(self._theme, self.quantities))

    def put_above_pages(self, make: Callable[[Theme, Quantities], MadeWidget]) -> MadeWidget:
        """Make a widget that stands above every page; its owner shows and hides it."""
        made = make(self._theme, self.quantities)
        made.hide()
        self._column.insertWidget(self._column.indexOf(self._stack), made)
        return made

    def _offer(self, page: str, make: Callable[[], Page]) -> None:
        self._makers[page] = make
        self._add_entry(page)

    def offer_sources(self, sources: PageSources) -> None:
        """What pages that are made from now on have besides measurements; changes with it."""
        self._sources = sources
        if sources.tuning is not None:
            self._offer(CHANGES, partial(self._make_changes, sources.tuning))

    def show_nth(self, number: int) -> None:
        """Show the page with this number in the sidebar, from 1; nothing where there is none."""
        if number <= len(self.sidebar.pages):
            self.show_page(self.sidebar.pages[number - 1])

    def _make_settings(self) -> Page:
        from destutter.menu_entry import own_menu_entry
        from destutter.ui.settings.settings_page import SettingsPage

        settings = SettingsPage(
            self._theme,
            self._sources.settings,
            self._sources.read_presets(),
            own_menu_entry(),
            self._sources.keys,
        )
        settings.theme_chosen.connect(self._choose_theme)
        settings.helper_requested.connect(self.explain_helper)
        return settings

    def _make_causes(self) -> Page:
        from destutter.ui.shell.causes_in_window import make_causes_page

        look = self._theme, self.quantities
        self._causes = causes = make_causes_page(*look, lambda: self.live, self._sources)
        causes.page_requested.connect(self.show_page)
        causes.helper_requested.connect(self.explain_helper)
        causes.restart_requested.connect(self.restart_requested)
        causes.detail.evidence.refresh_hz = self._refresh_hz
        causes.show_watching(watches_computer=self._watches_computer)
        return causes

    def _make_changes(self, tuning: TuningModel) -> Page:
        from destutter.ui.changes.changes_page import ChangesPage

        changes = ChangesPage(self._theme, self.quantities, tuning)
        changes.page_requested.connect(self.show_page)
        return changes

    def _add_trial_banner(self) -> None:
        from destutter.ui.shell.changes_in_window import TuningInWindow

        if self._sources.tuning is not None and self.trial is None:
            places, look = (self.sidebar, self.banner_area), (self._theme, self.quantities)
            tuning = self._sources.tuning
            self.trial = TuningInWindow(self, places, look, tuning, partial(announce, self))

    def _add_help(self) -> None:
        from destutter.ui.shell.help_in_window import HelpInWindow

        self.help = self.help or HelpInWindow(self, self._theme)

    def _make_live(self) -> Page:
        from destutter.ui.shell.live_in_window import make_live_page

        self._live = live = make_live_page(
            self,
            (self._theme, self.quantities),
            self._sources,
            self.explain_helper,
            watches_computer=self._watches_computer,
            refresh_hz=self._refresh_hz,
        )
        live.cause_requested.connect(self.show_cause)
        live.group_requested.connect(self.show_group)
        live.spike_requested.connect(self.show_spike)
        return live

    @property
    def quantities(self) -> Quantities:
        """How numbers are written here."""
        # Made late: the locales' names alone take Qt longer than the first picture.
        if self._known_quantities is None:
            from PySide6.QtCore import QLocale

            from destutter.ui.words.quantities import Quantities

            is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            locale = QLocale() if self._locale is None else self._locale
            self._known_quantities = Quantities(locale, is_mirrored=is_mirrored)
        return self._known_quantities

    def _made(self, page: str) -> PageScroll:
        """The page, made now if it was not needed before; it scrolls in a small window."""
        scroll = self._pages.get(page)
        if scroll is None:
            content = self._makers[page]()
            scroll = PageScroll(content, self)
            self._stack.addWidget(scroll)
            self._pages[page] = scroll
            self._catch_up(content)
        return scroll

    def _catch_up(self, content: Page) -> None:
        """Tell a new page what holds now; the live page draws what came before it, too."""
        if content is self._live:
            for snapshot in self._unseen.take()[:-1]:
                self._live.take_in(snapshot)
        self._news.tell_last(content)

    def _tell(self, kind: News, tell_one: Callable[[Page], None]) -> None:
        self._news.tell([each.page for each in self._pages.values()], kind, tell_one)

    @Slot()
    def _go_on(self) -> None:
        """After the first picture: the page, then what its graphs need."""
        if self._page not in self._pages:
            self.painted.emit()
            self.setWindowIcon(QIcon(self._theme.icons.app_pixmap(128)))
            self.show_page(self._page)
            self._after_paint.start(0)
        else:
            self._add_trial_banner()
            self._add_help()
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
    def causes(self) -> CausesPage:
        """The page of causes; made now if it was not needed before."""
        self._made(CAUSES)
        assert self._causes is not None  # noqa: S101  made by the line above
        return self._causes

    @property
    def page(self) -> str:
        return self._page

    def page_of(self, page: str) -> QWidget:
        """The content of a page, made now if need be; raises ``KeyError`` for no such page."""
        content = self._made(page).widget()
        assert content is not None  # noqa: S101  every page is made with one
        return content

    @property
    def is_drawn(self) -> bool:
        """Whether the first picture of the window is there."""
        return self._is_drawn

    @Slot(str)
    def show_page(self, page: str) -> None:
        """Show a page, later if nothing makes it yet. Raises ``KeyError`` for an unknown one."""
        self.sidebar.choose(page)
        self._page = page
        if page not in self._makers:
            return
        scroll = self._made(page)
        self._stack.setCurrentWidget(scroll)
        content = scroll.widget()
        if isinstance(content, Page):
            content.take_focus()

    @Slot(str)
    def show_cause(self, cause: str = "") -> None:
        """Show what is known about a cause; an empty one stands for the most likely."""
        self.causes.show_cause(cause)
        self.show_page(CAUSES)

    @Slot(object)
    def show_group(self, group: Group) -> None:
        """Show the causes of one group."""
        self.causes.show_group(group)
        self.show_page(CAUSES)

    @Slot(object)
    def show_spike(self, spike: Spike) -> None:
        """Show the cause of one stutter, at that stutter."""
        self.show_page(CAUSES)
        self.causes.show_spike(spike)

    def show_watching(self, *, watches_computer: bool) -> None:
        """Whether the pages speak of the whole computer while no game runs."""
        self._watches_computer = watches_computer
        self._tell(
            News.WATCHING, lambda page: page.show_watching(watches_computer=watches_computer)
        )

    @Slot(object)
    def show_snapshot(self, snapshot: Snapshot) -> None:
        if self._live is None:
            self._unseen.append(snapshot)
        self._tell(News.SNAPSHOT, lambda page: page.show_snapshot(snapshot))
        found = 0 if self._is_reading else snapshot.assessment.causes_of_now
        name = self.tr("Causes: %n explain stutters", "", found)
        self.sidebar.button(CAUSES).set_count(found, name)
        is_seen = self.isVisible() and not self.isMinimized()
        if is_seen and (cost := self._cost.take()) is not None:
            share, memory = self.quantities.percent, self.quantities.size
            text = self.tr("Destutter uses {share} of one core, {memory}").format(
                share=share(cost.core_pct), memory=memory(cost.memory_bytes)
            )
            self.sidebar.show_cost(text)

    def show_present(self, snapshot: Snapshot) -> None:
        """What is measured now, while a recording is shown."""
        for each in self._pages.values():
            each.page.show_present(snapshot)

    def begin_anew(self) -> None:
        """Measurements of another time follow: a recording instead of now, or the reverse."""
        self._unseen.take()
        self._news.begin_anew([each.page for each in self._pages.values()])

    @Slot(bool)
    def _show_covered(self, is_covered: bool) -> None:  # noqa: FBT001  a Qt slot
        self._tell(News.COVERED, lambda page: page.show_covered(is_covered=is_covered))

    @Slot(object)
    def show_feed_state(self, state: FeedState) -> None:
        """Where the measurements come from, or that they have stopped."""
        self._is_reading = state.read_share is not None
        self._tell(News.FEED_STATE, lambda page: page.show_feed_state(state))

    @Slot(object)
    def show_recording(self, state: RecordingState) -> None:
        self._tell(News.RECORDING, lambda page: page.show_recording(state))
        if state.is_recording != self._was_recording:
            self._was_recording = state.is_recording
            self.sidebar.show_recording(LIVE, is_recording=state.is_recording)
            recording = self.tr("{program} — recording").format(program=f"● {_TITLE}")
            self.setWindowTitle(recording if state.is_recording else _TITLE)
            begun, ended = self.tr("Recording started"), self.tr("Recording stopped")
            announce(self, begun if state.is_recording else ended)

    @Slot(object)
    def show_helper(self, status: HelperStatus) -> None:
        self._helper = status
        self.sidebar.show_helper(status)
        self._tell(News.HELPER, lambda page: page.show_helper(status))

    @Slot()
    def explain_helper(self) -> None:
        """Show what the helper is for and how to get it."""
        self._helper_asked.explain(self._helper)

    @Slot(str)
    def _choose_theme(self, choice: str) -> None:
        self._theme.choose(choice)
        self.theme_chosen.emit(choice)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001  Qt's names
        """Tab leads to what can be seen: a page comes back from where it was scrolled to."""
        is_moved = super().focusNextPrevChild(next)
        if is_moved:
            bring_into_view(self.focusWidget())
        return is_moved

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Comes here when the focused widget and those around it have no use for the key."""
        if not press_with_enter(event, self.focusWidget()):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window gets a rail of icons and tiles of one line."""
        super().resizeEvent(event)
        width_class = WidthClass.of(self.width(), self._theme.sizes)
        if width_class is not self._width_class:
            self._width_class = width_class
            self.sidebar.set_rail(is_rail=width_class is not WidthClass.WIDE)
            self._tell(News.WIDTH, lambda page: page.set_width_class(width_class))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The first picture of the window is there: the rest can be made."""
        super().paintEvent(event)
        if not self._is_drawn:
            self._is_drawn = True
            self._after_paint.start(0)
