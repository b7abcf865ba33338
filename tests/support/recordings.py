# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings of tests/data, of stutters with known causes, of quiet runs and of decoys."""

from pathlib import Path

from tests.support.sampled import sampled

SESSIONS = Path(__file__).parents[1] / "data/sessions"
RECORDINGS = sorted(SESSIONS.glob("*.destutter"))

_AT_A_DESK = (
    # One of each cause that any of them has,
    *("card_drawn", "compaction", "contended_reads_bfq", "dirty_throttling", "global_reclaim"),
    *("group_reclaim", "packet_flood", "real_time_hog", "shaders", "slow_drive"),
    *("run_queue_overload", "waiting_commit"),
    # and of games that are slow, stand still or load by themselves, beside nothing and a copy.
    *("card_at_its_limit", "quiet", "loading", "slow_game_and_copy", "stopped"),
)
EACH_RECORDING = sampled(
    RECORDINGS,
    [SESSIONS / f"{name}.destutter" for name in _AT_A_DESK],
    lambda path: path.stem,
)
"""As parameters: all for ``.ci/run``, one of each kind at a desk."""
