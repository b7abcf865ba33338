# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings: what they do stands below each of them, and when it takes effect."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.bridge.global_keys import GlobalKeys
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.notifications import SPACING_S
from destutter.core.probes import WAKES_PER_S
from destutter.core.statement import Statement
from destutter.diagnosis.history.idle_waits import LONGEST_TICK_S
from destutter.menu_entry import MenuEntry, MenuEntryError
from destutter.settings import Settings
from destutter.tuning.presets import Preset
from destutter.ui.controls.elided import ElidedLabel, WrappedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.controls.menu_button import MenuButton
from destutter.ui.controls.segments import Segments
from destutter.ui.controls.shortcuts import QUIT, key_text
from destutter.ui.controls.tick_box import TickBox
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import PAGE_MARGIN
from destutter.ui.pages.page import Page
from destutter.ui.pages.said_alike import about_helper
from destutter.ui.settings.keys_row import KeysRow
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said, said_sentence

_INTERVALS = (50, 100, 200, 500)


class _NameOf(QLabel):
    """The name of a box that can be ticked: a click on it is one on the box."""

    def __init__(self, text: str, box: QAbstractButton, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._box = box

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick the box, or not."""
        super().mouseReleaseEvent(event)
        self._box.click()


class SettingsPage(Page):
    """``theme_chosen(str)``: "auto", "light" or "dark"; ``helper_requested()`` for what the helper
    is, how to get it and how to be rid of it.

    ``settings`` None: only what needs no file, as in a window that keeps nothing. ``presets``:
    what may be played, as far as advice depends on it. ``menu``: the entry of an AppImage;
    ``keys``: those of the whole desktop.
    """

    theme_chosen = Signal(str)
    helper_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        settings: KeptSettings | None = None,
        presets: Sequence[Preset] = (),
        menu: MenuEntry | None = None,
        keys: GlobalKeys | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._settings = settings
        self._menu = menu
        self._keys = keys
        self.checks: dict[str, TickBox] = {}
        self.choices: dict[str, Segments] = {}
        title = QLabel(self.tr("Settings"), self)
        title.setProperty("role", "pageTitle")
        self._box = QVBoxLayout(self)
        side, top = PAGE_MARGIN
        self._box.setContentsMargins(side, top, side, top)
        self._box.setSpacing(theme.sizes.px(16))
        self._box.addWidget(title)
        self.failure = lead(WrappedLabel("bad", self))
        self.failure.hide()
        self._box.addWidget(self.failure)
        self.theme = self._look()
        if settings is not None:
            self._add_language()
            self._add_measuring()
            self._add_workload(settings, presets)
            self._add_desktop()
            self._add_recordings(settings)
            settings.failed.connect(self._show_failure)
            settings.changed.connect(self._follow)
            if settings.problem is not None:
                self._show_failure(settings.problem)
        self._box.addStretch(1)

    def _look(self) -> Segments:
        options = (
            ("auto", self.tr("As the desktop")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
        )
        card = self._look_card = self._card(self.tr("Look"))
        name = self.tr("Appearance")
        note = self.tr("Dark or light. The window changes at once.")
        chosen = self._choice(card, "theme", name, note, options)
        chosen.choose(self._theme.choice)
        chosen.chosen.connect(self.theme_chosen)
        return chosen

    def _add_language(self) -> None:
        options = (("", self.tr("As the desktop")), ("en", "English"), ("de", "Deutsch"))
        note = self.tr("From the next start on.")
        card = self._look_card
        languages = (*options, ("zh_CN", self._chinese()))
        self._kept_choice(card, "language", self.tr("Language"), note, languages)

    def _chinese(self) -> str:
        """Its own name, where some font has the letters: else empty boxes would be offered."""
        own_name, metrics = "简体中文", self.fontMetrics()
        can_write = all(metrics.inFontUcs4(ord(letter)) for letter in own_name)
        return own_name if can_write else self.tr("Chinese, simplified")

    def _add_measuring(self) -> None:
        card = self._measuring_card = self._card(self.tr("Measuring and advice"))
        quantities = Quantities(QLocale(), is_mirrored=self.isRightToLeft())
        options = [(str(each), quantities.round_milliseconds(each)) for each in _INTERVALS]
        self._kept_choice(
            card,
            "interval_ms",
            self.tr("Sampling interval"),
            self.tr(
                "Shorter finds shorter stutters and costs more. Above {longest} a drive that "
                "sleeps is not found. Measuring begins anew."
            ).format(longest=quantities.round_milliseconds(1000 * LONGEST_TICK_S)),
            options,
        )
        self._check(
            card,
            "measures_wakeups",
            self.tr("Measure the wake-up delay"),
            self.tr(
                "A small program that wakes {count} times a second. It finds hiccups of the "
                "whole computer, also without a game's frame times. Measuring begins anew."
            ).format(count=WAKES_PER_S),
        )
        self._check(
            card,
            "watches_whole_computer",
            self.tr("Watch the whole computer while no game runs"),
            self.tr("Off: the pages wait for a game, or for a program that you choose."),
        )

    def _add_workload(self, settings: KeptSettings, presets: Sequence[Preset]) -> None:
        name = self.tr("What is played")
        note = self.tr("Advice follows it: how much memory is kept free, what may sleep.")
        button = self.workload = MenuButton(self._theme, self)
        button.setAccessibleDescription(note)
        menu = QMenu(button)
        choices = QActionGroup(menu)
        known = [("", self.tr("Any game")), *((p.id, said(p.name)) for p in presets)]

        def show(chosen: QAction) -> None:
            chosen.setChecked(True)
            button.setText(chosen.text())
            button.setAccessibleName(f"{name}: {chosen.text()}")

        for id_, text in known:
            action = choices.addAction(menu.addAction(text))
            action.setCheckable(True)
            action.setData(id_)
            if id_ in ("", settings.value.workload):
                show(action)
        choices.triggered.connect(show)
        choices.triggered.connect(lambda chosen: settings.change(workload=chosen.data()))
        button.setMenu(menu)
        self._row(self._measuring_card, QLabel(name, self), self._note(note), button)

    def _add_desktop(self) -> None:
        card = self._card(self.tr("On the desktop"))
        self._kept_choice(
            card,
            "on_close",
            self.tr("When the window closes"),
            self.tr("In the background Destutter goes on measuring. {keys} always quits.").format(
                keys=key_text(QUIT)
            ),
            (
                ("ask", self.tr("Ask")),
                ("background", self.tr("Keep measuring")),
                ("quit", self.tr("Quit")),
            ),
        )
        self._check(
            card,
            "starts_with_desktop",
            self.tr("Start with the desktop"),
            self.tr(
                "Without a window, so that what is kept for a game is set when you play. Start "
                "Destutter once more to see it."
            ),
        )
        self._check(
            card,
            "notifies",
            self.tr("Notifications"),
            self.tr(
                "When a recording is finished, a trial has ended, or something else changed a "
                "setting. At most one in {minutes} minutes, never about a stutter."
            ).format(minutes=int(SPACING_S // 60)),
        )
        self._check(
            card,
            "shows_tray",
            self.tr("Icon in the tray"),
            self.tr("Where the desktop has a tray. Everything works without it."),
        )
        if self._keys is not None and self._settings is not None:
            row = self.keys = KeysRow(self._theme, self._settings, self._keys, self)
            self._row(card, _NameOf(row.name, row.check, self), row.note, row.check)
        if self._menu is not None:
            self._add_menu_entry(card, self._menu)
        self._add_helper(card)

    def _add_helper(self, card: QVBoxLayout) -> None:
        """Whoever wants to be rid of it looks here first."""
        button = self.helper = QPushButton(about_helper(), self)
        button.clicked.connect(self.helper_requested)
        note = self.tr("What it is for, how to get it, and how to remove it.")
        self._row(card, QLabel(self.tr("The helper"), self), self._note(note), button)

    def _add_menu_entry(self, card: QVBoxLayout, menu: MenuEntry) -> None:
        name = self.tr("In the desktop's menu")
        note = self.tr("An entry that starts this file. Off: it is taken out again.")
        check = self.checks["menu"] = TickBox(self._theme, self)
        check.setChecked(menu.is_there)
        check.setAccessibleName(name)
        check.setAccessibleDescription(note)
        check.toggled.connect(self._put_into_menu)
        self._row(card, _NameOf(name, check, self), self._note(note), check)

    def _add_recordings(self, settings: KeptSettings) -> None:
        card = self._card(self.tr("Recordings"))
        self.folder = lead(ElidedLabel(str(settings.sessions), "small", self))
        self.browse = QPushButton(self.tr("Choose a folder…"), self)
        self.browse.clicked.connect(self._browse)
        self.usual = QPushButton(self.tr("Use the usual folder"), self)
        self.usual.clicked.connect(self._use_usual)
        self.usual.setVisible(bool(settings.value.sessions_folder))
        buttons = QWidget(self)
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.usual)
        row.addWidget(self.browse)
        name = QLabel(self.tr("Folder, from the next start on"), self)
        self._row(card, name, self.folder, buttons)

    # --- parts -------------------------------------------------------------------------------

    def _card(self, title: str) -> QVBoxLayout:
        """A card, with its title above it."""
        label = QLabel(title, self)
        label.setProperty("role", "cardTitle")
        card = QFrame(self)
        card.setProperty("role", "card")
        card.setMaximumWidth(self._theme.sizes.px(860))
        group = QVBoxLayout()
        group.setSpacing(self._theme.sizes.px(6))
        group.addWidget(label)
        # In a line of its own: a column asks how high the card is without regard to its width.
        line = QHBoxLayout()
        line.addWidget(card, 1)
        line.addStretch(0)
        group.addLayout(line)
        self._box.addLayout(group)
        box = QVBoxLayout(card)
        pad = self._theme.sizes.px(16)
        box.setContentsMargins(pad, self._theme.sizes.px(12), pad, self._theme.sizes.px(12))
        box.setSpacing(self._theme.sizes.px(14))
        return box

    def _row(self, card: QVBoxLayout, name: QLabel, below: QWidget, control: QWidget) -> None:
        texts = QVBoxLayout()
        texts.setSpacing(2)
        name.setProperty("role", "strong")
        name.setWordWrap(True)
        texts.addWidget(name)
        texts.addWidget(below)
        row = QHBoxLayout()
        row.setSpacing(self._theme.sizes.px(16))
        row.addLayout(texts, 1)
        row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        card.addLayout(row)

    def _note(self, text: str) -> QLabel:
        note = QLabel(text, self)
        note.setProperty("role", "muted")
        note.setWordWrap(True)
        return note

    def _choice(
        self,
        card: QVBoxLayout,
        key: str,
        name: str,
        note: str,
        options: Sequence[tuple[str, str]],
    ) -> Segments:
        segments = self.choices[key] = Segments(name, options, self)
        self._row(card, QLabel(name, self), self._note(note), segments)
        return segments

    def _kept_choice(
        self,
        card: QVBoxLayout,
        key: str,
        name: str,
        note: str,
        options: Sequence[tuple[str, str]],
    ) -> None:
        settings = self._settings
        if settings is None:
            return
        segments = self._choice(card, key, name, note, options)
        value = getattr(settings.value, key)
        segments.choose(str(value))
        kind = type(value)
        segments.chosen.connect(lambda text: settings.change(**{key: kind(text)}))
        settings.changed.connect(lambda _before, now: segments.choose(str(getattr(now, key))))

    def _check(self, card: QVBoxLayout, key: str, name: str, note: str) -> None:
        settings = self._settings
        if settings is None:
            return
        check = self.checks[key] = TickBox(self._theme, self)
        check.setChecked(getattr(settings.value, key))
        check.setAccessibleName(name)
        check.setAccessibleDescription(note)
        check.toggled.connect(lambda is_on: settings.change(**{key: is_on}))
        self._row(card, _NameOf(name, check, self), self._note(note), check)

    # --- what happens ------------------------------------------------------------------------

    @Slot()
    def _browse(self) -> None:
        """The desktop's own chooser: it does not block, and Escape leaves everything as it is."""
        if self._settings is None:
            return
        dialog = QFileDialog(self, self.tr("Folder of recordings"), str(self._settings.sessions))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.use_folder)
        dialog.open()

    @Slot()
    def _use_usual(self) -> None:
        self.use_folder("")

    @Slot(str)
    def use_folder(self, path: str) -> None:
        """Keep recordings there from the next start on; an empty path: at the usual place."""
        if self._settings is None:
            return
        is_usual = not path or Path(path) == self._settings.places.sessions
        self._settings.change(sessions_folder="" if is_usual else path)
        self.folder.set_full_text(str(self._settings.sessions))
        self.usual.setVisible(not is_usual)

    @Slot(bool)
    def _put_into_menu(self, is_wanted: bool) -> None:  # noqa: FBT001
        if self._menu is None or is_wanted == self._menu.is_there:
            return
        try:
            if is_wanted:
                self._menu.add()
            else:
                self._menu.remove()
        except MenuEntryError as error:
            self._show_failure(error.statement)
            self.checks["menu"].setChecked(self._menu.is_there)

    def showEvent(self, event: QShowEvent) -> None:
        """The entry may have been made by the offer, or in a terminal, since."""
        super().showEvent(event)
        if self._menu is not None:
            self.checks["menu"].setChecked(self._menu.is_there)

    @Slot(object, object)
    def _follow(self, _before: Settings, now: Settings) -> None:
        """What the desktop refused is not ticked."""
        check = self.checks["starts_with_desktop"]
        check.setChecked(now.starts_with_desktop)

    @Slot(object)
    def _show_failure(self, reason: Statement) -> None:
        self.failure.set_full_text(said_sentence(reason))
        self.failure.show()
