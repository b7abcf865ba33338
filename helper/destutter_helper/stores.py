# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the helper keeps its own files: journal, log of what it did, and what outlives a trial.

The profile for every start is a part of the journal. The volatile files below /run make other
tools set our values again instead of the distribution's: systemd-sysctl reads the name that sorts
last, udev applies the rules at every change of a drive. Both are written from checked values only
and vanish at the next restart.
"""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from destutter_helper.api import setting_files
from destutter_helper.api.devices import Device
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, plain
from destutter_helper.api.tunables import BY_ID, HOLD, SYSCTLS, is_kernel_value
from destutter_helper.journal import JOURNAL, Entry, Setting, Trial, Wish
from destutter_helper.kernel_writer import entry_error
from destutter_helper.storage import Storage

STATE_DIRECTORY = "var/lib/destutter"
RUN_DIRECTORY = "run/destutter"
SYSCTL_DIRECTORY = "run/sysctl.d"
UDEV_DIRECTORY = "run/udev/rules.d"
HISTORY = "history.jsonl"
HISTORY_MAX_BYTES = 64 * 1024

_HEADER = "# Written by Destutter for this boot only; `destutter undo --all` removes it."

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stores:
    """``state`` holds the journal; it outlives the boot if ``is_persistent``.

    ``run_files`` are the directories for sysctl and for udev, None where there is none. ``close``
    closes what was ``opened`` and gives up the lock.
    """

    state: Storage
    is_persistent: bool
    run_files: tuple[Storage | None, Storage | None]
    log: Log
    opened: tuple[Storage | None, ...] = ()

    def close(self) -> None:
        """Closes all directories, and with them gives up the lock."""
        for one in self.opened:
            if one is not None:
                one.close()

    def history(self) -> list[dict[str, Any]]:
        """The recorded events, oldest first, without lines that a full disk has cut off."""
        found: list[Any] = []
        with contextlib.suppress(OSError):
            for line in (self.state.read(HISTORY) or b"").splitlines():
                with contextlib.suppress(ValueError):
                    found.append(json.loads(line))
        return [one for one in found if isinstance(one, dict)]

    def record(self, event: str, trial: Trial | None, results: Iterable[Result]) -> None:
        """Logs one line per result. The log is a help for people: a full disk costs only it."""
        lines = []
        for one in results:
            line = {"event": event} | plain(one)
            if trial is not None:
                line |= {"uid": trial.owner_uid, "owner_name": trial.owner_name}
            self.log(" ".join(f"{key}={value}" for key, value in line.items()))
            line["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            lines.append(json.dumps(line) + "\n")
        with contextlib.suppress(OSError):
            if lines:
                self.state.append(HISTORY, "".join(lines).encode(), max_bytes=HISTORY_MAX_BYTES)

    def write_run_files(self, entries: tuple[Entry, ...]) -> None:
        """Brings the volatile files in line with what is kept. They are a help: see ``record``."""
        texts = (
            (setting_files.SYSCTL_FILE, render_sysctl(entries)),
            (setting_files.UDEV_FILE, render_udev(entries)),
        )
        for storage, (name, text) in zip(self.run_files, texts, strict=True):
            try:
                if storage is not None and not text:
                    storage.remove(name)
                elif storage is not None and text.encode() != storage.read(name):
                    storage.replace(name, text.encode())
            except OSError as error:
                self.log(f"{name} cannot be written: {error.strerror}")


def open_stores(root: str, log: Log, wait_s: float) -> Stores:
    """The directories below ``root``. HelperError Busy when another helper keeps them for longer.

    OSError when one of our own directories is a link or open to others. A state directory that
    cannot be written is replaced by /run, and then nothing can be kept for every start.
    """
    run = Storage(os.path.join(root, RUN_DIRECTORY))
    try:
        run.lock(wait_s)
    except BlockingIOError:
        run.close()
        raise HelperError("Busy", "another destutter-helper is at work") from None
    state = _enter(os.path.join(root, STATE_DIRECTORY), {errno.ENOENT, errno.EROFS})
    sysctl, udev = (
        _enter(os.path.join(root, path), {errno.ENOENT}, mode=0o644)
        for path in (SYSCTL_DIRECTORY, UDEV_DIRECTORY)
    )
    is_persistent = state is not None and state.is_writable() and run.read(JOURNAL) is None
    journal = state if state is not None and is_persistent else run
    return Stores(journal, is_persistent, (sysctl, udev), log, (sysctl, udev, state, run))


def _enter(path: str, missing: set[int], *, mode: int = 0o600) -> Storage | None:
    try:
        return Storage(path, mode=mode)
    except OSError as error:
        if error.errno in missing:
            return None
        raise


# -- what is kept ---------------------------------------------------------------------------


def with_entries(profile: tuple[Setting, ...], entries: list[Entry]) -> tuple[Setting, ...]:
    """The profile with what is on trial added or replaced."""
    added = tuple(
        Setting(wish.id, wish.value, entry.device) for entry in entries for wish in entry.tried
    )
    return tuple(old for old in profile if not any(_replaces(new, old) for new in added)) + added


def check_keepable(entry: Entry) -> None:
    """HelperError Unsupported when the values cannot be set at every start."""
    tunable = BY_ID[entry.tried[0].id]
    if tunable.kind == HOLD:
        reason = "lasts only as long as it is held, so it can be kept until the restart at most"
        raise entry_error("Unsupported", reason, tunable, None)
    if entry.device is not None and not entry.device.is_recognisable:
        reason = "this drive has no serial number by which it is recognised after a restart"
        raise entry_error("Unsupported", reason, tunable, entry.device)


def render_sysctl(entries: tuple[Entry, ...]) -> str:
    """The sysctl.d file for the kept entries; empty when there is nothing to say."""
    kept = [wish for _, wish in _kept(entries) if BY_ID[wish.id].path.startswith(SYSCTLS)]
    return _text([setting_files.sysctl_line(wish.id, wish.value) for wish in kept])


def render_udev(entries: tuple[Entry, ...]) -> str:
    """The udev rules for the kept entries; a drive without a plain identity has none."""
    rules: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for device, wish in _kept(entries):
        if device is not None:
            match = setting_files.identity_match(device.kind, device.wwid, device.serial)
            rules.setdefault((device.kind, match), []).append((wish.id, wish.value))
    lines = [setting_files.udev_rule(*one, values) for one, values in rules.items() if one[1]]
    return _text(lines)


def _text(lines: list[str]) -> str:
    return "\n".join([_HEADER, *lines, ""]) if lines else ""


def _kept(entries: tuple[Entry, ...]) -> list[tuple[Device | None, Wish]]:
    """What to set again: kept, still ours, and of a form that no file can misread."""
    return [
        (entry.device, wish)
        for entry in entries
        for wish in entry.kept
        if not entry.conflict and is_kernel_value(BY_ID[wish.id], wish.value)
    ]


def _replaces(new: Setting, old: Setting) -> bool:
    if new.id not in {old.id, old.tunable.twin}:
        return False
    if old.device is None or new.device is None:
        return old.device is new.device
    return old.device.is_same_hardware(new.device)
