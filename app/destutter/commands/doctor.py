# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter doctor``: what can be measured and changed here, what not, and why."""

import argparse
from typing import TYPE_CHECKING, Any

from destutter.commands.options import add_json_option, add_place_options
from destutter.commands.terminal import Terminal
from destutter.words.renderer import Renderer

if TYPE_CHECKING:
    from destutter.commands.examination import Examination

# Other programs are compared every three seconds: the second look has to be within.
_SECONDS = 4.0
_MARKS = {True: "yes", False: "no "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
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
    lines = ["Computer"]
    lines += [f"  {name}: {_text(value)}" for name, value in found.machine.items()]
    lines += ["", "Can be measured"]
    lines += [
        f"  {_MARKS[source.is_measured]} {words.text(source.name)} ({source.id})"
        + ("" if source.why is None else f": {words.sentence(source.why)}")
        for source in found.sources
    ]
    lines += ["", "Causes that can be found"]
    lines += [
        f"  {_MARKS[cause.why is None]} {words.text(cause.name)} ({cause.id})"
        + ("" if cause.why is None else f": {words.sentence(cause.why)}")
        for cause in found.causes
    ]
    lines += ["", "Frame times"]
    lines += [f"  {_MARKS[tool.is_fine]} {tool.name}: {tool.detail}" for tool in found.frame_tools]
    lines += ["", "Can be changed, with the root helper"]
    lines += [f"  {found.settings_here} settings of this computer can be read"]
    lines += [f"  {_MARKS[step.is_fine]} {step.name}: {step.detail}" for step in found.helper]
    failing = found.failing_step
    if failing is None:
        lines += ["  The helper answers."]
        lines += [f"  It says: {words.text(notice)}" for notice in found.notices]
    else:
        what = "What the sandbox shows is" if found.is_sandboxed else "Everything can be"
        lines += [f"  Fails at: {failing.name}. {what} measured without it."]
    return lines


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
