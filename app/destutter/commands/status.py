# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter status``: every setting, who set it, what is advised, what Destutter changed."""

import argparse
from typing import TYPE_CHECKING, Any

from destutter.commands.options import add_json_option, add_root_option, root_of
from destutter.commands.terminal import CommandError, Terminal

if TYPE_CHECKING:
    from destutter.commands.helper_state import HelperAnswer
    from destutter.tuning.current import CurrentValue
    from destutter.tuning.standing_advice import Recommendation

_WIDTHS = (38, 14, 16)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_root_option(parser)
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Show the settings. Raises ``CommandError`` when not a single one can be read."""
    from destutter.commands.helper_state import ask_helper
    from destutter.core.kernel_files import KernelFiles
    from destutter.tuning.current import as_mapping, read_current
    from destutter.tuning.standing_advice import standing_advice

    root = root_of(arguments)
    values = read_current(KernelFiles(root))
    if all(each.value is None for each in values):
        raise CommandError(f"none of the settings can be read below {root}")
    advice = {(each.tunable, each.device): each for each in standing_advice(as_mapping(values))}
    answer = ask_helper(root)
    if arguments.json:
        terminal.json(_as_json(values, advice, answer))
        return 0
    for line in _lines(values, advice, answer):
        terminal.line(line)
    return 0


def _as_json(
    values: "tuple[CurrentValue, ...]",
    advice: "dict[tuple[str, str], Recommendation]",
    answer: "HelperAnswer",
) -> dict[str, Any]:
    return {
        "settings": [_setting(each, advice, answer) for each in values],
        "helper": {"is_ready": answer.is_ready, "detail": answer.detail},
    }


def _setting(
    value: "CurrentValue",
    advice: "dict[tuple[str, str], Recommendation]",
    answer: "HelperAnswer",
) -> dict[str, Any]:
    recommended = advice.get((value.id, value.device))
    changed = answer.changed.get((value.id, value.device))
    return {
        "tunable": value.id,
        "device": value.device or None,
        "label": value.label,
        "unit": value.unit,
        "value": value.value,
        "is_active": value.is_active,
        "why": value.why or None,
        "set_by": _set_by(value, answer),
        "recommendation": None
        if recommended is None
        else {
            "recommended": recommended.recommended,
            "reason": recommended.reason,
            "risk": recommended.risk,
        },
        "changed": None if changed is None else {"origin": changed.origin, "value": changed.value},
    }


def _lines(
    values: "tuple[CurrentValue, ...]",
    advice: "dict[tuple[str, str], Recommendation]",
    answer: "HelperAnswer",
) -> list[str]:
    lines = [_row("setting", "value", "set by", "")]
    for value in values:
        if value.value is None:
            continue
        recommended = advice.get((value.id, value.device))
        note = "" if value.is_active else "does not count now"
        if recommended is not None:
            note = f"advised: {recommended.recommended} (risk {recommended.risk})"
        shown = f"{value.value} {value.unit}" if value.unit else value.value
        lines.append(_row(_name(value), shown, _set_by(value, answer), note))
    lines += [f"{each.tunable}: {each.reason}" for each in advice.values()]
    absent = [value for value in values if value.value is None]
    if absent:
        lines += ["", "Not here:"]
        lines += [f"  {_name(value)}: {value.why}" for value in absent]
    return [*lines, "", f"Helper: {answer.detail}"]


def _name(value: "CurrentValue") -> str:
    return f"{value.id}@{value.device}" if value.device else value.id


def _set_by(value: "CurrentValue", answer: "HelperAnswer") -> str:
    from destutter.tuning.defaults import set_by

    changed = answer.changed.get((value.id, value.device))
    if changed is not None:
        return f"Destutter, was {changed.origin}"
    return set_by(value)


def _row(name: str, value: str, owner: str, note: str) -> str:
    widths = _WIDTHS
    cells = f"{name:<{widths[0]}} {value:<{widths[1]}} {owner:<{widths[2]}} {note}"
    return cells.rstrip()
