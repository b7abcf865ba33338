# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured and changed here, line by line, from what has arrived so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.analysis.report.said_of_sessions import origin_name
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.statement import Statement
from destutter.diagnosis.causes.coverage import FRAMES
from destutter.diagnosis.history.drives import of_drives
from destutter.ui.help.advice_view import (
    Advice,
    helper_advice,
    pressure_advice,
)
from destutter.ui.words.words import said_sentence, spoken

translate = QCoreApplication.translate

HELPER = "helper"
_MOST_DRIVES = 3  # a choice: the names are to stay one short line


class CheckState(StrEnum):
    """``READY``; ``ABSENT``: nothing to be done here; ``FIXABLE``: advice helps."""

    READY = "ready"
    ABSENT = "absent"
    FIXABLE = "fixable"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Check:
    """One line. ``advice`` is shown behind a button, or what ``connects`` a game."""

    id: str
    state: CheckState
    title: str
    detail: str
    advice: Advice | None = None
    connects: bool = False


class Seen:
    """What has been measured since the beginning, by source."""

    def __init__(self) -> None:
        self.sources: set[str] = set()
        self.drives: set[str] = set()
        self.frame_tool = ""
        self.why: dict[str, Statement] = {}
        self.snapshots = 0

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        self.snapshots += 1
        for metrics in snapshot.metrics:
            for metric, value in metrics.values.items():
                if value is not None and metric in METRIC_BY_ID:
                    self.sources.add(METRIC_BY_ID[metric].source)
            for metric, instances in metrics.instanced.items():
                if instances and metric in METRIC_BY_ID:
                    self._accept_instances(METRIC_BY_ID[metric].source, set(instances))
        for frames in snapshot.frames:
            self.frame_tool = frames.origin or self.frame_tool
        self.why = {each.what.id: each.why for each in snapshot.assessment.not_measured}
        self.why |= {f"source.{source}": why for source, why in snapshot.troubles.items()}

    def _accept_instances(self, source: str, instances: set[str]) -> None:
        self.sources.add(source)
        if source == "disk":
            self.drives |= instances


def checks(seen: Seen, helper: HelperStatus) -> tuple[Check, ...]:
    """The lines, in the order of the page."""
    return tuple(_checks(seen, helper))


def _checks(seen: Seen, helper: HelperStatus) -> Iterator[Check]:
    if not seen.snapshots:
        # What is not there, and what only has not come yet, cannot be told apart so far.
        yield Check(
            "waiting",
            CheckState.WAITING,
            translate("Guide", "Measuring begins…"),
            "",
        )
        yield _helper(helper)
        return
    yield _frames(seen)
    yield _memory(seen)
    yield _drives(seen)
    yield _pressure(seen)
    yield _helper(helper)
    yield _part(seen, ("gpu",), translate("Guide", "Graphics card"))
    yield _part(seen, ("power", "temperature"), translate("Guide", "Power and temperature"))


def _frames(seen: Seen) -> Check:
    title = translate("Guide", "Frame times")
    why = seen.why.get(f"source.{FRAMES}")
    if seen.frame_tool and why:
        return Check("frames", CheckState.FIXABLE, title, said_sentence(why), connects=True)
    if seen.frame_tool:
        text = translate("Guide", "Reported by {tool}.").format(
            tool=origin_name(seen.frame_tool, spoken())
        )
        return Check("frames", CheckState.READY, title, text)
    return Check(
        "frames",
        CheckState.FIXABLE,
        title,
        translate(
            "Guide",
            "No game reports them yet. Until one does, stutters are found by how late the "
            "computer reacts.",
        ),
        connects=True,
    )


def _memory(seen: Seen) -> Check:
    title = translate("Guide", "Memory, and how quickly the computer reacts")
    if "vmstat" in seen.sources and "wakeup" in seen.sources:
        text = translate("Guide", "From the system's own counts, and a probe of ours.")
        return Check("memory", CheckState.READY, title, text)
    if "vmstat" in seen.sources:
        text = translate("Guide", "From the system's own counts. {why}")
        text = text.format(why=_why(seen, "wakeup"))
        return Check("memory", CheckState.READY, title, text)
    return Check("memory", CheckState.ABSENT, title, _why(seen, "vmstat"))


def _drives(seen: Seen) -> Check:
    title = translate("Guide", "How quickly the drives answer")
    if not seen.drives:
        return Check("disk", CheckState.ABSENT, title, _why(seen, "disk"))
    names = sorted(of_drives(dict.fromkeys(seen.drives)))
    shown = spoken().enumerated(names[:_MOST_DRIVES])
    if len(names) > _MOST_DRIVES:
        shown = translate("Guide", "{names} and more").format(names=shown)
    return Check("disk", CheckState.READY, title, shown)


def _pressure(seen: Seen) -> Check:
    title = translate("Guide", "What programs wait for")
    if "pressure" in seen.sources:
        text = translate("Guide", "Told by the system.")
        return Check("pressure", CheckState.READY, title, text)
    why = _why(seen, "pressure")
    return Check("pressure", CheckState.FIXABLE, title, why, pressure_advice())


def _helper(helper: HelperStatus) -> Check:
    title = translate("Guide", "Helper for changing settings")
    if helper.availability is Availability.READY:
        text = translate("Guide", "Installed. It asks for a password when something is changed.")
        return Check(HELPER, CheckState.READY, title, text)
    if helper.availability is Availability.UNKNOWN:
        text = translate("Guide", "It is being asked.")
        return Check(HELPER, CheckState.WAITING, title, text)
    text = translate("Guide", "Not available. Without it everything is measured all the same.")
    return Check(HELPER, CheckState.FIXABLE, title, text, helper_advice(helper.reason))


def _part(seen: Seen, sources: tuple[str, ...], title: str) -> Check:
    if seen.sources.intersection(sources):
        text = translate("Guide", "Can be read.")
        return Check(sources[0], CheckState.READY, title, text)
    return Check(sources[0], CheckState.ABSENT, title, _why(seen, *sources))


def _why(seen: Seen, *sources: str) -> str:
    for source in sources:
        why = seen.why.get(f"source.{source}")
        if why is not None:
            return said_sentence(why)
    return translate("Guide", "Not offered by this computer; causes that need it are skipped.")
