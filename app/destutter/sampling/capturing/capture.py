# SPDX-License-Identifier: GPL-3.0-or-later
"""One archive with the kernel files of a computer: a bug report that is also a test fixture.

The archive is a compressed tar of plain files below proc, sys and etc, with a manifest
(capture.json).
"""

import io
import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import KTHREADD
from destutter.core.sandbox import INFO, read_sandbox
from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason
from destutter.core.whole_file import USUAL, whole_file
from destutter.sampling.capturing.capture_paths import kernel_paths, process_paths
from destutter.sampling.capturing.setting_files import is_setting_file, only_settings
from destutter.sampling.files.process_files import parse_process_stat
from destutter.sampling.machine import HOST_OS_RELEASE, MANIFEST, clock_ticks, page_bytes

FORMAT = 1
_MOST_FILE_BYTES = 4 << 20  # a capture is sent by mail; a file without an end must not fill it


class CaptureError(StatementError):
    """A capture cannot be written; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a capture holds, and what it could not."""

    files: int
    size_bytes: int
    absent: tuple[str, ...]
    denied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What goes in beside the files of the computer.

    ``pids``: only these processes (None: all); ``game`` is captured with its threads;
    ``hides_names``: programs other than the game are called "process-PID".
    """

    extra_paths: tuple[str, ...] = ()
    pids: tuple[int, ...] | None = None
    game: int | None = None
    hides_names: bool = False


def capture(
    files: KernelFiles, out_path: str | os.PathLike[str], options: CaptureOptions | None = None
) -> Report:
    """Write the archive; a file that is there is replaced when all went well.

    Raises ``CaptureError``.
    """
    target = Path(out_path)
    choice = options or CaptureOptions()
    if target.is_dir():
        raise CaptureError(Statement("sampling.capture_is_folder", {"path": str(target)}))
    try:
        with whole_file(target, USUAL) as file:
            return _write(files, file, choice)
    except OSError as error:
        values: dict[str, Value] = {"path": str(target), "reason": system_reason(error)}
        raise CaptureError(Statement("sampling.capture_unwritable", values)) from error


def _write(files: KernelFiles, file: IO[bytes], options: CaptureOptions) -> Report:
    sandbox = read_sandbox(files)
    around = () if sandbox is None else (HOST_OS_RELEASE,)
    paths, absent = kernel_paths(files, (*options.extra_paths, *around))
    denied: list[str] = []
    count = size = 0
    with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, data in _contents(files, paths, options, denied):
            _add(archive, path, data)
            count += 1
            size += len(data)
        if sandbox is not None:
            # That there is one, and not where its user has it: what is missing here is hidden.
            _add(archive, INFO, f"[Application]\nname={sandbox.application}\n".encode())
        manifest = _manifest(files, absent, denied)
        _add(archive, MANIFEST, json.dumps(manifest, indent=1).encode() + b"\n")
    return Report(count, size, tuple(absent), tuple(denied))


def _contents(
    files: KernelFiles, paths: list[str], options: CaptureOptions, denied: list[str]
) -> Iterator[tuple[str, bytes]]:
    """Paths with their content; those that the kernel refuses go to ``denied``."""
    for path in paths:
        data = _read(files, path, denied)
        if data is not None:
            yield path, data
    for path in process_paths(files, options.pids, options.game):
        data = _read(files, path, denied)
        if data:
            is_named = not options.hides_names or path.startswith(f"/proc/{options.game}/")
            yield path, data if is_named else without_name(path, data)


def _read(files: KernelFiles, path: str, denied: list[str]) -> bytes | None:
    try:
        data = files.read_bytes(path)
    except KernelFileError:
        denied.append(path)
        return None
    if data is not None and is_setting_file(path):
        data = only_settings(path, data)
    return None if data is None else data[:_MOST_FILE_BYTES]


def without_name(path: str, data: bytes) -> bytes:
    """The line "stat" of a process under the name "process-PID"; the kernel's own keep theirs."""
    stat = parse_process_stat(path, data)
    pid = data.split(b" ", 1)[0]
    if stat.parent == KTHREADD or pid == b"%d" % KTHREADD:
        return data
    return pid + b" (process-" + pid + b")" + data[data.rfind(b") ") + 1 :]


def _add(archive: tarfile.TarFile, path: str, data: bytes) -> None:
    entry = tarfile.TarInfo(path.lstrip("/"))
    entry.size = len(data)
    entry.mode = 0o644
    archive.addfile(entry, io.BytesIO(data))


def _manifest(files: KernelFiles, absent: list[str], denied: list[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "kernel": files.read_text("/proc/sys/kernel/osrelease"),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "page_bytes": page_bytes(files),
        "clock_ticks": clock_ticks(files),
        "absent": absent,
        "denied": denied,
    }
