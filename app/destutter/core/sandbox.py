# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox of a Flatpak, as the file says that every program in one has (flatpak-metadata(5)).

A Flatpak has process numbers of its own, so that other programs, games among them, are not there;
/sys/kernel, /sys/module, /sys/fs and /sys/firmware are left out, /etc and /usr are those of its
runtime, and of the buses it sees what it may speak to. What the kernel counts for the whole
computer is there as ever. Where the helper is set up, its lender shows the rest
(``lent_files.py``).
"""

from dataclasses import dataclass

from destutter.core.kernel_files import KernelFileError, KernelFiles

INFO = "/.flatpak-info"
NAME, LENT = "flatpak", "flatpak, with a lender"
"""What the header of a stream says under "sandbox": a part of the computer is hidden, or lent."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """``has_network``: programs outside, as on this computer so elsewhere, can be reached."""

    application: str
    has_network: bool = False


def is_sandboxed() -> bool:
    """Whether this program itself runs in a Flatpak."""
    return read_sandbox(KernelFiles()) is not None


def read_sandbox(files: KernelFiles) -> Sandbox | None:
    """The sandbox around this program; None outside of one, and for a captured tree."""
    try:
        text = files.read_text(INFO)
    except KernelFileError:
        # It is there, which is all that matters; what it grants is not known.
        text = ""
    if text is None:
        return None
    found: dict[str, str] = {}
    group = ""
    for line in text.splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        key, equals, value = line.partition("=")
        if equals:
            found.setdefault(f"{group}/{key.strip()}", value.strip())
    shared = found.get("Context/shared", "").split(";")
    return Sandbox(found.get("Application/name", ""), "network" in shared)


def hiding_sandbox(files: KernelFiles) -> Sandbox | None:
    """The sandbox that keeps other programs and /sys/kernel from ``files``; None where they are
    seen, as outside of one and where they are lent.
    """
    return None if files.lends else read_sandbox(files)
