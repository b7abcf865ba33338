# SPDX-License-Identifier: GPL-3.0-or-later
"""Which version of a game runs, as far as anybody tells: two sessions of other versions are not
to be compared without a warning.

Steam keeps the number of each game's build in a manifest beside its library. For other games the
length of the program's file stands for its version; Windows programs run in Wine's loader, whose
file says nothing of them.
"""

import os

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.key_values import group_of, parse_key_values, text_of
from destutter.sampling.files.process_files import PROC

_COMMON = "/steamapps/common/"
_LOADERS = ("wine", "proton", "python", "java", "bash", "sh")


def game_version(files: KernelFiles, pid: int) -> str:
    """The version in words such as "Steam build 123"; empty when nothing tells it."""
    try:
        program = files.read_link(f"{PROC}/{pid}/exe") or ""
        places = (program, files.read_link(f"{PROC}/{pid}/cwd") or "")
        for place in places:
            if _COMMON in place:
                build = _steam_build(files, place)
                if build:
                    return f"Steam build {build}"
        return _length(files, program)
    except KernelFileError:
        return ""  # another user's process, or one that has just ended


def _steam_build(files: KernelFiles, place: str) -> str:
    """The build of the game below whose folder ``place`` lies."""
    library, _, rest = place.partition(_COMMON)
    folder = rest.partition("/")[0]
    for name in files.list_names(f"{library}/steamapps"):
        if name.startswith("appmanifest_") and name.endswith(".acf"):
            text = files.read_text(f"{library}/steamapps/{name}") or ""
            state = group_of(parse_key_values(text), "appstate")
            if text_of(state, "installdir") == folder:
                return text_of(state, "buildid")
    return ""


def _length(files: KernelFiles, program: str) -> str:
    name = os.path.basename(program)
    if not name or name.startswith(_LOADERS):
        return ""
    try:
        return f"program of {os.stat(files.locate(program)).st_size} bytes"
    except (OSError, ValueError):
        return ""
