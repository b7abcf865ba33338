# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a stutter is much: the measures that answers about it share."""

# Told by several hundred stutters of the truth bench. Waits for a drive that were made fill 98 %
# and more of three in four (at the ends of others the frame works, and ticks are 100 ms long);
# where none was made the game's own group has none in 19 of 20. Any mark between parts those two,
# and these are a choice: the higher one where something else may explain as much.
A_GOOD_PART = 0.4
CLEARLY_MOST = 0.6
# What the trace measured needs no such margin. An outsider's game had clocks around all of its
# calls: of 23 stutters whose largest known part was a third to a half, 21 had as much of it in
# truth; of 3 with less none did.
TRACED_PART = 1 / 3
BEYOND_USUAL = 0.25  # a worker that computes 40 % of each frame computes 60 % now and then
SOME_WORK = 0.1  # 10 ms of a stutter of 100: the step in which the kernel counts (USER_HZ)
SOME_BYTES = 4096.0  # a page: one that reads through a file server has no drive here
# The kernel tries to charge 64 pages at once (MEMCG_CHARGE_BATCH): the 320 pages of the rule for a
# full group are five misses of its limit.
LIMIT_HITS_PER_S = 5.0
SOME_SWAP_INS = 5.0  # the kernel brings eight pages at once: fewer are stragglers
# Who keeps a drive busy: others that moved 3 and 8 times as much as the game made its reads take
# 15 to 20 ms, which without them took 1; one with half of the traffic waits for itself. And what
# no browser or log moves.
TIMES_THE_GAME = 2.0
OTHER_BYTES_PER_S = 8 * 1024.0 * 1024.0
# A read or flush of a drive is slow from here on: a solid-state drive answers in 0.02 to 0.2 ms
# (doubt.py), a hard disk that is awake in 8 to 15 (nearest_cause.py).
SLOW_SSD_MS = 20.0
SLOW_HDD_MS = 60.0
# From so many pages a second that come back from a drive the rule for swap speaks, and those for
# drives are silent: each page costs the drive's delay.
SWAP_INS_PER_S = 50.0
DELAY_MS_PER_S = 50.0  # a twentieth of the time a thread that is ready stands in line for a core
# A task with a real-time policy that keeps a core; sound servers under rtkit stay below 5 %.
REALTIME_PCT = 30.0
