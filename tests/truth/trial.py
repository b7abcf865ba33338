# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial: the victim plays, Destutter records it, the trouble comes and goes, and what
Destutter says afterwards is compared with what was done.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from destutter.session.format import RecordingError
from tests.truth.host import Host
from tests.truth.judge import judgement_of
from tests.truth.machine import CannotBeMadeError, Stage, adopt_orphans, own_group
from tests.truth.scenario import Play, Scenario
from tests.truth.strangers import Strangers

HERE = Path(__file__).parent
_TAIL_S = 1.0
_DELAYED_SHARE = 0.25
_FOREIGN_SHARE = 0.06
_LONG_MS = 50.0

STOLEN_MS = _LONG_MS - 1000.0 / 60.0
"""With so much taken at once from its processor a frame that was on time becomes a stutter."""


@dataclass
class Outcome:
    """What came out of one trial.

    ``answers`` are the findings that explain a stutter, the foremost first, each with its
    confidence. ``delayed_share`` is the share of long frames of which the victim itself knows
    that it stood in a run queue for at least half of them, ``foreign_share`` that of all
    processor time which other programs used, ``stolen_share`` that which the host of this virtual
    machine took, and ``stolen_ms`` the most that it took from one processor within a tenth of a
    second: each tells that something else than what was made disturbed.
    """

    scenario: str
    causes: list[str]
    also: list[str]
    cannot: str = ""
    stutters: int = 0
    frames: int = 0
    answers: list[tuple[str, str]] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)
    delayed_share: float = 0.0
    foreign_share: float = 0.0
    stolen_share: float = 0.0
    stolen_ms: float = 0.0

    @property
    def answer(self) -> str:
        """The foremost cause, "none" without one, "smooth" without a stutter."""
        if self.answers:
            return self.answers[0][0]
        return "none" if self.stutters else "smooth"

    @property
    def is_robbed(self) -> bool:
        """Whether the host alone would have made a stutter, and was not meant to.

        Whatever the answer was: a trial with two causes says nothing about either.
        """
        is_meant = "cpu_steal" in (*self.causes, *self.also)
        return not is_meant and self.stolen_ms >= STOLEN_MS

    @property
    def is_disturbed(self) -> bool:
        """Whether others had the processors, or the victim waited and nobody was meant to."""
        true = (*self.causes, *self.also)
        is_late = "run_queue_delay" not in true and self.delayed_share >= _DELAYED_SHARE
        stolen_share = 0.0 if "cpu_steal" in true else self.stolen_share
        is_crowded = self.foreign_share + stolen_share >= _FOREIGN_SHARE
        return is_late or is_crowded or self.is_robbed

    @property
    def true(self) -> set[str]:
        """What may be said of this trial: what was made, what comes with it, what disturbed."""
        disturbed = ("run_queue_delay", "cpu_steal") if self.is_disturbed else ()
        return {*self.causes, *self.also, *disturbed}

    @property
    def false_alarms(self) -> list[tuple[str, str]]:
        """Answers of high confidence that are not true."""
        return [each for each in self.answers if each[1] == "high" and each[0] not in self.true]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        derived = {"is_disturbed": self.is_disturbed, "is_robbed": self.is_robbed}
        return {**asdict(self), "answer": self.answer, **derived}


@contextlib.contextmanager
def stage() -> Iterator[Stage]:
    """Folders and compiled programs; gone afterwards."""
    adopt_orphans()
    with (
        tempfile.TemporaryDirectory(prefix="destutter-truth-", dir="/var/tmp") as disk,
        tempfile.TemporaryDirectory(prefix="destutter-truth-", dir="/dev/shm") as memory,
    ):
        tools = Path(disk) / "tools"
        tools.mkdir()
        for name in ("victim", "stall"):
            source = str(HERE / f"{name}.c")
            command = ["gcc", "-O2", "-Wall", "-pthread", "-o", str(tools / name), source]
            subprocess.run(command, check=True)
        yield Stage(tools, Path(disk), Path(memory))


Keep = Callable[[Path, "Outcome"], None]


def run_trial(scenario: Scenario, place: Stage, keep: Keep | None = None) -> Outcome:
    """Play it once. ``keep`` is given the recording before it goes."""
    outcome = Outcome(scenario.name, sorted(scenario.causes), sorted(scenario.also))
    recording = place.memory / f"{scenario.name}.destutter"
    recording.unlink(missing_ok=True)
    strangers = Strangers()
    try:
        with scenario.prepare(place) as play:
            _play(scenario, play, place, recording, outcome)
    except CannotBeMadeError as error:
        outcome.cannot = str(error)
        return outcome
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        # One trial that fails is no reason to lose an hour of others.
        outcome.cannot = f"failed: {error}"
        return outcome
    outcome.foreign_share = strangers.share()
    try:
        _judge(recording, outcome)
    except RecordingError as error:
        # One recording that cannot be judged is no reason to lose all the others.
        outcome.cannot = f"not judged: {error}"
        return outcome
    if keep is not None:
        keep(recording, outcome)
    recording.unlink()
    return outcome


def _play(scenario: Scenario, play: Play, place: Stage, recording: Path, outcome: Outcome) -> None:
    log = place.memory / "game.csv"
    length_s = _TAIL_S + scenario.begin_s + scenario.bursts * (scenario.burst_s + scenario.pause_s)
    options = {"log": str(log), "seconds": length_s + 60, **play.victim}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command = [*play.prefix, str(place.tools / "victim"), *words]
    with own_group() as alone, subprocess.Popen([*alone, *command]) as victim:
        place.victim_pid = victim.pid
        try:
            _wait_for(log)
            with Host() as host, _recorder(victim.pid, log, recording, length_s) as recorder:
                time.sleep(scenario.begin_s)
                for _ in range(scenario.bursts):
                    with play.burst():
                        time.sleep(scenario.burst_s)
                    time.sleep(scenario.pause_s)
                _output, errors = recorder.communicate(timeout=120)
                if recorder.returncode:
                    raise RuntimeError(f"recording failed: {errors}")
            outcome.delayed_share = _delayed_share(log)
            outcome.stolen_ms, outcome.stolen_share = host.at_once_ms, host.share
        finally:
            victim.kill()
    log.unlink()


@contextlib.contextmanager
def _recorder(pid: int, log: Path, out: Path, seconds: float) -> "Iterator[subprocess.Popen[str]]":
    command = [
        *("nice", "-n", "-10", sys.executable, "-m", "destutter", "record", "--json"),
        *("--out", str(out), "--seconds", str(seconds), "--pid", str(pid), "--mangohud", str(log)),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _wait_for(log: Path) -> None:
    for _ in range(200):
        if log.exists() and log.stat().st_size > 200:
            return
        time.sleep(0.05)
    raise RuntimeError("the victim did not begin")


def _delayed_share(log: Path) -> float:
    """How many of the long frames were waiting for a processor for at least half of their time."""
    long = delayed = 0
    for line in log.read_text().splitlines()[3:]:
        cells = line.split(",")
        if len(cells) == 6 and float(cells[1]) > _LONG_MS:
            long += 1
            delayed += float(cells[5]) >= 0.5 * float(cells[1])
    return delayed / long if long else 0.0


def _judge(recording: Path, outcome: Outcome) -> None:
    told = judgement_of(recording)
    outcome.stutters = len(told.assessment.spikes)
    outcome.frames = told.frames
    for finding in told.assessment.findings:
        pair = (finding.cause, finding.confidence.value)
        (outcome.answers if finding.stutters_explained else outcome.asides).append(pair)
