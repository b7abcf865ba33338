# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verdict says of a game that is known by the pace of its main thread alone."""

from destutter.core.statement import Statement
from destutter.diagnosis.finding import Verdict, VerdictKind
from destutter.diagnosis.history.window import SECOND_NS
from destutter.diagnosis.stutters.rhythm import MANY_MS, SURE_MS
from destutter.diagnosis.stutters.spikes import RHYTHM_ORIGIN, WAKEUP_ORIGIN
from destutter.diagnosis.verdict.verdict_basis import WARM_UP_NS, VerdictBasis


def told_by_pace(situation: VerdictBasis) -> Statement | None:
    """How stutters were found, where no frame tells them; for shorter ones are missing then.

    Where only the probe was late that is the computer's: of a game beside it, whose pace was kept,
    "1 hiccup, no cause stands out" read as if it had not frozen, and it had for 50 to 152 ms.
    """
    origins = {spike.origin for spike in situation.recent}
    if RHYTHM_ORIGIN in origins:
        return Statement("verdict.by_pace", {"limit_ms": MANY_MS})
    is_paced = situation.rhythm is not None and not situation.sees_frames
    if origins == {WAKEUP_ORIGIN} and is_paced:
        return Statement("verdict.by_probe", {"limit_ms": MANY_MS})
    return None


def kept_pace(situation: VerdictBasis) -> Verdict | None:
    """That there was no standstill; None where no pace, or frames, or no game is known.

    It is no answer of "smooth": nothing was looked at of what is shorter.
    """
    rhythm, paced_ns = situation.rhythm, situation.paced_ns
    is_watched = bool(situation.coverage.facts.get("game.pid"))
    if rhythm is None or situation.sees_frames or not is_watched or paced_ns < WARM_UP_NS:
        return None
    headline = Statement("verdict.smooth.pace", {"span_s": paced_ns // SECOND_NS})
    values = {"limit_ms": SURE_MS, "turns": rhythm.usual_per_s}
    detail = Statement("verdict.smooth.pace.detail", values)
    return Verdict(VerdictKind.NOT_MEASURED, headline, detail)
