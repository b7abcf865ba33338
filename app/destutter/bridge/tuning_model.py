# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings and changes as every page sees them: what they are, who set them, what is advised,
what is on trial, and one way to ask for a change.

Pages never talk to the helper. They call a method, read ``busy`` meanwhile and ``outcome`` after
it; the values that they show were read from the kernel by this program, not told by the helper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from destutter.analysis.changes.helper_statements import statement_of
from destutter.analysis.changes.tuning_state import (
    LASTS_RESTART,
    Busy,
    GameProcess,
    JournalChange,
    Outcome,
    RunningTrial,
    TuningReading,
    changes_of,
    without_clock,
)
from destutter.bridge.background import Background
from destutter.bridge.change_requests import ChangeRequests
from destutter.bridge.helped_flight import HelpedFlight
from destutter.bridge.helper_client import Availability, HelperClient, HelperStatus
from destutter.bridge.kept_games import KeptGames
from destutter.bridge.power_states import PowerStatesModel
from destutter.bridge.trial_clock import TrialClock
from destutter.core.statement import Statement
from destutter.tuning.keys import key_of
from destutter_helper.api.names import TRIAL_USUAL_S, HelperError
from destutter_helper.api.payload import (
    Change,
    Result,
    Results,
    State,
    Tunables,
    TunableState,
    UndoRequest,
)

if TYPE_CHECKING:
    from destutter.analysis.changes.advisor import Advisor
    from destutter.analysis.changes.history import HistoryEntry
    from destutter.core.metrics import Metrics
    from destutter.diagnosis.finding import Finding
    from destutter.tuning.current import CurrentValue
    from destutter.tuning.ownership import Ownership
    from destutter.tuning.presets import Preset
    from destutter.tuning.recommendation import Recommendation

_LOOK_MS = 5_000  # so long what another program sets stays unseen; each look reads all settings

ReadTuning = Callable[[], TuningReading]


class TuningModel(QObject):
    """The one model of settings. Mappings are by "ID" or "ID@DEVICE".

    Signals: ``changed()`` when any property is new, and behind it ``outcome_changed()`` when a
    request ended (or ``outcome`` was cleared by the next one). Who shows what is so now hears
    ``changed`` alone. ``read`` is called in a thread of its own.
    """

    changed = Signal()
    outcome_changed = Signal()

    def __init__(
        self,
        client: HelperClient,
        read: ReadTuning,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._background = Background(read, self)
        self._background.done.connect(self._take_reading)
        self._requests = ChangeRequests(client, self)
        self._clock = TrialClock(client, self)
        self.power_states = PowerStatesModel(client, self)
        self.games = KeptGames(client, self._requests, self)
        self.helped = HelpedFlight(self)
        self._reading = TuningReading()
        self._known_advisor: Advisor | None = None
        self._recommendations: Mapping[str, Recommendation] = {}
        self._state: State | None = None
        self._told_status: tuple[Availability, Statement | None, str, str] | None = None
        self._tunables: dict[str, TunableState] = {}
        self._history: tuple[HistoryEntry, ...] = ()
        self._why_no_history: Statement | None = None
        self._journal: tuple[JournalChange, ...] = ()
        self._verified: tuple[Result, ...] = ()
        self._wants_everything = True
        self._wants_reading = False
        self._trial: RunningTrial | None = None
        self._game: GameProcess | None = None
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._read_again)
        self._connect()

    def _connect(self) -> None:
        client = self._client
        client.status_changed.connect(self._take_status)
        client.state_taken.connect(self._take_state)
        client.answered.connect(self._answered)
        client.failed.connect(self._failed)
        client.kernel_changed.connect(self._kernel_changed)
        self._requests.moved.connect(self.changed)
        self._requests.moved.connect(self.outcome_changed)

    # --- what is known -----------------------------------------------------------------------

    @property
    def status(self) -> HelperStatus:
        """Whether settings can be changed, and the reason if not."""
        return self._client.status

    @property
    def reading(self) -> TuningReading:
        """Everything that was read from the kernel and from files, last time."""
        return self._reading

    @property
    def values(self) -> Mapping[str, CurrentValue]:
        """The value of now of every setting."""
        return self._reading.values

    @property
    def owners(self) -> Mapping[str, Ownership]:
        """Who set each value."""
        return self._reading.owners

    @property
    def recommendations(self) -> Mapping[str, Recommendation]:
        """What is advised, for the findings of the last snapshot and this computer."""
        return self._recommendations

    @property
    def peak_mib_per_s(self) -> float | None:
        """How fast memory was asked for at its worst, as far as that was measured."""
        return self._advisor.peak_mib_per_s

    @property
    def tunables(self) -> Mapping[str, TunableState]:
        """What the helper says of each setting; empty without a helper."""
        return self._tunables

    @property
    def state(self) -> State | None:
        """The helper's own word; None before it has been asked, or without a helper."""
        return self._state

    @property
    def trial(self) -> RunningTrial | None:
        """The trial that runs, this program's or another's."""
        return self._trial

    @property
    def game(self) -> GameProcess | None:
        """The game that is watched, which a trial may last as long as."""
        return self._game

    @property
    def journal_changes(self) -> tuple[JournalChange, ...]:
        """What Destutter changed and has not taken back."""
        return self._journal

    @property
    def resurrected(self) -> tuple[Result, ...]:
        """Values of Destutter that came back after their undo: another program restored them."""
        return tuple(each for each in self._verified if each.outcome == "resurrected")

    @property
    def why_no_history(self) -> Statement | None:
        """Why the helper could not read its log; None: it could, or there is no helper."""
        return self._why_no_history

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        """The helper's log of changes, oldest first."""
        return self._history

    @property
    def busy(self) -> Busy:
        return self._requests.busy

    @property
    def outcome(self) -> Outcome | None:
        """How the last request ended; None while one runs and before the first."""
        return self._requests.outcome

    @property
    def can_change(self) -> bool:
        """Whether a request would be sent: the helper is ready and nothing is under way."""
        return self.status.availability is Availability.READY and not self.busy

    @property
    def has_high_risk(self) -> bool:
        """Whether something on trial could keep the computer from starting."""
        from destutter.tuning.recommendation import HIGH

        on_trial = () if self._trial is None else self._trial.changes
        return any(each.change is not None and self.risk(each.change) == HIGH for each in on_trial)

    def risk(self, change: Change) -> str:
        """ "low", "medium" or "high" for a value at every start."""
        from destutter.tuning.risk import risk_of

        key = key_of(change.id, change.device)
        memory_kib = self._reading.profile.memory_kib
        return risk_of(change, memory_kib, self._recommendations.get(key))

    @property
    def can_redo(self) -> bool:
        """Whether the last undo can be taken back."""
        return self._requests.can_redo

    # --- what may be asked -------------------------------------------------------------------

    def refresh(self, *, asks_helper: bool = True) -> None:
        """Read the kernel and ask the helper anew; ``changed`` when the answers are there."""
        self._background.start()
        if asks_helper:
            self._wants_everything = True
            self._client.refresh()

    @Slot()
    def ask_for_tunables(self) -> None:
        """Ask the helper for limits and for what only it knows."""
        if self.status.availability is Availability.READY:
            self._client.list_tunables()

    def watch(self, *, is_on: bool) -> None:
        """While a page that shows values is open, read them every few seconds."""
        if is_on:
            self._look.start()
            self._background.start()
        else:
            self._look.stop()

    def stop(self) -> None:
        """Let go: a trial of this program goes back, and nothing is read any more."""
        self._look.stop()
        self._clock.stop()
        self._background.stop()
        self._client.release()

    def accept_metrics(self, metrics: Sequence[Metrics]) -> None:
        """Take in measurements: some recommendations follow from how fast memory is asked for."""
        self._advisor.accept_metrics(metrics)

    def accept_game(self, game: GameProcess | None) -> None:
        """This game is watched from now on; None: none is."""
        if game != self._game:
            self._game = game
            self.changed.emit()

    def accept_findings(self, findings: Sequence[Finding]) -> None:
        """Advise for these findings from now on."""
        if self._advisor.accept_findings(findings) and self._advise():
            self.changed.emit()

    @property
    def preset(self) -> Preset:
        """What is played, as far as advice depends on it."""
        return self._advisor.preset

    def set_preset(self, preset: Preset) -> None:
        """Advise for this kind of game from now on."""
        self._advisor.preset = preset
        if self._advise():
            self.changed.emit()

    def try_changes(self, changes: Sequence[Change], seconds: int = TRIAL_USUAL_S) -> None:
        """Put changes on trial; they go back after ``seconds`` unless they are kept."""
        self._requests.begin(changes, seconds)

    def try_for_game(self, changes: Sequence[Change]) -> None:
        """Put changes on trial for as long as the watched game runs, or until ``revert``."""
        if self._game is not None:
            self._requests.begin(changes, TRIAL_USUAL_S, game=self._game)

    def apply(self, changes: Sequence[Change], until: str = LASTS_RESTART) -> None:
        """Put changes on trial and keep them at once, until "restart" or "always"."""
        self._requests.begin(changes, TRIAL_USUAL_S, until)

    def keep(self, until: str = LASTS_RESTART) -> None:
        """Keep what is on trial until "restart" or "always"."""
        on_trial = () if self._trial is None else self._trial.changes
        self._requests.keep(until, [each.change for each in on_trial if each.change])

    def revert(self) -> None:
        """Take back what is on trial now; another program's trial may need a password."""
        if self._trial is not None:
            self._requests.revert()

    def extend(self, seconds: int = TRIAL_USUAL_S) -> None:
        """Give the own trial this many seconds from now; ten minutes in all at most."""
        self._requests.extend(seconds)

    def undo(
        self, ids: Sequence[str], force: Sequence[str] = (), accept: Sequence[str] = ()
    ) -> None:
        """Take back the named settings ("ID" or "ID@DEVICE").

        ``force`` names those that go back although somebody else changed them since, ``accept``
        those that stay as that somebody set them and are forgotten.
        """
        wanted = {*ids, *force}
        taken_back = [each for each in self._journal if each.key in wanted]
        known = frozenset(each.key for each in self._journal if each.is_left_alone)
        request = UndoRequest(tuple(ids), tuple(force), tuple(accept))
        self._requests.undo(request, taken_back, known)

    def undo_all(self) -> None:
        """Take back everything that Destutter changed; ``redo`` brings it again."""
        self._requests.undo(UndoRequest(), self._journal, frozenset())

    def undo_last(self) -> None:
        """Take back the own trial that runs, or what was kept together last."""
        if self._trial is not None and self._trial.is_ours:
            self.revert()
            return
        from destutter.analysis.changes.history import last_kept

        present = {each.key for each in self._journal}
        last = [key for key in last_kept(self._history) if key in present]
        if not last and self._journal:
            last = [self._journal[-1].key]
        if last:
            self.undo(last)

    def redo(self) -> None:
        """Set again what the last undo took back, each for as long as before."""
        self._requests.redo()

    def cancel(self) -> None:
        """Wait no longer for a password dialog; if it is answered yet, that is taken back."""
        self._requests.cancel()

    def forget_outcome(self) -> None:
        """The user has read how the last request ended."""
        self._requests.forget_outcome()

    # --- answers -----------------------------------------------------------------------------

    @Slot(object)
    def _take_reading(self, reading: TuningReading) -> None:
        if reading != self._reading:
            self._reading = reading
            self._advise()
            self._tell()

    @Slot(object)
    def _take_status(self, status: HelperStatus) -> None:
        told = (status.availability, status.reason, status.version, status.place)
        if told == self._told_status:
            return
        self._told_status = told
        if status.availability is not Availability.READY:
            self._state, self._tunables = None, {}
        self._tell()

    @Slot(object)
    def _take_state(self, state: State) -> None:
        is_new = self._state is None or without_clock(self._state) != without_clock(state)
        is_new, self._wants_everything = is_new or self._wants_everything, False
        self._state = state
        if is_new:
            self._client.report()
            self._client.verify()
            if self._tunables:
                self._client.list_tunables()
        if is_new or self._wants_reading:
            self._read_again()
        self._put_together()
        if not self._requests.settle():
            self.changed.emit()

    @Slot(str, object)
    def _answered(self, method: str, value: object) -> None:
        if method == "GetReport" and isinstance(value, str):
            from destutter.analysis.changes.history import read_history

            self._history, self._why_no_history = read_history(value), None
            self._tell()
        elif method == "Verify" and isinstance(value, Results):
            self._verified = value.results
            self.changed.emit()
        elif method == "ListTunables" and isinstance(value, Tunables):
            self._tunables = {key_of(each.id, each.device): each for each in value.tunables}
            self.changed.emit()

    @Slot()
    def _kernel_changed(self) -> None:
        # The state is asked for as well, and may be a reason to read, too: once is enough.
        self._wants_reading = True

    @Slot(str, object)
    def _failed(self, method: str, error: HelperError) -> None:
        if method == "GetState" and self._wants_reading:
            self._read_again()
        elif method == "GetReport" and error.name == "JournalUnavailable":
            self._history, self._why_no_history = (), statement_of(error.said)
            self._tell()

    @Slot()
    def _read_again(self) -> None:
        self._wants_reading = False
        self._background.start()

    def _tell(self) -> None:
        self._put_together()
        self.changed.emit()

    def _put_together(self) -> None:
        """What follows from state, history and reading."""
        state = self._state
        if state is None:
            self._journal, self._trial = (), None
            self._clock.stop()
        else:
            from destutter.analysis.changes.history import last_changes

            when = last_changes(self._history)
            self._journal = changes_of(state, self._reading.values, when)
            self._trial = self._clock.follow(state, self._journal)

    @property
    def _advisor(self) -> Advisor:
        # Made late: the rules take longer to load than the first picture of the window.
        if self._known_advisor is None:
            from destutter.analysis.changes.advisor import Advisor

            self._known_advisor = Advisor()
        return self._known_advisor

    def _advise(self) -> bool:
        """Recommend anew; whether that is different from before."""
        found = self._advisor.recommend(self._reading)
        is_new = found != self._recommendations
        self._recommendations = found
        return is_new
