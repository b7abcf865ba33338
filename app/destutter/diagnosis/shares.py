# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a stutter is much: the measures that answers about it share."""

from destutter.diagnosis.spikes import STUTTER_MS

# Told by several hundred stutters of the truth bench. Waits for a drive that were made fill 98 %
# and more of three in four (at the ends of others the frame works, and ticks are 100 ms long);
# where none was made the game's own group has none in 19 of 20.
MOST_OF_IT = 0.4
NEARLY_ALL = 0.6
BEYOND_USUAL = 0.25  # a worker that computes 40 % of each frame computes 60 % now and then
SOME_WORK = 0.1
# The kernel's part is counted in steps of 10 ms (USER_HZ): of a hitch it says nothing.
LONG_MS = STUTTER_MS
SOME_BYTES = 4096.0  # a page: one that reads through a file server has no drive here
LIMIT_HITS_PER_S = 5.0  # as the rule for a full group has it
