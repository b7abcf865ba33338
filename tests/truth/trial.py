# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial: the victim plays, Destutter records it, the trouble comes and goes, and what
Destutter says afterwards is compared with what was done.
"""

import contextlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path

from destutter.session.format import RecordingError
from tests.support.lending import lending_bus, sandboxed
from tests.support.private_bus import install_helper
from tests.truth.frame_log import delayed_share, rows, stutters
from tests.truth.host import Host
from tests.truth.judge import judgement_of
from tests.truth.machine import CannotBeMadeError, Stage, adopt_orphans, own_group
from tests.truth.makes import Make, names_of, options_of, slow_thread
from tests.truth.outcome import Outcome
from tests.truth.programs import SOURCES, compile_into
from tests.truth.scenario import Play, Scenario
from tests.truth.strangers import Strangers

_TAIL_S = 1.0
_SETTLING_FRAMES = 60


@contextlib.contextmanager
def stage(*, is_sandboxed: bool = False, is_traced: bool = False) -> Iterator[Stage]:
    """Folders and compiled programs; gone afterwards.

    ``is_sandboxed``: what records sees the computer as a Flatpak does; ``is_traced``: it has the
    kernel's trace, too.
    """
    adopt_orphans()
    with (
        contextlib.ExitStack() as opened,
        tempfile.TemporaryDirectory(prefix="destutter-truth-", dir="/var/tmp") as disk,
        tempfile.TemporaryDirectory(prefix="destutter-truth-", dir="/dev/shm") as memory,
    ):
        tools = Path(disk) / "tools"
        tools.mkdir()
        for name in SOURCES:
            compile_into(tools, name)
        place = Stage(tools, Path(disk), Path(memory), is_traced=is_traced)
        if is_sandboxed:
            installed = Path(disk) / "installed"
            install_helper(installed)
            bus = Path(disk) / "bus"
            bus.mkdir()
            address = opened.enter_context(lending_bus(installed, bus))
            place.wrap = partial(sandboxed, address=address, home=place.memory)
        yield place


Keep = Callable[[Path, Outcome], None]


def run_trial(
    scenario: Scenario, make: Make, seed: int, place: Stage, keep: Keep | None = None
) -> Outcome:
    """Play it once. ``keep`` is given the recording before it goes."""
    outcome = Outcome(
        scenario.name,
        sorted(scenario.causes),
        sorted(scenario.also),
        make=make.name,
        seed=seed,
        culprits=sorted(scenario.culprits),
        innocents=sorted(scenario.innocents),
        expects=scenario.expects,
        names=list(names_of(seed)),
        needed=scenario.stutters,
    )
    recording = place.memory / f"{scenario.name}.destutter"
    recording.unlink(missing_ok=True)
    strangers = Strangers()
    try:
        with scenario.prepare(place) as play:
            _play(scenario, make, play, place, recording, outcome)
    except CannotBeMadeError as error:
        outcome.cannot = str(error)
        return outcome
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        # One trial that fails is no reason to lose an hour of others.
        outcome.cannot = f"failed: {error}"
        return outcome
    outcome.foreign_share = strangers.share()
    try:
        told = judgement_of(recording)
    except RecordingError as error:
        # One recording that cannot be judged is no reason to lose all the others.
        outcome.cannot = f"not judged: {error}"
        return outcome
    outcome.frames = told.frames
    if place.is_traced:
        outcome.untraced = deepcopy(outcome)
        outcome.untraced.accept(judgement_of(recording, is_traced=False).assessment)
    outcome.accept(told.assessment)
    if keep is not None:
        keep(recording, outcome)
    recording.unlink()
    return outcome


def pauses_of(scenario: Scenario, seed: int) -> list[float]:
    """Pauses after the bursts, in seconds, as long as the scenario's together.

    In no beat: regular stutters are a finding of their own.
    """
    chance = random.Random(seed)  # noqa: S311  no secrets
    shares = [chance.uniform(0.5, 1.5) for _ in range(scenario.bursts)]
    total_s = scenario.bursts * scenario.pause_s
    return [share / sum(shares) * total_s for share in shares]


def _play(
    scenario: Scenario, make: Make, play: Play, place: Stage, recording: Path, outcome: Outcome
) -> None:
    log = place.memory / "game.csv"
    log.unlink(missing_ok=True)
    length_s = _TAIL_S + scenario.length_s
    game = options_of(make, play.victim, outcome.seed)
    outcome.thread = slow_thread(make, game)
    options = {"log": str(log), "seconds": length_s + 60, **game}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command = [*play.prefix, str(place.tools / make.program), *words]
    with (
        own_group(is_wanted=make.has_group) as alone,
        subprocess.Popen([*alone, *command]) as victim,
    ):
        place.victim_pid = victim.pid
        try:
            _wait_for(log)
            before = len(rows(log.read_text()))
            with Host() as host, _recorder(place, log, recording, length_s) as recorder:
                time.sleep(scenario.begin_s)
                for pause_s in pauses_of(scenario, outcome.seed):
                    with play.burst():
                        time.sleep(scenario.burst_s)
                    time.sleep(pause_s)
                _output, errors = recorder.communicate(timeout=120)
                if recorder.returncode:
                    raise RuntimeError(f"recording failed: {errors}")
            # A second in which the recorder itself begins; nothing is made in the first five.
            played = rows(log.read_text())[before + _SETTLING_FRAMES :]
            outcome.delayed_share = delayed_share(played)
            outcome.felt = stutters(played)
            outcome.stolen_ms, outcome.stolen_share = host.at_once_ms, host.share
        finally:
            # A stopped process dies of this signal too.
            victim.kill()
    log.unlink()


@contextlib.contextmanager
def _recorder(
    place: Stage, log: Path, out: Path, seconds: float
) -> "Iterator[subprocess.Popen[str]]":
    program = "tests.truth.traced_recorder" if place.is_traced else "destutter"
    command = [
        *(sys.executable, "-m", program, "record", "--json", "--mangohud", str(log)),
        *(["--trace"] if place.is_traced else []),
        *("--out", str(out), "--seconds", str(seconds), "--pid", str(place.victim_pid)),
    ]
    with subprocess.Popen(
        ["nice", "-n", "-10", *place.wrap(command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _wait_for(log: Path) -> None:
    # A host that gives memory slowly needs 10 s for the two gigabytes of 30,000 mappings.
    for _ in range(1200):
        if log.exists() and log.stat().st_size > 200:
            return
        time.sleep(0.05)
    raise RuntimeError("the victim did not begin")
