# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the helper keeps its own files, and the log of what it did."""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, plain
from destutter_helper.api.setting_files import SYSCTL_FILE, UDEV_FILE
from destutter_helper.journal import JOURNAL, Entry, Trial
from destutter_helper.kept import render_sysctl, render_udev
from destutter_helper.storage import Storage

STATE_DIRECTORY = "var/lib/destutter"
RUN_DIRECTORY = "run/destutter"
SYSCTL_DIRECTORY = "run/sysctl.d"
UDEV_DIRECTORY = "run/udev/rules.d"
HISTORY = "history.jsonl"
HISTORY_MAX_BYTES = 64 * 1024

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stores:
    """``state`` holds the journal; it outlives the boot if ``is_persistent``.

    ``run_files`` are the directories for sysctl and for udev, None where there is none. ``close``
    closes them all and gives up the lock.
    """

    state: Storage
    is_persistent: bool
    run_files: tuple[Storage | None, Storage | None]
    log: Log
    close: Callable[[], None] = lambda: None

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
        texts = ((SYSCTL_FILE, render_sysctl(entries)), (UDEV_FILE, render_udev(entries)))
        for storage, (name, text) in zip(self.run_files, texts, strict=True):
            try:
                if storage is not None and not text:
                    storage.remove(name)
                elif storage is not None and text.encode() != storage.read(name):
                    storage.replace(name, text.encode())
            except OSError as error:
                self.log(f"{name} cannot be written: {error.strerror}")


def open_stores(root: str, log: Log) -> Stores:
    """The directories below ``root``. HelperError Busy when another helper has them.

    OSError when one of our own directories is a link or open to others. A state directory that
    cannot be written is replaced by /run, and then nothing can be kept for every start.
    """
    run = Storage(os.path.join(root, RUN_DIRECTORY))
    try:
        run.lock()
    except BlockingIOError:
        run.close()
        raise HelperError("Busy", "another destutter-helper is at work") from None
    state = _enter(os.path.join(root, STATE_DIRECTORY), {errno.ENOENT, errno.EROFS})
    is_persistent = state is not None and state.is_writable() and run.read(JOURNAL) is None
    sysctl, udev = (
        _enter(os.path.join(root, path), {errno.ENOENT}, mode=0o644)
        for path in (SYSCTL_DIRECTORY, UDEV_DIRECTORY)
    )
    opened = [one for one in (sysctl, udev, state, run) if one is not None]

    def close() -> None:
        for one in opened:
            one.close()

    journal = state if state is not None and is_persistent else run
    return Stores(journal, is_persistent, (sysctl, udev), log, close)


def _enter(path: str, missing: set[int], *, mode: int = 0o600) -> Storage | None:
    try:
        return Storage(path, mode=mode)
    except OSError as error:
        if error.errno in missing:
            return None
        raise
