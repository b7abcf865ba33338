# SPDX-License-Identifier: GPL-3.0-or-later
"""Which program that held the game up before does so no longer. No Qt."""

from destutter.analysis.examining.summary import SessionSummary
from destutter.diagnosis.finding import Group
from destutter.diagnosis.remedy import programs_to_close

_MOVES_DATA = (Group.STORAGE, Group.MEMORY)


def programs_gone(a: SessionSummary, b: SessionSummary) -> tuple[str, ...]:
    """Programs that by the causes of A should rest, and that no cause of B names.

    Only those that read, wrote or took memory: it is their work that the second run lacks.
    """
    if a.assessment is None or b.assessment is None:
        return ()
    there = {each.comm for finding in b.assessment.findings for each in finding.culprits}
    closed = dict.fromkeys(
        name
        for finding in a.assessment.findings
        if finding.group in _MOVES_DATA
        for name in programs_to_close(finding)[:1]
    )
    return tuple(name for name in closed if name.partition(" (")[0] not in there)
