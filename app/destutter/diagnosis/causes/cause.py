# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cause is: its rule with thresholds as data, and what a rule says about one second."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Culprit, Evidence, Group
from destutter.diagnosis.history.window import Window
from destutter.diagnosis.history.witnesses import Witness
from destutter.diagnosis.stutters.spikes import STUTTER_MS

BARELY_NOT = 0.99
"""Where nobody waited: below 1 the cause is not there, and its measurement is shown anyway."""

IMMEDIATE = 5.0
"""So many times the threshold enters a cause at once."""

AT_ITS_WORST = 10.0
"""The strength of what is there or is not: no alarm asks for more."""

MS_PER_PCT = 10.0
"""Of a second, what one percent of it is."""

AT_ONCE_MS = STUTTER_MS
"""So long a wait of the game does too."""


@dataclass(frozen=True, slots=True)
class Span:
    """When exactly a cause was there, and how long the game itself waited then (None: unknown)."""

    start_ns: int
    end_ns: int
    stall_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """What a rule measured in the newest second.

    ``strength`` is the measurement in thresholds: from 1 the condition holds. ``subject`` is the
    device or thread that it is about. ``stall_ms`` is set where the rule measures how long the
    game itself waited in that second, ``proves_origin`` where the signal is by its nature what
    spikes of that origin measure; both make a match more than a coincidence. ``stalls`` says of
    which tick, by its end, how much of the wait is; ``stall_peak_ms`` the most in one tick, where
    no more is known: short waits spread over all frames add up in a second and are no stutter.
    ``kind`` names a way of its own in which the cause came about, which has its own words.
    ``spans`` are set where the rule knows better than by the second when the cause was there, in
    order of time; earlier ones too where it recognised only now what they were.
    ``is_provisional``: something that was not measured yet may show that it was none; a later
    signal about the same subject that is not provisional confirms it, one that ``refutes`` takes
    back what is not confirmed.
    """

    strength: float
    evidence: tuple[Evidence, ...]
    subject: str | None = None
    stall_ms: float | None = None
    stall_peak_ms: float | None = None
    proves_origin: str | None = None
    stalls: tuple[tuple[int, float], ...] = ()
    kind: str = ""
    spans: tuple[Span, ...] = ()
    is_provisional: bool = False
    refutes: bool = False

    @property
    def waited_at_once_ms(self) -> float:
        """The longest wait of the game within a tick; short ones in a row are no such wait."""
        return max((waited for _, waited in self.stalls), default=0.0)


Limits = Mapping[str, float]
Rule = Callable[[Window, Limits], Signal | None]
"""Pure. None: not measured, or a known false alarm. Else a signal of any strength."""

Suspects = Callable[[Signal, Witness | None], tuple[Culprit, ...]]
"""Pure. Who did it, from a signal and from what processes did at that time."""


@dataclass(frozen=True, slots=True)
class CauseSpec:
    """One cause as data.

    ``limits`` are the thresholds by name; ``alarm`` is the strength from which the amount alone
    is out of the ordinary. ``watches`` are the metrics that the rule reads, ``remembers`` those
    of which it needs a median. ``needs`` names alternatives, each a set of sources: the cause
    can be measured when all sources of one set deliver. ``tunables`` are ids of settings that
    bear on it.

    ``rule`` is ``unjudged`` for a cause that is not judged second by second: ``unmeasurable``
    says in a sentence why not, or is None for the one that is found in the times of the stutters.
    ``yields_to`` are causes of which this one can be a mere consequence: one of them that
    explains as much is told first. ``yields_to_measured`` are causes that are told first when the
    game's own wait for them was measured, because that is nearer evidence than this one is.
    ``explained_by`` are causes of which this one is the symptom where they meet on one device: it
    is as sure as by the stutters that they leave over. ``traced_by`` is the event that alone shows
    it: with a trace that has it the cause can be measured.
    """

    id: str
    group: Group
    rule: Rule
    suspects: Suspects
    limits: Limits
    watches: tuple[str, ...] = ()
    needs: tuple[frozenset[str], ...] = ()
    tunables: tuple[str, ...] = ()
    alarm: float = 10.0
    remembers: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()
    yields_to_measured: tuple[str, ...] = ()
    explained_by: tuple[str, ...] = ()
    unmeasurable: Statement | None = None
    traced_by: str = ""


def unjudged(_window: Window, _limits: Limits) -> None:
    """The rule of causes that no second of measurements can show."""


_ALL_OF_IT = 1000.0  # milliseconds a second
_OF_ONE_THREAD = frozenset(
    {"game.run_delay_ms_per_s", "thread.run_delay_ms_per_s", "worker.run_delay_ms_per_s"}
)
"""The kernel books a wait for a core when it ends (sched_info_arrive in kernel/sched/stats.h): one
of 230 ms is all in the tick of 100 ms in which it ended, and is 2,300 ms/s there."""


def worst(
    window: Window, metric: str, threshold: float, instance: str | None = None, seconds: int = 1
) -> tuple[Evidence, ...]:
    """The metric at its highest tick as evidence; nothing when it was not measured."""
    peak = window.peak(metric, instance, seconds)
    if peak is None:
        return ()
    value, at_ns = peak
    if metric in _OF_ONE_THREAD:
        value = min(value, _ALL_OF_IT)
    return (Evidence(metric, METRIC_BY_ID[metric].unit, value, threshold, at_ns, instance),)


_OWN_PCT = 10.0
"""A tick in which the game's own group waited for 10 ms; a stutter is 50 ms and more."""


def with_own_wait(window: Window, resource: str, signal: Signal) -> Signal:
    """The signal with the wait of the game's own group for a resource, where it is measured.

    Its share of time in which at least one of its programs waited (Documentation/accounting/
    psi.rst). Programs of the group that run meanwhile make the share smaller, never larger.
    """
    metric = "game.pressure_some_pct"
    share = window.mean(metric, resource)
    if share is None:
        return signal
    stalls = tuple(
        (at, waited * MS_PER_PCT) for at, waited in window.ticks(metric, resource) if waited
    )
    return replace(signal, stall_ms=share * MS_PER_PCT, stalls=stalls)


def is_felt(window: Window, resource: str, limit_pct: float) -> bool:
    """Whether somebody lost time to a resource, as far as that is measured.

    The game's own group decides where it is known: what only others waited for, such as a
    compiler that has to free memory, is not felt in the game. Else the whole computer does.
    """
    own = window.peak("game.pressure_some_pct", resource, seconds=2)
    if own is not None:
        return own[0] >= _OWN_PCT
    return gate(window, resource, limit_pct) is not False


def gate(window: Window, resource: str, limit_pct: float) -> bool | None:
    """Whether tasks lost time to a resource in the last seconds by PSI; None without PSI.

    Only a gate: the share includes the kernel's own threads, so it never proves that a game
    waited. The two last seconds are looked at, because the time is booked when a stall ends.
    """
    peak = window.peak("pressure.some_pct", resource, seconds=2)
    return None if peak is None else peak[0] >= limit_pct
