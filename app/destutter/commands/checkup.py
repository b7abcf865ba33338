# SPDX-License-Identifier: GPL-3.0-or-later
"""What a few seconds of measuring and a look at the files say about this computer."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from destutter.analysis.examining.pipeline import Pipeline
from destutter.commands.computer import computer
from destutter.commands.helper_chain import (
    DOCTOR_SHOWS,
    ChainLink,
    first_failing,
    helper_program,
    sandboxed_steps,
    static_steps,
)
from destutter.commands.helper_state import ask_helper
from destutter.commands.live import LiveStream
from destutter.commands.terminal import Terminal
from destutter.core.bus_caller import SYSTEM_BUS
from destutter.core.catalog import SOURCES
from destutter.core.sample import Header, Sample
from destutter.core.sandbox import NAME, Sandbox, read_sandbox
from destutter.core.statement import Statement, told
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.coverage import Coverage, name_of_source
from destutter.diagnosis.causes.registry import CAUSES
from destutter.sampling.installed.game import Package
from destutter.sampling.installed.mangohud import installed_mangohud
from destutter.tuning.current import read_current
from destutter.words.renderer import english, renderer

_OPTIONAL_PROBES = ("write",)  # only runs in experiments


@dataclass(frozen=True, slots=True)
class SourceReport:
    """One source: whether it delivered, and if not, why."""

    id: str
    name: Statement
    is_measured: bool
    why: Statement | None


@dataclass(frozen=True, slots=True)
class CauseReport:
    """One cause; ``why`` is None when it can be found here."""

    id: str
    name: Statement
    why: Statement | None


@dataclass(frozen=True, slots=True)
class Checkup:
    """Everything that ``doctor`` tells."""

    machine: Mapping[str, Any]
    sources: tuple[SourceReport, ...]
    causes: tuple[CauseReport, ...]
    frame_tools: tuple[ChainLink, ...]
    settings_here: int
    helper: tuple[ChainLink, ...]
    notices: tuple[Statement, ...] = ()

    @property
    def failing_step(self) -> ChainLink | None:
        """Where the way to the helper ends; None when it answers."""
        return first_failing(self.helper)

    @property
    def is_sandboxed(self) -> bool:
        """Whether a Flatpak's sandbox hides a part of the computer."""
        return self.machine.get("sandbox") == NAME

    def as_json(self) -> dict[str, Any]:
        failing = self.failing_step
        return {
            "machine": dict(self.machine),
            "sources": [_plain(each) for each in self.sources],
            "causes": [_plain(each) for each in self.causes],
            "frame_tools": [_plain_link(each) for each in self.frame_tools],
            "settings_here": self.settings_here,
            "helper": [_plain_link(each) for each in self.helper],
            "notices": list(map(english, self.notices)),
            "failing_step": None if failing is None else english(failing.name),
        }


def examine(stream: LiveStream, terminal: Terminal) -> Checkup:
    """Measure until the stream ends and look around. Raises ``CommandError``."""
    assessor = Assessor()
    pipeline = Pipeline(assessor)
    machine: Mapping[str, Any] = {}
    delivered: set[str] = set()
    with stream:
        for message in stream:
            pipeline.accept_message(message)
            if isinstance(message, Header):
                machine = message.machine
            if isinstance(message, Sample):
                delivered |= _delivered(message)
                terminal.status(terminal.words.text(Statement("command.looking")))
    terminal.end_status()
    values = read_current(computer(stream.root))
    steps, notices = _helper(stream.root)
    return Checkup(
        machine,
        tuple(_sources(assessor.coverage, delivered)),
        tuple(_causes(assessor.coverage, delivered)),
        tuple(_frame_tools(read_sandbox(computer(stream.root)))),
        sum(each.value is not None for each in values),
        tuple(steps),
        notices,
    )


def _plain(report: SourceReport | CauseReport) -> dict[str, Any]:
    why = None if report.why is None else renderer().sentence(report.why)
    return {**asdict(report), "name": english(report.name), "why": why}


def _plain_link(link: ChainLink) -> dict[str, Any]:
    return {"name": english(link.name), "is_fine": link.is_fine, "detail": english(link.detail)}


def _delivered(sample: Sample) -> set[str]:
    """The sources with a value: a rate takes two readings, and slow sources give only one here."""
    return {
        reading.source
        for reading in sample.readings
        if any(value is not None for value in reading.values)
    }


def _sources(coverage: Coverage, delivered: set[str]) -> list[SourceReport]:
    found = []
    for source in SOURCES:
        if source in _OPTIONAL_PROBES:
            continue
        is_measured = source in delivered or coverage.is_seen(source)
        why = None if is_measured else coverage.why_not(source)
        found.append(SourceReport(source, name_of_source(source), is_measured, why))
    return found


def _causes(coverage: Coverage, delivered: set[str]) -> list[CauseReport]:
    found = []
    for spec in CAUSES:
        lacking = coverage.lacking(spec, delivered)
        why = spec.unmeasurable or (None if lacking is None else coverage.why_not(lacking))
        found.append(CauseReport(spec.id, Statement(f"cause.{spec.id}"), why))
    return found


def _frame_tools(sandbox: Sandbox | None) -> list[ChainLink]:
    """Programs of the user's that can tell frame times."""
    return _found_tools() if sandbox is None else _tools_outside(sandbox)


def _tools_outside(sandbox: Sandbox) -> list[ChainLink]:
    """The same in a Flatpak, where none of them can be seen and all may be there."""
    run = f"flatpak run --{{}} {sandbox.application}"
    folder = run.format("filesystem=FOLDER:ro") + " --mangohud FOLDER"
    network = Statement("doctor.no_network", {"command": run.format("share=network")})
    return [
        ChainLink(
            told("MangoHud"),
            is_fine=False,
            detail=Statement("doctor.unseen", {"command": folder}),
        ),
        ChainLink(
            told("X-Plane"),
            sandbox.has_network,
            Statement("doctor.reachable") if sandbox.has_network else network,
        ),
    ]


def _found_tools() -> list[ChainLink]:
    return [
        _tool("MangoHud", installed_mangohud(os.environ, Package.NATIVE) or None),
        _tool("gamescope", shutil.which("gamescope")),
    ]


def _tool(name: str, path: str | None) -> ChainLink:
    absent = Statement(f"doctor.absent.{name.lower()}")
    return ChainLink(told(name), path is not None, absent if path is None else told(path))


def _helper(root: str) -> tuple[list[ChainLink], tuple[Statement, ...]]:
    """The way to the helper, and what it has to tell to people."""
    if root != "/":
        name = Statement("doctor.step.running_computer")
        other = Statement("doctor.wrong.other_tree", {"path": root})
        return [ChainLink(name, is_fine=False, detail=other)], ()
    address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or SYSTEM_BUS
    is_sandboxed = read_sandbox(computer(root)) is not None
    steps = sandboxed_steps(address) if is_sandboxed else static_steps(Path("/"), address)
    if first_failing(steps) is not None:
        return steps, ()
    answer = ask_helper(root)
    detail = answer.detail if answer.is_ready else _with_more(answer.detail)
    link = ChainLink(Statement("doctor.step.answer"), answer.is_ready, detail)
    return [*steps, link], answer.notices


def _with_more(detail: Statement) -> Statement:
    """Why the helper does not answer, and how to see more than that: who reads this is here.

    What the helper writes while it starts goes where a user does not see it.
    """
    said = detail.values.get("why_sentences")
    reasons = said if isinstance(said, tuple) else (detail,)
    reasons = tuple(each for each in reasons if each != DOCTOR_SHOWS)
    program = helper_program()
    more = (Statement("doctor.by_hand", {"program": program}),) if program else ()
    return Statement("change.helper", {"why_sentences": (*reasons, *more)})
