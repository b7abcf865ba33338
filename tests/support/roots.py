# SPDX-License-Identifier: GPL-3.0-or-later
"""The captured and made-up computers of tests/data/roots, unpacked once per test session."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from destutter.core.kernel_files import KernelFiles
from tests.support.opened_capture import open_capture

FOLDER = Path(__file__).parents[1] / "data" / "roots"
ARCHIVES = sorted(FOLDER.glob("*.tar.gz"))


def name_of(archive: Path) -> str:
    """The name of a computer: its archive without the endings."""
    return archive.name.removesuffix(".tar.gz")


def unpacked(archive: Path) -> KernelFiles:
    """The tree of an archive: the same for all tests of this process, so to be read only."""
    return KernelFiles(_folder(archive))


@functools.cache
def _folder(archive: Path) -> str:
    # A thousand files take half a second, and ten tests want each of the computers.
    folder = tempfile.mkdtemp(prefix="destutter-root-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    open_capture(archive, folder)
    return folder


def game_of(files: KernelFiles) -> int | None:
    """The process of the tree that was captured with its threads and I/O, if any."""
    for name in sorted(files.list_names("/proc"), key=lambda text: (len(text), text)):
        tasks = files.list_names(f"/proc/{name}/task") if name.isdigit() else []
        if len(tasks) > 1 and files.exists(f"/proc/{name}/io"):
            return int(name)
    return None
