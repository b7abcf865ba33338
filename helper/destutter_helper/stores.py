# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the helper keeps its own files: journal, log of what it did, and what outlives a trial.

The profile for every start is a part of the journal. The volatile files below /run make other
tools set our values again instead of the distribution's: systemd-sysctl reads the name that sorts
last, udev applies the rules at every change of a drive. Both are written from checked values only
and vanish at the next restart.
"""

import contextlib
import errno
import heapq
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from destutter_helper.api import payload, setting_files, tunables
from destutter_helper.api.devices import Device
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.journal import COPY, JOURNAL, Document, Entry, Setting, Trial, seal
from destutter_helper.kernel_writer import entry_error
from destutter_helper.storage import Storage

STATE_DIRECTORY = "var/lib/destutter"
RUN_DIRECTORY = "run/destutter"
SYSCTL_DIRECTORY = "run/sysctl.d"
UDEV_DIRECTORY = "run/udev/rules.d"
HISTORY = "history.jsonl"
# Of what is kept for games, in a file of its own: each start is free, and whoever repeats it would
# push out what really happened.
STARTS_HISTORY = "history-of-games.jsonl"
# GetReport hands over both in one answer.
HISTORY_MAX_BYTES = 64 * 1024
BOOTED = "booted"  # in /run: what is kept for every start was set in this one, or could not be

UNDO = "undo"  # the event in the history
_BACK = frozenset({"already", "restored"})
_NOTHING_MOVED = frozenset({"already", "foreign", "failed", "gone"})
_HEADER = "# Written by Destutter for this boot only; `destutter undo --all` removes it."

LogTo = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stores:
    """``state`` holds the journal; it outlives the boot if ``is_persistent``.

    ``run_files`` are the directories for sysctl and for udev, None where there is none. What was
    ``opened`` is closed with the engine, and the lock given up with it. ``newest`` holds the
    journal of this boot when it lies elsewhere; ``run`` is where it goes when ``state`` fails, and
    ``disk`` what the next start reads, whether it can be written or not.
    """

    state: Storage
    is_persistent: bool
    run_files: tuple[Storage | None, Storage | None]
    log: LogTo
    opened: contextlib.ExitStack
    newest: Storage | None = None
    run: Storage | None = None
    disk: Storage | None = None
    boot_id: str = ""

    def history(self) -> list[dict[str, Any]]:
        """The recorded events, oldest first, without lines that a full disk has cut off.

        HelperError JournalUnavailable where they cannot be read: that is not an empty history.
        """
        both = self._lines(HISTORY), self._lines(STARTS_HISTORY)
        return list(heapq.merge(*both, key=lambda line: str(line.get("time"))))

    def _lines(self, name: str) -> list[dict[str, Any]]:
        try:
            lines = (self.state.read(name) or b"").splitlines()
        except OSError as error:
            said = Said("helper.history.unreadable", {"error": str(error.strerror)})
            raise HelperError("JournalUnavailable", said) from error
        found: list[Any] = []
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                found.append(json.loads(line))
        return [one for one in found if isinstance(one, dict)]

    def record(self, event: str, trial: Trial | None, results: Iterable[payload.Result]) -> None:
        """Logs one line per result. The log is a help for people: a full disk costs only it.

        An undo that moved nothing is recorded once, as undo is free: else whoever repeats it
        pushes out what really happened.
        """
        lines: list[str] = []
        known: list[dict[str, Any]] = []
        with contextlib.suppress(HelperError):
            known = self.history() if event == UNDO else []
        told = [{key: of[key] for key in of if key not in {"time", "boot"}} for of in known]
        is_of_game = trial is not None and bool(trial.set_id)
        for one in results:
            line = {"event": event} | payload.plain(one)
            if trial is not None:
                line |= {"uid": trial.owner_uid, "owner_name": trial.owner_name}
                line |= {"set": trial.set_id} if trial.set_id else {}
            if one.outcome in _NOTHING_MOVED and line in told:
                continue
            shown = line | {"notes": one.note}
            self.log(" ".join(f"{key}={value}" for key, value in shown.items()))
            line["boot"] = self.boot_id
            line["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            lines.append(json.dumps(line) + "\n")
        with contextlib.suppress(OSError):
            if lines:
                # What somebody kept of it was asked for, as ever.
                name = STARTS_HISTORY if is_of_game and event != "keep" else HISTORY
                self.state.append(name, "".join(lines).encode(), max_bytes=HISTORY_MAX_BYTES)

    def copy(self, document: Document) -> None:
        """Puts the journal beside itself, in /run, as far as possible."""
        with contextlib.suppress(OSError):
            if self.run is not None and self.run is not self.state:
                self.run.replace(COPY, seal(document), is_durable=False)

    def mark_booted(self) -> bool:
        """Remembers until the restart that its work is done; whether it was before."""
        try:
            if self.run is None or self.run.read(BOOTED) is not None:
                return True
            self.run.replace(BOOTED, b"", is_durable=False)
        except OSError as error:
            # Done twice, the start's work changes nothing; left out, the user's settings are gone.
            self.log(f"the start could not be noted: {error.strerror}")
        return False

    def has_run_files(self) -> bool:
        """Whether the volatile files say that something is kept, whatever the journal says."""
        found = False
        for storage, (name, _text) in zip(self.run_files, render([]), strict=True):
            with contextlib.suppress(OSError):
                found |= storage is not None and storage.read(name) is not None
        return found

    def write_run_files(self, kept: list[Setting]) -> list[str]:
        """Brings the volatile files in line with what is kept; names those that stay as they were.

        They are a help: see ``record``.
        """
        stale = []
        for storage, (name, text) in zip(self.run_files, render(kept), strict=True):
            try:
                if storage is not None and not text:
                    storage.remove(name)
                elif storage is not None and text.encode() != storage.read(name):
                    storage.replace(name, text.encode())
            except OSError as error:
                self.log(f"{name} cannot be written: {error.strerror}")
                stale.append(name)
        return stale


def open_stores(root: str, log: LogTo, wait_s: float) -> Stores:
    """The directories below ``root``. HelperError Busy when another helper keeps them for longer.

    OSError when one of our own directories is a link or open to others. A state directory that
    cannot be written is replaced by /run, and then nothing can be kept for every start. What it
    holds is read nevertheless: without it we would not know what of ours is in the kernel.
    """
    with contextlib.ExitStack() as opened:
        # The lock lies in /run, which can be written where the state directory is read-only or
        # gone.
        run = opened.enter_context(contextlib.closing(Storage(os.path.join(root, RUN_DIRECTORY))))
        try:
            # Before anything is read: what a helper on its way out still saves would be missed.
            run.lock(wait_s)
        except BlockingIOError:
            raise HelperError("Busy", Said("helper.journal.another_helper")) from None
        state = _enter(opened, os.path.join(root, STATE_DIRECTORY))
        sysctl = _enter(opened, os.path.join(root, SYSCTL_DIRECTORY), mode=0o644)
        udev = _enter(opened, os.path.join(root, UDEV_DIRECTORY), mode=0o644)
        is_in_run = run.read(JOURNAL) is not None
        is_persistent = state is not None and state.is_writable()
        elsewhere = run if is_persistent else state
        return Stores(
            state if state is not None and is_persistent else run,
            is_persistent=is_persistent,
            run_files=(sysctl, udev),
            log=log,
            opened=opened.pop_all(),
            newest=elsewhere if is_in_run == is_persistent else None,
            run=run,
            disk=state,
        )


def is_booted(root: str) -> bool:
    """Whether another helper has done the work of this start; the lock is not needed for that."""
    return os.path.exists(os.path.join(root, RUN_DIRECTORY, BOOTED))


def _enter(opened: contextlib.ExitStack, path: str, *, mode: int = 0o600) -> Storage | None:
    """The directory, to be closed with the others; None when there is none and cannot be one."""
    try:
        return opened.enter_context(contextlib.closing(Storage(path, mode=mode)))
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.EROFS}:
            return None
        raise


# -- what is kept ---------------------------------------------------------------------------


def with_entries(profile: tuple[Setting, ...], entries: list[Entry]) -> tuple[Setting, ...]:
    """The profile with what is on trial added or replaced.

    HelperError Unsupported for values that cannot be set at every start.
    """
    for entry in entries:
        _check_keepable(entry)
    added = [setting for entry in entries for setting in entry.settings(entry.tried)]
    return (*(old for old in profile if not any(_replaces(new, old) for new in added)), *added)


def _check_keepable(entry: Entry) -> None:
    tunable = tunables.BY_ID[entry.tried[0].id]
    if tunable.kind == tunables.HOLD:
        reason = Said("helper.keep.hold")
        raise entry_error("Unsupported", reason, tunable, None)
    check_recognisable(tunable, entry.device)


def check_recognisable(tunable: tunables.Tunable, device: Device | None) -> None:
    """HelperError Unsupported for a device that nobody could tell from others later."""
    if device is not None and not device.is_recognisable:
        raise entry_error("Unsupported", Said("helper.keep.no_serial"), tunable, device)


def render(kept: list[Setting]) -> tuple[tuple[str, str], tuple[str, str]]:
    """The files for sysctl and udev: name and text, empty when there is nothing to say.

    A value that a file could misread is left out, and so is a drive without a plain identity.
    """
    sound = [one for one in kept if tunables.is_kernel_value(one.tunable, one.value)]
    sysctls = [one for one in sound if one.tunable.path.startswith(tunables.SYSCTLS)]
    drives: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for one in sound:
        if (on := one.device) is not None:
            match = setting_files.identity_match(on.kind, on.wwid, on.serial)
            drives.setdefault((on.kind, match), []).append((one.id, one.value))
    lines = [setting_files.sysctl_line(one.id, one.value) for one in sysctls]
    rules = [setting_files.udev_rule(*of, values) for of, values in drives.items() if of[1]]
    return (setting_files.SYSCTL_FILE, _text(lines)), (setting_files.UDEV_FILE, _text(rules))


def unless_stale(result: payload.Result, stale: Sequence[str]) -> payload.Result:
    """A result; no success where one of the ``stale`` files will set the value again."""
    is_sysctl = tunables.BY_ID[result.id].path.startswith(tunables.SYSCTLS)
    name = setting_files.SYSCTL_FILE if is_sysctl else setting_files.UDEV_FILE
    if name not in stale or not (is_sysctl or result.device) or result.outcome not in _BACK:
        return result
    place = f"/{SYSCTL_DIRECTORY if is_sysctl else UDEV_DIRECTORY}/{name}"
    note = Said("helper.note.stale_file", {"path": place})
    return replace(result, outcome="failed", notes=(note,))


def _text(lines: list[str]) -> str:
    return "\n".join([_HEADER, *lines, ""]) if lines else ""


def _replaces(new: Setting, old: Setting) -> bool:
    is_same = old.device and new.device and old.device.is_same_hardware(new.device)
    return new.id in {old.id, old.tunable.twin} and (is_same or old.device is new.device)
