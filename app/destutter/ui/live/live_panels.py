# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel beside the graphs shows, and how it keeps up with the measurements."""

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.followed_frames import FollowedFrames
from destutter.bridge.helper_client import HelperStatus
from destutter.diagnosis.finding import HORIZON_S, Assessment, Spike
from destutter.ui.controls.side_panel import SidePanel
from destutter.ui.help.advice_view import (
    Advice,
    AdviceView,
    missing_advice,
    pressure_advice,
)
from destutter.ui.help.connect_view import no_games
from destutter.ui.help.frames_view import FramesView
from destutter.ui.help.helper_view import HelperView, make_helper_view
from destutter.ui.live.live_notes import source_name
from destutter.ui.live.live_state import MeasuringLimits, programs
from destutter.ui.live.program_chooser import ProgramChooser
from destutter.ui.live.stutter_list import StutterList
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.words import Words, said

_PRESSURE = "pressure"  # the source of the one lane that an option of the kernel turns on


class LivePanels(QObject):
    """Fills a ``SidePanel``.

    Signals: ``spike_chosen(Spike)``, ``program_chosen(int, str)`` with a process id
    and its name,
    ``helper_installed()`` when the AppImage has set up its helper. ``followed`` is where frame
    times are taken from, ``read_games`` reads the list of installed games.
    """

    spike_chosen = Signal(object)
    program_chosen = Signal(int, str)
    helper_installed = Signal()

    def __init__(
        self,
        theme: Theme,
        words: Words,
        quantities: Quantities,
        clock: WallClock,
        panel: SidePanel,
    ) -> None:
        super().__init__(panel)
        self._theme = theme
        self._words = words
        self._quantities = quantities
        self._clock = clock
        self._panel = panel
        self._snapshot: Snapshot | None = None
        self._programs: list[tuple[int, str, float]] = []
        self.followed = FollowedFrames(parent=self)
        self.read_games = no_games

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take note of what the panels tell from."""
        self._snapshot = snapshot
        # Processes are looked at every few seconds only; in between the last look counts.
        self._programs = programs(snapshot) or self._programs
        content = self._panel.content
        if isinstance(content, FramesView):
            content.connect_game.show_snapshot(snapshot)

    def forget(self) -> None:
        self._snapshot = None

    def update(self) -> None:
        """Bring the open content up to date, unless the user is busy with it."""
        content, assessment = self._panel.content, self._assessment
        if assessment is None:
            return
        if isinstance(content, StutterList):
            content.show_spikes(_listed(assessment), is_game=assessment.verdict.blames_game)
            content.show_lost(assessment.spikes, assessment.lost)
        elif isinstance(content, ProgramChooser):
            content.show_programs(self._programs)

    @property
    def _assessment(self) -> Assessment | None:
        return None if self._snapshot is None else self._snapshot.assessment

    @Slot()
    def show_stutters(self) -> None:
        view = StutterList(self._theme, self._words, self._quantities, self._clock)
        view.chosen.connect(self.spike_chosen)
        assessment = self._assessment
        if assessment is not None:
            view.show_spikes(_listed(assessment), is_game=assessment.verdict.blames_game)
            view.show_lost(assessment.spikes, assessment.lost)
        title = self.tr("Stutters of the last {minutes} minutes")
        self._panel.show_content(title.format(minutes=HORIZON_S // 60), view)
        view.list.setFocus()

    def mark_spike(self, spike: Spike | None) -> None:
        """Show in an open list which stutter is chosen in the graphs."""
        content = self._panel.content
        if isinstance(content, StutterList):
            content.mark(spike)

    @Slot()
    def show_programs(self) -> None:
        view = ProgramChooser(self._theme, self._quantities)
        view.chosen.connect(self.program_chosen)
        view.show_programs(self._programs)
        if self._snapshot is not None and MeasuringLimits.of(self._snapshot).hides_games:
            view.show_hidden()
        self._panel.show_content(self.tr("Choose a program"), view)
        view.filter.setFocus()

    @Slot()
    def show_missing(self) -> None:
        if self._snapshot is not None:
            refused = MeasuringLimits.of(self._snapshot).refused
            named = [(source_name(source), reason) for source, reason in refused]
            missing = [(said(one.what), one.why) for one in self._snapshot.assessment.not_measured]
            self._show_advice(missing_advice([*named, *missing]))

    @Slot(str)
    def show_lane_advice(self, source: str) -> None:
        """What a lane needs: that of pressure the kernel's option, that of frames a game."""
        if source == _PRESSURE:
            self._show_advice(pressure_advice())
            return
        view = FramesView(self._theme, self._quantities, self.read_games, self.followed)
        self._panel.show_content(view.title, view)

    def show_helper_advice(self, status: HelperStatus | None) -> None:
        """What the helper is for, and which one there is."""
        view = make_helper_view(self._theme, status)
        view.done.connect(self.helper_installed)
        self._panel.show_content(view.title, view)

    def renew_helper_advice(self, status: HelperStatus) -> None:
        """It was installed or removed while that is open."""
        content = self._panel.content
        if isinstance(content, HelperView) and content.is_outdated(status):
            self.show_helper_advice(status)

    def _show_advice(self, advice: Advice) -> None:
        self._panel.show_content(advice.title, AdviceView(self._theme, advice))


def _listed(assessment: Assessment) -> list[Spike]:
    """What counts; while the verdict is about the computer also the hiccups that it counts."""
    others = assessment.uncounted if assessment.verdict.is_of_computer else ()
    return sorted((*assessment.spikes, *others), key=lambda spike: spike.monotonic_ns)
