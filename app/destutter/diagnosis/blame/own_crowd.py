# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the game's own threads keep the processors from each other."""

from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.shares import BEYOND_USUAL

# A game that translates shaders with four threads on two cores has 83 % and more of what all
# programs use, and both cores; in a crowd of others it has hardly any.
_OWN_CROWD = 0.8
_CROWDED = 0.75  # of all cores: below it one was free for who stood in line


def crowds_itself(met: Circumstances) -> bool:
    """Whether it is the game's own threads that keep the processors, with cores for nobody.

    By the trace's word, where it has who was on all cores while the game waited for one.
    """
    is_full = met.used_ms >= _CROWDED * met.cores * met.duration_ms
    is_withheld = met.withheld_ms > 0 or met.share(met.steal_ms) >= BEYOND_USUAL
    if met.main is not None and met.main.own_share is not None:
        return met.main.is_crowd and not is_withheld
    # Whoever has that much of all cores leaves others too little to be held up by them: beside a
    # recorder with an eighth of a core, four of seventeen equal stutters were that one's doing.
    # Both are of whole ticks, of which no more fits into the stutter than all cores have.
    all_ms = met.cores * met.duration_ms
    cpu_ms = met.cpu_ms * min(1.0, all_ms / met.used_ms) if met.used_ms else 0.0
    is_most_of_all = cpu_ms >= _CROWDED * all_ms
    is_own = is_most_of_all or met.cpu_ms >= _OWN_CROWD * met.used_ms
    return is_full and not is_withheld and is_own and met.cpu_ms > 0
