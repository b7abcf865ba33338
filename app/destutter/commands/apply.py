# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply``: settings on trial through the root helper."""

import argparse

from destutter.commands.options import add_json_option
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal, UsageError
from destutter.core.statement import Statement, Value
from destutter_helper.api.names import (
    CHANGES_MAX,
    KEEP_ALWAYS,
    KEEP_RESTART,
    TRIAL_MAX_S,
    TRIAL_MIN_S,
    TRIAL_USUAL_S,
    TRIALS_PER_MINUTE_MAX,
)

_LIMITS: dict[str, Value] = {"low": TRIAL_MIN_S, "high": TRIAL_MAX_S}


def add_arguments(parser: CommandParser) -> None:
    add_json_option(parser)
    parser.add_argument(
        "changes",
        nargs="+",
        metavar="ID=VALUE",
        help=parser.say(
            "cli.apply.changes", {"most": CHANGES_MAX, "trials": TRIALS_PER_MINUTE_MAX}
        ),
    )
    parser.add_argument(
        "--trial",
        type=_trial_seconds,
        default=TRIAL_USUAL_S,
        metavar="SECONDS",
        help=parser.say("cli.apply.trial", {**_LIMITS, "usual": TRIAL_USUAL_S}),
    )
    lasting = (KEEP_RESTART, KEEP_ALWAYS)
    parser.add_argument("--keep", choices=lasting, help=parser.say("cli.apply.keep"))
    parser.add_argument("--for-game", metavar="NAME", help=parser.say("cli.apply.for_game"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Ask the helper; it asks for the password."""
    from destutter.commands.changes import run_apply

    return run_apply(arguments, terminal)


def _trial_seconds(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and TRIAL_MIN_S <= int(text) <= TRIAL_MAX_S):
        raise UsageError(Statement("cli.apply.no_seconds", {**_LIMITS, "text": text}))
    return int(text)
