# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cause is: its rule with thresholds as data, and what a rule says about one second."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from destutter.core.metric_table import METRIC_BY_ID
from destutter.diagnosis.finding import Culprit, Evidence, Group
from destutter.diagnosis.window import Window
from destutter.diagnosis.witnesses import Witness

IMMEDIATE = 5.0
"""So many times the threshold enters a cause at once."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What a rule measured in the newest second.

    ``strength`` is the measurement in thresholds: from 1 the condition holds. ``subject`` is the
    device or thread that it is about. ``stall_ms`` is set where the rule measures how long the
    game itself waited in that second, ``proves_origin`` where the signal is by its nature what
    spikes of that origin measure; both make a match more than a coincidence. ``stall_peak_ms``
    is the most of the wait that was booked within one tick: short waits spread over all frames
    add up in a second and are no stutter.
    """

    strength: float
    evidence: tuple[Evidence, ...]
    subject: str | None = None
    stall_ms: float | None = None
    stall_peak_ms: float | None = None
    proves_origin: str | None = None


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
    says in a sentence why not, or is empty for the one that is found in the times of the stutters.
    ``yields_to`` are causes of which this one can be a mere consequence: one of them that
    explains as much is told first.
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
    unmeasurable: str = ""


def unjudged(_window: Window, _limits: Limits) -> None:
    """The rule of causes that no second of measurements can show."""


def worst(
    window: Window, metric: str, threshold: float, instance: str | None = None, seconds: int = 1
) -> tuple[Evidence, ...]:
    """The metric at its highest tick as evidence; nothing when it was not measured."""
    peak = window.peak(metric, instance, seconds)
    if peak is None:
        return ()
    value, at_ns = peak
    return (Evidence(metric, METRIC_BY_ID[metric].unit, value, threshold, at_ns, instance),)


def gate(window: Window, resource: str, limit_pct: float) -> bool | None:
    """Whether tasks lost time to a resource in the last seconds by PSI; None without PSI.

    Only a gate: the share includes the kernel's own threads, so it never proves that a game
    waited. The two last seconds are looked at, because the time is booked when a stall ends.
    """
    peak = window.peak("pressure.some_pct", resource, seconds=2)
    return None if peak is None else peak[0] >= limit_pct
