# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lanes are shown, in which order, as a text of the settings. No Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

FRAMES, DRIVES, RECLAIM, PRESSURE, DIRTY = USUAL = (
    "frames",
    "drives",
    "reclaim",
    "pressure",
    "dirty",
)
"""The ids of the lanes that there are without a choice, from top to bottom."""

_MOST = 40  # a text that somebody else wrote must not fill the window


@dataclass(frozen=True, slots=True)
class LaneOffer:
    """A lane that can be chosen; ``why_not`` says why it has nothing to show, else it is empty."""

    id: str
    title: str
    why_not: str = ""


def chosen_lanes(choice: str, is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """The lanes of a choice from top to bottom: never none, for there is something to see."""
    known = [each for each in dict.fromkeys(choice.split()) if is_known(each)]
    return tuple(known[:_MOST]) or USUAL


def written_choice(lanes: Sequence[str], before: str, is_known: Callable[[str], bool]) -> str:
    """These lanes as a text. What a newer version has chosen waits for it at the end."""
    strange = [each for each in before.split() if not is_known(each)]
    if tuple(lanes) == USUAL and not strange:
        return ""
    return " ".join((*lanes, *strange))
