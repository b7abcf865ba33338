# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of recordings: the list at the side, what is chosen beside it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from destutter.analysis.examining.own_phases import PhaseEnds, keep_ends
from destutter.analysis.examining.summary import SessionSummary
from destutter.bridge.session_examiner import Examined
from destutter.bridge.session_library import LibraryFailure
from destutter.bridge.session_services import SessionServices
from destutter.core.statement import Statement
from destutter.resource_folder import resource_folder
from destutter.session.format import RecordingError
from destutter.session.store import StoredSession
from destutter.ui.controls.notices import Notices
from destutter.ui.controls.placeholder import Placeholder
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.page import Page
from destutter.ui.pages.width_class import WidthClass, stack_when_narrow
from destutter.ui.sessions import library_words
from destutter.ui.sessions.details import COMPARE, DetailView
from destutter.ui.sessions.file_choice import FileChoice
from destutter.ui.sessions.rename_row import RenameRow
from destutter.ui.sessions.report_saving import ReportSaving
from destutter.ui.sessions.report_words import report_words
from destutter.ui.sessions.session_column import SessionColumn
from destutter.ui.sessions.session_rows import RowTexts
from destutter.ui.sessions.sessions_header import SessionsHeader
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.translations import languages_of
from destutter.ui.words.words import Words, said_line

UNDO_MS = 10_000  # to read what was deleted, and to reach for "Undo"
_DETAILS_BELOW_PX = 300  # with less of it a low window shows one line of what came out
_RECORD, _IMPORT = "record", "import"


class SessionsPage(Page):
    """Signals: ``record_requested()``, ``stop_requested()``, ``replay_requested(Path)``, and
    ``cause_requested(SessionSummary, Finding)`` for a cause of one."""

    record_requested = Signal()
    stop_requested = Signal()
    replay_requested = Signal(object)
    cause_requested = Signal(object, object)

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        models: SessionServices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        self._theme = theme
        self._library = models.library
        self._examiner = models.examiner
        self._outcomes = models.outcomes
        self._texts = RowTexts(quantities)
        self._recording: Path | None = None
        self._awaited: tuple[Path, ...] = ()
        self.header = SessionsHeader(theme, quantities, self)
        self.notices = Notices(theme, 3, self)
        self.column = SessionColumn(theme, quantities, self._texts, self)
        self.list = self.column.list
        self.rename = RenameRow(theme, self)
        words = Words(quantities)
        languages = languages_of(quantities.locale)
        explanations = ExplanationPages(resource_folder() / "explanations", languages)
        settings = SettingWords(quantities, explanations)
        self.details = DetailView(theme, quantities, words, settings, self)
        self.files = FileChoice(self)
        told = report_words(quantities, settings)
        self.reports = ReportSaving(
            told, self.details, self.notices, self.files, models.secrets, self
        )
        self.placeholder = self._make_placeholder()
        self._body = QStackedWidget(self)
        self._undo = QTimer(self)
        self._undo.setSingleShot(True)
        self._undo.setInterval(UNDO_MS)
        self._build()
        self._connect()
        self._show_list()

    def _make_placeholder(self) -> Placeholder:
        return Placeholder(
            self._theme,
            "sessions",
            self.tr("No recordings yet"),
            self.tr(
                "Record while you play, change something, and record again: Destutter tells "
                "whether it helped. Logs of MangoHud and CapFrameX can be imported."
            ),
            ((_RECORD, self.tr("Record session")), (_IMPORT, self.tr("Import…"))),
            self,
        )

    def _build(self) -> None:
        both = QWidget(self)
        self._columns = columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, both)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(GAP)
        columns.addWidget(self.column)
        right = QVBoxLayout()
        right.setSpacing(GAP)
        right.addWidget(self.rename)
        right.addWidget(self.details, 1)
        columns.addLayout(right, 1)
        self._body.addWidget(self.placeholder)
        self._body.addWidget(both)
        layout = QVBoxLayout(self)
        side, top = PAGE_MARGIN
        layout.setContentsMargins(side, top, side, top)
        layout.setSpacing(GAP)
        layout.addWidget(self.header)
        layout.addWidget(self.notices)
        layout.addWidget(self._body, 1)
        self.set_width_class(WidthClass.WIDE)

    def _connect(self) -> None:
        self.header.import_clicked.connect(self._choose_files)
        self.header.record.record_clicked.connect(self.record_requested)
        self.header.record.stop_clicked.connect(self.stop_requested)
        self.placeholder.clicked.connect(self._placeholder_clicked)
        self.files.opened.connect(self.import_files)
        self.notices.acted.connect(self._notice_acted)
        self.notices.closed.connect(self._notice_closed)
        self.list.chosen.connect(self._chosen)
        self.list.opened.connect(self.replay_requested)
        self.list.rename_wanted.connect(self._ask_name)
        self.list.delete_wanted.connect(self._library.delete)
        self.rename.renamed.connect(self._rename)
        self.rename.closed.connect(self.list.setFocus)
        details = self.details
        details.replay_clicked.connect(self._replay_chosen)
        details.rename_clicked.connect(self._rename_chosen)
        details.delete_clicked.connect(self._delete_chosen)
        details.cancel_clicked.connect(self._cancel_reading)
        details.swap_clicked.connect(self.list.swap)
        details.cause_clicked.connect(self.cause_requested)
        details.phases_chosen.connect(self._keep_phases)
        details.commented.connect(self._library.comment)
        details.nothing.clicked.connect(self._compare_newest)
        self._undo.timeout.connect(self._forget_deleted)
        library = self._library
        library.changed.connect(self._show_list)
        library.busy_changed.connect(self._show_busy)
        library.failed.connect(self._failed)
        library.imported.connect(self._imported)
        library.deleted.connect(self._deleted)
        library.restored.connect(self._restored)
        self._examiner.progressed.connect(self._progressed)
        self._examiner.examined.connect(self._examined)
        self._examiner.failed.connect(self._unreadable)

    # --- what it shows -----------------------------------------------------------------------

    def set_width_class(self, width_class: WidthClass) -> None:
        px, is_narrow = self._theme.sizes.px, width_class is WidthClass.NARROW
        stack_when_narrow(self._columns, width_class)
        stack_when_narrow(self.details.panel.head, width_class)
        width = px(256 if width_class is WidthClass.COMPACT else 300)
        self.column.set_width(None if is_narrow else width)
        self.details.setMinimumHeight(px(_DETAILS_BELOW_PX) if is_narrow else 0)

    def show_covered(self, *, is_covered: bool) -> None:
        """Suggest nothing while a banner above the page does."""
        self.header.record.set_calm(is_calm=is_covered)
        self.placeholder.set_calm(is_calm=is_covered)

    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs, or why the last one ended."""
        self.header.record.show_recording(state)
        before = self._recording
        self._recording = self._library.folder / state.file_name if state.is_recording else None
        if state.failure is not None:
            self.notices.show_notice(library_words.recording_failed_notice(state.failure))
        if self._recording != before:
            self._show_list()
            self._library.refresh()
        self._want_outcomes()

    def _want_outcomes(self) -> None:
        """What somebody has chosen is read first."""
        is_busy = self._examiner.is_running or self._recording is not None
        is_wanted = self.isVisible() and not is_busy
        self._outcomes.set_wanted(is_wanted=is_wanted)

    @Slot()
    def _show_list(self) -> None:
        sessions = self._library.sessions
        self.column.show_sessions(sessions, self._recording)
        is_empty = self._library.is_read and not sessions
        self._body.setCurrentIndex(0 if is_empty else 1)
        self.header.record.setVisible(not is_empty or self._recording is not None)
        self.header.import_button.setVisible(not is_empty)
        self.details.nothing.buttons[COMPARE].setVisible(bool(self._newest_pair()))
        self._choose_awaited()

    @Slot()
    def _show_busy(self) -> None:
        self.header.show_importing(self._library.importing)

    def _newest_pair(self) -> tuple[Path, ...]:
        """The two newest recordings of the game that was played last; none without two."""
        ready = [
            each
            for each in self._library.sessions
            if each.problem is None and each.path != self._recording
        ]
        newest = max(ready, key=lambda each: each.start_wall_time or 0.0, default=None)
        if newest is None:
            return ()
        same = [each for each in ready if each.game == newest.game]
        same.sort(key=lambda each: each.start_wall_time or 0.0)
        return tuple(each.path for each in same[-2:]) if len(same) > 1 else ()

    @Slot()
    def _compare_newest(self) -> None:
        self.list.choose(self._newest_pair())

    def _choose_awaited(self) -> None:
        """What just came, or what another page asked for, is shown once it is in the list."""
        awaited = self._awaited
        if awaited and all(self._library.session(path) is not None for path in awaited):
            self._awaited = ()
            self.list.choose(awaited)

    def show_sessions(self, paths: Sequence[Path]) -> None:
        """Show one recording, or compare two, as soon as they are in the list."""
        self._awaited = tuple(paths)
        self._choose_awaited()

    @Slot(object)
    def _chosen(self, paths: tuple[Path, ...]) -> None:
        self.rename.close_row()
        self.notices.remove(library_words.UNREADABLE)
        sessions = [self._library.session(path) for path in paths]
        known = [each for each in sessions if each is not None]
        if not known:
            self._examiner.cancel()
            self.details.show_nothing()
        elif len(known) == 1 and known[0].problem is not None:
            self._examiner.cancel()
            self.details.show_problem(known[0].path.name, said_line(known[0].problem))
        else:
            self._examine(known)

    def _leading(self) -> tuple[Path, ...]:
        """The one that is shown, or the newest of A and of B."""
        return tuple(side[-1] for side in self.list.sides if side)

    def _examine(self, known: Sequence[StoredSession]) -> None:
        self.details.show_reading(0.0, self.tr("Reading…"))
        leading = self._leading()
        pair = [each for path in leading for each in known if each.path == path]
        a, b = self.list.sides
        is_pair_alone = len(known) == 2 and len(pair) == 2
        self._examiner.examine(
            [each.path for each in pair],
            [each.duration_s or 0.0 for each in pair],
            self._library.further_runs(*pair) if is_pair_alone else [],
            (a[:-1], b[:-1]),
        )
        self._want_outcomes()

    @Slot(float)
    def _progressed(self, share: float) -> None:
        if self._examiner.is_running and self.list.chosen_paths:
            self.details.show_reading(share, self.tr("Reading…"))

    @Slot(object)
    def _examined(self, examined: Examined) -> None:
        self._want_outcomes()
        paths = self._leading()
        if [each.path for each in examined.summaries] != [str(path) for path in paths]:
            return
        if examined.comparison is not None:
            is_of_groups = examined.is_of_groups
            self.details.show_comparison(examined.comparison, is_of_groups=is_of_groups)
        else:
            session = self._library.session(paths[0])
            row = None if session is None else self._texts.row(session)
            title, detail = ("", "") if row is None else (row.title, row.detail)
            self.details.show_single(examined.summaries[0], title, detail)
        self.reports.take(examined)

    @Slot(object, object)
    def _unreadable(self, path: Path, reason: Statement) -> None:
        self._want_outcomes()
        self.list.choose(())
        self.details.show_nothing()
        self.notices.show_notice(library_words.unreadable_notice(path.stem, reason))
        self._library.refresh()

    @Slot()
    def _cancel_reading(self) -> None:
        self._examiner.cancel()
        self._want_outcomes()
        self.list.choose(())
        self.details.show_nothing()

    # --- what the library did ----------------------------------------------------------------

    @Slot(object)
    def _failed(self, failure: LibraryFailure) -> None:
        self.notices.show_notice(library_words.failure_notice(failure))

    @Slot(object)
    def _imported(self, path: Path) -> None:
        self._awaited = (path,)

    @Slot(object)
    def _deleted(self, path: Path) -> None:
        self.notices.show_notice(library_words.deleted_notice(path.stem))
        self._undo.start()

    @Slot(object)
    def _restored(self, path: Path) -> None:
        self._undo.stop()
        self.notices.remove(library_words.DELETED)
        self._awaited = (path,)

    @Slot()
    def _forget_deleted(self) -> None:
        self._undo.stop()
        self.notices.remove(library_words.DELETED)
        self._library.forget_deleted()

    # --- what the user does ------------------------------------------------------------------

    def import_files(self, paths: list[Path]) -> None:
        for path in paths:
            self._library.import_from(path)

    @Slot()
    def _choose_files(self) -> None:
        self.files.ask_for_files()

    @Slot(str)
    def _placeholder_clicked(self, action: str) -> None:
        if action == _RECORD:
            self.record_requested.emit()
        else:
            self._choose_files()

    @Slot(str)
    def _notice_acted(self, notice: str) -> None:
        if notice == library_words.DELETED:
            self._library.restore()
        elif notice == library_words.SAVED:
            self.reports.open_folder()

    @Slot(str)
    def _notice_closed(self, notice: str) -> None:
        if notice == library_words.DELETED:
            self._forget_deleted()

    @Slot()
    def _replay_chosen(self) -> None:
        for path in self.list.chosen_paths[:1]:
            self.replay_requested.emit(path)

    @Slot()
    def _rename_chosen(self) -> None:
        for path in self.list.chosen_paths[:1]:
            self._ask_name(path)

    @Slot()
    def _delete_chosen(self) -> None:
        for path in self.list.chosen_paths[:1]:
            self._library.delete(path)

    @Slot(object)
    def _ask_name(self, path: Path) -> None:
        session = self._library.session(path)
        if session is not None and path != self._recording:
            self.rename.open_for(path, session.name)

    @Slot(object, str)
    def _rename(self, path: Path, name: str) -> None:
        target = self._library.rename(path, name)
        self._awaited = () if target is None else (target,)

    @Slot(object, object)
    def _keep_phases(self, session: SessionSummary, ends: PhaseEnds | None) -> None:
        try:
            keep_ends(session, ends)
        except RecordingError as error:
            name = Path(session.path).stem
            self.notices.show_notice(library_words.not_saved_notice(name, error.statement))
        else:
            self._chosen(self.list.chosen_paths)

    # --- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """The folder may have changed while nobody looked."""
        super().showEvent(event)
        self._library.refresh()
        self._want_outcomes()

    def hideEvent(self, event: QHideEvent) -> None:
        """Recordings that nobody sees need not be read."""
        super().hideEvent(event)
        self._want_outcomes()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = [url for url in event.mimeData().urls() if url.isLocalFile()]
        self.import_files([Path(url.toLocalFile()) for url in urls])
        event.acceptProposedAction()
