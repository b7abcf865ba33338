# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a set of values and taking it back, with the journal always one step ahead."""

import copy
from collections.abc import Callable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, HOLD, NOT_HELD
from destutter_helper.capture import capture, record
from destutter_helper.change_set import Target
from destutter_helper.journal import (
    APPLYING,
    DAMAGED,
    IDLE,
    RESTORING,
    TRIAL,
    Document,
    Entry,
    Journal,
    TrialRecord,
)
from destutter_helper.kernel_writer import KernelWriter, is_accepted
from destutter_helper.restore import FAILED, FOREIGN, Restoration, is_asked
from destutter_helper.stores import Stores


class Changes:
    """The document of the journal and the two ways of moving values: there and back."""

    def __init__(self, kernel: KernelWriter, stores: Stores) -> None:
        self._kernel = kernel
        self._stores = stores
        self._journal = Journal(stores.state)
        self.document, problem = self._journal.load(kernel.boot_id())
        self.is_read_only = problem == "newer"
        if problem == "previous":
            self.document.note("the journal was damaged; its previous generation is in use")
            if self.document.phase == IDLE and not self.document.entries:
                self.document.phase = DAMAGED
        if self.document.phase == DAMAGED:
            self.document.note(
                "the journal was damaged: what was changed is not known until the next restart"
            )
        if self.document.boot_id != kernel.boot_id():
            # Values of another boot mean nothing in this one.
            self.document = Document(kernel.boot_id(), seq=self.document.seq)

    def save(self) -> None:
        """HelperError JournalUnavailable when the document cannot be made durable."""
        self._journal.save(self.document)

    def save_anyway(self) -> None:
        """Going back must not depend on a disk: then the notice says what is missing."""
        try:
            self.save()
        except HelperError as error:
            self.document.note(error.reason)

    def apply(self, targets: list[Target], trial: TrialRecord) -> None:
        """Writes all targets, or none: HelperError after everything is as it was before."""
        previous = copy.deepcopy(self.document)
        try:
            capture(self._kernel, self.document, targets)
            self.document.phase, self.document.trial = APPLYING, trial
            self.save()
        except Exception:
            self.document = previous
            raise
        try:
            self._write(targets)
            record(self._kernel, self.document)
            self._check(targets)
            self.document.phase = TRIAL
            self.save()
        except Exception as error:
            wanted = {(one.tunable.id, one.device.name if one.device else "") for one in targets}
            left = [
                one
                for one in self.restore(APPLYING, "rolled back")
                if one.outcome in {FAILED, FOREIGN} and (one.id, one.device) in wanted
            ]
            if not isinstance(error, HelperError) or not left:
                raise
            places = ", ".join(f"{one.id} {one.device}: {one.note}".strip() for one in left)
            reason = f"{error.reason}. Not everything could be taken back: {places}"
            raise HelperError(error.name, reason, id=error.id, device=error.device) from error

    def restore(
        self, phase: str, reason: str, *, is_forced: Callable[[Entry], bool] = lambda _: False
    ) -> tuple[Result, ...]:
        """Takes every moving entry to its goal; ``phase`` is the one in which they were found."""
        trial = self.document.trial
        way_back = Restoration(self._kernel, self.document, phase=phase, is_forced=is_forced)
        way_back.decide()
        self.document.phase, self.document.trial = RESTORING, None
        self.save_anyway()
        results = tuple(way_back.run())
        self.document.phase = IDLE
        self.save_anyway()
        self._stores.write_run_files(self.document)
        self._stores.record(reason, trial, results)
        return results

    def settle(self, until: str) -> None:
        """The trial's values are kept ``until``; what the kernel moved with them is remembered."""
        for entry in self.document.entries:
            if not entry.moving:
                continue
            entry.ours = entry.ours[-1:]
            if entry.want is not None:
                entry.keep, entry.value = until, entry.want
            entry.moving, entry.before, entry.goal, entry.want = False, None, None, None
        self.document.phase, self.document.trial = IDLE, None

    def write_again(self, entries: list[Entry]) -> None:
        """Writes our states once more; where the kernel refuses, that is a conflict."""
        for entry in sorted(entries, key=lambda entry: BY_ID[entry.id].rank):
            try:
                self._kernel.write(BY_ID[entry.id], entry.device, entry.ours[-1] or "")
            except HelperError as error:
                entry.conflict = error.reason
        if entries:
            self.save_anyway()

    def take_holds_again(self) -> None:
        """Holds ended with the process that had them; those on trial or kept are taken anew."""
        self.write_again(
            [
                entry
                for entry in self.document.entries
                if BY_ID[entry.id].kind == HOLD
                and is_asked(entry)
                and not entry.conflict
                and self._kernel.read(BY_ID[entry.id]) == NOT_HELD
            ]
        )

    def _write(self, targets: list[Target]) -> None:
        for target in targets:
            current = self._kernel.read(target.tunable, target.device)
            if current == target.state:
                continue
            current = self._kernel.write(target.tunable, target.device, target.state)
            entry = self.document.find(target.tunable.cell, target.device)
            if entry is not None and current not in entry.ours:
                entry.ours = (*entry.ours, current)  # our doing, whether it is what we want or not
            if not is_accepted(target.tunable, target.state, current):
                raise target.error("Refused", f"the kernel made {current} of {target.state}")

    def _check(self, targets: list[Target]) -> None:
        """What was written first must still be there after the last write."""
        for target in targets:
            current = self._kernel.read(target.tunable, target.device)
            if not is_accepted(target.tunable, target.state, current):
                raise target.error("Refused", f"it is {current} again after the other changes")
