# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter prove``: short experiments, alone or one setting against another."""

import argparse
from collections.abc import Callable

from destutter.commands.options import add_json_option, seconds
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal, UsageError
from destutter.core.statement import Statement, Value

EXPERIMENTS = ("storage", "write", "wakeup", "memory")
# Four schedulers in three blocks are 48 s; an experiment has a minute.
_BLOCK_S = 4.0
_BLOCKS = 3
_LEAST_PAIRS, _MOST_PAIRS = 6, 16


def add_arguments(parser: CommandParser) -> None:
    add_json_option(parser)
    parser.add_argument("experiment", choices=EXPERIMENTS, help=parser.say("cli.prove.experiment"))
    parser.add_argument("--device", metavar="D", help=parser.say("cli.prove.device"))
    parser.add_argument("--folder", metavar="DIR", help=parser.say("cli.prove.folder"))
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=_BLOCK_S,
        metavar="N",
        help=parser.say("cli.prove.seconds", {"usual": _BLOCK_S}),
    )
    parser.add_argument(
        "--blocks",
        type=_count(1, 100),
        default=_BLOCKS,
        metavar="N",
        help=parser.say("cli.prove.blocks"),
    )
    parser.add_argument(
        "--against", nargs="+", metavar="ID=VALUE", help=parser.say("cli.prove.against")
    )
    parser.add_argument(
        "--pairs",
        type=_count(_LEAST_PAIRS, _MOST_PAIRS),
        default=_LEAST_PAIRS,
        metavar="N",
        help=parser.say("cli.prove.pairs", {"low": _LEAST_PAIRS, "high": _MOST_PAIRS}),
    )
    parser.add_argument(
        "--all-schedulers", action="store_true", help=parser.say("cli.prove.all_schedulers")
    )
    parser.add_argument(
        "--fill", nargs="+", default=[], metavar="PATH", help=parser.say("cli.prove.fill")
    )
    parser.add_argument(
        "--mib", type=_count(32, 1 << 24), metavar="N", help=parser.say("cli.prove.mib")
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Make the experiment. Raises ``CommandError`` or ``UsageError`` in words."""
    from destutter.commands.proving import run_prove

    return run_prove(arguments, terminal)


def _count(low: int, high: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text) <= high):
            limits: dict[str, Value] = {"low": str(low), "high": str(high)}
            raise UsageError(Statement("cli.no_count", {"text": text, **limits}))
        return int(text)

    return number
