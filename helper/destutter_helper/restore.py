# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking values back: compare three ways, then write in the order that the kernel needs.

For each entry the present state is the goal (nothing to do), one of ours (write the goal), or
neither: somebody else changed it, and it stays. Two things make this more than a list of pairs:

* The kernel moves dependents by itself. After an interrupted change such a dependent has a
  state that nobody recorded; it counts as ours, and the result says what it was.
* The settings of one block queue stand and fall together: going back to the old scheduler drops
  what was set under the new one. A foreign value among them keeps the whole queue as it is.
"""

import contextlib
import dataclasses
from collections.abc import Callable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID
from destutter_helper.change_set import SCHEDULER
from destutter_helper.journal import APPLYING, RESTORING, Document, Entry
from destutter_helper.kernel_writer import KernelWriter, is_accepted

FOREIGN = "foreign"
GONE = "gone"
FAILED = "failed"
ALREADY = "already"
RESTORED = "restored"
_OURS = "ours"


def is_asked(entry: Entry) -> bool:
    """Whether a user asked for it, and it is not only the kernel's doing."""
    return entry.want is not None or entry.value is not None


def scheduler_of(kernel: KernelWriter, entry: Entry) -> str | None:
    """The I/O scheduler under which a member of a queue stands; None for anything else."""
    if BY_ID[entry.id].group != SCHEDULER.group:
        return None
    return kernel.read(SCHEDULER, entry.device)


def result_of(entry: Entry, outcome: str, value: str | None, note: str = "") -> Result:
    """The line for people about one entry."""
    return Result(entry.id, entry.device_name, outcome, value, entry.origin, note)


@dataclasses.dataclass(slots=True)
class _Finding:
    entry: Entry
    verdict: str
    current: str | None
    note: str = ""


class Restoration:
    """One way back for all entries of ``document`` that are ``moving``, to their ``goal``.

    ``is_forced`` tells for which entries a foreign value may be overwritten. ``phase`` is the
    phase in which the document was found: TRIAL or IDLE when everything of ours is recorded.
    """

    def __init__(
        self,
        kernel: KernelWriter,
        document: Document,
        *,
        phase: str,
        is_forced: Callable[[Entry], bool],
    ) -> None:
        self._kernel = kernel
        self._document = document
        self._phase = phase
        self._is_forced = is_forced
        self._findings: list[_Finding] = []
        self._preserved: list[Entry] = []
        self._dropped: list[Entry] = []
        self._failed: list[Entry] = []

    def decide(self) -> None:
        """Looks at every moving entry; those that stay are no longer moving afterwards.

        To be saved before ``run``, so that a crash during ``run`` finds the same goals.
        """
        self._add_moved_entries()
        moving = [entry for entry in self._document.entries if entry.moving]
        moving.sort(key=lambda entry: BY_ID[entry.id].rank)
        for entry in moving:
            self._findings.append(self._compare(entry))
        for finding in self._findings:
            if finding.verdict == FOREIGN:
                self._spare(finding)

    def run(self) -> list[Result]:
        """Writes, reads back, and drops from the document what is at its origin again.

        The results name what a user asked for, and what the kernel moved only where it matters.
        """
        asked = {id(finding.entry) for finding in self._findings if is_asked(finding.entry)}
        results = [
            result
            for finding in self._findings
            if (result := self._carry_out(finding)).outcome not in {ALREADY, RESTORED, GONE}
            or id(finding.entry) in asked
        ]
        for finding in self._findings:
            entry = finding.entry
            entry.moving, entry.goal, entry.before, entry.want = False, None, None, None
        dropped = {id(entry) for entry in self._dropped}
        self._document.entries = tuple(
            entry for entry in self._document.entries if id(entry) not in dropped
        )
        return results

    def _add_moved_entries(self) -> None:
        """What a master will move without being part of this way back keeps its present state."""
        for entry in [entry for entry in self._document.entries if entry.moving]:
            for moved in (BY_ID[name] for name in BY_ID[entry.id].moves):
                found = self._document.find(moved.cell, entry.device)
                if found is not None and found.moving:
                    continue
                try:
                    current = self._kernel.read(moved, entry.device)
                except HelperError:
                    continue  # what cannot be read cannot be written back either
                if found is None and current is not None and not moved.group:
                    found = Entry(moved.id, entry.device, origin=current)
                    self._document.entries = (*self._document.entries, found)
                if found is not None:
                    found.moving, found.goal = True, current
                    self._preserved.append(found)

    def _compare(self, entry: Entry) -> _Finding:
        tunable = BY_ID[entry.id]
        if not self._kernel.is_present(entry.device):
            return _Finding(entry, GONE, None, "the device left; it starts anew when it returns")
        try:
            current = self._kernel.read(tunable, entry.device)
        except HelperError as error:
            return _Finding(entry, FAILED, None, error.reason)
        if current == entry.goal:
            return _Finding(entry, ALREADY, current)
        is_ours = current in entry.ours or (
            self._phase == APPLYING
            and entry.want is not None
            and is_accepted(tunable, entry.want, current)
        )
        if is_ours and self._is_under_another_scheduler(entry):
            return _Finding(entry, FOREIGN, current, "somebody else changed the I/O scheduler")
        if is_ours:
            return _Finding(entry, _OURS, current)
        if self._may_have_been_moved(entry):
            entry.ours = (*entry.ours, current)  # as sure after the next crash as now
            return _Finding(entry, _OURS, current, f"was {current} after the interrupted change")
        if self._is_forced(entry):
            return _Finding(entry, _OURS, current, f"somebody else had set {current}")
        return _Finding(entry, FOREIGN, current, "somebody else changed it")

    def _is_under_another_scheduler(self, entry: Entry) -> bool:
        """For values of a queue whose scheduler is not ours to bring back."""
        if BY_ID[entry.id].group != SCHEDULER.group or entry.under is None:
            return False
        master = self._document.find(SCHEDULER.id, entry.device)
        if master is not None and master.moving:
            return False
        return self._kernel.read(SCHEDULER, entry.device) != entry.under

    def _may_have_been_moved(self, entry: Entry) -> bool:
        """Whether an interrupted write of a master explains any state of this entry."""
        for finding in self._findings:  # masters come first, by their rank
            master = finding.entry
            if entry.id in BY_ID[master.id].moves and master.device == entry.device:
                if self._phase == APPLYING:
                    return finding.verdict == _OURS
                return self._phase == RESTORING
        return False

    def _spare(self, finding: _Finding) -> None:
        """Leaves a foreign value, and with it the rest of its queue, as it is."""
        entry = finding.entry
        entry.conflict = finding.note
        group = BY_ID[entry.id].group
        if not group:
            if self._will_be_moved(entry):
                entry.goal = finding.current
            else:
                entry.moving = False
            return
        for other in self._findings:
            if BY_ID[other.entry.id].group == group and other.entry.device == entry.device:
                other.entry.moving = False
                if other.verdict == _OURS:
                    other.verdict = FOREIGN
                    other.note = f"left alone because of {entry.id}"
                    other.entry.conflict = other.note

    def _will_be_moved(self, entry: Entry) -> bool:
        return any(
            entry.id in BY_ID[finding.entry.id].moves and finding.entry.moving
            for finding in self._findings
            if finding.entry.device == entry.device
        )

    def _carry_out(self, finding: _Finding) -> Result:
        entry = finding.entry
        if finding.verdict == GONE:
            self._dropped.append(entry)
            return result_of(entry, GONE, None, finding.note)
        if finding.verdict == FAILED:
            return self._fail(finding, finding.note)
        if not entry.moving:
            return result_of(entry, finding.verdict, finding.current, finding.note)
        master = self._failed_master(entry)
        if master is not None:
            return self._fail(finding, f"waits for {master.id}")
        try:
            current, is_written = self._write(entry)
        except HelperError as error:
            return self._fail(finding, error.reason)
        if not is_accepted(BY_ID[entry.id], entry.goal, current):
            return self._fail(finding, f"the kernel made {current} of {entry.goal}")
        outcome = RESTORED if is_written or finding.verdict == _OURS else ALREADY
        result = result_of(entry, FOREIGN if entry.conflict else outcome, current, finding.note)
        self._settle(entry)
        return result

    def _write(self, entry: Entry) -> tuple[str | None, bool]:
        """The state afterwards, and whether it had to be written."""
        tunable = BY_ID[entry.id]
        current = self._kernel.read(tunable, entry.device)
        if current == entry.goal or entry.goal is None or current is None:
            return current, False
        return self._kernel.write(tunable, entry.device, entry.goal), True

    def _settle(self, entry: Entry) -> None:
        """Forgets what is at its origin again, and records what is not as ours from before."""
        if any(entry is preserved for preserved in self._preserved):
            if not entry.ours:
                self._dropped.append(entry)
        elif not entry.conflict:
            if entry.goal == entry.origin:
                self._document.bury(entry)
                self._dropped.append(entry)
            entry.ours = (entry.goal,)
            entry.under = scheduler_of(self._kernel, entry)

    def _failed_master(self, entry: Entry) -> Entry | None:
        """A master that could not go back: what it moves must not be written under it."""
        for master in self._failed:
            if entry.id in BY_ID[master.id].moves and entry.device == master.device:
                return master
        return None

    def _fail(self, finding: _Finding, reason: str) -> Result:
        """Leaves the entry for another undo; whatever it has become by now is our doing."""
        entry = finding.entry
        with contextlib.suppress(HelperError):
            finding.current = self._kernel.read(BY_ID[entry.id], entry.device)
            entry.ours = (*entry.ours, finding.current)
            entry.under = scheduler_of(self._kernel, entry)
        entry.conflict = reason
        self._failed.append(entry)
        return result_of(entry, FAILED, finding.current, reason)
