# SPDX-License-Identifier: GPL-3.0-or-later
"""From a rule's signals to the times at which a cause was there."""

from collections import deque
from dataclasses import dataclass

from destutter.diagnosis.cause import AT_ONCE_MS, IMMEDIATE, CauseSpec, Signal
from destutter.diagnosis.finding import Culprit
from destutter.diagnosis.window import Second, Window
from destutter.diagnosis.witnesses import Witnesses

_ENTER_OF = 3
_ENTER_AFTER = 2
_LEAVE_AFTER = 10
_MAX_UNSETTLED = 60


@dataclass(slots=True)
class Moment:
    """A second in which the condition held.

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
    is left after ten clean seconds. The seconds that led to the entry belong to it. Moments
    before the horizon are forgotten (None: kept for the whole stream).
    """

    def __init__(self, spec: CauseSpec, horizon_ns: int | None) -> None:
        self.spec = spec
        self._horizon_ns = horizon_ns
        self._moments: deque[Moment] = deque()
        self._recent: deque[bool] = deque(maxlen=_ENTER_OF)
        self._unsettled: deque[Moment] = deque(maxlen=_MAX_UNSETTLED)
        self._clean = 0
        self._is_entered = False
        self.is_measured = False

    @property
    def is_active(self) -> bool:
        """Whether the cause is there now."""
        return self._is_entered

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The seconds in which the condition held, in order of time."""
        return tuple(self._moments)

    def accept(self, window: Window, second: Second, witnesses: Witnesses) -> None:
        """Judge the second that was just completed."""
        # Most computers lack the sources of some causes: nothing to ask their rules for.
        is_measured = not self.spec.watches or window.has_any(self.spec.watches)
        signal = self.spec.rule(window, self.spec.limits) if is_measured else None
        if signal is not None:
            self.is_measured = True
        holds = signal is not None and signal.strength >= 1.0
        self._recent.append(holds)
        self._clean = 0 if holds else self._clean + 1
        if signal is not None and holds:
            moment = Moment(second.start_ns, second.end_ns, signal)
            self._moments.append(moment)
            self._unsettled.append(moment)
            self._enter(signal)
        self._settle(witnesses)
        if self._clean >= _LEAVE_AFTER:
            self._is_entered = False

    def forget_before(self, now_ns: int) -> None:
        """Drop moments that ended before the horizon."""
        if self._horizon_ns is None:
            return
        while self._moments and self._moments[0].end_ns < now_ns - self._horizon_ns:
            self._moments.popleft()

    def _enter(self, signal: Signal) -> None:
        is_sure = signal.strength >= IMMEDIATE or signal.waited_at_once_ms >= AT_ONCE_MS
        if is_sure or sum(self._recent) >= _ENTER_AFTER:
            self._is_entered = True
        if self._is_entered:
            for back in range(1, sum(self._recent) + 1):
                self._moments[-back].is_entered = True

    def _settle(self, witnesses: Witnesses) -> None:
        for moment in self._unsettled:
            witness, moment.is_settled = witnesses.at(moment.end_ns)
            moment.culprits = self.spec.suspects(moment.signal, witness)
        while self._unsettled and self._unsettled[0].is_settled:
            self._unsettled.popleft()
