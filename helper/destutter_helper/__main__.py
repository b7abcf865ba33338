# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's command line: the service, and the short runs of units and of the text console."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from destutter_helper import guardian
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.confine import confine
from destutter_helper.engine import LOCK_WAIT_S, Engine, open_engine
from destutter_helper.game_sets import KeptForGames
from destutter_helper.kernel_tree import KernelTree
from destutter_helper.log import Log
from destutter_helper.selfcheck import UntrustedError, check_own_code
from destutter_helper.stores import is_booted, open_stores
from destutter_helper.trace_instances import Instances


def _undo_all(engine: Engine) -> tuple[Result, ...]:
    KeptForGames(engine).forget_all()
    return engine.undo(UndoRequest())


LEFT_TO_THE_SERVICE = ("resume", "confirm-boot")  # a running one does both by itself
RUNS: dict[str, tuple[str, Callable[[Engine], tuple[Result, ...] | None]]] = {
    "boot": ("set what is kept for every start", Engine.boot),
    "confirm-boot": ("this start went well", Engine.confirm_boot),
    "resume": ("after a sleep: set again what was reset", lambda e: e.verify(reapply=True)),
    "recover": ("finish what a killed helper left", lambda _engine: None),
    "undo-all": ("take back everything, also what is kept", _undo_all),
}
"""The modes: what the help says, and what is done after the recovery, with which all begin."""


def main(arguments: list[str]) -> int:
    """Run; 0 done, 1 could not, 2 wrong usage (raised as SystemExit)."""
    log = Log()
    parser = build_parser()
    mode = parser.parse_args(arguments).mode
    if os.geteuid() != 0:
        parser.error("only root can change this computer's settings")
    # Where the bus starts it without systemd, it has the bus daemon's folder and umask.
    os.environ.clear()
    os.chdir("/")
    os.umask(0o077)
    try:
        check_own_code()
        if not mode:
            return serve(KernelTree(), log, check=check_own_code)
        confine()
        return run_once(mode, KernelTree(), log)
    except (HelperError, UntrustedError, OSError) as error:
        log.alert(str(error))
        return 1


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, which can point the helper nowhere else."""
    parser = argparse.ArgumentParser(
        prog="destutter-helper",
        description="Without a mode it serves on the system bus; bus or systemd start it so.",
        allow_abbrev=False,
    )
    modes = parser.add_mutually_exclusive_group()
    for name, (text, _do) in RUNS.items():
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name, help=text)
    parser.add_argument("--no-dbus", action="store_true", help="always true of --undo-all")
    return parser


def serve(tree: KernelTree, log: Log, check: Callable[[], None], **options: Any) -> int:
    """Serve on the bus; the guardian of its trials is there before anything of the bus is.

    Recovery and undo must work where the bus libraries do not: they are loaded only here, and
    ``check`` looks at them.
    """
    stores = open_stores(tree.root, log, LOCK_WAIT_S)
    with contextlib.closing(guardian.start(tree, confine)) as watching:
        from destutter_helper import daemon

        check()
        confine()
        return daemon.serve(tree, stores, watching, log, **options)


def run_once(mode: str, tree: KernelTree, log: Log) -> int:
    """Do what the mode says, one line for each setting; 1 when one of them failed."""
    is_left = mode in LEFT_TO_THE_SERVICE
    try:
        engine = open_engine(tree, log=log, wait_s=0.0 if is_left else LOCK_WAIT_S)
    except HelperError as error:
        if error.name == "Busy" and (is_left or (mode == "boot" and is_booted(tree.root))):
            return 0
        raise
    with contextlib.closing(engine):
        # No helper serves: whoever has the journal is the only one.
        Instances(tree, log).clear()
        results = engine.recover() + (RUNS[mode][1](engine) or ())
    for one in results:
        name = f"{one.id} on {one.device}" if one.device else one.id
        sys.stdout.write(f"{name}: {one.outcome}, now {one.value} {one.note}".rstrip() + "\n")
    return int(any(result.outcome == "failed" for result in results))
