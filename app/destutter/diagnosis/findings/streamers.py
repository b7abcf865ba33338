# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether threads of the game wait for drives no less while all is well than within stutters."""

from collections.abc import Iterable

from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.shares import BEYOND_USUAL

# Not whoever is held back by the limit of unwritten data: that is so all the time for one that
# writes on and on, and is the reason of each frame that waits for it.
_KINDS = ("io", "journal")
_ENOUGH_LOOKS = 10  # of fewer three that find a thread blocked are chance


def streams_all_the_time(stutters: Iterable[Circumstances]) -> bool:
    """Whether that a thread was found waiting for a drive says nothing about these stutters.

    Who streams or saves in the background is found so at any moment: in 12 of 22 looks within the
    stutters of a game whose other threads computed, and in half of the ticks outside of them. One
    that is waited for is found more often while the game waits.
    """
    looks = seen = known = 0
    usual = 0.0
    for met in stutters:
        if not met.looks or not met.seen_usual:
            continue
        looks += met.looks
        seen += max(met.seen.get(kind, 0) for kind in _KINDS)
        usual += max(met.seen_usual[kind] for kind in _KINDS)
        known += 1
    if looks < _ENOUGH_LOOKS:
        return False
    return usual / known >= BEYOND_USUAL > seen / looks - usual / known
