# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting a game: which are installed, the one line that each launcher needs, and whether
frames arrive."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize, Qt, Slot
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.background import Background
from destutter.core.sandbox import is_sandboxed
from destutter.sampling.installed.game import GameLauncher, InstalledGame
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.controls.column_rows import PARTS, ColumnRows
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.help.arriving_frames import ArrivingFrames
from destutter.ui.help.game_setup import GameSetup
from destutter.ui.help.launcher_lines import launcher_name
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities

ReadGames = Callable[[], GameLibrary]

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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
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
        self._build()
        self.filter.textChanged.connect(self._fill)
        self.list.currentRowChanged.connect(self._choose)
        self._work = Background(read_games, self)
        self._work.done.connect(self._accept)
        self._show_library()
        self._work.start()

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._theme.sizes.px(9))
        for widget in (self.arriving, self.hint, self.filter, self.list, self.setup):
            layout.addWidget(widget)
        more = (
            self.tr("X-Plane needs nothing: it is found by itself as soon as it runs."),
            self.tr(
                "Without frame times, Destutter shows how late the processor wakes a program."
            ),
        )
        for text in more:
            layout.addWidget(plain_label(text, "small", self, wraps=True))

    @property
    def is_read(self) -> bool:
        """Whether the launchers' files have been looked at."""
        return self.library is not None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Say whether frames arrive."""
        self.arriving.show_snapshot(snapshot)

    @Slot(object)
    def _accept(self, library: GameLibrary) -> None:
        self.library = library
        self._show_library()
        self._fill()

    def _show_library(self) -> None:
        library = self.library
        games = () if library is None else library.games
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
        if library is not None and not games:
            self.setup.show_launchers((GameLauncher.STEAM, GameLauncher.HEROIC), library)

    @Slot()
    def _fill(self) -> None:
        games = () if self.library is None else self.library.games
        wanted = self.filter.text().casefold()
        found = [game for game in games if wanted in game.name.casefold()]
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
