# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter prove``: short experiments, alone or one setting against another."""

import argparse
from collections.abc import Callable

from destutter.commands.options import add_json_option, seconds
from destutter.commands.terminal import Terminal

EXPERIMENTS = {
    "storage": "one reader beside a heavy job on the same drive (needs fio)",
    "write": "small writes into the page cache",
    "wakeup": "how late programs are woken",
    "memory": "a sudden burst of new memory",
}
# Four schedulers in three blocks are 48 s; an experiment has a minute.
_BLOCK_S = 4.0
_BLOCKS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_json_option(parser)
    told = "; ".join(f"{name}: {text}" for name, text in EXPERIMENTS.items())
    parser.add_argument("experiment", choices=tuple(EXPERIMENTS), help=told)
    parser.add_argument("--device", metavar="D", help="the drive to test, such as nvme0n1")
    parser.add_argument("--folder", metavar="DIR", help="where to put test files (default: here)")
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=_BLOCK_S,
        metavar="N",
        help=f"length of a block (default {_BLOCK_S:g})",
    )
    parser.add_argument(
        "--blocks", type=_count(1, 100), default=_BLOCKS, metavar="N", help="how often to measure"
    )
    parser.add_argument(
        "--against",
        nargs="+",
        metavar="ID=VALUE",
        help="measure in turns under these settings and without them, and judge; the helper asks "
        "for the password and takes them back after each block",
    )
    parser.add_argument(
        "--pairs",
        type=_count(6, 16),
        default=6,
        metavar="N",
        help="with --against: pairs of blocks, from 6 to 16 (default 6)",
    )
    parser.add_argument(
        "--all-schedulers",
        action="store_true",
        help="storage: every I/O scheduler of the drive in turns",
    )
    parser.add_argument(
        "--fill",
        nargs="+",
        default=[],
        metavar="PATH",
        help="memory: read these files first, as after an hour of play",
    )
    parser.add_argument(
        "--mib", type=_count(32, 1 << 24), metavar="N", help="memory: how much to touch at most"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Make the experiment. Raises ``CommandError`` or ``UsageError`` in words."""
    from destutter.commands.proving import run_prove

    return run_prove(arguments, terminal)


def _count(low: int, high: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a whole number from {low} to {high}"
            )
        return int(text)

    return number
