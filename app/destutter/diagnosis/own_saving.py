# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a game waited for a drive that was busy with what the game itself had written.

An engine that saves in a thread of its own while that holds the lock of the world waits for the
drive as if somebody else had filled it. No setting and no other program is the reason then.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.blame import Certainty, WhereTimeWent
from destutter.diagnosis.finding import OWN_SAVING, Culprit, Finding
from destutter.diagnosis.order import Found
from destutter.diagnosis.wait_findings import Explained

_CAUSES = ("filesystem_commit", "slow_device")
_MOST = 0.6  # of what the drive wrote; other programs had a fifth beside a save of 126 MB
_SAVED_BYTES = 8 * 2.0**20  # what no log of a game writes within a stutter


def with_saving(found: Found, known: Sequence[Explained]) -> Found:
    """The same, told as the game's own saving where that is the reason in most of its stutters."""
    finding, how = found
    if finding.cause not in _CAUSES or finding.kind:
        return found
    times = {spike.monotonic_ns for spike in how.explained}
    saved = [each for each in known if each.spike.monotonic_ns in times and _is_saving(each)]
    if not saved or 2 * len(saved) <= len(times):
        return found
    return _told(finding, saved), how


def _told(finding: Finding, saved: Sequence[Explained]) -> Finding:
    drives = tuple(each for each in finding.culprits if each.what == "device")
    written = max(each.met.own_written * each.met.drive_written for each in saved)
    why = Statement("reason.own_saving", {"met": len(saved), "written_bytes": written})
    return replace(
        finding,
        kind=OWN_SAVING,
        culprits=(*drives, *_threads(saved)),
        reasons=(*finding.reasons, why),
    )


def _threads(saved: Sequence[Explained]) -> tuple[Culprit, ...]:
    """The thread of the game that waited for the drive in most of these, where one was seen."""
    threads = Counter(
        blame.thread
        for each in saved
        for blame in each.blames
        if blame.thread
        and blame.where is WhereTimeWent.STORAGE
        and blame.certainty > Certainty.POSSIBLE
    )
    if not threads:
        return ()
    number, _, name = threads.most_common(1)[0][0].partition(" ")
    return (Culprit("thread", name, int(number), Statement("culprit.own_thread")),)


def _is_saving(each: Explained) -> bool:
    met = each.met
    is_much = met.own_written * met.drive_written >= _SAVED_BYTES
    return is_much and met.own_written >= _MOST
