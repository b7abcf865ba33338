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
from tests.truth.makes import MAKE_BY_NAME, MAKES, Make, seed_of
from tests.truth.matrix import disturbance, report
from tests.truth.outcome import Outcome
from tests.truth.scenario import Scenario
from tests.truth.scenarios import SCENARIO_BY_NAME, SCENARIOS
from tests.truth.trial import Keep, run_trial, stage


def main() -> int:
    """Play the scenarios in turns; returns 1 when there were false alarms."""
    options = _parser().parse_args()
    if options.list:
        for scenario in SCENARIOS:
            makes = (
                "" if scenario.makes == MAKES else f" in {[make.name for make in scenario.makes]}"
            )
            print(scenario.name, *sorted(scenario.causes), makes)
        return 0
    if os.geteuid() != 0:
        print("bench-truth changes kernel settings: run it as root", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    outcomes = _play(options)
    if options.json:
        print(json.dumps([each.as_json() for each in outcomes], indent=1))
    else:
        untraced = [each.untraced for each in outcomes if each.untraced is not None]
        if options.trace:
            print("without the kernel's trace, the same recordings:", report(untraced), sep="\n\n")
            print("\nwith it:\n")
        print(report(outcomes))
    return 1 if any(each.false_alarms for each in outcomes if not each.is_disturbed) else 0


def _stage(options: argparse.Namespace) -> contextlib.AbstractContextManager[Stage]:
    return stage(is_sandboxed=options.sandbox, is_traced=options.trace)


def _play(options: argparse.Namespace) -> list[Outcome]:
    """Ctrl-C and SIGTERM end it with what was played until then."""
    parts = _parts(options)
    outcomes: list[Outcome] = []
    left = max(len(parts) * options.repeat // 2, options.again)
    with contextlib.suppress(KeyboardInterrupt), _stage(options) as place:
        # In turns, so that a busy minute of the computer does not hit one scenario only.
        for turn in range(1, options.repeat + 1):
            for scenario, make in parts:
                kept = options.keep and partial(keep, folder=options.keep / f"turn-{turn}")
                seed = (options.seed, turn, scenario.name, make.name)
                tries = _tries(scenario, make, seed, place, kept, min(left, options.again))
                left -= len(tries) - 1
                outcomes += tries
                said = "; again: ".join(map(_said, tries))
                told = f"{turn}/{options.repeat} {scenario.name} {make.name}: {said}"
                print(told, file=sys.stderr, flush=True)
    return outcomes


def _parts(options: argparse.Namespace) -> list[tuple[Scenario, Make]]:
    """What to play: each scenario in all of its makes that are wanted."""
    wanted = [MAKE_BY_NAME[name] for name in options.make or MAKE_BY_NAME]
    names = options.only or list(SCENARIO_BY_NAME)
    scenarios = [SCENARIO_BY_NAME[name] for name in names]
    return [(each, make) for each in scenarios for make in wanted if make in each.makes]


def _tries(
    scenario: Scenario,
    make: Make,
    seed: tuple[object, ...],
    place: Stage,
    kept: Keep | None,
    most_again: int,
) -> list[Outcome]:
    """Trials of a scenario up to one that says something, all of them to be told.

    What others did is in the recording too, so that a disturbed trial says nothing, whether its
    answer was right or wrong. One with too few stutters is played again with more and longer
    bursts.
    """
    tries: list[Outcome] = []
    while not tries or (_is_in_vain(tries[-1]) and len(tries) <= most_again):
        tries.append(run_trial(scenario, make, seed_of(*seed, len(tries)), place, kept))
        if tries[-1].is_too_few:
            scenario = scenario.stronger()
    return tries


def _is_in_vain(outcome: Outcome) -> bool:
    return outcome.is_disturbed or outcome.is_too_few


def _said(outcome: Outcome) -> str:
    if outcome.cannot:
        return outcome.cannot
    answers = ", ".join(map(str, outcome.answers)) or "no cause"
    text = f"{outcome.felt} stutters felt, {outcome.stutters} found, {answers}"
    if outcome.cleared:
        text += f", cleared {','.join(outcome.cleared)}"
    if outcome.is_too_few:
        text += ", too few to judge"
    if outcome.is_disturbed:
        text += f", disturbed ({disturbance(outcome)})"
    return text


def _stop(_number: int, _frame: FrameType | None) -> None:
    # Once: a second one would come in the middle of putting everything back.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench-truth", description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="play each N times")
    parser.add_argument(
        "--only", nargs="+", choices=sorted(SCENARIO_BY_NAME), metavar="NAME", help="only these"
    )
    parser.add_argument(
        "--make", nargs="+", choices=sorted(MAKE_BY_NAME), metavar="MAKE", help="only in these"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other games: names, rates, sizes"
    )
    parser.add_argument(
        "--again", type=int, default=2, metavar="N", help="play one in vain so often again"
    )
    parser.add_argument(
        "--sandbox", action="store_true", help="record as from inside of a Flatpak"
    )
    parser.add_argument(
        "--trace",
        action="store_true",
        help="record the kernel's trace too, and judge each trial with it and without",
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the recordings here")
    parser.add_argument("--json", action="store_true", help="for programs instead of people")
    parser.add_argument("--list", action="store_true", help="names and causes; plays nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main())
