# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside the guest: the scenarios of one module, told as lines of the Test Anything Protocol.

A scenario is a function ``scenario_…`` without arguments, whose one-line docstring says what it
shows. It fails by raising. Only the standard library and the helper are there.
"""

import importlib
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

Scenario = Callable[[], None]


def scenarios(module: ModuleType) -> list[Scenario]:
    """The scenarios of a module in the order in which they are written."""
    return [found for name, found in vars(module).items() if name.startswith("scenario_")]


def run(module: ModuleType) -> int:
    """Run all scenarios, print plan and outcomes, and return how many failed."""
    found = scenarios(module)
    say(f"1..{len(found)}")
    failed = 0
    for number, scenario in enumerate(found, 1):
        try:
            scenario()
        except Exception:  # noqa: BLE001 (whatever it raises is the outcome that is told)
            failed += 1
            say(f"not ok {number} - {scenario.__doc__}")
            for line in traceback.format_exc().splitlines():
                say(f"# {line}")
        else:
            say(f"ok {number} - {scenario.__doc__}")
    return failed


def say(line: str) -> None:
    """One line, at once: the guest may be cut off at any moment."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(name: str, *drives: str) -> int:
    """Run a module's scenarios once these drives are there; the exit status."""
    while not all(Path("/sys/block", drive).exists() for drive in drives):
        time.sleep(0.1)
    return min(run(importlib.import_module(f"tests.vm.scenarios.{name}")), 100)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
