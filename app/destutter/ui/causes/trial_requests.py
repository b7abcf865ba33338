# SPDX-License-Identifier: GPL-3.0-or-later
"""From the chosen rows to a request, and from its outcome back to rows, bar and banner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS
from destutter.diagnosis.finding import Confidence, Finding
from destutter.tuning.exported import NotExportableError
from destutter.tuning.keys import key_of
from destutter.tuning.recommendation import Recommendation
from destutter.tuning.shell_text import as_commands
from destutter.ui.causes.action_bar import BarContent, BarState, NowPlayed
from destutter.ui.causes.request_words import (
    bar_content,
    helped_bar_content,
    outcome_banner,
    recorded_bar_content,
)
from destutter.ui.causes.setting_rows import RowState, TuningFacts, rows_for
from destutter.ui.controls.banner import Banner
from destutter.ui.pages.outcome_banners import COPY, DISMISS
from destutter.ui.words.outcome_report import failures
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said_sentence, spoken

if TYPE_CHECKING:
    from destutter.analysis.changes.tuning_state import Outcome
    from destutter.analysis.examining.pipeline import Snapshot
    from destutter.bridge.helped_flight import Helped
    from destutter.bridge.tuning_model import TuningModel
    from destutter.ui.causes.cause_detail import CauseDetail
    from destutter_helper.api.payload import Change


_SLEEP = "nvme_power_state"


class TrialRequests(QObject):
    """Connects the table, the bar and the banner with the model of settings.

    Without a model (no helper is possible) and for recordings only commands can be copied.
    """

    def __init__(
        self,
        detail: CauseDetail,
        banner: Banner,
        tuning: TuningModel | None,
        quantities: Quantities,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._detail = detail
        self._banner = banner
        self._tuning = tuning
        self._quantities = quantities
        self._recorded: TuningFacts | None = None
        self._finding: Finding | None = None
        self._remembered: dict[str, dict[str, Recommendation]] = {}
        self._asked: tuple[Change, ...] = ()
        banner.hide()
        self._connect()

    def _connect(self) -> None:
        bar, table = self._detail.action_bar, self._detail.table
        table.selection_changed.connect(self._show_bar)
        table.undo_requested.connect(self._undo)
        bar.always_clicked.connect(self._keep_always)
        bar.this_game_clicked.connect(self._keep_for_game)
        bar.back_clicked.connect(self._take_back)
        bar.apply_clicked.connect(self._apply)
        bar.game_clicked.connect(self._try_for_game)
        bar.try_clicked.connect(self._try)
        bar.copy_clicked.connect(self._copy)
        bar.cancel_clicked.connect(self._cancel)
        for each in (self._detail.help, self._detail.experts_help):
            each.copied.connect(self._copy_text)
        self._banner.action_clicked.connect(self._banner_action)
        if self._tuning is not None:
            self._tuning.changed.connect(self._show)
            self._tuning.power_states.changed.connect(self._show)
            self._tuning.helped.changed.connect(self._show)
            self._tuning.games.changed.connect(self._show_bar)

    # --- what is shown --------------------------------------------------------------------------

    @property
    def facts(self) -> TuningFacts | None:
        """The settings that rows are made of."""
        return self._tuning if self._recorded is None else self._recorded

    def follow_recording(self, snapshot: Snapshot | None, settings: TuningFacts | None) -> None:
        """A recording is played: of another computer with these settings, or of this one.

        Without a snapshot the present is shown.
        """
        if self._recorded is not settings:
            self._recorded = settings
            self._remembered.clear()
            self._detail.table.forget_choices()
        if snapshot is not None and settings is None and self._tuning is not None:
            self._tuning.accept_findings(snapshot.assessment.findings)

    def show_finding(self, finding: Finding) -> None:
        """Show what can be changed against this finding."""
        if self._finding is None or self._finding.cause != finding.cause:
            self._detail.table.forget_choices()
        self._finding = finding
        self._show()

    def show_nothing(self) -> None:
        self._finding = None
        self._show_banner()

    def set_seen(self, *, is_seen: bool) -> None:
        """Read the values of settings now and then only while somebody looks."""
        if self._tuning is not None and self._recorded is None:
            self._tuning.watch(is_on=is_seen)

    def _show_sleep(self, finding: Finding) -> None:
        """The times to wake that the drive's controller tells beside those that were measured."""
        text = ""
        if finding.cause == _SLEEP and self._tuning is not None and self._recorded is None:
            states = self._tuning.power_states
            states.ask()
            drives = (each.comm for each in finding.culprits if each.what == "device")
            sleeps = (states.of_drive(drive) for drive in drives)
            exits_ms = [each for sleep in sleeps if sleep is not None for each in sleep.exits_ms]
            if exits_ms:
                times = spoken().enumerated(map(self._quantities.milliseconds, exits_ms))
                text = self.tr("The drive itself says that it wakes in {times}").format(
                    times=times
                )
        self._detail.show_own_words(text)

    @Slot()
    def _show(self) -> None:
        finding, facts = self._finding, self.facts
        self._show_banner()
        if finding is None:
            return
        if facts is None:
            self._detail.show_no_rows(self.tr("Settings of this computer cannot be read here."))
            self._detail.action_bar.hide()
            return
        self._show_sleep(finding)
        remembered = self._remembered.setdefault(finding.cause, {})
        for advice in facts.recommendations.values():
            if finding.cause in advice.causes:
                remembered[advice.key] = advice
        failed = failures(self._own_outcome)
        rows = [
            replace(row, failure=failed.get(row.key))
            for row in rows_for(facts, finding, remembered)
        ]
        self._detail.table.show_rows(rows, can_choose=self._can_choose)
        self._detail.show_no_rows("" if rows else self._why_no_rows(finding))
        self._show_bar()

    @property
    def _can_choose(self) -> bool:
        return self._recorded is None and self._tuning is not None

    def _why_no_rows(self, finding: Finding) -> str:
        if finding.confidence is Confidence.LOW:
            return self.tr(
                "The evidence is too weak to advise a change. It may become clearer with more "
                "stutters."
            )
        return self.tr("No setting helps against this.")

    @Slot()
    def _show_bar(self) -> None:
        table, bar = self._detail.table, self._detail.action_bar
        if self._finding is None:
            return
        offered = len(table.offered)
        if self._recorded is not None or self._tuning is None:
            shown = recorded_bar_content(offered)
            bar.setVisible(shown.state is not BarState.NOTHING)
            bar.show_content(shown)
            return
        tuning, game = self._tuning, self._tuning.game
        helped = self._helped if tuning.can_change else None
        shown = bar_content(
            tuning.status,
            tuning.busy,
            tuning.trial,
            count=len(table.chosen),
            offered=offered,
            played=NowPlayed("" if game is None else game.name, tuning.preset.is_flight),
        )
        if helped is not None and shown.state in (BarState.READY, BarState.NOTHING):
            may = tuning.games.may_keep(helped.game, helped.changes)
            shown = helped_bar_content(helped, has_game_sets=may)
        if shown.state is BarState.NOTHING and self._has_undoable():
            note = self.tr("Every change can be undone.")
            shown = BarContent(BarState.NOTHING, note=note)
        bar.setVisible(shown.state is not BarState.NOTHING or bool(shown.note))
        bar.show_content(shown)
        table.set_choices_enabled(
            are_enabled=shown.state in (BarState.READY, BarState.COPY_ONLY, BarState.NOTHING)
        )

    @property
    def _helped(self) -> Helped | None:
        """What helped a flight, where something of it stands in the rows."""
        helped = None if self._tuning is None else self._tuning.helped.shown
        rows = {row.key for row in self._detail.table.rows}
        tried = () if helped is None else helped.changes
        is_here = any(key_of(each.id, each.device) in rows for each in tried)
        return helped if is_here else None

    def _has_undoable(self) -> bool:
        return any(row.state is RowState.APPLIED for row in self._detail.table.rows)

    @property
    def _own_outcome(self) -> Outcome | None:
        """How the last request ended, if it was asked for here."""
        outcome = None if self._tuning is None else self._tuning.outcome
        if outcome is None or not (outcome.what == "undo" or outcome.changes == self._asked):
            return None
        return outcome

    def _show_banner(self) -> None:
        # Of what helped a flight the banner above every page tells what becomes.
        is_told = self._tuning is not None and self._tuning.helped.shown is not None
        text = None if is_told else outcome_banner(self._own_outcome)
        self._banner.setVisible(text is not None)
        if text is not None:
            self._banner.show_text(text)

    # --- requests -------------------------------------------------------------------------------

    @Slot()
    def _try_for_game(self) -> None:
        if self._tuning is not None:
            self._ask(self._tuning.try_for_game)

    @Slot()
    def _keep_always(self) -> None:
        helped = self._helped
        if self._tuning is not None and helped is not None:
            self._tuning.apply(helped.changes, LASTS_ALWAYS)

    @Slot()
    def _keep_for_game(self) -> None:
        helped = self._helped
        if self._tuning is not None and helped is not None:
            self._tuning.games.keep(helped.game, helped.changes)

    @Slot()
    def _take_back(self) -> None:
        if self._tuning is not None:
            self._tuning.helped.give_up()

    @Slot()
    def _apply(self) -> None:
        if self._tuning is not None:
            self._ask(self._tuning.apply)

    @Slot()
    def _try(self) -> None:
        if self._tuning is not None:
            self._ask(self._tuning.try_changes)

    def _ask(self, request: Callable[[Sequence[Change]], None]) -> None:
        changes = self._detail.table.chosen
        if self._tuning is not None and changes and self._tuning.can_change:
            self._asked = changes
            request(changes)

    @Slot(str)
    def _undo(self, key: str) -> None:
        if self._tuning is not None and self._tuning.can_change:
            self._tuning.undo([key])

    @Slot()
    def _cancel(self) -> None:
        if self._tuning is not None:
            self._tuning.cancel()

    # --- copying --------------------------------------------------------------------------------

    @Slot()
    def _copy(self) -> None:
        table = self._detail.table
        is_chosen = self._can_choose and bool(table.chosen)
        self._copy_commands(table.chosen if is_chosen else table.offered)

    def _copy_commands(self, changes: Sequence[Change]) -> None:
        try:
            text = as_commands(changes)
        except NotExportableError as error:
            message = self.tr("There is no command for this: {reason}").format(
                reason=said_sentence(error.statement)
            )
            self._detail.action_bar.say(message)
            return
        QGuiApplication.clipboard().setText(text)
        self._detail.action_bar.say(self.tr("Copied. Paste it into a terminal."))

    @Slot(str)
    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        bar = self._detail.action_bar
        bar.show()
        bar.say(self.tr("Copied: {text}").format(text=text))

    @Slot(str)
    def _banner_action(self, action: str) -> None:
        tuning = self._tuning
        outcome = None if tuning is None else tuning.outcome
        if tuning is None or outcome is None:
            return
        if action == COPY:
            self._copy_commands(outcome.changes)
        elif action == DISMISS:
            tuning.forget_outcome()
