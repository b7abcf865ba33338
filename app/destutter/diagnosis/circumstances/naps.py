# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a thread found on a timer slept once, or looked for something again and again."""

from destutter.diagnosis.circumstances.span import StutterSpan
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import TickLog
from destutter.diagnosis.history.window import SECOND_NS

_FEW_SLEEPS_PER_S = 30.0  # beyond the usual: half of 60 frames; who polls has hundreds
_USUAL_NAPS = 200.0  # a second, of a thread of which little is known yet: three in each frame
_MANY_NAPS = 200.0  # beyond the usual; one that polled had 900 in a stutter of 300 ms
# Of a stutter of 50 ms to 2 s: who looks every 8 ms for something to come waits for that. One that
# fetched its reads by naps of 0.2 ms had 150 and more in 60 ms, one that slept once had 1.
_NAP_MS = 8.0
_FEW_NAPS = 6.0


def polls(log: TickLog, spike: Spike, span: StutterSpan) -> bool:
    """Whether the main thread woke up again and again within the stutter.

    The second's own count, which is of the thread that drives the frames, must allow it: a first
    thread that only takes in events may look for them at any rate.
    """
    woke = span.inside(("game.timeslices_per_s", None), most=None)
    if woke < max(_FEW_NAPS, spike.duration_ms / _NAP_MS):
        return False
    metric = "game.voluntary_switches_per_s"
    around = log.between(spike.start_ns, spike.monotonic_ns + SECOND_NS)
    slept = sum(each.values.get(metric, 0.0) * each.length_s for each in around)
    return slept >= woke / 2


def naps(log: TickLog, spike: Spike, thread: str) -> bool:
    """Whether a thread went to sleep far more often than usual, around a stutter.

    One that looks every 300 us for something that is not there yet had 900 of these in one of
    300 ms; what works for frames has a few in each. It is read once a second.
    """
    metric = "thread.timeslices_per_s"
    ticks = log.between(spike.start_ns, spike.monotonic_ns + SECOND_NS)
    rates = [tick.instanced.get(metric, {}).get(thread, 0.0) for tick in ticks]
    usual = log.usual((metric, thread))
    return max(rates, default=0.0) >= (_USUAL_NAPS if usual is None else usual) + _MANY_NAPS


def is_one_sleep(log: TickLog, spike: Spike, span: StutterSpan) -> bool:
    """Whether the main thread went to sleep no more often than usual, around a stutter.

    One that polls every millisecond does so several hundred times more often. The count is read
    once a second, and grows in that tick alone: what a second had is the sum of its ticks.
    """
    metric = "game.voluntary_switches_per_s"
    usual = log.average(metric)
    end_ns = spike.monotonic_ns + SECOND_NS
    ticks = [tick for tick in log.between(spike.start_ns, end_ns) if metric in tick.values]
    length_s = sum(tick.length_s for tick in ticks)
    if usual is None or length_s < 1.0:
        return False
    rate = sum(tick.values[metric] * tick.length_s for tick in ticks) / length_s
    is_rare = 0 < rate <= usual + max(_FEW_SLEEPS_PER_S, usual / 2)
    return is_rare and not polls(log, spike, span)
