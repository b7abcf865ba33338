# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry on its way back: compared three ways, then written; kernel files only, no journal.

Each part of an entry's present state is at the goal (nothing to do), one of ours (write the goal),
or neither: somebody else changed it, and it stays. So what others set in the queue of a drive
whose scheduler is ours neither holds ours back nor is lost with it, unless the kernel itself
forgets it at our write: then it has the value from before again, and the note says so. The
guardian and the service do the same with it.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from destutter_helper import report
from destutter_helper.api import tunables
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.api.states import part_of, parts
from destutter_helper.api.tunables import BY_ID, CELLS, is_accepted, read_state
from destutter_helper.journal import Entry
from destutter_helper.kernel_writer import KernelWriter

ALREADY, OURS, RESTORED = "already", "ours", "restored"

Excuse = Callable[[Entry, str, str], Said | None]
"""Why the part of that id in a state may be overwritten, though none of ours; None if not."""


class Judged(NamedTuple):
    """Verdict or outcome, the entry's state of now, notes for people, and the parts of others."""

    outcome: str
    state: str
    notes: report.Notes
    foreign: frozenset[str] = frozenset()


def no_excuse(_entry: Entry, _current: str, _id: str) -> Said | None:
    """What somebody else set stays."""
    return None


def foreign_parts(entry: Entry, current: str, target: str) -> frozenset[str]:
    """The parts of a state that are neither ours nor at the target.

    What a foreign master (a scheduler) has moved is foreign as well, if nobody asked us for it.
    """
    now, goal, ours = parts(current), parts(target), [parts(state) for state in entry.ours]
    asked = {part_of(id_) for id_ in entry.ids}
    known = goal.keys() | {id_ for one in ours for id_ in one}
    off = {id_ for id_ in known & now.keys() if now[id_] != goal.get(id_)}
    found = {id_ for id_ in off if all(now[id_] != one.get(id_) for one in ours)}
    moved = {id_ for master in found for id_ in BY_ID[master].moves}
    if now.get("block.scheduler") == "block.scheduler=bfq":
        asked.discard("block.wbt_lat_usec")  # bfq makes it 0, also where that is our value
    return frozenset(found | (off & moved - asked))


def judge(kernel: KernelWriter, entry: Entry, excuse: Excuse = no_excuse) -> Judged:
    """What to do with an entry, part by part; what is excused counts as ours from then on."""
    trouble, current, troubles = report.look(kernel, entry)
    if trouble:
        return Judged(trouble, current, troubles)
    goal, now = parts(entry.goal or ""), parts(current)
    foreign = foreign_parts(entry, current, entry.goal or "")
    notes = {id_: why for id_ in foreign if (why := excuse(entry, current, id_))}
    if notes:  # as sure after the next crash as now
        entry.ours = (" ".join(now[id_] for id_ in now if id_ in notes), *entry.ours)
    foreign -= notes.keys()
    meant = goal.keys() | {part_of(id_) for id_ in entry.ids}
    is_off = any(now[id_] != goal.get(id_) for id_ in meant & now.keys() - foreign)
    said = tuple(dict.fromkeys(notes.values()))
    return _judged(entry, OURS if is_off else ALREADY, current, said, foreign)


def carry_out(kernel: KernelWriter, entry: Entry, finding: Judged) -> Judged:
    """Writes the goal where the state is ours. A refusal is FAILED, and may be tried again."""
    if finding.outcome != OURS:
        return finding
    before, state = parts(finding.state), finding.state
    try:
        kernel.write_state(entry.cell, entry.device, entry.goal or "", leave=finding.foreign)
        state = kernel.state(entry.cell, entry.device)
    except HelperError as error:
        with contextlib.suppress(HelperError):  # whatever it has become is our doing
            state = kernel.state(entry.cell, entry.device)
        became = " ".join(w for id_, w in parts(state).items() if w != before.get(id_))
        if became and became not in entry.ours:
            entry.ours = (*entry.ours, became)
        return Judged(report.FAILED, state, (error.said,))
    now = parts(state)
    stays = frozenset(id_ for id_ in finding.foreign if now.get(id_) == before[id_])
    lost = " ".join(before[id_] for id_ in before if id_ in finding.foreign - stays)
    notes = (Said("helper.note.lost", {"settings": lost}),) if lost else ()
    return _judged(entry, RESTORED, state, finding.notes + notes, stays)


def _judged(
    entry: Entry, outcome: str, state: str, notes: report.Notes, foreign: frozenset[str]
) -> Judged:
    """FOREIGN where a part that a user asked us for stays as somebody else has set it."""
    now = parts(state)
    asked = {part_of(id_) for id_ in entry.ids} & foreign
    if asked and outcome != OURS:
        asked |= {id_ for id_ in foreign if asked & {*BY_ID[id_].moves}}
        theirs = report.somebody_else(now[id_] for id_ in now if id_ in asked)
        return Judged(report.FOREIGN, state, (theirs,), foreign)
    masters = [one.id for one in CELLS[entry.cell] if one.moves]
    others = " ".join(now[id_] for id_ in now if id_ in foreign)
    if others and outcome != OURS and not foreign & set(masters[:1]):
        notes += (Said("helper.note.stays", {"settings": others}),)
    return Judged(outcome, state, notes, foreign)


def send_back(entry: Entry, ids: set[str]) -> list[str]:
    """Sends the settings ``ids`` of an entry back to what was before Destutter; all that go back.

    What a setting moves goes back with it. While a scheduler or huge pages are as we set them, the
    values from before mean nothing for what they move: then they go with it. The rest stays kept.
    """
    origin = parts(entry.origin)
    base = parts(entry.goal if entry.goal is not None else (entry.ours or ("",))[-1])
    back = {part_of(id_) for id_ in ids}
    for master in CELLS[entry.cell]:
        is_ours = base.get(master.id, "") not in {"", origin.get(master.id)}
        is_tied = master is CELLS[entry.cell][0] and back & {*master.moves}
        if is_ours and (master.id in back or is_tied):
            back |= {master.id, *master.moves}
    if {part_of(id_) for id_ in entry.ids} <= back:
        entry.goal = entry.origin
    else:
        kept = {**base, **{id_: word for id_, word in origin.items() if id_ in back}}
        entry.goal = " ".join(kept.values())
        entry.wishes = tuple(
            replace(wish, until="") if part_of(wish.id) in back else wish for wish in entry.wishes
        )
    entry.conflict = None
    return [id_ for id_ in entry.ids if part_of(id_) in back]


def interruption(entry: Entry, current: str, id_: str) -> Said | None:
    """Excuses a part whose value is known, or was moved by a master of ours."""
    states = (entry.origin, entry.goal or "", *entry.ours)
    known = [read_state(state) for state in states]
    known += [{wish.id: wish.value} for wish in entry.wishes]
    now = read_state(current)
    moved = {
        moves
        for master in CELLS[entry.cell]
        if len({values[master.id] for values in known if master.id in values}) > 1
        and now.get(master.id) in {values.get(master.id) for values in known}
        for moves in master.moves
    }
    aside = {tunables.step_aside(value) for values in known for value in values.values()}
    is_ours = all(
        one in moved
        or any(is_accepted(BY_ID[one], values.get(one), value) for values in known)
        or (BY_ID[one].kind == tunables.LATENCY and value in aside)
        for one, value in now.items()
        if part_of(one) == id_
    )
    if not is_ours:
        return None
    return Said("helper.note.interrupted", {"settings": parts(current)[id_]})


def or_half_way(excuse: Excuse) -> Excuse:
    """The excuse, and that the guardian has taken back a part."""
    return lambda entry, current, id_: excuse(entry, current, id_) or half_way(entry, current, id_)


def half_way(entry: Entry, current: str, id_: str) -> Said | None:
    """Excuses what a master has moved that is back already, with something still to be written.

    Whatever others had set before, the kernel forgot then.
    """
    now, goal = parts(current), parts(entry.goal or "")
    is_moved = any(
        id_ in master.moves
        and now.get(master.id) == goal.get(master.id)
        and any(now.get(master.id) != parts(state).get(master.id) for state in entry.ours)
        for master in CELLS[entry.cell]
    )
    return interruption(entry, current, id_) if is_moved else None
