# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is known of one setting, beside the list of all."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QVBoxLayout, QWidget

from destutter.analysis.changes.helper_statements import statement_of
from destutter.bridge.tuning_model import TuningModel
from destutter.ui.changes import tunable_words
from destutter.ui.changes.tunable_tree import TunableRow
from destutter.ui.changes.watermark_view import (
    DISTANCE,
    MARK_IDS,
    RESERVE,
    MarkValues,
    WatermarkView,
)
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords, technical_name
from destutter.ui.words.explanation_pages import Explanation, ExplanationError, ExplanationPages
from destutter.ui.words.words import said, said_sentence


class TunableDetail(QFrame):
    """``wished(str, str)``: a setting and a value that the user chose here."""

    wished = Signal(str, str)

    def __init__(
        self,
        theme: Theme,
        words: ChangeWords,
        explanations: ExplanationPages,
        model: TuningModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._words = words
        self._explanations = explanations
        self._model = model
        self.title = lead(QLabel(self))
        self.title.setProperty("role", "cardTitle")
        self.title.setWordWrap(True)
        self.key = lead(ElidedLabel("", "caption", self))
        self.key.setFont(mono_font(theme.sizes.caption))
        self._facts = QFormLayout()
        self._facts.setHorizontalSpacing(theme.sizes.px(12))
        self._facts.setVerticalSpacing(theme.sizes.px(4))
        self._facts.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.text = self._paragraph("muted")
        self.complaint = self._paragraph("bad")
        self.marks = WatermarkView(theme, words.settings, words.quantities, self)
        self.marks.moved.connect(self.wished)
        self._sections = {
            "risk": (self.tr("Risk"), self._paragraph("strong"), self._paragraph("muted")),
            "not_when": (self.tr("When not"), self._paragraph("strong"), self._paragraph("muted")),
        }
        self._build()

    def _paragraph(self, role: str) -> QLabel:
        label = lead(plain_label("", role, self, wraps=True))
        label.setMinimumWidth(1)  # a long word must not widen the card
        return label

    def _build(self) -> None:
        sizes = self._theme.sizes
        self.title.setMinimumWidth(1)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(self.title)
        names.addWidget(self.key)
        box = QVBoxLayout(self)
        pad = sizes.px(16)
        box.setContentsMargins(pad, sizes.px(12), pad, sizes.px(14))
        box.setSpacing(sizes.px(9))
        box.addLayout(names)
        for widget in (self.complaint, self.text, self.marks):
            box.addWidget(widget)
        box.addLayout(self._facts)
        for heading, name, text in self._sections.values():
            name.setText(heading)
            section = QVBoxLayout()
            section.setSpacing(1)
            section.addWidget(name)
            section.addWidget(text)
            box.addLayout(section)
        box.addStretch(1)

    def show_setting(self, row: TunableRow, wishes: dict[str, str], complaint: str) -> None:
        """Show a setting; ``wishes`` are new values by key that were typed so far."""
        id_, _, device = row.key.partition("@")
        self.title.setText(row.name)
        self.key.set_full_text(technical_name(id_, device))
        self.complaint.setVisible(bool(complaint))
        self.complaint.setText(complaint)
        while self._facts.rowCount():
            self._facts.removeRow(0)
        for label, text in self._lines(row, id_, device):
            if text:
                self._add(label, text)
        self._explain(id_)
        self._show_marks(id_, wishes)

    def _lines(self, row: TunableRow, id_: str, device: str) -> list[tuple[str, str]]:
        words, model = self._words.settings, self._model
        tunable = row.tunable
        memory_kib = model.reading.profile.memory_kib
        raw = "" if row.value is None or row.value == row.shown_value else f" ({row.value})"
        lines = [(self.tr("Now"), row.shown_value + raw)] if row.value is not None else []
        lines.append((self.tr("Not available"), row.why))
        ours = next((each for each in model.journal_changes if each.key == row.key), None)
        if ours is not None:
            lines.append((self.tr("Before Destutter"), self._words.value(id_, ours.origin)))
        lines += [
            (self.tr("Accepted here"), tunable_words.accepted(tunable, memory_kib, words)),
            (self.tr("The kernel takes"), tunable_words.kernel_range(tunable)),
            (self.tr("Set by"), row.set_by if row.value is not None else ""),
        ]
        owner = model.owners.get(row.key)
        by = None if owner is None else owner.next_boot_by
        if owner is not None and by is not None and owner.next_boot not in (None, row.value):
            text = self.tr("{value}, by {file}").format(
                value=words.value(id_, owner.next_boot), file=said(by)
            )
            lines.append((self.tr("Next start"), text))
        advice = model.recommendations.get(row.key)
        if advice is not None:
            lines.append((self.tr("Advised"), words.value(id_, advice.recommended)))
            lines.append((self.tr("Why"), said(advice.reason)))
            lines.append((self.tr("Cost"), said(advice.cost)))
        if tunable.residue is not None:
            residue = said_sentence(statement_of(tunable.residue))
            lines.append((self.tr("After an undo"), residue))
        return lines

    def _add(self, label: str, text: str) -> None:
        name = QLabel(label, self)
        name.setProperty("role", "small")
        name.setWordWrap(True)
        value = lead(QLabel(text, self))
        value.setTextFormat(Qt.TextFormat.PlainText)
        value.setWordWrap(True)
        value.setMinimumWidth(1)
        self._facts.addRow(name, value)

    def _explain(self, id_: str) -> None:
        try:
            page = self._explanations.tunable(id_)
        except ExplanationError:
            page = None
        self._show_paragraph(self.text, page, "does")
        for section, (_, name, text) in self._sections.items():
            self._show_paragraph(text, page, section)
            name.setVisible(not text.isHidden())

    @staticmethod
    def _show_paragraph(label: QLabel, page: Explanation | None, section: str) -> None:
        text = "" if page is None else " ".join(page.section(section).split())
        label.setText(text)
        label.setVisible(bool(text))

    def _show_marks(self, id_: str, wishes: dict[str, str]) -> None:
        now = {key: self._number(key, None) for key in MARK_IDS}
        new = {key: self._number(key, wishes.get(key)) for key in MARK_IDS}
        profile = self._model.reading.profile
        can_draw = id_ in MARK_IDS and bool(profile.managed) and None not in now.values()
        self.marks.setVisible(can_draw)
        if can_draw:
            self.marks.show_values(
                profile,
                MarkValues(now[RESERVE] or 0, now[DISTANCE] or 1),
                MarkValues(new[RESERVE] or 0, new[DISTANCE] or 1),
                self._model.peak_mib_per_s,
            )

    def _number(self, key: str, wish: str | None) -> int | None:
        if wish and wish.isascii() and wish.isdecimal() and len(wish) < 10:
            return int(wish)
        value = self._model.values.get(key)
        text = None if value is None else value.value
        return int(text) if text is not None and text.isdecimal() else None
