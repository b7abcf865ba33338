# SPDX-License-Identifier: GPL-3.0-or-later
"""What came out of a recording in two short lines, kept beside it for the list. No Qt.

To know it the whole recording has to be read: that is done once. What an earlier version said, or
what was said before more was recorded, counts no longer.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from destutter.analysis.examining.kept_beside import keep, key_of, read_kept
from destutter.analysis.examining.summary import MOST_SECONDS, SessionSummary
from destutter.core.statement import Statement, plain_statement, read_statement
from destutter.diagnosis.finding import Assessment, VerdictKind
from destutter.diagnosis.verdict.own_business import HEADLINES
from destutter.diagnosis.wording import named_as
from destutter_helper.api.names import HELPER_VERSION

FILE_NAME = ".outcomes.json"
_SUBJECT = "outcomes"
_KINDS = frozenset(HEADLINES.values())
_MOST_LINES = 3


def outcome_of(session: SessionSummary) -> tuple[Statement, ...]:
    """What was found: the count and what was lost, then the cause and how sure that is.

    They are those of the verdict and its finding; without a stutter the verdict's own sentence.
    """
    assessment = session.assessment
    if assessment is None:
        frames = session.frames
        if frames is None:
            return ()
        values = {"count": session.frame_stutters, "lost_ms": frames.hitch_ms}
        return (Statement("session.outcome.frames", values),)
    verdict, count = assessment.verdict, len(assessment.spikes)
    if not count:
        return (verdict.headline,)
    if verdict.is_of_computer:
        told = Statement("session.outcome.computer", {"count": count})
        return told, Statement("session.outcome.no_game")
    values = {"count": count, "lost_ms": assessment.lost.total_ms}
    return (Statement("session.outcome.stutters", values), *_cause(assessment))


def _cause(assessment: Assessment) -> Iterator[Statement]:
    verdict = assessment.verdict
    finding = verdict.finding
    if verdict.kind is VerdictKind.STUTTER and finding is not None:
        counts = {"explained": finding.stutters_explained, "total": finding.stutters_total}
        told = "session.outcome.cause.most" if verdict.most_lost else "session.outcome.cause"
        yield Statement(told, {**counts, "cause": named_as(finding)})
        yield Statement("session.outcome.sure", {"confidence": finding.confidence.value})
        return
    kind = verdict.headline.id.split(".")[1]
    yield Statement(f"session.outcome.{kind if kind in _KINDS else 'unexplained'}")


def outcomes_in(folder: Path) -> Mapping[str, Mapping[str, object]]:
    """What is kept of the recordings of a folder, by ``kept_beside.key_of``."""
    kept = read_kept(folder / FILE_NAME, _SUBJECT)
    return {key: value for key, value in kept.items() if isinstance(value, dict)}


def known_outcome(
    kept: Mapping[str, object] | None, size_bytes: int
) -> tuple[tuple[Statement, ...], float | None]:
    """What is kept of a recording, as long as it has this size, and the seconds of play in it;
    empty and None where nothing counts."""
    if kept is None or (kept.get("size"), kept.get("by")) != (size_bytes, HELPER_VERSION):
        return (), None
    lines, played = kept.get("lines"), kept.get("played_s")
    said = [read_statement(each) for each in lines] if isinstance(lines, list) else []
    played_s = None
    if isinstance(played, int) and played is not True and 0 <= played <= MOST_SECONDS:
        played_s = float(played)
    return tuple(each for each in said[:_MOST_LINES] if each is not None), played_s


def keep_outcome(
    folder: Path,
    wall_time: float,
    size_bytes: int,
    outcome: tuple[Statement, ...],
    played_s: int,
) -> None:
    """Keep it for the recording whose header has this time. Raises ``RecordingError``."""
    lines = [plain_statement(each) for each in outcome]
    value = {"size": size_bytes, "by": HELPER_VERSION, "lines": lines, "played_s": played_s}
    keep(folder / FILE_NAME, _SUBJECT, key_of(wall_time), value)
