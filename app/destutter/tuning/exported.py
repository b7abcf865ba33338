# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that leaves the program: what files and scripts of others are made from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement, StatementError
from destutter.tuning.kernel_view import FilesView
from destutter_helper.api.devices import find_devices
from destutter_helper.api.setting_files import identity_match
from destutter_helper.api.tunables import BY_ID, CELLS, Tunable

_WORD = re.compile(r"[A-Za-z0-9_.:,+!-]{1,96}")


@dataclass(frozen=True, slots=True)
class ExportedChange:
    """One value and the one before it. ``origin`` is None where it is not known; of a pair it
    may be "ID=VALUE" of the other member.

    ``identity`` is how the drive is recognised: a udev match such as ``ATTRS{wwid}=="..."``,
    empty where the drive says nothing of itself.
    """

    id: str
    device: str
    value: str
    origin: str | None = None
    identity: str = ""

    @property
    def tunable(self) -> Tunable:
        """The entry of the registry; raises ``KeyError`` for an unknown id."""
        return BY_ID[self.id]

    @property
    def path(self) -> str:
        """The file, empty for what is no file."""
        return self.tunable.path_on(self.device)

    @property
    def original(self) -> tuple[str, str] | None:
        """Path and value that bring back what was before; None when that is not known."""
        if self.origin is None:
            return None
        other, equals, text = self.origin.partition("=")
        if equals:
            return BY_ID[other].path_on(self.device), text
        return self.path, self.origin


class NotExportableError(StatementError):
    """A change that no file or command can be made of."""


def check(changes: Iterable[ExportedChange]) -> None:
    """Raises ``NotExportableError`` for an unknown id, as a newer helper may know, and for a text
    that is no plain word: nothing else goes into a file.
    """
    for each in changes:
        if each.id not in BY_ID:
            raise NotExportableError(Statement("tuning.export.unknown", {"name": each.id}))
        origin = (each.origin or "").replace("=", "")
        for text in (each.value, each.device or "-", origin or "-"):
            if not _WORD.fullmatch(text):
                raise not_plain(text)


def not_plain(text: str) -> NotExportableError:
    """The error for a text that could mean something to a shell or to udev."""
    return NotExportableError(Statement("tuning.export.not_plain", {"text": ascii(text)}))


def in_order(changes: Iterable[ExportedChange]) -> list[ExportedChange]:
    """As the helper writes them: what resets others comes before these others."""
    return sorted(changes, key=lambda each: (each.tunable.rank, each.id, each.device))


def touched_paths(changes: Sequence[ExportedChange]) -> list[str]:
    """Every file that the changes move, dependents included, in the order of writing."""
    found: dict[str, int] = {}
    for each in changes:
        tunable = each.tunable
        meant = [*CELLS[tunable.cell], *(BY_ID[id_] for id_ in tunable.moves)]
        for one in meant:
            # The queue depends on the drive, the memory reserve on nothing.
            path = one.path_on(each.device)
            if path and not path.startswith("/dev/"):
                found[path] = one.rank
    return sorted(found, key=lambda path: (found[path], path))


def identity_of(files: KernelFiles, id_: str, device: str) -> str:
    """The udev match by which a drive is recognised at every start; empty for none.

    By what the hardware says of itself, never by the kernel's name, which may be another drive's
    after the next start.
    """
    kind = BY_ID[id_].device_kind
    if not kind or not device:
        return ""
    found = find_devices(FilesView(files), kind, device)
    return identity_match(kind, found[0].wwid, found[0].serial) if found else ""
