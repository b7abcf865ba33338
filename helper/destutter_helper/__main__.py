# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line: the service, and the short runs of units and of the text console."""

import argparse
import os

from destutter_helper.api.names import HelperError
from destutter_helper.confine import confine
from destutter_helper.log import Log
from destutter_helper.runs import RUNS, run_once
from destutter_helper.selfcheck import UntrustedError, check_own_code


def main(arguments: list[str]) -> int:
    """Run; 0 done, 1 could not, 2 wrong usage (raised as SystemExit)."""
    log = Log()
    parser = build_parser()
    options = parser.parse_args(arguments)
    wrong = find_misuse(options, os.geteuid())
    if wrong:
        parser.error(wrong)
    os.environ.clear()
    os.chdir("/")
    os.umask(0o077)
    try:
        return run(options, log)
    except (HelperError, UntrustedError, OSError) as error:
        log.alert(str(error))
        return 1


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="destutter-helper",
        description="Without a mode it serves on the system bus; bus or systemd start it so.",
        allow_abbrev=False,
    )
    modes = parser.add_mutually_exclusive_group()
    for name, (text, _do) in RUNS.items():
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name, help=text)
    parser.add_argument("--no-dbus", action="store_true", help="always true of --undo-all")
    parser.add_argument("--root", default="/", help="a scratch tree; never served as the real one")
    parser.add_argument("--bus", default="", help="the address of the bus for a scratch tree")
    parser.add_argument("--idle-ms", type=int, default=60_000, help="when to leave if not needed")
    return parser


def find_misuse(options: argparse.Namespace, euid: int) -> str:
    """Keep the two worlds apart: root with the real tree and bus, or a scratch tree without."""
    is_scratch = os.path.realpath(options.root) != "/"
    if not is_scratch and euid != 0:
        return "only root can change this computer's settings"
    if not is_scratch and options.bus:
        return "--bus goes with --root: the real tree is served on the system bus only"
    if is_scratch and not options.mode and not options.bus:
        return "--root needs --bus: a scratch tree is never served on the system bus"
    return ""


def run(options: argparse.Namespace, log: Log) -> int:
    """Serve, or do one thing and say what became of it."""
    if options.mode:
        _give_away(options.root)
        return run_once(options.mode, options.root, log)
    # Recovery and undo must work where the bus libraries do not: loaded only here.
    from destutter_helper import daemon

    _give_away(options.root)
    return daemon.serve(options.root, options.bus, options.idle_ms, log)


def _give_away(root: str) -> None:
    """Run nobody else's code, and keep no right that is not needed."""
    if root == "/":
        check_own_code()
    confine()
