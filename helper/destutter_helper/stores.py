# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the helper keeps its own files, and the log of what it did."""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, plain
from destutter_helper.journal import JOURNAL, Document, TrialRecord
from destutter_helper.kept import SYSCTL_FILE, UDEV_FILE, render_sysctl, render_udev
from destutter_helper.storage import Storage

STATE_DIRECTORY = "var/lib/destutter"
RUN_DIRECTORY = "run/destutter"
SYSCTL_DIRECTORY = "run/sysctl.d"
UDEV_DIRECTORY = "run/udev/rules.d"
HISTORY = "history.jsonl"
HISTORY_MAX_BYTES = 64 * 1024

Log = Callable[[str], None]


class Stores:
    """``state`` holds journal and profile; it outlives the boot if ``is_persistent``.

    ``run_files`` are the directories for sysctl and for udev, None where there is none.
    """

    def __init__(
        self,
        state: Storage,
        *,
        is_persistent: bool,
        run_files: tuple[Storage | None, Storage | None],
        log: Log,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.state = state
        self.is_persistent = is_persistent
        self._sysctl, self._udev = run_files
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
            line = {"event": event} | plain(one)
            if trial is not None:
                line |= {"uid": trial.owner_uid, "owner_name": trial.owner_name}
            self._log(" ".join(f"{key}={value}" for key, value in line.items()))
            line["time"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            lines.append(json.dumps(line) + "\n")
        with contextlib.suppress(OSError):
            if lines:
                self.state.append(HISTORY, "".join(lines).encode(), max_bytes=HISTORY_MAX_BYTES)

    def write_run_files(self, document: Document) -> None:
        """Brings the volatile files in line with what is kept. They are a help: see ``record``."""
        for storage, name, text in (
            (self._sysctl, SYSCTL_FILE, render_sysctl(document.entries)),
            (self._udev, UDEV_FILE, render_udev(document.entries)),
        ):
            try:
                if storage is not None and not text:
                    storage.remove(name)
                elif storage is not None and text.encode() != storage.read(name):
                    storage.replace(name, text.encode())
            except OSError as error:
                self._log(f"{name} cannot be written: {error.strerror}")


def open_stores(root: str, log: Log) -> Stores:
    """The directories below ``root``. HelperError Busy when another helper has them.

    OSError when one of our own directories is a link or open to others. A state directory that
    cannot be written is replaced by /run, and then nothing can be kept for every start.
    """
    with contextlib.ExitStack() as opened:

        def enter(path: str, missing: set[int], mode: int = 0o600) -> Storage | None:
            try:
                storage = Storage(os.path.join(root, path), mode=mode)
            except OSError as error:
                if error.errno in missing:
                    return None
                raise
            opened.callback(storage.close)
            return storage

        run = enter(RUN_DIRECTORY, set())
        assert run is not None  # noqa: S101 (no error is passed over)
        try:
            run.lock()
        except BlockingIOError:
            raise HelperError("Busy", "another destutter-helper is at work") from None
        state = enter(STATE_DIRECTORY, {errno.ENOENT, errno.EROFS})
        if state is not None and (not state.is_writable() or run.read(JOURNAL) is not None):
            state = None
        sysctl = enter(SYSCTL_DIRECTORY, {errno.ENOENT}, 0o644)
        udev = enter(UDEV_DIRECTORY, {errno.ENOENT}, 0o644)
        close = opened.pop_all().close
    return Stores(
        state or run,
        is_persistent=state is not None,
        run_files=(sysctl, udev),
        log=log,
        close=close,
    )
