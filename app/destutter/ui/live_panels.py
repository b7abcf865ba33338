# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel beside the graphs shows, and how it keeps up with the measurements."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from destutter.bridge.pipeline import Snapshot
from destutter.diagnosis.finding import Assessment, Finding, Group, Spike
from destutter.ui.advice_view import (
    Advice,
    AdviceView,
    frame_time_advice,
    helper_advice,
    missing_advice,
    pressure_advice,
)
from destutter.ui.chip import state_name
from destutter.ui.finding_view import FindingView
from destutter.ui.live_notes import source_name
from destutter.ui.live_state import Surroundings, programs
from destutter.ui.program_chooser import ProgramChooser
from destutter.ui.quantities import Quantities, WallClock
from destutter.ui.side_panel import SidePanel
from destutter.ui.stutter_list import StutterList
from destutter.ui.theme import Theme
from destutter.ui.words import Words

PRESSURE_LANE = 3
_MOST_FINDINGS = 4


class LivePanels(QObject):
    """Fills a ``SidePanel``.

    Signals: ``moment_chosen(int)`` in nanoseconds of CLOCK_MONOTONIC, ``spike_chosen(Spike)``,
    ``program_chosen(int)`` with a process id.
    """

    moment_chosen = Signal(object)
    spike_chosen = Signal(object)
    program_chosen = Signal(int)

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
        self._followed: tuple[str, ...] = ()
        self._snapshot: Snapshot | None = None
        self._programs: list[tuple[int, str, float]] = []

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take note of what the panels tell from."""
        self._snapshot = snapshot
        # Processes are looked at every few seconds only; in between the last look counts.
        self._programs = programs(snapshot) or self._programs

    def update(self) -> None:
        """Bring the open content up to date, unless the user is busy with it."""
        content, assessment = self._panel.content, self._assessment
        if assessment is None:
            return
        if isinstance(content, StutterList):
            content.show_spikes(assessment.spikes)
        elif isinstance(content, ProgramChooser):
            content.show_programs(self._programs)
        elif isinstance(content, FindingView) and not _has_focus_inside(content):
            by_cause = {finding.cause: finding for finding in assessment.findings}
            findings = tuple(by_cause[cause] for cause in self._followed if cause in by_cause)
            if findings and findings != content.findings:
                self._show(findings)

    @property
    def _assessment(self) -> Assessment | None:
        return None if self._snapshot is None else self._snapshot.assessment

    @Slot()
    def show_cause(self) -> None:
        """The cause that the banner names, and what else was found."""
        assessment = self._assessment
        if assessment is not None:
            self.show_findings(assessment.verdict.finding, assessment.findings)

    def show_cause_of(self, spike: Spike | None) -> None:
        """The cause of one stutter; where none is known, all stutters."""
        found = () if self._assessment is None else self._assessment.findings
        first = next((one for one in found if spike and one.cause == spike.cause), None)
        if first is None:
            self.show_stutters()
        else:
            self.show_findings(first, ())

    def show_findings(self, first: Finding | None, others: Sequence[Finding]) -> None:
        """The finding that was asked for, then the others."""
        rest = [one for one in others if first is None or one.cause != first.cause]
        findings = ([] if first is None else [first]) + rest
        if findings:
            self._show(tuple(findings[:_MOST_FINDINGS]))

    def _show(self, findings: tuple[Finding, ...]) -> None:
        self._followed = tuple(finding.cause for finding in findings)
        view = FindingView(self._theme, self._words, self._quantities, self._clock, findings)
        view.moment_chosen.connect(self.moment_chosen)
        self._panel.show_content(self._words.cause(findings[0].cause), view)

    @Slot(object)
    def show_group(self, group: Group) -> None:
        """The findings of a group, or that there are none."""
        assessment = self._assessment
        if assessment is None:
            return
        findings = [finding for finding in assessment.findings if finding.group is group]
        if findings:
            self.show_findings(findings[0], findings[1:])
            return
        state = next((one for one in assessment.groups if one.group is group), None)
        parts = [self.tr("Nothing points to this group.")]
        if state is not None:
            reason = self._words.text(state.reason)
            parts = [f"{state_name(state.state)}. {reason}", *parts]
        self._show_advice(Advice(self._words.group(group), tuple(parts)))

    @Slot()
    def show_stutters(self) -> None:
        """The stutters as a list."""
        spikes = () if self._assessment is None else self._assessment.spikes
        view = StutterList(self._theme, self._words, self._quantities, self._clock)
        view.chosen.connect(self.spike_chosen)
        view.show_spikes(spikes)
        self._panel.show_content(self.tr("Stutters"), view)
        view.list.setFocus()

    def mark_spike(self, spike: Spike | None) -> None:
        """Show in an open list which stutter is chosen in the graphs."""
        content = self._panel.content
        if isinstance(content, StutterList):
            content.mark(spike)

    @Slot()
    def show_programs(self) -> None:
        """The programs to choose from."""
        view = ProgramChooser(self._theme, self._quantities)
        view.chosen.connect(self.program_chosen)
        view.show_programs(self._programs)
        self._panel.show_content(self.tr("Choose a program"), view)
        view.filter.setFocus()

    @Slot()
    def show_missing(self) -> None:
        """What is not measured here, and why."""
        if self._snapshot is not None:
            refused = Surroundings.of(self._snapshot).refused
            named = [(source_name(source), reason) for source, reason in refused]
            missing = [(one.what, one.why) for one in self._snapshot.assessment.not_measured]
            self._show_advice(missing_advice([*named, *missing]))

    @Slot(int)
    def show_lane_advice(self, lane: int) -> None:
        """What a lane needs: the one of pressure the kernel's option, the first MangoHud."""
        self._show_advice(pressure_advice() if lane == PRESSURE_LANE else frame_time_advice())

    def show_helper_advice(self, reason: str) -> None:
        """What the helper is for."""
        self._show_advice(helper_advice(reason))

    def _show_advice(self, advice: Advice) -> None:
        self._panel.show_content(advice.title, AdviceView(self._theme, advice))


def _has_focus_inside(widget: QWidget) -> bool:
    return any(child.hasFocus() for child in widget.findChildren(QWidget))
