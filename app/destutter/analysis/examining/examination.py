# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a whole session: from a stream, a recording or a frame log to a ``SessionSummary``.

No Qt: the command line, a thread of the window and tests use the same. Reading takes about a
tenth of a millisecond per sample, so a window does it outside its thread.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count

import numpy as np

from destutter.analysis.examining.figures import Figures, figures_of
from destutter.analysis.examining.frame_import import (
    REJECTED_ROWS,
    FrameImportError,
    read_log,
    with_frames,
)
from destutter.analysis.examining.frame_store import FrameStore
from destutter.analysis.examining.measured_demand import DEMAND_METRICS, MeasuredDemand
from destutter.analysis.examining.own_comments import with_own_comment
from destutter.analysis.examining.own_phases import with_own_phases
from destutter.analysis.examining.pipeline import Pipeline
from destutter.analysis.examining.summary import (
    MOST_SECONDS,
    Series,
    SessionMarker,
    SessionSummary,
    played_seconds,
    seconds_in,
)
from destutter.analysis.examining.tally import WATCHED, SessionTally
from destutter.core.metric_table import METRIC_BY_ID, METRICS
from destutter.core.metrics import Deriver
from destutter.core.plain_file import is_plain
from destutter.core.sample import (
    PAUSED_FACT,
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Message,
    Sample,
)
from destutter.core.statement import Statement, StatementError
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.registry import remembered_metrics, watched_metrics
from destutter.diagnosis.finding import Assessment
from destutter.diagnosis.history.idle_waits import IDLE_METRICS
from destutter.diagnosis.history.tick_log import TICK_METRICS
from destutter.diagnosis.history.witnesses import PROCESS_METRICS
from destutter.diagnosis.stutters.unplayed import UNPLAYED_METRICS, UnplayedTimes
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan
from destutter.diagnosis.verdict.groups import TILE_METRICS
from destutter.session.format import MAGIC, SUFFIX, RecordingError, refused
from destutter.session.replay import ReplaySource
from destutter.session.stream_state import StreamState
from destutter.tuning.advice import recommend
from destutter.tuning.machine_profile import MachineProfile
from destutter.tuning.presets import GENERAL, Preset
from destutter.tuning.recommendation import Recommendation, Situation, with_twins
from destutter.tuning.recorded_profile import recorded_choices, recorded_profile

_WANTED = (
    watched_metrics()
    | remembered_metrics()
    | {*TILE_METRICS, *IDLE_METRICS, *PROCESS_METRICS, *DEMAND_METRICS, *TICK_METRICS}
    | {spec.id for spec in WATCHED}
    | UNPLAYED_METRICS
)
_TALLIED = {spec.id for spec in WATCHED}
_OFTEN = frozenset({"disk", "vmstat", "vmstat_more", "stat", "pressure", "game", "zone"})
JUDGED = tuple(spec for spec in METRICS if spec.id in _WANTED or spec.source not in _OFTEN)
"""What is derived to judge a session: of sources that are read often only what somebody reads.

The others tell what is measured at all, by whatever they deliver.
"""

_PLAIN = (*WATCHED, *(METRIC_BY_ID[each] for each in sorted(UNPLAYED_METRICS - _TALLIED)))
"""What is derived where nobody asks for causes."""

_LOOK_NS = 60_000_000_000
_ASK_EVERY = 2_000  # a fifth of a second, at a tenth of a millisecond for each


class ExaminationError(StatementError):
    """The session cannot be read, or there is nothing in it."""


class Examiner:
    """Takes in a stream and tells at its end what was in it.

    With ``is_judged`` False causes are not looked for, which takes a third of the time.
    ``seconds`` limits how much of the stream counts. ``preset`` is what is played, which decides
    what is advised.
    """

    def __init__(
        self, *, is_judged: bool = True, seconds: float | None = None, preset: Preset = GENERAL
    ) -> None:
        self.assessor = Assessor(horizon_s=None, recent_s=None)
        self._pipeline = Pipeline(self.assessor, JUDGED) if is_judged else None
        self._deriver = Deriver(_PLAIN)
        self._unplayed = UnplayedTimes(None)
        self._preset = preset
        self._limit_ns = None if seconds is None else int(seconds * 1e9)
        self._state = StreamState()
        self._game = ""
        self._tally = SessionTally()
        self._frames = FrameStore()
        self._markers: list[Marker] = []
        self._demand = MeasuredDemand()
        self._profile: MachineProfile | None = None
        self._choices: Collection[str] | None = None
        self._tunables: dict[str, str] = {}
        self._looked_ns = 0
        self._start_ns: int | None = None
        self._end_ns = 0
        self.samples = 0

    @property
    def start_ns(self) -> int:
        """The time of the first sample; 0 before it."""
        return self._start_ns or 0

    @property
    def duration_s(self) -> float:
        """Seconds from the first to the last sample."""
        return 0.0 if self._start_ns is None else (self._end_ns - self._start_ns) / 1e9

    def set_computer(
        self, profile: MachineProfile, tunables: Mapping[str, str], choices: Collection[str]
    ) -> None:
        """The computer that is measured now, its settings, and those that somebody chose."""
        self._profile, self._tunables, self._choices = profile, dict(tunables), choices

    def accept_message(self, message: Message) -> bool:
        """Take in one message; False when the limit is reached and no more is wanted."""
        if isinstance(message, Sample | Frames) and not self._note_time(message):
            return False
        known = self._state.header
        self._state.accept_message(message)
        self._game = self._state.facts.get("game.name") or self._game
        match message:
            case Header() if self._state.header is not known:
                self._accept_header(message)
            case Marker():
                self._markers.append(message)
            case Frames():
                self._frames.add(message.origin, message.monotonic_ns, message.frame_us)
                self._unplayed.accept_frames(message)
            case Facts():
                facts = self._state.facts
                game, is_paused = facts.get("game.pid", ""), bool(facts.get(PAUSED_FACT))
                self._unplayed.accept_state(message.monotonic_ns, game, is_paused=is_paused)
            case Layout() if self._pipeline is None:
                self._deriver.accept_layout(message)
            case Sample() if self._pipeline is None:
                metrics = self._deriver.derive(message)
                self._tally.accept_metrics(metrics)
                self._unplayed.accept_metrics(metrics)
            case _:
                pass
        if self._pipeline is not None:
            self._pipeline.accept_message(message)
            if self._end_ns - self._looked_ns > _LOOK_NS:
                # The pipeline keeps what a window would draw until it is taken.
                self._looked_ns = self._end_ns
                self._look()
        return True

    def summary(self, path: str = "", problems: Sequence[Statement] = ()) -> SessionSummary:
        """Everything about the stream so far. Raises ``ExaminationError`` when it is empty."""
        if not self.samples or self._state.header is None:
            raise ExaminationError(Statement("analysis.empty"))
        assessment = self._judge()
        rejected = self._state.facts.get(REJECTED_ROWS, "")
        rejected_rows = (
            int(rejected)
            if rejected.isascii() and rejected.isdecimal() and len(rejected) < 10
            else 0
        )
        unplayed = self._unplayed_spans(assessment)
        screens = {each.end_ns for each in unplayed if each.kind is Unplayed.LOADING}
        figures = figures_of(
            self._tally,
            self._frames.frames(self.start_ns, screens),
            self._frames.origin,
            self.duration_s,
            None if assessment is None else self._stutters_s(assessment),
            played_seconds(unplayed, self.start_ns, seconds_in(self.duration_s)),
        )
        header = self._state.header
        return SessionSummary(
            path=path,
            header=header,
            duration_s=self.duration_s,
            samples=self.samples,
            start_ns=self.start_ns,
            game=self._game,
            started_at=header.wall_time + (self.start_ns - header.monotonic_ns) / 1e9,
            facts=dict(self._state.facts),
            markers=tuple(
                SessionMarker((marker.monotonic_ns - self.start_ns) / 1e9, marker.text)
                for marker in self._markers
            ),
            assessment=assessment,
            recommendations=() if assessment is None else self._recommend(assessment),
            rejected_rows=rejected_rows,
            problems=(*problems, *rejected_statements(rejected_rows)),
            unplayed=unplayed,
            **figures.as_fields(),
        )

    def _accept_header(self, header: Header) -> None:
        self._tunables = self._tunables or dict(header.tunables)
        self._demand.page_bytes = header.page_bytes
        self._deriver = self._state.deriver(_PLAIN)

    def _note_time(self, message: Sample | Frames) -> bool:
        if isinstance(message, Frames):
            last_ns = message.monotonic_ns[-1] if message.monotonic_ns else self.start_ns
            return self._start_ns is None or self._is_within(last_ns)
        if self._start_ns is None:
            self._start_ns = self._looked_ns = message.monotonic_ns
        if not self._is_within(message.monotonic_ns):
            return False
        self._end_ns = max(self._end_ns, message.monotonic_ns)
        self.samples += 1
        return True

    def _is_within(self, monotonic_ns: int) -> bool:
        return self._limit_ns is None or monotonic_ns - self.start_ns <= self._limit_ns

    def _look(self) -> None:
        """Take what the pipeline derived since the last look."""
        taken = () if self._pipeline is None else self._pipeline.take_metrics()
        self._demand.accept_metrics(taken)
        for metrics in taken:
            self._tally.accept_metrics(metrics)

    def _judge(self) -> Assessment | None:
        if self._pipeline is None:
            return None
        self._look()
        return self.assessor.assess()

    def _unplayed_spans(self, assessment: Assessment | None) -> tuple[UnplayedSpan, ...]:
        return self._unplayed.spans(self._end_ns) if assessment is None else assessment.unplayed

    def _stutters_s(self, assessment: Assessment) -> Series:
        """When the stutters that the verdict counts ended."""
        ends_ns = [each.monotonic_ns - self.start_ns for each in assessment.spikes]
        return np.array(ends_ns, dtype=np.float64) / 1e9

    def _recommend(self, assessment: Assessment) -> tuple[Recommendation, ...]:
        values = with_twins(self._tunables)
        machine = {} if self._state.header is None else self._state.header.machine
        profile, choices = self._profile, self._choices
        if profile is None:
            profile = recorded_profile(machine, self._state.facts, values)
        return recommend(
            Situation(
                profile,
                values,
                recorded_choices(values) if choices is None else choices,
                self._demand.measured(assessment.findings),
                self._preset,
            )
        )


def examine_file(
    path: str,
    *,
    frames: str | None = None,
    is_judged: bool = True,
    seconds: float | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> SessionSummary:
    """Read a recording, a MangoHud or CapFrameX CSV, or a CapFrameX JSON.

    ``frames`` is a frame log of the time of a recording, which then counts instead of its own
    frames. ``is_wanted`` is asked now and then; once it says no, reading ends. Raises
    ``ExaminationError``, which names the file.
    """
    try:
        if is_recording(path):
            examiner = Examiner(is_judged=is_judged, seconds=seconds)
            problems = feed_recording(path, examiner, frames, is_wanted)
            return with_own_comment(with_own_phases(examiner.summary(path, problems)))
        if frames is not None:
            raise ExaminationError(refused(path, Statement("analysis.no_recording")))
        return examine_log(path)
    except (RecordingError, FrameImportError) as error:
        raise ExaminationError(error.statement) from None


def is_recording(path: str) -> bool:
    """Whether a file is to be read as a recording: by its name, else by its first bytes.

    What is no file at all is left to the reader of recordings, which says so.
    """
    if path.endswith(SUFFIX):
        return True
    try:
        if not is_plain(path):
            return True
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return True


def feed_recording(
    path: str,
    examiner: Examiner,
    frames: str | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> tuple[Statement, ...]:
    """Feed a recording; returns what is wrong with it.

    Raises ``RecordingError`` and ``FrameImportError``, and ``ExaminationError`` when it
    holds no measurements or nobody wants it any more.
    """
    source = ReplaySource(path)
    try:
        messages = source.messages()
        numbers = count(1)
        for message in messages if frames is None else with_frames(messages, frames):
            if not examiner.accept_message(message):
                break
            if next(numbers) % _ASK_EVERY == 1 and not is_wanted():
                raise ExaminationError(refused(path, Statement("analysis.reading_ended")))
        problems = source.problems
    finally:
        source.close()
    if not examiner.samples:
        why = Statement("analysis.no_measurements")
        if problems:
            why = Statement("analysis.no_measurements_left", {"why_sentences": problems})
        raise ExaminationError(refused(path, why))
    return problems


def examine_log(path: str) -> SessionSummary:
    """A frame log alone: its frames, and nothing about the computer.

    Raises ``FrameImportError``, and ``ExaminationError`` when its times make no sense.
    """
    log = read_log(path)
    lengths = np.frombuffer(log.frame_us, np.int64) / 1e3
    ends = np.frombuffer(log.elapsed_ns, np.int64) / 1e9
    ends = ends - max(0.0, float(ends[0]) - lengths[0] / 1e3)
    is_possible = (ends >= 0) & (ends < MOST_SECONDS)
    rejected = log.rejected + int(ends.size - is_possible.sum())
    if not is_possible.all():
        ends, lengths = ends[is_possible], lengths[is_possible]
    if not ends.size:
        raise ExaminationError(refused(path, Statement("analysis.senseless_clock")))
    duration_s = float(ends.max())
    figures: Figures = figures_of(SessionTally(), (ends, lengths), log.tool, duration_s)
    return SessionSummary(
        path=path,
        header=Header(0, log.started_at or 0.0, 100, _machine(log.machine)),
        duration_s=duration_s,
        samples=0,
        game=log.game,
        started_at=log.started_at,
        is_log=True,
        rejected_rows=rejected,
        problems=rejected_statements(rejected),
        **figures.as_fields(),
    )


def rejected_statements(rows: int) -> tuple[Statement, ...]:
    """What there is to say about rows that could not be read; nothing when there were none."""
    return (Statement("analysis.rejected_rows", {"count": rows}),) if rows else ()


def _machine(told: Mapping[str, str]) -> dict[str, object]:
    """What a log says of the computer, as recordings do."""
    machine: dict[str, object] = dict(told)
    card = machine.pop("gpu", None)
    return machine if card is None else {**machine, "gpus": [card]}
