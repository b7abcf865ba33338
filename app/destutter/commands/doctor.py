# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter doctor``: what can be measured and changed here, what not, and why."""

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from destutter.commands.options import add_json_option, add_place_options
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal
from destutter.core.catalog import SLOW_PERIODS_S
from destutter.core.statement import Statement, Value
from destutter.words.columns import columns, to_left
from destutter.words.renderer import Renderer

if TYPE_CHECKING:
    from destutter.commands.checkup import CauseReport, Checkup, SourceReport
    from destutter.commands.helper_chain import ChainLink

_SECONDS = SLOW_PERIODS_S["process"] + 1.0  # two looks are compared: the second has to be within
_IN_BYTES = {"memory_kib": 1024, "page_bytes": 1}


def add_arguments(parser: CommandParser) -> None:
    add_place_options(parser)
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Measure for four seconds, look at the settings and at the way to the helper.

    Raises ``CommandError`` when nothing can be measured at all.
    """
    from destutter.commands.checkup import examine
    from destutter.commands.live import LiveStream

    stream = LiveStream(arguments, _SECONDS)
    found = examine(stream, terminal)
    if arguments.json:
        terminal.json(found.as_json())
    else:
        for line in _lines(found, terminal.words):
            terminal.line(line)
    return stream.conclude(terminal)


def _lines(found: "Checkup", words: Renderer) -> list[str]:
    def said(id_: str, **values: Value) -> str:
        return words.text(Statement(f"doctor.{id_}", values))

    marks = {True: said("yes"), False: said("no")}
    width = max(map(columns, marks.values()))
    marks = {is_so: to_left(text, width) for is_so, text in marks.items()}

    def line(what: str, why: str, *, is_so: bool) -> str:
        return f"  {marks[is_so]} {said('line', what=what, why=why) if why else what}"

    def named(report: "SourceReport | CauseReport", *, is_so: bool) -> str:
        what = said("named", name=report.name, id=report.id)
        return line(what, "" if report.why is None else words.sentence(report.why), is_so=is_so)

    def linked(link: "ChainLink") -> str:
        return line(words.text(link.name), words.text(link.detail), is_so=link.is_fine)

    lines = [said("computer")]
    lines += [f"  {each}" for each in _machine(found.machine, words)]
    lines += ["", said("measured")]
    lines += [named(each, is_so=each.is_measured) for each in found.sources]
    lines += ["", said("causes")]
    lines += [named(each, is_so=each.why is None) for each in found.causes]
    lines += ["", said("frames"), *map(linked, found.frame_tools)]
    lines += ["", said("changed"), f"  {said('settings', count=found.settings_here)}"]
    lines += map(linked, found.helper)
    failing = found.failing_step
    if failing is None:
        lines += [f"  {said('answers')}"]
        lines += [f"  {said('says', text=notice)}" for notice in found.notices]
    else:
        where = "fails_in_sandbox" if found.is_sandboxed else "fails"
        lines += [f"  {said(where, step=failing.name)}"]
    return lines


def _machine(machine: Mapping[str, Any], words: Renderer) -> Iterator[str]:
    """The header of the stream, with a name for what each value is."""
    for key, value in machine.items():
        shown = _value(key, value, words)
        name = words.named("doctor.machine", key)
        yield words.text(Statement("doctor.line", {"what": name, "why": shown}))


def _value(key: str, value: Any, words: Renderer) -> str:
    if isinstance(value, list):
        return words.enumerated(map(str, value)) or words.named("doctor", "none")
    if key in _IN_BYTES and isinstance(value, int):
        return words.measures.size(value * _IN_BYTES[key])
    if key == "virtual_machine" and value == "unknown":
        value = "yes"  # it is one, and hides which
    return words.named("doctor.value", value) if isinstance(value, str) else str(value)
