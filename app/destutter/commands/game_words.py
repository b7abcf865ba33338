# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for a game, as commands tell it."""

from typing import TYPE_CHECKING, Any

from destutter.core.statement import Statement
from destutter.tuning.keys import key_of

if TYPE_CHECKING:
    from destutter_helper.api.payload import GameSet


def game_line(kept: "GameSet") -> Statement:
    """The game, what is kept for it, and whether it is set now."""
    settings = [f"{key_of(each.id, each.device)}={each.value}" for each in kept.changes]
    how = "status.game.on" if kept.runs else "status.game"
    return Statement(how, {"game": kept.game, "text": " ".join(settings)})


def game_json(kept: "GameSet") -> dict[str, Any]:
    """The same for programs."""
    return {
        "game": kept.game,
        "uid": kept.uid,
        "is_on": kept.runs,
        "changes": [
            {"tunable": each.id, "device": each.device or None, "value": each.value}
            for each in kept.changes
        ],
    }
