# SPDX-License-Identifier: GPL-3.0-or-later
"""Configuration files as systemd finds them: folders, masks and the order of names.

A file in an earlier folder hides files of the same name in later ones, also when it is empty or
a link to /dev/null; what is left is read in the order of names, whatever the folder
(sysctl.d(5), tmpfiles.d(5), udev(7)).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFileError, KernelFiles, names_if_shown

_MOST_BYTES = 1 << 20

SHIPPED_BY = {
    "70-cachyos-settings.conf": "CachyOS",
    "60-ioschedulers.rules": "CachyOS",
    "69-hdparm.rules": "CachyOS",
    "65-memory.conf": "Bazzite",
    "10-pop-default-settings.conf": "Pop!_OS",
    "60-block-scheduler.rules": "Fedora",
    "99-zz-destutter.conf": "Destutter",
    "99-zz-destutter.rules": "Destutter",
}
"""Files that are known by their name."""


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One line of a file; ``number`` counts from 1."""

    path: str
    number: int
    text: str

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        name = self.path.rpartition("/")[2]
        known = f" ({SHIPPED_BY[name]})" if name in SHIPPED_BY else ""
        return f"{self.path}:{self.number}{known}"


def config_folders(name: str) -> tuple[str, ...]:
    """The folders of a kind of files such as "sysctl.d", the strongest first."""
    return tuple(f"{base}/{name}" for base in ("/etc", "/run", "/usr/local/lib", "/usr/lib"))


def config_paths(files: KernelFiles, folders: Sequence[str], ending: str) -> list[str]:
    """The files that count, in the order in which they are read."""
    chosen: dict[str, str] = {}
    for folder in folders:
        for name in names_if_shown(files, folder):
            if name.endswith(ending):
                chosen.setdefault(name, f"{folder}/{name}")
    return [chosen[name] for name in sorted(chosen)]


def config_lines(files: KernelFiles, path: str) -> Iterator[ConfigLine]:
    """Lines with something in them that is no comment; a trailing backslash joins two lines.

    Nothing for a file that may not be read: then it is not known who set a value. Bytes that are
    no text are shown as such and match nothing.
    """
    try:
        data = files.read_bytes(path)
    except KernelFileError:
        return
    pending, start = "", 0
    for number, line in enumerate(
        (data or b"")[:_MOST_BYTES].decode(errors="replace").split("\n")
    ):
        if not pending:
            start = number + 1
        text = pending + line.strip()
        if text.endswith("\\"):
            pending = text[:-1]
            continue
        pending = ""
        if text and text[0] not in "#;":
            yield ConfigLine(path, start, text)
    if pending and pending[0] not in "#;":
        yield ConfigLine(path, start, pending)
