# SPDX-License-Identifier: GPL-3.0-or-later
"""What diagnosis says, as plain values: spikes, findings with evidence, and the verdict.

Nothing here holds a sentence: words come from the catalogue, by the ids of statements.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce

from destutter.core.statement import Statement
from destutter.diagnosis.cause_ids import RUN_QUEUE_DELAY
from destutter.diagnosis.lost_time import NOTHING_LOST, TimeLost
from destutter.diagnosis.unplayed_span import UnplayedSpan

HORIZON_S = 600
"""So far back findings look: with less a cause of every ten minutes is never seen twice."""

RECENT_S = 120
"""So far banner and tiles do: what is older is over for the player, and still a finding."""


class Group(Enum):
    """The five groups that a player sees as tiles."""

    MEMORY = "memory"
    STORAGE = "storage"
    CPU = "cpu"
    GPU = "gpu"
    POWER = "power"


class Confidence(Enum):
    """How sure a finding is. Words, because a percentage would claim what nobody measured."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """The higher the surer."""
        return tuple(Confidence).index(self)


@dataclass(frozen=True, slots=True)
class Spike:
    """One stutter: a long frame, or without frame times a standstill of the game's main thread or
    a late wake-up of the probe.

    ``monotonic_ns`` is its end and ``duration_ms`` its whole length, so it began at
    ``monotonic_ns - duration_ms``. ``cause`` is set when a finding explains it, and ``is_guess``
    where that finding is one. ``more_ms`` is the length of the long frames right before and behind
    it, which are felt as one with it, and are its ``others``. ``usual_ms``: of a frame around it.
    """

    monotonic_ns: int
    duration_ms: float
    origin: str
    cause: str | None = None
    group: Group | None = None
    more_ms: float = 0.0
    is_guess: bool = False
    others: tuple["Spike", ...] = ()
    usual_ms: float = 0.0

    @property
    def start_ns(self) -> int:
        return self.monotonic_ns - int(self.duration_ms * 1e6)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One measurement that speaks for a finding, at its worst moment."""

    metric: str
    unit: str
    value: float
    threshold: float
    monotonic_ns: int
    instance: str | None = None


@dataclass(frozen=True, slots=True)
class Culprit:
    """Who did it at the moment of the spike: a process, thread, device or interrupt.

    ``what`` is one of "process", "thread", "realtime", "device", "interrupt", ``comm`` its name
    and ``why`` what it was doing then. ``starter`` is the program, "NAME (PID)", that starts it
    again and again; empty for none. ``place`` is the drive that it was named for, where it was for
    one: what somebody did on another is no measure of it. ``gives_way``: it has a low priority and
    did no more than it often does. ``in_all`` is what it did at all stutters at which it was
    named, added up; 0 where that is not known.
    """

    what: str
    comm: str
    pid: int | None = None
    why: Statement | None = None
    starter: str = ""
    place: str = ""
    gives_way: bool = False
    in_all: float = field(default=0.0, compare=False)

    @property
    def told(self) -> Statement | None:
        """What is said of it behind its name; None where nothing is."""
        if self.why is None or not self.starter:
            return self.why
        return Statement("culprit.again", {"why": self.why, "starter": self.starter})

    def or_worse(self, other: "Culprit | None") -> "Culprit":
        """The one of both that did more of the same, the other one where that is something else.

        A look covers seconds, of which a burst may fill none.
        """
        if other is None:
            return self
        if self.gives_way != other.gives_way:  # what is usual for it is not known at first
            both = replace(self, gives_way=True), replace(other, gives_way=True)
            return both[0].or_worse(both[1])
        mine, theirs = self.why, other.why
        if mine is None or theirs is None or _deed(mine) != _deed(theirs):
            return other
        if _amount(mine) <= _amount(theirs):
            return replace(other, starter=other.starter or self.starter)
        # Only from the second time on is it known that somebody starts it again and again.
        return replace(self, starter=self.starter or other.starter)

    @property
    def only_started(self) -> bool:
        """Whether nothing was measured of itself: it started programs that worked and ended."""
        return self.why is not None and self.why.id == "culprit.started"


def at_its_worst(seen: Sequence[Culprit]) -> Culprit:
    """One program, of all moments at which it was named, at least one.

    It gives way if it did at half of them or more: at first it is not known what is usual for it.
    A backup that did at 2 of 17 stutters was left out, for a program that was seen at one.
    """
    worst = reduce(lambda first, each: each.or_worse(first), seen)
    ways = sum(each.gives_way for each in seen)
    return replace(worst, gives_way=2 * ways >= len(seen), in_all=sum(map(_amount_of, seen)))


MOST_CULPRITS = 3
"""A player closes one program and looks again; a long list accuses bystanders."""

_FAR_LESS = 0.1  # of the most: a shell of 14 MB/s beside a patcher of 471 is a bystander


def weighty(culprits: Iterable[Culprit]) -> tuple[Culprit, ...]:
    """Without those that did far less of the same than another one: 14 MB/s beside 471.

    Of those that did the same whoever did more comes first: one that reads all the time may be
    the only one in sight at the worst moment (147 MB/s before 909 MB/s).
    """
    told = _most_first(_of_one_drive(_in_the_way(tuple(culprits))))
    most: dict[str, float] = {}
    for each in told:
        if each.why is not None:
            deed = _deed(each.why)
            most[deed] = max(most.get(deed, 0.0), _amount_of(each))
    return tuple(
        each
        for each in told
        if each.why is None or _amount_of(each) >= _FAR_LESS * most[_deed(each.why)]
    )


def _in_the_way(culprits: tuple[Culprit, ...]) -> tuple[Culprit, ...]:
    """Without those that gave way, where another one did the same and did not.

    A recorder of SCHED_IDLE used 81 % of a core at the one moment at which nobody else was in
    sight, and stood before the program that had taken all memory, with 76 %.
    """
    deeds = {_deed(each.why) for each in culprits if each.why and not each.gives_way}
    return tuple(
        each
        for each in culprits
        if not each.gives_way or each.why is None or _deed(each.why) not in deeds
    )


def _of_one_drive(culprits: tuple[Culprit, ...]) -> tuple[Culprit, ...]:
    """Without those that were named for other drives than the first, where any is left.

    A backup read 374 MB/s from a second drive in one of six stutters, and who wrote 19 MB/s to the
    slow one that made all the others was far less than that.
    """
    drive = next((each.comm for each in culprits if each.what == "device"), "")
    near = tuple(each for each in culprits if each.place in ("", drive))
    has_program = any(each.what == "process" for each in near)
    return near if drive and has_program else culprits


def _most_first(culprits: tuple[Culprit, ...]) -> tuple[Culprit, ...]:
    """In their order, but of those of one deed whoever did more stands before the others."""
    by_deed: dict[str, list[Culprit]] = {}
    for each in culprits:
        if each.why is not None:
            by_deed.setdefault(_deed(each.why), []).append(each)
    for alike in by_deed.values():
        alike.sort(key=_amount_of, reverse=True)
    return tuple(
        each if each.why is None else by_deed[_deed(each.why)].pop(0) for each in culprits
    )


def _amount_of(culprit: Culprit) -> float:
    return culprit.in_all or (0.0 if culprit.why is None else _amount(culprit.why))


_FORMS = (".several", ".least", ".read", ".wrote")


def _deed(why: Statement) -> str:
    """What was done: it is the same by one or by several, and for both ways of moving data."""
    return reduce(str.removesuffix, _FORMS, why.id)


def _amount(why: Statement) -> float:
    told = (value for name, value in why.values.items() if name != "count")
    return max((value for value in told if isinstance(value, int | float)), default=0)


_HALF_A_FRAME = 500.0
"""Milliseconds a second in run queues from which 60 frames a second lose half of their time each;
a game beside any other program has 150 to 250, a few in each frame, and nobody notices."""

OWN_LIMIT = "limit"
OWN_SAVING, OWN_READING = "saving", "reading"
"""The kind of wait that the game or its own group makes, and nobody else."""

BUSY = "busy"
"""The kind of finding in which something was busy, and whether the game waited is not known."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One named cause with its evidence.

    ``stutters_explained`` 0 means: it happened, but no stutter fell together with it.
    ``worst_ms`` is the longest stutter that it explains. The hitches that it explains are counted
    apart. ``kind`` names a way of its own in which
    the cause came about, which has its own words; empty for the usual one.
    ``consequence_of`` is the cause that it came with, at nearly all of the same stutters; empty
    where it stands for itself. ``lost_ms`` is what a player lost by it in the stutters that it
    explains, ``weight`` its share of what all took, by which findings are ordered, and ``ends_ns``
    are those stutters, by their end (``findings/weights.py``). ``is_open``: it explains nothing,
    and of the game no stutter was measured that it could have explained. ``is_over``: it explains
    none of the last ``RECENT_S`` seconds or of the game that runs now, of which the verdict tells.
    """

    cause: str
    group: Group
    confidence: Confidence
    stutters_explained: int
    stutters_total: int
    first_ns: int
    last_ns: int
    evidence: tuple[Evidence, ...]
    culprits: tuple[Culprit, ...] = ()
    reasons: tuple[Statement, ...] = ()
    is_active: bool = False
    worst_ms: float | None = None
    kind: str = ""
    hitches_explained: int = 0
    hitches_total: int = 0
    consequence_of: str = ""
    is_open: bool = False
    is_over: bool = False
    lost_ms: float = 0.0
    weight: float = 0.0
    ends_ns: tuple[int, ...] = field(default=(), repr=False)

    @property
    def named(self) -> tuple[Culprit, ...]:
        """Who is told to have done it: a drive only where nobody else was found."""
        somebody = tuple(each for each in self.culprits if each.what != "device")
        return somebody or self.culprits

    @property
    def explains(self) -> bool:
        """Whether anything that was felt fell together with it."""
        return bool(self.stutters_explained or self.hitches_explained)

    @property
    def is_aside(self) -> bool:
        """Whether it is worth a word, though nothing that was felt fell together with it."""
        waits = [each.value for each in self.evidence if each.unit == "ms/s"]
        is_short = self.cause == RUN_QUEUE_DELAY and max(waits, default=0.0) < _HALF_A_FRAME
        return not (self.explains or (waits and is_short))

    @property
    def is_doubted(self) -> bool:
        """Whether it explains less than half of what was felt and of the time that was lost, and
        may be there by chance.

        "Another program holds the drive", low, at 1 of 35 stutters, stood as a cause beside the
        sentence that the game itself took the time.
        """
        if self.confidence is not Confidence.LOW or self.consequence_of or not self.explains:
            return False
        if 2 * self.weight >= 1.0:
            return False
        if self.stutters_total:
            return 2 * self.stutters_explained < self.stutters_total
        return 2 * self.hitches_explained < self.hitches_total

    @property
    def is_most_lost(self) -> bool:
        """Whether it has most of the lost time, and not most of the stutters: that says why it
        stands first."""
        is_most = 2 * self.weight > 1.0
        return is_most and 0 < self.stutters_total >= 2 * self.stutters_explained

    @property
    def is_beside(self) -> bool:
        """Whether it was seen, and is not shown to be a cause: it stands apart from those."""
        return self.is_doubted or not self.explains

    @property
    def is_answer(self) -> bool:
        """Whether it says why there were stutters; hitches where there was no stutter.

        What only came with another cause, and what met no stutter, is none: nothing is advised
        against it.
        """
        explained = self.stutters_explained if self.stutters_total else self.hitches_explained
        return bool(explained) and not self.consequence_of

    @property
    def told_as(self) -> str:
        """What names its sentences in the catalogue: the cause, and its kind where it has one."""
        return f"{self.cause}.{self.kind}" if self.kind else self.cause


class TileState(Enum):
    """State of one group in the window: what its surest cause has to do with the stutters.

    ``NOTED``: there was something, and no game that it could have disturbed.
    """

    CLEAR = "clear"
    NOTED = "noted"
    WATCH = "watch"
    LIKELY = "likely"
    CAUSING = "causing"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, slots=True)
class GroupState:
    """A tile: its state, one reason, and the metric behind its small graph."""

    group: Group
    state: TileState
    reason: Statement
    metric: str | None = None
    instance: str | None = None


class VerdictKind(Enum):
    """What the banner says."""

    MEASURING = "measuring"
    SMOOTH = "smooth"
    STUTTER = "stutter"
    UNEXPLAINED = "unexplained"
    HITCHES = "hitches"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The one sentence at the top, and what stands below it.

    ``rest`` is about the stutters that the finding does not explain; None where it explains all.
    ``told_by`` says how they were found where that leaves some out; None for the usual way.
    ``unplayed`` is what counts as no play. ``is_of_computer``: no game is measured, so that it
    accuses nobody. ``most_lost`` says of a cause of few stutters that they took most of the time.
    """

    kind: VerdictKind
    headline: Statement
    detail: Statement
    finding: Finding | None = None
    rest: Statement | None = None
    is_of_computer: bool = False
    told_by: Statement | None = None
    unplayed: Statement | None = None
    most_lost: Statement | None = None

    @property
    def blames_game(self) -> bool:
        """Whether it says that the game itself took the time, which no finding explains."""
        return self.headline.id.startswith(("verdict.own.", "verdict.slept."))

    @property
    def helps(self) -> Statement | None:
        """What helps where the game itself worked; one that sleeps has nothing to do less of."""
        is_at_work = self.headline.id.startswith("verdict.own.")
        return Statement("remedy.own") if is_at_work else None

    @property
    def below(self) -> tuple[Statement, ...]:
        """The sentences that stand below the headline."""
        said = (self.detail, self.most_lost, self.helps, self.rest, self.told_by, self.unplayed)
        return tuple(each for each in said if each is not None)


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """A source or cause that cannot be measured here, and why."""

    what: Statement
    why: Statement


@dataclass(frozen=True, slots=True)
class Assessment:
    """Everything that diagnosis says at one moment about the last minutes.

    ``lost`` is where the time of the ``spikes`` went. ``is_game_unmeasured``: a game is watched,
    and neither a frame nor a pace of it was there to be judged. ``uncounted`` are stutters of
    before that game, and late wake-ups of the computer while none ran: they can be drawn.
    ``is_of_computer``: no game is measured, nor was one whose stutters these could be.
    """

    monotonic_ns: int
    verdict: Verdict
    groups: tuple[GroupState, ...]
    spikes: tuple[Spike, ...]
    findings: tuple[Finding, ...]
    not_measured: tuple[NotMeasured, ...]
    hitches: tuple[Spike, ...] = ()
    lost: TimeLost = NOTHING_LOST
    is_game_unmeasured: bool = False
    uncounted: tuple[Spike, ...] = ()
    unplayed: tuple[UnplayedSpan, ...] = ()
    is_of_computer: bool = False

    @property
    def causes_of_now(self) -> int:
        """How many findings explain stutters that the verdict tells of; minor guesses are none."""
        found = (each for each in self.findings if not (each.is_doubted or each.is_over))
        return sum(each.stutters_explained > 0 for each in found)
