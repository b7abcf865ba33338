# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting a game: which are installed, the one line that each launcher needs, and whether
frames arrive."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize, Qt, Slot
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.background import Background
from destutter.bridge.followed_frames import FollowedFrames
from destutter.core.sandbox import is_sandboxed
from destutter.sampling.installed.game import GameLauncher, InstalledGame
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.controls.column_rows import PARTS, ColumnRows
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.help.arriving_frames import ArrivingFrames
from destutter.ui.help.game_setup import GameSetup
from destutter.ui.help.launcher_lines import launcher_name
from destutter.ui.help.xplane_view import XPlaneView
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities

ReadGames = Callable[[], GameLibrary]

_XPLANE = InstalledGame("X-Plane", GameLauncher.XPLANE)
_ROWS_WITHOUT_FILTER, _MOST_ROWS = 5, 5  # a choice: the line below the list stays in sight


def no_games() -> GameLibrary:
    """For a window that reads none."""
    return GameLibrary(is_hidden=is_sandboxed())


def connect_title() -> str:
    """What a link to it, and the panel around it, is called."""
    return QCoreApplication.translate("Advice", "Connect your game")


class ConnectView(QWidget):
    """Reads the games in the background once it is made; ``is_read`` from then on."""

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        read_games: ReadGames,
        followed: FollowedFrames,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._followed = followed
        self._xplane_runs = self._has_arrived = False
        self.library: GameLibrary | None = None
        self.arriving = ArrivingFrames(theme, quantities, self)
        self.hint = WrappedLabel("muted", self)
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("Part of the name"))
        self.filter.setAccessibleName(self.tr("Part of the game's name"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Installed games"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(ColumnRows(theme, self.list, stretch=0, trailing=(1,)))
        self.setup = GameSetup(theme, self)
        self.xplane = XPlaneView(theme, followed, self)
        self._build()
        followed.changed.connect(self._follow)
        self.xplane.connected.connect(self._bring_up)
        self.filter.textChanged.connect(self._fill)
        self.list.currentRowChanged.connect(self._choose)
        self.list.itemClicked.connect(self.setup.show)
        self._work = Background(read_games, self)
        self._work.done.connect(self._accept)
        self._show_library()
        self._work.start()

    def _build(self) -> None:
        layout = self._lines = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._theme.sizes.px(9))
        text = self.tr("A game that writes frame times already is found by itself: start it.")
        self.found = plain_label(text, "muted", self, wraps=True)
        for widget in (self.arriving, self.found, self.hint, self.filter, self.list, self.setup):
            layout.addWidget(widget)
        layout.addWidget(self.xplane)
        text = self.tr(
            "Without frame times, Destutter shows how late the processor wakes a program."
        )
        layout.addWidget(plain_label(text, "small", self, wraps=True))
        self._follow()

    @property
    def is_read(self) -> bool:
        """Whether the launchers' files have been looked at."""
        return self.library is not None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Say whether frames arrive; an X-Plane that runs has an entry."""
        self.arriving.show_snapshot(snapshot)
        if self.arriving.is_arriving and not self._has_arrived:
            self._has_arrived = True
            self._show_arrived()
        runs = snapshot.facts.get("game.name", "").startswith(_XPLANE.name)
        if runs and not self._xplane_runs:
            self._xplane_runs = True
            self.xplane.note_running()
            self._show_library()
            self._fill()

    def _show_arrived(self) -> None:
        """ "MangoHud is missing" stood in bold below "Frames arrive". What another game needs is
        told when somebody chooses it."""
        for widget in (self.found, self.setup):
            widget.hide()
        self.hint.setVisible(bool(self._games))

    @Slot()
    def _follow(self) -> None:
        """An X-Plane that is followed stands first: with what it is doing, and the way out."""
        self.arriving.wait_for(self._followed.xplane)
        self._lines.removeWidget(self.xplane)
        above = self.arriving if self._followed.xplane else self.setup
        self._lines.insertWidget(self._lines.indexOf(above) + 1, self.xplane)

    @Slot()
    def _bring_up(self) -> None:
        """Scroll to what became of it."""
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(self.arriving)
        self.xplane.forget.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _games(self) -> tuple[InstalledGame, ...]:
        """What is installed, and an X-Plane that runs, wherever it is installed."""
        games = () if self.library is None else self.library.games
        is_listed = any(game.launcher is GameLauncher.XPLANE for game in games)
        return (_XPLANE, *games) if self._xplane_runs and not is_listed else games

    @Slot(object)
    def _accept(self, library: GameLibrary) -> None:
        self.library = library
        self._show_library()
        self._fill()

    def _show_library(self) -> None:
        library, games = self.library, self._games
        self.list.setVisible(bool(games))
        self.filter.setVisible(len(games) > _ROWS_WITHOUT_FILTER)
        if library is None:
            self.hint.set_full_text(self.tr("Installed games are being looked for…"))
        elif games:
            self.hint.set_full_text(
                self.tr("Choose your game, paste its line into the launcher once, and play.")
            )
        elif library.is_hidden:
            self.hint.set_full_text(
                self.tr(
                    "The Flatpak's sandbox hides which games are installed. The lines are the "
                    "same for all games of a launcher:"
                )
            )
        else:
            self.hint.set_full_text(
                self.tr(
                    "No game was found in the lists of Steam, Heroic, Lutris and X-Plane. The "
                    "lines are the same for all games of a launcher:"
                )
            )
        if library is not None and not library.games:
            self.setup.show_launchers((GameLauncher.STEAM, GameLauncher.HEROIC), library)

    @Slot()
    def _fill(self) -> None:
        wanted = self.filter.text().casefold()
        found = [game for game in self._games if wanted in game.name.casefold()]
        self.list.clear()
        for game in found:
            self._add(game)
        row_px = self._theme.sizes.px(28)
        rows = min(max(len(found), 1), _MOST_ROWS)
        self.list.setFixedHeight(rows * row_px + 2 * self.list.frameWidth())
        if found:
            self.list.setCurrentRow(0)

    def _add(self, game: InstalledGame) -> None:
        parts = (game.name, launcher_name(game.launcher))
        item = QListWidgetItem(", ".join(parts), self.list)
        item.setData(PARTS, parts)
        item.setData(Qt.ItemDataRole.UserRole, game)
        item.setSizeHint(QSize(0, self._theme.sizes.px(28)))
        item.setToolTip(game.name)

    @Slot(int)
    def _choose(self, row: int) -> None:
        if row >= 0 and self.library is not None:
            game = self.list.item(row).data(Qt.ItemDataRole.UserRole)
            self.setup.show_game(game, self.library)
            if self.list.hasFocus():
                self.setup.show()
