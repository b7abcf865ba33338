# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter apply``: settings on trial through the root helper."""

import argparse

from destutter.commands.options import add_json_option
from destutter.commands.terminal import Terminal
from destutter_helper.api.names import (
    CHANGES_MAX,
    TRIAL_MAX_S,
    TRIAL_MIN_S,
    TRIAL_USUAL_S,
    TRIALS_PER_MINUTE_MAX,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_json_option(parser)
    parser.add_argument(
        "changes",
        nargs="+",
        metavar="ID=VALUE",
        help=f"a setting, or ID@DEVICE=VALUE; at most {CHANGES_MAX} at once, "
        f"{TRIALS_PER_MINUTE_MAX} trials a minute",
    )
    parser.add_argument(
        "--trial",
        type=_trial_seconds,
        default=TRIAL_USUAL_S,
        metavar="SECONDS",
        help=f"after so long, {TRIAL_MIN_S} to {TRIAL_MAX_S}, everything goes back by itself "
        f"(default {TRIAL_USUAL_S})",
    )
    parser.add_argument(
        "--keep", choices=("restart", "always"), help="keep it until the restart, or always"
    )


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    """Ask the helper; it asks for the password."""
    from destutter.commands.changes import run_apply

    return run_apply(arguments)


def _trial_seconds(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and TRIAL_MIN_S <= int(text) <= TRIAL_MAX_S):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a whole number of seconds from {TRIAL_MIN_S} to {TRIAL_MAX_S}"
        )
    return int(text)
