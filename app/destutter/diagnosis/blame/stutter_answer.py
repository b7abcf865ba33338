# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of where the time of one stutter went: where, how sure, how long, by whom."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from destutter.diagnosis.circumstances.kernel_time import Work
from destutter.diagnosis.finding import Group


class Certainty(IntEnum):
    """How sure it is that the game waited for this."""

    POSSIBLE = 1
    SEEN = 2
    MEASURED = 3


class WhereTimeWent(Enum):
    MEMORY = "memory"
    STORAGE = "storage"
    CPU = "cpu"
    OWN_WORK = "self"
    STOPPED = "stopped"
    MAPS = "maps"
    SOCKET = "socket"
    PIPE = "pipe"
    GPU = "gpu"
    OWN_CROWD = "crowd"
    TIMER = "timer"
    HANDED_ON = "handed_on"
    ELSEWHERE = "elsewhere"
    HELD = "held_back"
    FROZEN = "frozen"
    PARTNER_STOPPED = "partner_stopped"
    PARTNER_WORK = "partner_work"
    PARTNER_HELD = "partner_held"


GROUP_OF = {
    WhereTimeWent.MEMORY: Group.MEMORY,
    WhereTimeWent.STORAGE: Group.STORAGE,
    WhereTimeWent.CPU: Group.CPU,
    WhereTimeWent.GPU: Group.GPU,
}
"""Of the waits that a cause may stand behind; the others are the game's own business."""


@dataclass(frozen=True, slots=True)
class Blame:
    """One answer: where the time went, how long at least, by which thread where that is known.

    ``is_awaited`` says that the main thread waited for that thread, as far as can be seen,
    ``is_brief`` that it is none of those that are followed; ``kernel`` for what the kernel ran
    most of that time, None where the game computed. ``partner`` is the process for which the game
    waited, as "PID NAME"; empty where it waited for itself. ``kind`` is what the kernel's trace
    called it (``traced_blame.py``); empty for an answer that does not rest on it.
    """

    where: WhereTimeWent
    certainty: Certainty
    ms: float
    thread: str = ""
    is_awaited: bool = False
    is_brief: bool = False
    kernel: Work | None = None
    partner: str = ""
    kind: str = ""
