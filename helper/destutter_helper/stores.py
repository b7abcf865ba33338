# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the helper keeps its own files, and the log of what it did."""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.journal import JOURNAL, Document, TrialRecord
from destutter_helper.kept import SYSCTL_FILE, UDEV_FILE, render_sysctl, render_udev
from destutter_helper.storage import DirectoryStorage, Storage

STATE_DIRECTORY = "var/lib/destutter"
RUN_DIRECTORY = "run/destutter"
SYSCTL_DIRECTORY = "run/sysctl.d"
UDEV_DIRECTORY = "run/udev/rules.d"
HISTORY = "history.jsonl"
HISTORY_MAX_BYTES = 64 * 1024

Log = Callable[[str], None]


class Stores:
    """``state`` holds journal and profile; it outlives the boot if ``is_persistent``.

    ``sysctl`` and ``udev`` are the directories of the volatile files, None where there is none.
    """

    def __init__(
        self,
        state: Storage,
        *,
        is_persistent: bool,
        sysctl: Storage | None,
        udev: Storage | None,
        log: Log,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.state = state
        self.is_persistent = is_persistent
        self._run_files = ((sysctl, SYSCTL_FILE, render_sysctl), (udev, UDEV_FILE, render_udev))
        self._log = log
        self._close = close

    def close(self) -> None:
        """Closes the directories and gives up the lock."""
        self._close()

    def history(self) -> str:
        """The recorded events, one JSON object per line; empty when there is no log."""
        try:
            return (self.state.read(HISTORY) or b"").decode("utf-8", "replace")
        except OSError:
            return ""

    def record(self, event: str, trial: TrialRecord | None, results: Iterable[Result]) -> None:
        """Logs one line per result. The log is a help for people: a full disk costs only it."""
        lines = []
        for one in results:
            line: dict[str, object] = {
                "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "event": event,
                "id": one.id,
                "device": one.device,
                "origin": one.origin,
                "value": one.value,
                "outcome": one.outcome,
                "note": one.note,
            }
            if trial is not None:
                line |= {"uid": trial.owner_uid, "owner_name": trial.owner_name}
            lines.append(json.dumps(line) + "\n")
            words = " ".join(f"{key}={value}" for key, value in line.items() if key != "time")
            self._log(words)
        with contextlib.suppress(OSError):
            data = "".join(lines).encode()
            if data:
                self.state.append(HISTORY, data, max_bytes=HISTORY_MAX_BYTES)

    def write_run_files(self, document: Document) -> None:
        """Brings the volatile files in line with what is kept. They are a help: see ``record``."""
        for storage, name, render in self._run_files:
            if storage is None:
                continue
            data = render(document.entries).encode()
            try:
                if data and data != storage.read(name):
                    storage.replace(name, data)
                elif not data:
                    storage.remove(name)
            except OSError as error:
                self._log(f"{name} cannot be written: {error.strerror}")


def open_stores(root: str, log: Log) -> Stores:
    """The directories below ``root``. HelperError Busy when another helper has them.

    OSError when one of our own directories is a link or open to others. A state directory that
    cannot be written is replaced by /run, and then nothing can be kept for every start.
    """
    run = DirectoryStorage(os.path.join(root, RUN_DIRECTORY))
    try:
        run.lock()
    except BlockingIOError:
        run.close()
        raise HelperError("Busy", "another destutter-helper is at work") from None
    state = _open_unless(os.path.join(root, STATE_DIRECTORY), {errno.ENOENT, errno.EROFS})
    if state is not None and (not state.is_writable() or run.read(JOURNAL) is not None):
        state.close()
        state = None
    sysctl = _open_unless(os.path.join(root, SYSCTL_DIRECTORY), {errno.ENOENT}, mode=0o644)
    udev = _open_unless(os.path.join(root, UDEV_DIRECTORY), {errno.ENOENT}, mode=0o644)
    opened = [one for one in (state, sysctl, udev, run) if one is not None]

    def close() -> None:
        for one in opened:
            one.close()

    return Stores(
        state or run,
        is_persistent=state is not None,
        sysctl=sysctl,
        udev=udev,
        log=log,
        close=close,
    )


def _open_unless(path: str, missing: set[int], *, mode: int = 0o600) -> DirectoryStorage | None:
    try:
        return DirectoryStorage(path, mode=mode)
    except OSError as error:
        if error.errno in missing:
            return None
        raise
