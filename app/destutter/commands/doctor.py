# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter doctor``: what can be measured and changed here, what not, and why."""

import argparse
from typing import TYPE_CHECKING, Any

from destutter.commands.options import add_json_option, add_place_options
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal
from destutter.core.statement import Statement, Value
from destutter.words.columns import columns, to_left
from destutter.words.renderer import Renderer

if TYPE_CHECKING:
    from destutter.commands.examination import Examination

# Other programs are compared every three seconds: the second look has to be within.
_SECONDS = 4.0


def add_arguments(parser: CommandParser) -> None:
    """The options of the command."""
    add_place_options(parser)
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Measure for four seconds, look at the settings and at the way to the helper.

    Raises ``CommandError`` when nothing can be measured at all.
    """
    from destutter.commands.examination import examine
    from destutter.commands.live import LiveStream

    stream = LiveStream(arguments, _SECONDS)
    found = examine(stream, terminal)
    if arguments.json:
        terminal.json(found.as_json())
    else:
        for line in _lines(found, terminal.words):
            terminal.line(line)
    return stream.conclude(terminal)


def _lines(found: "Examination", words: Renderer) -> list[str]:
    def said(id_: str, **values: Value) -> str:
        return words.text(Statement(f"doctor.{id_}", values))

    marks = {True: said("yes"), False: said("no")}
    width = max(map(columns, marks.values()))
    marks = {is_so: to_left(text, width) for is_so, text in marks.items()}
    lines = [said("computer")]
    lines += [f"  {name}: {_text(value, said('none'))}" for name, value in found.machine.items()]
    lines += ["", said("measured")]
    lines += [
        f"  {marks[source.is_measured]} {words.text(source.name)} ({source.id})"
        + ("" if source.why is None else f": {words.sentence(source.why)}")
        for source in found.sources
    ]
    lines += ["", said("causes")]
    lines += [
        f"  {marks[cause.why is None]} {words.text(cause.name)} ({cause.id})"
        + ("" if cause.why is None else f": {words.sentence(cause.why)}")
        for cause in found.causes
    ]
    lines += ["", said("frames")]
    lines += [f"  {marks[tool.is_fine]} {tool.name}: {tool.detail}" for tool in found.frame_tools]
    lines += ["", said("changed")]
    lines += [f"  {said('settings', count=found.settings_here)}"]
    lines += [f"  {marks[step.is_fine]} {step.name}: {step.detail}" for step in found.helper]
    failing = found.failing_step
    if failing is None:
        lines += [f"  {said('answers')}"]
        lines += [f"  {said('says', text=notice)}" for notice in found.notices]
    else:
        where = "fails_in_sandbox" if found.is_sandboxed else "fails"
        lines += [f"  {said(where, step=failing.name)}"]
    return lines


def _text(value: Any, none: str) -> str:
    return ", ".join(map(str, value)) or none if isinstance(value, list) else str(value)
