# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of changes: a header, one banner, and two views: what was changed, and all settings."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.changes.tuning_state import Asked, Outcome, OutcomeKind
from destutter.bridge.helper_client import HelperStatus
from destutter.bridge.tuning_model import TuningModel
from destutter.resource_folder import resource_folder
from destutter.tuning.shell_text import as_commands
from destutter.ui.changes import changes_view, outcome_words
from destutter.ui.changes.changes_view import ChangesView
from destutter.ui.changes.export_button import ExportButton
from destutter.ui.changes.notice_text import NOTICE_SEEN, notice_text
from destutter.ui.changes.tunables_view import TunablesView
from destutter.ui.controls.banner import Banner, BannerText, most_urgent
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.own_keys import named_shortcut
from destutter.ui.controls.segments import Segments
from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.help.helper_view import HelperView, make_helper_view
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.outcome_banners import COPY, DISMISS
from destutter.ui.pages.page import Page
from destutter.ui.pages.width_class import WidthClass, stack_when_narrow
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.translations import languages_of

CHANGED, ALL = "changed", "all"
_TICK_MS = 500  # a countdown in seconds must not skip one
_UNDID_MS = 10_000  # to read what was undone, and to reach for its "Redo"


class ChangesPage(Page):
    """``page_requested(str)`` with the id of another page."""

    page_requested = Signal(str)

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        model: TuningModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._model = model
        self._seen_notice = 0.0
        languages = languages_of(quantities.locale)
        explanations = ExplanationPages(resource_folder() / "explanations", languages)
        settings = SettingWords(quantities, explanations)
        self.words = ChangeWords(quantities, settings)
        # In the order of reading, which is the order of Tab.
        self.export = ExportButton(theme, model, self)
        self.undo_all = QPushButton(self.tr("Undo all changes"), self)
        self.undo_all.setProperty("role", "danger")
        self.banner = Banner(theme, self)
        self.views = Segments(
            self.tr("View"),
            ((CHANGED, self.tr("Changed by Destutter")), (ALL, self.tr("All settings"))),
            self,
        )
        self.changes = ChangesView(theme, self.words, model, self)
        self.tunables = TunablesView(theme, self.words, explanations, model, self)
        self.panel = SidePanel(theme, self)
        self._build()
        self._connect()
        self._apply_theme()
        self.choose_view(CHANGED)
        self.refresh()

    def _build(self) -> None:
        sizes = self._theme.sizes
        title = QLabel(self.tr("Changes"), self)
        title.setProperty("role", "pageTitle")
        self._subtitle = ElidedLabel("", "muted", self, most_lines=2)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(title)
        texts.addWidget(self._subtitle)
        beside = QBoxLayout.Direction.LeftToRight
        buttons = QHBoxLayout()
        buttons.addWidget(self.export)
        buttons.addWidget(self.undo_all)
        self._head = head = QBoxLayout(beside)
        head.addLayout(texts, 1)
        head.addLayout(buttons)
        for box in (head, buttons):
            box.setSpacing(sizes.px(8))
        self._chooser = chooser = QBoxLayout(beside)
        chooser.addWidget(self.views)
        chooser.addStretch(1)
        chooser.addWidget(self.tunables.search, 2)
        # No QStackedLayout: that is as high as the higher of both, and two changes scrolled over
        # the height of all settings.
        views = QVBoxLayout()
        views.addWidget(self.changes)
        views.addWidget(self.tunables)
        self._beside = body = QBoxLayout(beside)
        body.setSpacing(GAP)
        body.addLayout(views, 3)
        body.addWidget(self.panel, 1)
        self.panel.setMinimumWidth(sizes.px(280))
        side, top = PAGE_MARGIN
        box = QVBoxLayout(self)
        box.setContentsMargins(side, top, side, top)
        box.setSpacing(GAP)
        box.addLayout(head)
        box.addWidget(self.banner)
        box.addLayout(chooser)
        box.addLayout(body, 1)

    def _connect(self) -> None:
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self.changes.show_time)
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.setInterval(_UNDID_MS)
        self._fade.timeout.connect(self._model.forget_outcome)
        self._model.changed.connect(self.refresh)
        self._model.outcome_changed.connect(self._take_outcome)
        self.undo_all.clicked.connect(self._model.undo_all)
        self.views.chosen.connect(self.choose_view)
        self.banner.action_clicked.connect(self._act)
        self.changes.asked.connect(self._act)
        self.changes.details_clicked.connect(self.show_setting)
        self.export.exported.connect(self._show_export)
        again = self.tr("Make the change again that was undone")
        named_shortcut(self, QKeySequence.StandardKey.Redo, again, self._model.redo)
        self._theme.changed.connect(self._apply_theme)
        self._exported: BannerText | None = None

    # --- what it shows -----------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        if not self.isVisible():
            return
        self.changes.refresh()
        self.tunables.refresh()
        has_changes = bool(self._model.journal_changes)
        self.undo_all.setVisible(has_changes)
        self.undo_all.setEnabled(self._model.can_change)
        self.export.setVisible(has_changes)
        self._show_banner()
        if self._model.trial is not None:
            self._tick.start()
        else:
            self._tick.stop()

    def _show_banner(self) -> None:
        outcome = self._model.outcome
        told = None if outcome is None else outcome_words.outcome_text(outcome)
        if told is not None and not self._model.can_redo:
            # What was kept for a game comes again with it, and what was on trial is over.
            stay = tuple(each for each in told.actions if each.id != outcome_words.REDO)
            told = replace(told, actions=stay)
        texts = [
            told,
            self._exported,
            notice_text(self._model, self.words, self._seen_notice),
        ]
        text = most_urgent(each for each in texts if each is not None)
        self.banner.setVisible(text is not None)
        if text is not None:
            self.banner.show_text(text)

    @Slot()
    def _take_outcome(self) -> None:
        outcome = self._model.outcome
        self._exported = None
        self._fade.stop()
        if outcome is not None and _fades(outcome):
            self._fade.start()

    @Slot(object)
    def _show_export(self, text: BannerText) -> None:
        self._exported = text
        self._show_banner()

    def choose_view(self, view: str) -> None:
        """Show "changed" or "all"."""
        self.views.choose(view)
        widget = self.tunables if view == ALL else self.changes
        for each in (self.changes, self.tunables):
            each.setVisible(each is widget)
        self.tunables.search.setVisible(view == ALL)
        self._subtitle.set_full_text(
            self.tr("Every setting that can cause or cure stutter: what it is now and who set it")
            if view == ALL
            else self.tr(
                "Everything Destutter has changed on this computer, and how to take it back"
            )
        )
        if view == ALL:
            self._model.ask_for_tunables()
        self.refresh()

    @Slot(str)
    def show_setting(self, key: str) -> None:
        """Show one setting ("ID" or "ID@DEVICE") in the list of all."""
        self.choose_view(ALL)
        self.tunables.select(key)

    def set_width_class(self, width_class: WidthClass) -> None:
        """Narrow window: fewer columns in the list of settings."""
        self.tunables.set_width_class(width_class)
        for box in (self._head, self._chooser, self._beside):
            stack_when_narrow(box, width_class)

    # --- what the user does ------------------------------------------------------------------

    @Slot(str)
    def _act(self, action: str) -> None:
        acts: dict[str, Callable[[], None]] = {
            COPY: self._copy,
            outcome_words.REDO: self._model.redo,
            DISMISS: self._dismiss,
            NOTICE_SEEN: self._see_notice,
            changes_view.CAUSES: lambda: self.page_requested.emit("causes"),
            changes_view.INSTALL: self._explain_helper,
            changes_view.SETTINGS: lambda: self.choose_view(ALL),
            changes_view.AGAIN: self._model.refresh,
            changes_view.BEGIN_ANEW: self._model.undo_all,
        }
        acts[action]()

    def _copy(self) -> None:
        outcome = self._model.outcome
        if outcome is not None and outcome.changes:
            QGuiApplication.clipboard().setText(as_commands(outcome.changes))

    def _dismiss(self) -> None:
        if self._exported is not None:
            self._exported = None
            self._show_banner()
        else:
            self._model.forget_outcome()

    def _see_notice(self) -> None:
        last = self._model.history[-1].at if self._model.history else None
        self._seen_notice = last or 1.0
        self._show_banner()

    def _explain_helper(self) -> None:
        view = make_helper_view(self._theme, self._model.status, self.panel)
        view.done.connect(self._model.refresh)
        self.panel.show_content(view.title, view)

    def show_helper(self, status: HelperStatus) -> None:
        """What stands open about it is of now."""
        content = self.panel.content
        if isinstance(content, HelperView) and content.is_outdated(status):
            self._explain_helper()

    # --- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Values are read again while somebody looks."""
        super().showEvent(event)
        self._model.watch(is_on=True)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._model.watch(is_on=False)
        self._tick.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the panel, wherever the focus is, or ends a search."""
        is_escape = event.key() == Qt.Key.Key_Escape
        if is_escape and not self.panel.isHidden():
            self.panel.close_panel()
        elif is_escape and self.tunables.search.text():
            self.tunables.search.clear()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _apply_theme(self) -> None:
        sizes, tokens, icons = self._theme.sizes, self._theme.tokens, self._theme.icons
        self.undo_all.setIcon(icons.icon("undo", tokens.bad, sizes.px(16), tokens.faint))
        self.undo_all.setIconSize(QSize(sizes.px(16), sizes.px(16)))


def _fades(outcome: Outcome) -> bool:
    """Whether the message goes by itself: good news does."""
    is_good = outcome.kind is OutcomeKind.DONE
    return is_good and outcome.what in (Asked.UNDO, Asked.REVERT)
