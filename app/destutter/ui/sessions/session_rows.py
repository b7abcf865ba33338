# SPDX-License-Identifier: GPL-3.0-or-later
"""What the list of recordings says: grouped by game, each with a title and one quiet line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDate, QDateTime

from destutter.analysis.report.said_of_sessions import MUCH_S
from destutter.session.being_recorded import is_being_recorded
from destutter.session.recording_name import is_automatic
from destutter.session.store import StoredSession
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words, said_line
from destutter.words.measures import NBSP

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class GameRow:
    """The heading of a group."""

    name: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One recording. ``state`` is "", "recording" or "problem"; ``outcome`` has what was found,
    the weightiest first, and is empty until it has been read.
    """

    path: Path
    title: str
    detail: str
    state: str = ""
    outcome: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is drawn: the outcome and its cause before the name, the date and the length."""
        if not self.outcome:
            return self.title, self.detail
        return *self.outcome[:2], f"{self.title} · {self.detail}"

    @property
    def whole(self) -> tuple[str, ...]:
        """All that is known of it, for whoever hears it or points at it."""
        return *self.outcome, self.title, self.detail


Row = GameRow | SessionRow


class RowTexts:
    """Writes titles and details for one locale and one moment of now."""

    def __init__(self, quantities: Quantities, now: QDateTime | None = None) -> None:
        self._quantities = quantities
        self._renderer = Words(quantities).renderer
        self._now = now

    def rows(self, sessions: Iterable[StoredSession], recording: Path | None = None) -> list[Row]:
        """Headings and recordings; the game that was played last comes first."""
        groups: dict[str, list[SessionRow]] = {}
        for session in sessions:
            name = session.game or translate("Sessions", "No game")
            if session.problem is not None:
                name = translate("Sessions", "Not readable")
            groups.setdefault(name, []).append(self.row(session, recording))
        rows: list[Row] = []
        for name, members in groups.items():
            rows.append(GameRow(name))
            rows += members
        return rows

    def row(self, session: StoredSession, recording: Path | None = None) -> SessionRow:
        """What is said of one recording."""
        title = self.title(session)
        if session.path == recording or is_being_recorded(session.path):
            return SessionRow(
                session.path, title, translate("Sessions", "Recording now"), "recording"
            )
        if session.problem is not None:
            return SessionRow(session.path, title, said_line(session.problem), "problem")
        details = [self._length(session)]
        moment = self.moment(session.start_wall_time)
        if moment and moment != title:
            details.insert(0, moment)
        # A line ends between these, not within one.
        details = [each.replace(" ", NBSP) for each in details]
        if session.comment:
            details.append(session.comment)
        outcome = tuple(map(self._renderer.text, session.outcome))
        return SessionRow(session.path, title, " · ".join(details), outcome=outcome)

    def _length(self, session: StoredSession) -> str:
        """How long it is, as on its page, and how much of that counts where much does not."""
        length_s, played_s = session.duration_s or 0.0, session.length_s
        length = self._quantities.length(length_s)
        if length_s - played_s < MUCH_S:
            return length
        words = translate("Sessions", "{played} of {length} count")
        return words.format(played=self._quantities.length(played_s), length=length)

    def has_words(self, session: StoredSession, words: Iterable[str]) -> bool:
        """Whether name, game, comment, date and outcome have each of these, casefolded."""
        moment = self.moment(session.start_wall_time)
        outcome = " ".join(map(self._renderer.text, session.outcome))
        said = f"{session.name} {session.game} {session.comment} {moment} {outcome}".casefold()
        return all(word in said for word in words)

    def title(self, session: StoredSession) -> str:
        """The name that somebody gave, or else when it began."""
        return self.name(session.name, session.start_wall_time)

    def name(self, name: str, wall_time: float | None) -> str:
        """The same by the name of its file without the ending."""
        if is_automatic(name):
            return self.moment(wall_time) or name
        return name

    def moment(self, wall_time: float | None) -> str:
        """The day as people say it, and the time; empty when it is not known."""
        if not wall_time or not 0 < wall_time < 4e9:
            return ""
        locale = self._quantities.locale
        moment = QDateTime.fromSecsSinceEpoch(int(wall_time))
        time = locale.toString(moment.time(), translate("Sessions", "HH:mm", "format of a time"))
        today = (self._now or QDateTime.currentDateTime()).date()
        return f"{self._day(moment.date(), today)} {time}".strip()

    def _day(self, day: QDate, today: QDate) -> str:
        if day == today:
            return translate("Sessions", "Today")
        if day.daysTo(today) == 1:
            return translate("Sessions", "Yesterday")
        form = translate("Sessions", "d MMM", "format of a date of this year")
        if day.year() != today.year():
            form = translate("Sessions", "d MMM yyyy", "format of a date of another year")
        return self._quantities.locale.toString(day, form)


def position_of(rows: Sequence[Row], path: Path | None) -> int | None:
    """Where a recording is in the list."""
    for index, row in enumerate(rows):
        if isinstance(row, SessionRow) and row.path == path:
            return index
    return None
