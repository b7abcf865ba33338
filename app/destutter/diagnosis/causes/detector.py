# SPDX-License-Identifier: GPL-3.0-or-later
"""From a rule's signals to the times at which a cause was there."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from destutter.diagnosis.causes.cause import AT_ONCE_MS, IMMEDIATE, CauseSpec, Signal, Span
from destutter.diagnosis.finding import Culprit
from destutter.diagnosis.history.window import Second, Window
from destutter.diagnosis.history.witnesses import Witnesses

# A choice for all rules: a single second is above a threshold now and then, and what comes every
# other second is there all the time, with no gap for every pause of a few seconds.
_ENTER_OF = 3
_ENTER_AFTER = 2
LEAVE_AFTER = 10
_MAX_UNSETTLED = 60  # the look that settles them comes within three seconds
_MOST_PROVISIONAL = 1_000  # a drive that was never compared must not fill memory


@dataclass(slots=True)
class Moment:
    """A second in which the condition held, or the very span where that is known.

    ``is_entered``: and the cause counts as there. ``culprits`` are those of the look at processes
    that covers it; until that look arrives (``is_settled``), those of the look before.
    """

    start_ns: int
    end_ns: int
    signal: Signal
    is_entered: bool = False
    culprits: tuple[Culprit, ...] = ()
    is_settled: bool = False


class CauseDetector:
    """Hysteresis of one cause.

    A cause is entered when its condition holds in two of three seconds, in one at five times the
    threshold, or in one in which the game was measured to wait as long as a stutter at once; it
    is left after ten clean seconds. The seconds that led to the entry belong to it. A signal with
    spans puts these in place of its second, earlier ones among those that are there. Moments
    before the horizon are forgotten (None: kept for the whole stream).
    """

    def __init__(self, spec: CauseSpec, horizon_ns: int | None) -> None:
        self.spec = spec
        self._horizon_ns = horizon_ns
        self._moments: deque[Moment] = deque()
        self._recent: deque[bool] = deque(maxlen=_ENTER_OF)
        self._unsettled: deque[Moment] = deque(maxlen=_MAX_UNSETTLED)
        self._provisional: deque[Moment] = deque(maxlen=_MOST_PROVISIONAL)
        self._clean = 0
        self._is_entered = False
        self.is_measured = False

    @property
    def is_active(self) -> bool:
        return self._is_entered

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The seconds in which the condition held, in order of time."""
        return tuple(self._moments)

    def accept_second(self, window: Window, second: Second, witnesses: Witnesses) -> None:
        """Judge the second that was just completed."""
        # Most computers lack the sources of some causes: nothing to ask their rules for.
        is_measured = not self.spec.watches or window.has_any(self.spec.watches)
        signal = self.spec.rule(window, self.spec.limits) if is_measured else None
        if signal is not None:
            self.is_measured = True
            self._confirm(signal)
        holds = signal is not None and signal.strength >= 1.0
        self._recent.append(holds)
        self._clean = 0 if holds else self._clean + 1
        if signal is not None and holds:
            new = self._add(signal, second)
            self._unsettled.extend(new)
            self._enter(signal, new)
        self._settle(witnesses)
        if self._clean >= LEAVE_AFTER:
            self._is_entered = False

    def forget(self) -> None:
        """Drop all moments: they are none of the game that begins now."""
        for kept in (self._moments, self._unsettled, self._provisional):
            kept.clear()

    def forget_before(self, now_ns: int) -> None:
        """Drop moments that ended before the horizon."""
        if self._horizon_ns is None:
            return
        while self._moments and self._moments[0].end_ns < now_ns - self._horizon_ns:
            self._moments.popleft()

    def _add(self, signal: Signal, second: Second) -> list[Moment]:
        """Put in the second, or those spans that are not there yet, in order of time."""
        if not signal.spans:
            new = [Moment(second.start_ns, second.end_ns, signal)]
            self._moments.extend(new)
            return new
        later: list[Moment] = []
        while self._moments and self._moments[-1].end_ns >= signal.spans[0].end_ns:
            later.append(self._moments.pop())
        known = {each.end_ns for each in later}
        new = [_moment(signal, span) for span in signal.spans if span.end_ns not in known]
        self._moments.extend(sorted((*later, *new), key=lambda each: each.end_ns))
        if signal.is_provisional:
            self._provisional.extend(new)
        return new

    def _confirm(self, signal: Signal) -> None:
        """What was provisional of the same subject is sure from now on, or never was."""
        is_sure = signal.strength >= 1.0 and not signal.is_provisional
        if not self._provisional or not (is_sure or signal.refutes):
            return
        told = [each for each in self._provisional if each.signal.subject == signal.subject]
        for moment in told:
            self._provisional.remove(moment)
        if told and signal.refutes:
            taken_back = {id(each) for each in told}
            self._moments = deque(each for each in self._moments if id(each) not in taken_back)
            self._is_entered = False

    def _enter(self, signal: Signal, new: Iterable[Moment]) -> None:
        is_sure = signal.strength >= IMMEDIATE or signal.waited_at_once_ms >= AT_ONCE_MS
        if is_sure or sum(self._recent) >= _ENTER_AFTER:
            self._is_entered = True
        if self._is_entered:
            for back in range(1, min(sum(self._recent), len(self._moments)) + 1):
                self._moments[-back].is_entered = True
            for moment in new:
                moment.is_entered = True

    def _settle(self, witnesses: Witnesses) -> None:
        for moment in self._unsettled:
            witness, moment.is_settled = witnesses.covering(moment.start_ns, moment.end_ns)
            moment.culprits = self.spec.suspects(moment.signal, witness)
        while self._unsettled and self._unsettled[0].is_settled:
            self._unsettled.popleft()


def _moment(signal: Signal, span: Span) -> Moment:
    """One span, with what the game waited in it and with no other's wait."""
    stalls = () if span.stall_ms is None else ((span.end_ns, span.stall_ms),)
    return Moment(span.start_ns, span.end_ns, replace(signal, spans=(), stalls=stalls))
