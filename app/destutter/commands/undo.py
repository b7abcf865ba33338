# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter undo``: takes settings back exactly, through the root helper."""

import argparse

from destutter.commands.options import add_json_option
from destutter.commands.terminal import Terminal

_IDS = (
    "a setting, or ID@DEVICE; what the kernel ties together, as the two of a dirty limit or all "
    "of a drive's queue, goes back together"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_json_option(parser)
    parser.add_argument("ids", nargs="*", metavar="ID", help=_IDS)
    parser.add_argument("--all", action="store_true", help="everything that Destutter changed")
    parser.add_argument(
        "--force", action="store_true", help="also what somebody else has changed since"
    )
    parser.add_argument(
        "--accept",
        action="store_true",
        help="leave what somebody else has changed since as it is, and forget it",
    )


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    """Ask the helper; the active user at the computer needs no password."""
    from destutter.commands.changes import run_undo

    return run_undo(arguments)
