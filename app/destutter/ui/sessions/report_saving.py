# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of what is shown: into the clipboard, or into a file that the user names."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from destutter.bridge.report.document import ReportDocument
from destutter.bridge.report.html import to_html
from destutter.bridge.report.markdown import to_markdown
from destutter.bridge.report.redaction import Redactor, redacted
from destutter.bridge.session_examiner import Examined
from destutter.ui.notices import Notices
from destutter.ui.sessions import library_words
from destutter.ui.sessions.details import DetailView
from destutter.ui.sessions.file_choice import FileChoice
from destutter.ui.sessions.pictures import save_graph, whole_file
from destutter.ui.sessions.report_document import ReportDocuments

_ENDINGS = {"html": "html", "png": "png", "svg": "svg"}


class ReportSaving(QObject):
    """Answers the report menu of the page. ``secrets`` do not get into a document.

    ``documents`` writes what is in it.
    """

    def __init__(
        self,
        documents: ReportDocuments,
        details: DetailView,
        notices: Notices,
        files: FileChoice,
        secrets: Mapping[str, str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._secrets = dict(secrets)
        self._details = details
        self._notices = notices
        self._files = files
        self._examined: Examined | None = None
        details.report_chosen.connect(self._chosen)
        files.named.connect(self.save)

    def take(self, examined: Examined) -> None:
        """Report on this from now on."""
        self._examined = examined

    @Slot(str)
    def _chosen(self, kind: str) -> None:
        if self._examined is None:
            return
        if kind == "markdown":
            QGuiApplication.clipboard().setText(to_markdown(self._document(self._examined)))
            self._notices.show_notice(library_words.copied_notice())
        else:
            self._files.ask_for_name(kind, _ENDINGS[kind], self._name(self._examined))

    @Slot(str, object)
    def save(self, kind: str, path: Path) -> None:
        """Write a report of this kind."""
        if self._examined is None:
            return
        try:
            if kind == "html":
                text = to_html(self._document(self._examined), self._documents.language)
                whole_file(path, text.encode())
            else:
                with self._details.panel.as_picture():
                    save_graph(self._details.panel, path)
        except OSError as error:
            reason = error.strerror or str(error)
            self._notices.show_notice(library_words.not_saved_notice(path.name, reason))
        else:
            self._notices.show_notice(library_words.saved_notice(path.name))

    def _name(self, examined: Examined) -> str:
        names = [Path(each.path).stem for each in examined.summaries]
        return "destutter " + " - ".join(name.replace("/", "_") for name in names)

    def _document(self, examined: Examined) -> ReportDocument:
        document = (
            self._documents.single(examined.summaries[0])
            if examined.comparison is None
            else self._documents.pair(examined.comparison)
        )
        return redacted(document, Redactor(self._secrets))
