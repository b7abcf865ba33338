# SPDX-License-Identifier: GPL-3.0-or-later
"""What a comparison may say, and from what on: of sessions, of runs, and of blocks in turns."""

from enum import Enum

LEAST_EFFECT = 0.10
"""A difference of less than a tenth is not worth a setting."""

SIGNIFICANT = 0.05
"""So likely chance may make such a difference before it is called one: what most sciences take."""


LEAST_MINUTES = 8
"""Of fewer the blocks of the bootstrap would be single minutes (``compared_minutes``)."""


class ComparedOutcome(Enum):
    """Of a measure of which less is better."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no real difference"
    TOO_CLOSE = "too close to call"

    @property
    def is_decided(self) -> bool:
        """Whether one is better than the other."""
        return self in (ComparedOutcome.BETTER, ComparedOutcome.WORSE)
