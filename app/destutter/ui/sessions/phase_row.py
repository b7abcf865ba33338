# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the phases of a recording end, corrected in the page."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSpinBox, QWidget

from destutter.analysis.examining.own_phases import PhaseEnds
from destutter.analysis.examining.summary import SessionSummary, minutes_in, seconds_in
from destutter.diagnosis.runs.phases import Phase
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import spoken
from destutter.words.measures import NBSP

_MINUTE_S = 60


class PhaseRow(QFrame):
    """``chosen(PhaseEnds | None)``: these, or None for the measured ones. Whole minutes, because
    comparisons count minutes."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.warm_up = self._field(self.tr("The warm-up ends after"))
        self.ramp_up = self._field(self.tr("The ramp-up ends after"))
        self.measured = QPushButton(self.tr("As measured"), self)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.save = QPushButton(self.tr("Use these phases"), self)
        layout = QHBoxLayout(self)
        pad = theme.sizes.px(12)
        layout.setContentsMargins(pad, 8, pad, 8)
        layout.setSpacing(theme.sizes.px(10))
        for field in (self.warm_up, self.ramp_up):
            label = QLabel(field.accessibleName(), self)
            label.setBuddy(field)
            layout.addWidget(label)
            layout.addWidget(field)
        layout.addStretch(1)
        for button in (self.measured, self.cancel, self.save):
            layout.addWidget(button)
        self.warm_up.valueChanged.connect(self.ramp_up.setMinimum)
        self.measured.clicked.connect(self._choose_measured)
        self.save.clicked.connect(self._choose)
        self.cancel.clicked.connect(self.hide)
        self.hide()

    def _field(self, name: str) -> QSpinBox:
        field = QSpinBox(self)
        field.setAccessibleName(name)
        field.setSuffix(NBSP + spoken().measures.unit("min"))
        return field

    def open_for(self, session: SessionSummary) -> None:
        """Begin with the phases that the session has."""
        last = max(1, minutes_in(seconds_in(session.duration_s)))
        for field in (self.warm_up, self.ramp_up):
            field.setRange(0, last)
        ends = {span.phase: round(span.end_s / _MINUTE_S) for span in session.told_phases}
        warm = ends.get(Phase.WARM_UP, 0)
        self.warm_up.setValue(warm)
        self.ramp_up.setValue(max(ends.get(Phase.RAMP_UP, warm), warm))
        self.show()
        self.warm_up.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _choose(self) -> None:
        self.hide()
        ends = self.warm_up.value() * _MINUTE_S, self.ramp_up.value() * _MINUTE_S
        self.chosen.emit(PhaseEnds(*ends))

    @Slot()
    def _choose_measured(self) -> None:
        self.hide()
        self.chosen.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the phases as they are."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
