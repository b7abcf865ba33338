# SPDX-License-Identifier: GPL-3.0-or-later
"""The phases that somebody gave a recording: they count instead of the measured ones. No Qt.

Two ways: markers that are called "ramp-up" and "steady" (``destutter mark steady``), and the ends
that are kept in a file beside the recordings (``kept_beside``).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from destutter.analysis.examining.figures import score_of
from destutter.analysis.examining.kept_beside import keep, key_of, read_kept
from destutter.analysis.examining.summary import SessionMarker, SessionSummary, seconds_in
from destutter.diagnosis.runs.phases import Phase, PhaseSpan

FILE_NAME = ".phases.json"
_SUBJECT = "ends"
_MOST_S = 10_000_000  # 115 days: no recording ends later, and a damaged file may say anything


@dataclass(frozen=True, slots=True)
class PhaseEnds:
    """Where the warm-up and the ramp-up end, in seconds from the beginning."""

    warm_up_s: int
    ramp_up_s: int

    def spans(self, length_s: int) -> tuple[PhaseSpan, ...]:
        """The phases of a session of this length; those that last no time are left out."""
        warm = min(max(self.warm_up_s, 0), length_s)
        ramp = min(max(self.ramp_up_s, warm), length_s)
        spans = (
            PhaseSpan(Phase.WARM_UP, 0, warm),
            PhaseSpan(Phase.RAMP_UP, warm, ramp),
            PhaseSpan(Phase.STEADY, ramp, length_s),
        )
        return tuple(span for span in spans if span.end_s > span.start_s)


def with_own_phases(session: SessionSummary) -> SessionSummary:
    """The session with the phases that somebody gave it; as it is where nobody did."""
    ends = kept_ends(session) or ends_by_markers(session.markers)
    if ends is None or session.is_log:
        return session
    length_s = seconds_in(session.duration_s)
    phases = ends.spans(length_s)
    score = score_of(session.seconds, phases, length_s, session.artefacts, session.is_played)
    return replace(session, phases=phases, score=score)


def ends_by_markers(markers: Iterable[SessionMarker]) -> PhaseEnds | None:
    """What the first markers with the names of phases say; None without such markers."""
    first: dict[str, int] = {}
    for marker in markers:
        first.setdefault(marker.text.strip().casefold().replace(" ", "-"), int(marker.at_s))
    ramp, steady = first.get("ramp-up"), first.get("steady")
    if ramp is None and steady is None:
        return None
    warm_up_s = (steady or 0) if ramp is None else ramp
    return PhaseEnds(warm_up_s, _MOST_S if steady is None else steady)


def kept_ends(session: SessionSummary) -> PhaseEnds | None:
    """What is kept for this recording; None where nothing is, or nothing that makes sense."""
    told = read_kept(_place(session), _SUBJECT).get(_key(session))
    if not isinstance(told, list) or [type(each) for each in told] != [int, int]:
        return None
    warm_up_s, ramp_up_s = told
    return PhaseEnds(warm_up_s, ramp_up_s) if 0 <= warm_up_s <= ramp_up_s <= _MOST_S else None


def keep_ends(session: SessionSummary, ends: PhaseEnds | None) -> None:
    """Keep these for the recording; None: let the measured phases count again.

    Raises ``RecordingError`` in words.
    """
    value = None if ends is None else [ends.warm_up_s, ends.ramp_up_s]
    keep(_place(session), _SUBJECT, _key(session), value)


def _place(session: SessionSummary) -> Path:
    return Path(session.path).parent / FILE_NAME


def _key(session: SessionSummary) -> str:
    return key_of(session.header.wall_time)
