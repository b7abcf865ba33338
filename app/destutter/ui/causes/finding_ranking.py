# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings are shown, in which order, and which of them is chosen. No Qt."""

from collections.abc import Sequence
from dataclasses import replace

from destutter.diagnosis.finding import Finding, Group


class FindingRanking:
    """Keeps the choice of the user while findings come and go.

    A chosen finding stays at the end of the list when diagnosis tells it no more, as one of
    earlier: a cause that was put right ends, and the user is still reading about it. It goes with
    its game: under the next one it stood with the numbers of the one before. And it goes once it
    is told to explain nothing: "0 of 8" stood beside the 18 stutters that had come since.
    """

    def __init__(self) -> None:
        self._findings: tuple[Finding, ...] = ()
        self._kept: Finding | None = None
        self._cause = ""
        self._is_of_before = self._is_users = False
        self.group: Group | None = None

    def accept_findings(self, findings: Sequence[Finding]) -> None:
        """These are told now, the most explaining first."""
        self._findings = tuple(findings)
        found = next((one for one in findings if one.cause == self._cause), None)
        if found is not None:
            self._kept = found if found.explains else None
        elif self._is_of_before:
            # In its first moments the next game is still told what the one before had.
            self._kept = None
        self._is_of_before = self._is_of_before and found is not None

    def forget(self) -> None:
        """Keep nothing of what was told: another game runs."""
        self._kept = None
        self._is_of_before = True

    def choose(self, cause: str) -> None:
        """Choose a cause; an empty one stands for the first."""
        kept = self._kept
        self._cause, self._is_users = cause, bool(cause)
        self._kept = next((one for one in self._findings if one.cause == cause), None)
        if self._kept is None and kept is not None and kept.cause == cause:
            self._kept = kept

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings of the group, and the one that is chosen; causes of now before those of
        earlier, and these before what was only seen beside them. One that explains no stutter
        stands behind those that do: "0 of 17" was opened first, beside the cause of all 17."""
        found = [one for one in self._findings if self.group in (None, one.group)]
        kept = self._kept
        if kept is not None and kept.cause not in {one.cause for one in found}:
            found.append(replace(kept, is_over=True))
        return tuple(sorted(found, key=_rank))

    @property
    def chosen(self) -> Finding | None:
        """The chosen finding; without a choice the first, which is the choice from then on, as
        long as it explains a stutter or none does."""
        shown = self.shown
        found = next((one for one in shown if one.cause == self._cause), None)
        is_empty = found is not None and not (found.stutters_explained or self._is_users)
        if shown and (found is None or is_empty):
            found = shown[0]
            self._cause, self._kept = found.cause, found
        return found


def _rank(finding: Finding) -> tuple[bool, bool, bool]:
    return finding.is_beside, not finding.stutters_explained, finding.is_over
