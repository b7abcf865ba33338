# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings in full: what they explain, how sure they are, what was measured, and who did it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.diagnosis.finding import Evidence, Finding
from destutter.ui.meter import ConfidenceMeter
from destutter.ui.quantities import NBSP, Quantities, WallClock
from destutter.ui.theme import Theme
from destutter.ui.words import Words


class FindingView(QWidget):
    """The content of the panel behind "Show the cause".

    ``moment_chosen(int)``: the user wants to see this moment (CLOCK_MONOTONIC, nanoseconds).
    """

    moment_chosen = Signal(object)  # int would be cut to 32 bits

    def __init__(
        self,
        theme: Theme,
        words: Words,
        quantities: Quantities,
        clock: WallClock,
        findings: Sequence[Finding],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._quantities = quantities
        self._clock = clock
        self.findings = tuple(findings)
        layout = QVBoxLayout(self)
        margin = theme.sizes.px(14)
        layout.setContentsMargins(margin, 6, margin, margin)
        layout.setSpacing(theme.sizes.px(6))
        for index, finding in enumerate(findings):
            if index:
                layout.addSpacing(theme.sizes.px(6))
                layout.addWidget(self._line())
            self._add_finding(layout, finding, is_first=index == 0)
        layout.addStretch(1)

    def _add_finding(self, layout: QVBoxLayout, finding: Finding, *, is_first: bool) -> None:
        if not is_first:
            layout.addWidget(self._label(self._words.cause(finding.cause), "cardTitle"))
        layout.addWidget(self._label(self._summary(finding), "muted"))
        confidence = self.tr("Confidence: {word}").format(
            word=self._words.confidence(finding.confidence)
        )
        row = QHBoxLayout()
        row.addWidget(ConfidenceMeter(self._theme, finding.confidence, confidence, self))
        row.addWidget(self._label(confidence, "smallStrong"), 1)
        layout.addLayout(row)
        for reason in finding.reasons:
            layout.addWidget(self._label(self._words.text(reason) + ".", "small"))
        self._add_evidence(layout, finding.evidence)
        self._add_culprits(layout, finding)

    def _summary(self, finding: Finding) -> str:
        if not finding.stutters_explained:
            return self.tr("It happened, but no stutter fell together with it.")
        text = self.tr("Explains {explained} of {total} stutters.").format(
            explained=self._quantities.number(finding.stutters_explained),
            total=self._quantities.number(finding.stutters_total),
        )
        if finding.worst_ms is None:
            return text
        worst = self.tr("The longest took {time}.").format(
            time=self._quantities.milliseconds(finding.worst_ms)
        )
        return f"{text} {worst}"

    def _add_evidence(self, layout: QVBoxLayout, evidence: Sequence[Evidence]) -> None:
        if not evidence:
            return
        layout.addSpacing(self._theme.sizes.px(6))
        layout.addWidget(self._label(self.tr("What was measured"), "strong"))
        for one in evidence:
            layout.addWidget(self._evidence(one))

    def _evidence(self, evidence: Evidence) -> QWidget:
        box = QFrame(self)
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        value = self._label(self._words.value(evidence), "strong")
        value.setWordWrap(False)
        limit = self.tr("limit {value}").format(value=self._words.threshold(evidence))
        moment = QPushButton(self._clock.time(evidence.monotonic_ns, tenths=True), box)
        moment.setProperty("role", "link")
        moment.setProperty("monotonic_ns", evidence.monotonic_ns)
        moment.setToolTip(self.tr("Show this moment in the graphs"))
        moment.setAccessibleName(self.tr("Show {time} in the graphs").format(time=moment.text()))
        moment.clicked.connect(self._moment_clicked)
        grid.addWidget(self._label(self._words.metric(evidence), "small"), 0, 0)
        grid.addWidget(value, 0, 1, Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._label(limit, "caption"), 1, 0)
        grid.addWidget(moment, 1, 1, Qt.AlignmentFlag.AlignTrailing)
        return box

    def _add_culprits(self, layout: QVBoxLayout, finding: Finding) -> None:
        if not finding.culprits:
            return
        layout.addSpacing(self._theme.sizes.px(6))
        layout.addWidget(self._label(self.tr("Who did it"), "strong"))
        for culprit in finding.culprits:
            layout.addWidget(self._label("•" + NBSP + self._words.culprit(culprit), "small"))

    def _label(self, text: str, role: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", role)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        return line

    @Slot()
    def _moment_clicked(self) -> None:
        self.moment_chosen.emit(int(self.sender().property("monotonic_ns")))
