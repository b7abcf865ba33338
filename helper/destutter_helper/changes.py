# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a set of values and taking it back, with the journal always one step ahead."""

import contextlib
import copy
from collections.abc import Callable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.tunables import BY_ID, CELLS, HOLD, NOT_HELD, is_accepted
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
    Wish,
)
from destutter_helper.kernel_writer import KernelWriter, entry_error
from destutter_helper.restore import FAILED, FOREIGN, Restoration
from destutter_helper.stores import Stores


class Changes:
    """The document of the journal and the two ways of moving values: there and back."""

    def __init__(self, kernel: KernelWriter, stores: Stores) -> None:
        self._kernel = kernel
        self._stores = stores
        self._journal = Journal(stores.state)
        self.document, problem = self._journal.load(kernel.boot_id())
        self.is_read_only = problem == "newer"
        if self.is_read_only:
            self.document.phase = DAMAGED
        if problem == "previous":
            self.document.note("the journal was damaged; its previous generation is in use")
            if self.document.phase == IDLE and not self.document.entries:
                self.document.phase = DAMAGED
        if problem == "damaged":
            self.document.note(
                "the journal was damaged: what was changed is not known until the next restart"
            )
        if self.document.boot_id != kernel.boot_id():
            # States of another boot mean nothing in this one.
            self.document = Document(kernel.boot_id(), seq=self.document.seq)

    def save(self) -> None:
        """HelperError when the document cannot be made durable, or a newer helper's is there."""
        if self.is_read_only:
            raise HelperError("Unsupported", "the journal is a newer helper's")
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
            self.document.phase = TRIAL
            self.save()
        except Exception as error:
            with contextlib.suppress(HelperError):
                record(self._kernel, self.document)
            results = self.restore("rolled back", is_interrupted=True)
            left = [one for one in results if one.outcome in {FAILED, FOREIGN}]
            if not isinstance(error, HelperError) or not left:
                raise
            places = ", ".join(f"{one.id} {one.device}: {one.note}" for one in left)
            reason = f"{error.reason}. Not everything could be taken back: {places}"
            raise HelperError(error.name, reason, id=error.id, device=error.device) from error

    def restore(
        self,
        event: str,
        *,
        is_interrupted: bool = False,
        is_forced: Callable[[Entry], bool] = lambda _: False,
    ) -> tuple[Result, ...]:
        """Takes every moving entry to its goal; see ``Restoration``."""
        trial = self.document.trial
        way_back = Restoration(
            self._kernel, self.document, is_interrupted=is_interrupted, is_forced=is_forced
        )
        way_back.decide()
        self.document.phase, self.document.trial = RESTORING, None
        self.save_anyway()
        results = tuple(way_back.run())
        self.document.phase = IDLE
        self.save_anyway()
        self._stores.write_run_files(self.document)
        self._stores.record(event, trial, results)
        return results

    def settle(self, until: str) -> None:
        """What is on trial is kept ``until``."""
        for entry in self.document.entries:
            if entry.moving:
                wished = tuple(Wish(wish.id, wish.value, until) for wish in entry.wishes)
                ids = {id_ for wish in wished for id_ in (wish.id, BY_ID[wish.id].twin)}
                entry.kept = tuple(one for one in entry.kept if one.id not in ids) + wished
                entry.wishes, entry.ours, entry.moving = (), entry.ours[-1:], False
        self.document.phase, self.document.trial = IDLE, None

    def write_again(self, entries: list[Entry]) -> None:
        """Writes our states once more; where the kernel refuses, that is a conflict."""
        for entry in entries:
            try:
                self._kernel.write_state(entry.cell, entry.device, entry.ours[-1])
            except HelperError as error:
                entry.conflict = error.reason
        if entries:
            self.save_anyway()

    def take_holds_again(self) -> None:
        """Holds ended with the process that had them; those on trial or kept are taken anew."""
        lost = [
            entry
            for entry in self.document.entries
            if CELLS[entry.cell][0].kind == HOLD
            and not entry.conflict
            and self._kernel.value(CELLS[entry.cell][0]) == NOT_HELD
        ]
        self.write_again(lost)

    def _write(self, targets: list[Target]) -> None:
        for target in targets:
            if self._kernel.value(target.tunable, target.device) != target.value:
                self._kernel.write(target.tunable, target.device, target.value)
        for target in targets:  # what was written first must still be there after the last write
            current = self._kernel.value(target.tunable, target.device)
            if not is_accepted(target.tunable, target.value, current):
                reason = f"it is {current} again after the other changes"
                raise entry_error("Refused", reason, target.tunable, target.device)
