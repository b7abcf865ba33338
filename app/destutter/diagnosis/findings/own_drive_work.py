# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a game waited for a drive that was busy with what the game itself read or had written.

An engine that saves in a thread of its own while that holds the lock of the world waits for the
drive as if somebody else had filled it; one that reads 240 MB at once in its main thread waits
for a drive that answers each request in 4 ms. No setting and no other program is the reason then,
and the drive is not slow.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent
from destutter.diagnosis.blame.drive_waits import reads_itself
from destutter.diagnosis.cause_ids import FILESYSTEM_COMMIT, SLOW_DEVICE
from destutter.diagnosis.circumstances.drive_load import MOST, MUCH_BYTES
from destutter.diagnosis.finding import OWN_READING, OWN_SAVING, Culprit, Finding
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.order import Matched

_BY_CAUSE = {SLOW_DEVICE: (OWN_SAVING, OWN_READING), FILESYSTEM_COMMIT: (OWN_SAVING,)}


def with_own_work(found: Matched, known: Sequence[Explained]) -> Matched:
    """The same, told as the game's own saving or reading where that is the reason in most of its
    stutters.
    """
    finding, how = found
    if finding.cause not in _BY_CAUSE or finding.kind:
        return found
    times = {spike.monotonic_ns for spike in how.explained}
    met = [each for each in known if each.spike.monotonic_ns in times]
    for kind in _BY_CAUSE[finding.cause]:
        own = [each for each in met if _IS_SO[kind](each)]
        if 2 * len(own) > len(times):
            return _told(finding, kind, own), how
    return found


def _told(finding: Finding, kind: str, own: Sequence[Explained]) -> Finding:
    # The rules, and a stutter here and there, have told of strangers' drives as well.
    ((name, _),) = Counter(each.met.drive for each in own).most_common(1)
    named = tuple(each for each in finding.culprits if each.what == "device")
    drives = tuple(each for each in named if each.comm == name) or named
    of_it = tuple(
        each
        for each in finding.evidence
        if not each.metric.startswith("disk.") or each.instance == name
    )
    if kind == OWN_SAVING:
        written = max(each.met.own_written * each.met.drive_written for each in own)
        why = Statement("reason.own_saving", {"met": len(own), "written_bytes": written})
    else:
        most = max(own, key=lambda each: each.met.own_read)
        values = {"met": len(own), "read_bytes": most.met.own_read, "of_ms": most.met.duration_ms}
        why = Statement("reason.own_reading", values)
    return replace(
        finding,
        kind=kind,
        evidence=of_it or finding.evidence,
        culprits=(*drives, *_threads(own)),
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
    is_much = met.own_written * met.drive_written >= MUCH_BYTES
    return is_much and met.own_written >= MOST


def _is_reading(each: Explained) -> bool:
    return reads_itself(each.met)


_IS_SO = {OWN_SAVING: _is_saving, OWN_READING: _is_reading}
