# SPDX-License-Identifier: GPL-3.0-or-later
"""When the graphics card is what a stutter waited for, and whose work it had."""

from collections.abc import Sequence

from destutter.core.statement import Statement
from destutter.diagnosis.blame.stutter_answer import Blame, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.finding import Culprit
from destutter.diagnosis.shares import A_GOOD_PART, BEYOND_USUAL, CLEARLY_MOST

SATURATED = "gpu_saturation"
SHARED = "shared"
"""The kind of it where other programs had work on the card as well."""

_OTHERS_PCT = 20.0  # of the card: a compositor with a game in a window has 2 to 10


def by_card(met: Circumstances) -> Blame | None:
    """The card as the answer: it worked for nearly all of the stutter. None where it did not.

    A game that waits for its frame sleeps in whatever way its driver likes: in a futex, in a poll,
    in naps, or it spins. So it is the card's own count that tells, not the place.
    """
    if met.card is None or met.share(met.card.ms) < CLEARLY_MOST:
        return None
    return Blame(WhereTimeWent.GPU, Certainty.SEEN, met.card.ms)


def is_unusual(met: Circumstances) -> bool:
    """Whether the card worked for much more of the stutter than it does anyhow.

    One that always works draws beside whatever else the game does, and says nothing of who was
    late.
    """
    return met.card is not None and met.share(met.card.ms) - met.card.usual >= BEYOND_USUAL


def is_raised(met: Circumstances) -> bool:
    """Whether a card worked for much of the stutter."""
    return met.card is not None and met.share(met.card.ms) >= A_GOOD_PART


def others_on_card(met: Circumstances) -> tuple[Culprit, ...]:
    """The program besides the game that had most of the card's work, if it had a good part."""
    if met.card is None:
        return ()
    name, used_pct = next(iter(met.card.others), ("", 0.0))
    pid, _, program = name.partition(" ")
    if used_pct < _OTHERS_PCT:
        return ()
    told = Statement("culprit.card", {"card_pct": used_pct})
    return (Culprit("process", program, int(pid), told),)


def is_shared(group: Sequence[Circumstances]) -> bool:
    """Whether others had work on the card in most of these stutters."""
    return 2 * sum(bool(others_on_card(met)) for met in group) > len(group)
