# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of what is shown: into the clipboard, or into a file that the user names."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from destutter.analysis.report.comparison_document import comparison_document
from destutter.analysis.report.document import ReportDocument
from destutter.analysis.report.html import to_html
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.markdown import to_markdown
from destutter.analysis.report.redaction import Redactor, redacted
from destutter.analysis.report.session_document import session_document
from destutter.bridge.session_examiner import Examined
from destutter.core.system_error import system_reason
from destutter.core.whole_file import USUAL, write_whole_file
from destutter.ui.controls.notices import Notices
from destutter.ui.sessions import library_words
from destutter.ui.sessions.details import DetailView
from destutter.ui.sessions.file_choice import FileChoice
from destutter.ui.sessions.pictures import save_graph

_TOLD_MS = 10_000  # long enough to read a folder and to click
_ENDINGS = {"html": "html", "png": "png", "svg": "svg"}


class ReportSaving(QObject):
    """Answers the report menu of the page in ``words``. ``secrets`` get into no document."""

    def __init__(
        self,
        words: ReportWords,
        details: DetailView,
        notices: Notices,
        files: FileChoice,
        secrets: Mapping[str, str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._secrets = dict(secrets)
        self._details = details
        self._notices = notices
        self._files = files
        self._examined: Examined | None = None
        self._folder = Path()
        self._told = QTimer(self, interval=_TOLD_MS, singleShot=True)
        self._told.timeout.connect(self.forget_told)
        details.report_chosen.connect(self._chosen)
        files.named.connect(self.save)

    def open_folder(self) -> None:
        """Show the folder of what was saved last in the desktop's own program for that."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))
        self.forget_told()

    @Slot()
    def forget_told(self) -> None:
        """What was said of the last report is over."""
        self._told.stop()
        self._notices.remove(library_words.SAVED)
        self._notices.remove(library_words.COPIED)

    def take(self, examined: Examined) -> None:
        """Report on this from now on."""
        self.forget_told()
        self._examined = examined

    @Slot(str)
    def _chosen(self, kind: str) -> None:
        if self._examined is None:
            return
        self.forget_told()
        if kind == "markdown":
            QGuiApplication.clipboard().setText(to_markdown(self._document(self._examined)))
            self._notices.show_notice(library_words.copied_notice())
            self._told.start()
        else:
            self._files.ask_for_name(kind, _ENDINGS[kind], self._name(self._examined))

    @Slot(str, object)
    def save(self, kind: str, path: Path) -> None:
        if self._examined is None:
            return
        try:
            if kind == "html":
                text = to_html(self._document(self._examined), self._words)
                write_whole_file(path, text.encode(), USUAL)
            else:
                with self._details.panel.as_picture():
                    save_graph(self._details.panel, path)
        except OSError as error:
            reason = system_reason(error)
            self._notices.show_notice(library_words.not_saved_notice(path.name, reason))
        else:
            self._folder = path.parent
            self._notices.show_notice(library_words.saved_notice(path))
            self._told.start()

    def _name(self, examined: Examined) -> str:
        names = [Path(each.path).stem for each in examined.summaries]
        return "destutter " + " - ".join(name.replace("/", "_") for name in names)

    def _document(self, examined: Examined) -> ReportDocument:
        document = (
            session_document(examined.summaries[0], self._words)
            if examined.comparison is None
            else comparison_document(examined.comparison, self._words)
        )
        return redacted(document, Redactor(self._secrets))
