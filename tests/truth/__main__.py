# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes real stutters on this computer and says how often Destutter names their cause.

`make bench-truth`, or `make bench-truth ARGS="--repeat 3 --only quiet"`. Needs root, gcc and fio.
It takes nearly all memory, loads drives and processors, and changes kernel settings for half a
minute at a time; all of it is put back. Not for a computer on which somebody works.
"""

import argparse
import contextlib
import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from types import FrameType

from tests.truth.keepsake import keep
from tests.truth.machine import Stage
from tests.truth.matrix import disturbance, report
from tests.truth.scenario import Scenario
from tests.truth.scenarios import SCENARIO_BY_NAME, SCENARIOS
from tests.truth.trial import Keep, Outcome, run_trial, stage


def main() -> int:
    """Play the scenarios in turns; returns 1 when there were false alarms."""
    options = _parser().parse_args()
    if options.list:
        for scenario in SCENARIOS:
            print(scenario.name, *sorted(scenario.causes))
        return 0
    if os.geteuid() != 0:
        print("bench-truth changes kernel settings: run it as root", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, _stop)
    outcomes = _play(options)
    if options.json:
        print(json.dumps([each.as_json() for each in outcomes], indent=1))
    else:
        print(report(outcomes))
    return 1 if any(each.false_alarms for each in outcomes if not each.is_disturbed) else 0


def _play(options: argparse.Namespace) -> list[Outcome]:
    """Ctrl-C and SIGTERM end it with what was played until then."""
    names = options.only or list(SCENARIO_BY_NAME)
    outcomes: list[Outcome] = []
    left = len(names) * options.repeat // 2
    with contextlib.suppress(KeyboardInterrupt), stage() as place:
        # In turns, so that a busy minute of the computer does not hit one scenario only.
        for turn in range(1, options.repeat + 1):
            for name in names:
                kept = options.keep and partial(keep, folder=options.keep / f"turn-{turn}")
                tries = _tries(SCENARIO_BY_NAME[name], place, kept, min(left, options.again))
                left -= len(tries) - 1
                outcomes += tries
                said = "; again: ".join(map(_said, tries))
                print(f"{turn}/{options.repeat} {name}: {said}", file=sys.stderr, flush=True)
    return outcomes


def _tries(scenario: Scenario, place: Stage, kept: Keep | None, most_again: int) -> list[Outcome]:
    """Trials of a scenario up to one that nobody disturbed, all of them to be told.

    What others did is in the recording too, so that a disturbed trial says nothing, whether its
    answer was right or wrong.
    """
    tries = [run_trial(scenario, place, kept)]
    while tries[-1].is_disturbed and len(tries) <= most_again:
        tries.append(run_trial(scenario, place, kept))
    return tries


def _said(outcome: Outcome) -> str:
    if outcome.cannot:
        return outcome.cannot
    text = f"{outcome.stutters} stutters, {outcome.answers or 'no cause'}"
    if outcome.asides:
        text += f", besides {outcome.asides}"
    if outcome.is_disturbed:
        text += f", disturbed ({disturbance(outcome)})"
    return text


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench-truth", description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="play each N times")
    parser.add_argument(
        "--only", nargs="+", choices=sorted(SCENARIO_BY_NAME), metavar="NAME", help="only these"
    )
    parser.add_argument(
        "--again", type=int, default=2, metavar="N", help="play a disturbed one so often again"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the recordings here")
    parser.add_argument("--json", action="store_true", help="for programs instead of people")
    parser.add_argument("--list", action="store_true", help="names and causes; plays nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main())
