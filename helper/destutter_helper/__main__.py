# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line: the service, and the short runs of units and of the text console."""

import os
import sys
from dataclasses import dataclass

from destutter_helper.api.names import HelperError
from destutter_helper.confine import confine
from destutter_helper.log import Log
from destutter_helper.runs import MODES, run_once
from destutter_helper.selfcheck import UntrustedError, check_own_code

USAGE = """usage: destutter-helper [--boot | --confirm-boot | --resume | --recover | --undo-all]
       destutter-helper --root DIR [--bus ADDRESS] ...   (a scratch tree, never the real one)

Without a mode it serves on the system bus; the bus or systemd starts it so.
  --boot          set what is kept for every start
  --confirm-boot  this start went well
  --resume        after a sleep: set again what the kernel has reset
  --recover       finish what a killed helper left
  --undo-all      take back everything, also what is kept (--no-dbus is always true of it)"""
IDLE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; `mode` empty means to serve."""

    mode: str = ""
    root: str = "/"
    bus: str = ""
    idle_ms: int = IDLE_MS


class UsageError(Exception):
    """A wrong command line, in words."""


def main(arguments: list[str]) -> int:
    """Run; 0 done, 1 could not, 2 wrong usage."""
    log = Log()
    if "--help" in arguments:
        print(USAGE)
        return 0
    try:
        options = read_options(arguments)
        check_rights(options, os.geteuid())
        os.environ.clear()
        os.chdir("/")
        os.umask(0o077)
        return run(options, log)
    except UsageError as error:
        print(f"destutter-helper: {error}\n{USAGE}", file=sys.stderr)
        return 2
    except (HelperError, UntrustedError, OSError) as error:
        log.alert(str(error))
        return 1


def read_options(arguments: list[str]) -> Options:
    """Parse by hand: argparse would be a tenth of the helper's memory."""
    values: dict[str, str] = {}
    rest = iter(arguments)
    for word in rest:
        if word in MODES and "mode" not in values:
            values["mode"] = word
        elif word in ("--root", "--bus", "--idle-ms"):
            values[word[2:].replace("-", "_")] = next(rest, "")
        elif word != "--no-dbus":
            raise UsageError(f"{ascii(word)[:60]} is not known here")
    idle_ms = values.pop("idle_ms", str(IDLE_MS))
    if not idle_ms.isdecimal() or "" in values.values():
        raise UsageError("an option needs a value")
    return Options(idle_ms=int(idle_ms), **values)


def check_rights(options: Options, euid: int) -> None:
    """Keep the two worlds apart: root with the real tree and bus, or a scratch tree without."""
    is_scratch = os.path.realpath(options.root) != "/"
    if not is_scratch and euid != 0:
        raise UsageError("only root can change this computer's settings")
    if not is_scratch and options.bus:
        raise UsageError("--bus goes with --root: the real tree is served on the system bus only")
    if is_scratch and not options.mode and not options.bus:
        raise UsageError("--root needs --bus: a scratch tree is never served on the system bus")


def run(options: Options, log: Log) -> int:
    """Serve, or do one thing and say what became of it."""
    # Only what is needed is loaded: recovery works without the bus libraries.
    if not options.mode:
        from destutter_helper import daemon

        return daemon.serve(options.root, options.bus, options.idle_ms, log)
    if options.root == "/":
        check_own_code()
    confine()
    return run_once(options.mode, options.root, log)
