# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an experiment puts its files, and whether the computer is fit for one now."""

import argparse
import os
import time
from dataclasses import dataclass

from destutter.commands.terminal import CommandError, UsageError
from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement, Value
from destutter.sampling.capturing.folder_drive import drive_of_folder, folders_on_drive
from destutter.sampling.computer.pressure import PressureSampler, PressureTotals
from destutter.sampling.files.measurement import AbsentError

_MOST_BUSY_PCT = 30.0  # more, and a block measures what somebody else does
_SETTLE_S = 1.0  # for what the block before left in the queues
_PATIENCE = 10  # such seconds; a computer that is busy in all of them stays so


@dataclass(frozen=True, slots=True)
class Place:
    """A folder for test files, and its drive where it lies on one."""

    folder: str
    drive: str | None


def place_of(arguments: argparse.Namespace, files: KernelFiles) -> Place:
    """The folder that was named, one on the drive that was named, or the present one.

    Raises ``CommandError`` when there is none that can be written to, or when both disagree.
    """
    folder, device = arguments.folder, arguments.device
    if folder is None:
        folder = "." if device is None else _folder_on(files, device)
    folder = os.path.abspath(folder)
    if not os.path.isdir(folder):
        raise CommandError(Statement("command.no_folder", {"path": folder}))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(Statement("command.unwritable_folder", {"path": folder}))
    drive = drive_of_folder(files, folder)
    if device is not None and drive != device:
        on: Value = drive or Statement("cli.prove.no_drive")
        values = {"folder": folder, "device": device, "drive": on}
        raise UsageError(Statement("cli.prove.elsewhere", values))
    return Place(folder, drive)


def _folder_on(files: KernelFiles, device: str) -> str:
    mounted = folders_on_drive(files, device)
    if not mounted:
        raise CommandError(Statement("command.not_mounted", {"device": device}))
    home = os.path.expanduser("~")
    own = [home] if os.path.isdir(home) and drive_of_folder(files, home) == device else []
    for folder in (*own, *mounted):
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise CommandError(Statement("command.no_own_folder", {"device": device}))


class CalmWait:
    """Waits before each block, and refuses to measure on a computer that is busy anyway.

    Busy: programs waited for a processor during more than 30 % of the second before the block
    (PSI, cpu some), when nothing of ours ran. A kernel without PSI cannot tell.
    """

    def __init__(self, files: KernelFiles, settle_s: float = _SETTLE_S) -> None:
        self._pressure = PressureSampler(files, PressureTotals())
        self._settle_s = settle_s

    def wait(self) -> None:
        """Let the last block fade; raises ``CommandError`` when it never gets calm."""
        busy_pct = 0.0
        for _ in range(_PATIENCE):
            before = self._waited_us()
            time.sleep(self._settle_s)
            after = self._waited_us()
            if before is None or after is None:
                return
            busy_pct = (after - before) / (self._settle_s * 1e4)
            if busy_pct <= _MOST_BUSY_PCT:
                return
        raise CommandError(Statement("command.too_busy", {"busy_pct": round(busy_pct)}))

    def close(self) -> None:
        self._pressure.close()

    def _waited_us(self) -> int | None:
        try:
            readings = self._pressure.read()
        except AbsentError:
            return None
        for _, instances, values in readings:
            if instances and "cpu" in instances:
                width = len(values) // len(instances)
                return values[instances.index("cpu") * width]
        return None
