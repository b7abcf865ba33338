# SPDX-License-Identifier: GPL-3.0-or-later
"""The computer: drives, memory, processor, kernel, other tools, and what is not measured."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QIcon, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.kernel_trace import KernelTrace
from destutter.bridge.power_states import PowerStatesModel
from destutter.bridge.system_model import INTERVAL_MS, HardwareReport, SystemModel
from destutter.tuning.drive_health import HealthReport
from destutter.tuning.system_reading import SystemReading
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.segments import Segments
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP, PAGE_MARGIN
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.ui.pages.page import Page
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.system.drives import DRIVES, drive_section
from destutter.ui.system.hardware import hardware_section
from destutter.ui.system.inside_view import InsideView
from destutter.ui.system.measured import NewestValues
from destutter.ui.system.memory import swap_section, zone_section
from destutter.ui.system.processor import core_section, line_section, thread_section
from destutter.ui.system.section import Section, as_text
from destutter.ui.system.section_card import SectionCard
from destutter.ui.system.software import kernel_section, missing_section, program_section
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken

_LAYOUTS = 4  # a text, its cell, the card, the page
_SHOWN_EVERY_NS = 1_900_000_000  # 2 s would skip the reading that comes a moment early


_FEWEST_FOLDED = 2  # a single one is as short by itself

COMPUTER, INSIDE = "computer", "inside"


class SystemPage(Page):
    """Reads only while it is seen, and shows new values at most every two seconds.

    Two views: the computer, and for an expert what the kernel tells of the game's threads.
    """

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        model: SystemModel,
        power_states: PowerStatesModel | None = None,
        trace: KernelTrace | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._quantities = quantities
        self._model = model
        self._measured = NewestValues()
        self._is_replay = False
        self._is_narrow = False
        self._shown_ns = 0
        self.cards: dict[str, SectionCard] = {}
        self._subtitle = ElidedLabel("", "muted", self, most_lines=2)
        self.copy = QPushButton(self.tr("Copy as text"), self)
        self.copy.clicked.connect(self._copy)
        views = ((COMPUTER, self.tr("This computer")), (INSIDE, self.tr("Inside the kernel")))
        self.views = Segments(self.tr("View"), views, self)
        self.views.chosen.connect(self.choose_view)
        self._computer = QWidget(self)
        self.inside = InsideView(theme, quantities, trace, self)
        self._box = QVBoxLayout(self._computer)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)
        self._build()
        self._power_states = power_states
        if power_states is not None:
            power_states.changed.connect(self._refresh)
        model.changed.connect(self._refresh)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.choose_view(COMPUTER)

    def _build(self) -> None:
        title = QLabel(self.tr("System"), self)
        title.setProperty("role", "pageTitle")
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(title)
        texts.addWidget(self._subtitle)
        head = QHBoxLayout()
        head.addLayout(texts, 1)
        head.addWidget(self.copy)
        layout = QVBoxLayout(self)
        side, top = PAGE_MARGIN
        layout.setContentsMargins(side, top, side, top)
        layout.setSpacing(GAP)
        layout.addLayout(head)
        layout.addWidget(self.views, 0, Qt.AlignmentFlag.AlignLeading)
        layout.addWidget(self._computer)
        layout.addWidget(self.inside)
        layout.addStretch(1)

    # --- news --------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self._measured.accept_snapshot(snapshot)
        self.inside.accept_snapshot(snapshot)
        self._model.look_up(self._measured.realtime_threads)
        now_ns = snapshot.assessment.monotonic_ns
        if self.isVisible() and abs(now_ns - self._shown_ns) >= _SHOWN_EVERY_NS:
            self._shown_ns = now_ns
            self._refresh()

    def show_feed_state(self, state: FeedState) -> None:
        """A recording that is played comes from another moment, or another computer."""
        self._is_replay = state.kind is FeedKind.REPLAY
        self.inside.show_replay(is_replay=self._is_replay)
        self._show_subtitle()

    def set_width_class(self, width_class: WidthClass) -> None:
        self._is_narrow = width_class is WidthClass.NARROW
        for card in (*self.cards.values(), *self.inside.cards.values()):
            card.set_narrow(is_narrow=self._is_narrow)

    def begin_anew(self) -> None:
        """Measurements of another time follow."""
        self.inside.begin_anew()

    @Slot(str)
    def choose_view(self, view: str) -> None:
        """Show "computer" or "inside"."""
        self.views.choose(view)
        self._computer.setVisible(view == COMPUTER)
        self.inside.setVisible(view == INSIDE)
        self.copy.setText(self.tr("Copy as text"))
        self._show_subtitle()
        self._refresh()

    def _show_subtitle(self) -> None:
        text = self.tr(
            "What this computer is made of and how it is set, read every {seconds} seconds"
        ).format(seconds=INTERVAL_MS // 1000)
        if self._is_replay:
            text = self.tr(
                "Rates and threads are those of the recording; all else is this computer"
            )
        if self.views.choice == INSIDE:
            text = self.tr("What stops the threads of the game, by the kernel's own word")
        self._subtitle.set_full_text(text)

    @property
    def sections(self) -> list[Section]:
        """All cards of the view as data, in their order."""
        if self.views.choice == INSIDE:
            return self.inside.sections
        state, measured, quantities = self._model.state, self._measured, self._quantities
        reading = None if state is None else state.reading
        health = HealthReport() if state is None else state.health
        hardware = HardwareReport() if state is None else state.hardware
        of_files: list[Callable[[SystemReading], Section]] = [
            lambda found: hardware_section(hardware, found.drives, measured, quantities),
            lambda found: drive_section(found, health, self._power_states, quantities),
            lambda found: zone_section(found, quantities),
            lambda found: swap_section(found, quantities),
        ]
        sections = [] if reading is None else [make(reading) for make in of_files]
        sections += [core_section(measured, quantities), line_section(measured, quantities)]
        sections.append(thread_section(measured, reading, quantities))
        if reading is not None:
            sections.append(program_section(reading))
            sections.append(kernel_section(reading, measured, quantities))
        return [*_folded(sections), missing_section(reading, measured)]

    @property
    def text(self) -> str:
        """Everything as plain text."""
        return as_text(self.sections, ("Destutter",))

    @Slot()
    def _refresh(self) -> None:
        if not self.isVisible():
            return
        if self.views.choice == INSIDE:
            self.inside.refresh()
            return
        sections, known = self.sections, len(self.cards)
        for place, section in enumerate(sections):
            card = self.cards.get(section.id)
            if card is None:
                card = self.cards[section.id] = SectionCard(self._theme, self)
                card.set_narrow(is_narrow=self._is_narrow)
            if self._box.indexOf(card) != place:
                self._box.insertWidget(place, card)
            card.show_section(section)
        shown = {section.id for section in sections}
        for id_, card in self.cards.items():
            card.setVisible(id_ in shown)
        if len(self.cards) > known:
            _lay_out()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self.copy.setText(self.tr("Copied"))

    @Slot()
    def _apply_theme(self) -> None:
        icon = self._theme.icons.icon("copy", self._theme.tokens.text, self._theme.sizes.px(16))
        self.copy.setIcon(QIcon(icon))

    # --- events ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks: read."""
        super().showEvent(event)
        self.copy.setText(self.tr("Copy as text"))
        self._model.start()
        if self._power_states is not None:
            self._power_states.ask()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: rest."""
        super().hideEvent(event)
        self._model.rest()


def _lay_out() -> None:
    """Give new cards their room before they are painted: layouts are asked one after the other, a
    turn of the event loop each, and on a busy computer they stood squeezed for a second.
    """
    for _ in range(_LAYOUTS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def _folded(sections: list[Section]) -> list[Section]:
    """Cards that have nothing to show but a line become lines of one card."""
    empty = [each for each in sections if not each.rows and each.id != DRIVES]
    if len(empty) < _FEWEST_FOLDED:
        return sections
    titles: dict[str, list[str]] = {}
    for each in empty:
        titles.setdefault(each.note, []).append(each.title)
    line = QCoreApplication.translate("System", "{what}: {why}")
    lines = [
        line.format(what=spoken().enumerated(names), why=note) for note, names in titles.items()
    ]
    title = QCoreApplication.translate("System", "Nothing to show")
    kept = [each for each in sections if each not in empty]
    return [*kept, Section("folded", title, (), (), "\n".join(lines))]
