# SPDX-License-Identifier: GPL-3.0-or-later
"""Who kept the game in stutters in which it stood still or waited for a file, for the verdict."""

from collections import Counter
from collections.abc import Sequence

from destutter.diagnosis.blame.blame import WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances

WAYS = {
    WhereTimeWent.STOPPED: ("traces",),
    WhereTimeWent.ELSEWHERE: ("locks", "serves", "child"),
    WhereTimeWent.MAPS: ("reads",),
}
"""How somebody can keep the game where its time went; the words are made of these."""


def kept_by(where: WhereTimeWent, met: Sequence[Circumstances]) -> tuple[str, str]:
    """How somebody kept the game in most of these stutters, and who where that was told.

    Both are empty where nobody was seen to.
    """
    ways = WAYS.get(where, ())
    kept = [{how for how, _ in each.holders if how in ways} for each in met]
    how, count = max(
        Counter(how for each in kept for how in each).items(),
        key=lambda item: item[1],
        default=("", 0),
    )
    if not count or 2 * count < len(met):
        return "", ""
    names: Counter[str] = Counter()
    for each in met:
        for (way, instance), looks in each.holders.items():
            name = instance.partition(" ")[2]
            if way == how and name:
                names[name] += looks
    return how, names.most_common(1)[0][0] if names else ""
