# SPDX-License-Identifier: GPL-3.0-or-later
"""What came out of one trial, and whether that says anything."""

from dataclasses import asdict, dataclass, field
from typing import Any

from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Assessment, VerdictKind

_DELAYED_SHARE = 0.25
_FOREIGN_SHARE = 0.06
_CLAIMING = ("medium", "high")
LONG_MS = 50.0

STOLEN_MS = LONG_MS - 1000.0 / 60.0
"""With so much taken at once from its processor a frame that was on time becomes a stutter."""


@dataclass(frozen=True)
class Answer:
    """A finding: its cause and confidence, who is to blame, and by which metrics."""

    cause: str
    confidence: str
    explained: int
    culprits: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """For people."""
        return f"{self.cause} {self.confidence} {self.explained}"


@dataclass
class Outcome:
    """What came out of one trial.

    ``answers`` are the findings that explain a stutter, the foremost first, ``asides`` the
    others. ``stutters`` are those that Destutter found, ``felt`` those that the victim's own log
    has; ``needed`` so many have to be felt for the trial to count. ``names`` are those of the
    victim's threads, ``thread`` the one that is slow by itself, where one is. ``cleared`` are the
    groups of which the verdict says that they showed nothing. ``delayed_share`` is the share of
    long frames of which the victim itself knows that it stood in a run queue for at least half of
    them, ``foreign_share`` that of all processor time which other programs used, ``stolen_share``
    that which the host of this virtual machine took, and ``stolen_ms`` the most that it took from
    one processor within a tenth of a second: each tells that something else than what was made
    disturbed. ``untraced`` is the same trial judged without the kernel's trace, where it had one.
    """

    scenario: str
    causes: list[str]
    also: list[str]
    make: str = ""
    seed: int = 0
    culprits: list[str] = field(default_factory=list)
    innocents: list[str] = field(default_factory=list)
    expects: str = ""
    names: list[str] = field(default_factory=list)
    thread: str = ""
    needed: int = 0
    cannot: str = ""
    stutters: int = 0
    felt: int = 0
    frames: int = 0
    answers: list[Answer] = field(default_factory=list)
    asides: list[Answer] = field(default_factory=list)
    verdict: str = ""
    said: str = ""
    cleared: list[str] = field(default_factory=list)
    delayed_share: float = 0.0
    foreign_share: float = 0.0
    stolen_share: float = 0.0
    stolen_ms: float = 0.0
    untraced: "Outcome | None" = None

    @property
    def answer(self) -> str:
        """The foremost cause, "none" without one, "smooth" without a stutter."""
        if self.answers:
            return self.answers[0].cause
        return "none" if self.stutters else "smooth"

    @property
    def is_named(self) -> bool:
        """Whether the foremost answer is what was made."""
        return self.answer in self.causes

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
    def is_too_few(self) -> bool:
        """Whether it made too few stutters to say anything."""
        return not self.cannot and self.felt < self.needed

    @property
    def is_judged(self) -> bool:
        """Whether it counts: it could be made, there is a rule, it was felt, not disturbed."""
        has_truth = self.has_rule or not self.causes
        return has_truth and not (self.cannot or self.is_too_few or self.is_disturbed)

    @property
    def has_rule(self) -> bool:
        """Whether there is a rule for what was made."""
        return bool(set(self.causes) & CAUSE_BY_ID.keys())

    @property
    def true(self) -> set[str]:
        """What may be said of this trial: what was made, what comes with it, what disturbed."""
        disturbed = ("run_queue_delay", "cpu_steal") if self.is_disturbed else ()
        return {*self.causes, *self.also, *disturbed}

    @property
    def claims(self) -> list[Answer]:
        """Every answer of medium or high confidence, whichever place it has."""
        return [each for each in self.answers if each.confidence in _CLAIMING]

    @property
    def false_claims(self) -> list[Answer]:
        """Claims that are not true."""
        return [each for each in self.claims if each.cause not in self.true]

    @property
    def false_alarms(self) -> list[Answer]:
        """Answers of high confidence that are not true."""
        return [each for each in self.false_claims if each.confidence == "high"]

    @property
    def is_culprit_right(self) -> bool:
        """Whether one of those who did it stands at the answer that names what was made, and
        nobody who was busy beside and hurt nobody.
        """
        blamed = {
            name for each in self.answers if each.cause in self.causes for name in each.culprits
        }
        return bool(blamed & set(self.culprits)) and not blamed & set(self.innocents)

    @property
    def false_clearing(self) -> str:
        """What was cleared although it was made: a group, or "smooth" for stutters; else empty.

        A cause that was made and is named beside is no alibi for its group.
        """
        if self.felt and self.verdict == VerdictKind.SMOOTH.value:
            return VerdictKind.SMOOTH.value
        made = {CAUSE_BY_ID[each].group.value for each in self.causes if each in CAUSE_BY_ID}
        return ",".join(sorted(made & set(self.cleared)))

    def accept(self, told: Assessment) -> None:
        """Take in what Destutter says."""
        self.stutters = len(told.spikes)
        self.verdict = told.verdict.kind.value
        self.said = told.verdict.detail.id
        cleared = str(told.verdict.detail.values.get("quiet", ""))
        self.cleared = [each for each in cleared.split(",") if each]
        for finding in told.findings:
            answer = Answer(
                finding.cause,
                finding.confidence.value,
                finding.stutters_explained,
                list(dict.fromkeys(each.comm for each in finding.culprits)),
                list(dict.fromkeys(each.metric for each in finding.evidence)),
            )
            (self.answers if finding.stutters_explained else self.asides).append(answer)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        derived = (
            *("answer", "is_named", "is_judged", "is_too_few", "is_disturbed", "is_robbed"),
            *("is_culprit_right", "false_clearing"),
        )
        return {**asdict(self), **{name: getattr(self, name) for name in derived}}
