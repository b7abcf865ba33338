# SPDX-License-Identifier: GPL-3.0-or-later
"""The captured and made-up computers of tests/data/roots, unpacked once per test session."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from destutter.core.kernel_files import KernelFiles
from tests.support.opened_capture import open_capture

FOLDER = Path(__file__).parents[1] / "data" / "roots"
ARCHIVES = sorted(FOLDER.glob("*.tar.gz"))


def name_of(archive: Path) -> str:
    """The name of a computer: its archive without the endings."""
    return archive.name.removesuffix(".tar.gz")


@contextmanager
def unpacked(archive: Path) -> Iterator[KernelFiles]:
    """The tree of an archive, for as long as the context lasts."""
    with tempfile.TemporaryDirectory(prefix="destutter-root-") as folder:
        yield open_capture(archive, folder)


def game_of(files: KernelFiles) -> int | None:
    """The process of the tree that was captured with its threads and I/O, if any."""
    for name in sorted(files.list_names("/proc"), key=lambda text: (len(text), text)):
        tasks = files.list_names(f"/proc/{name}/task") if name.isdigit() else []
        if len(tasks) > 1 and files.exists(f"/proc/{name}/io"):
            return int(name)
    return None
