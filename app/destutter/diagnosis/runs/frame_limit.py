# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits the rate of a game's frames: the graphics card, a core, or neither of them.

The card limits it where that is at work all the time, as Intel's PresentMon tells it by a "GPU
busy" as long as the frame; a thread of the game limits it where that computes all the time while
the card has pauses, for no frame is ready before its thread is. With neither the game waits for
something else: a limit of frames, the screen, or what Destutter names as a cause.

MangoHud's own columns of load say less: cpu_load is the mean of all cores, in which one that is
full does not show. A driver may let a thread spin while it waits for the card, so without a
reading of the card nothing is known.
"""

from enum import StrEnum

CARD_PCT, THREAD_PCT = 95.0, 90.0
"""From these shares on something is at work all the time (choices; both count some pauses)."""


class FrameLimit(StrEnum):
    """What the frames wait for."""

    CARD = "card"
    PROCESSOR = "processor"
    NEITHER = "neither"
    UNKNOWN = "unknown"


def frame_limit(card_pct: float | None, thread_pct: float | None) -> FrameLimit:
    """By the share of the time in which the busiest card, and the game's busiest thread, worked.

    None: not measured. Which of several cards the game uses is not known; one that is at work all
    the time is.
    """
    if card_pct is None:
        return FrameLimit.UNKNOWN
    if card_pct >= CARD_PCT:
        return FrameLimit.CARD
    if thread_pct is None:
        return FrameLimit.UNKNOWN
    return FrameLimit.PROCESSOR if thread_pct >= THREAD_PCT else FrameLimit.NEITHER
