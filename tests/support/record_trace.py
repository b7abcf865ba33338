# SPDX-License-Identifier: GPL-3.0-or-later
"""Records a few pages of this kernel's trace with what the kernel itself says is in them.

As root: python -m tests.support.record_trace NEW-FOLDER
"""

import os
import sys
import tempfile
from pathlib import Path

from destutter_helper.api.tracing import encode_formats
from tests.support.kernel_trace import kernel_trace

_PAGES = 2  # of each ring
_COMPACT = Path("/proc/sys/vm/compact_memory")


def main(folder: Path) -> None:
    """Write formats.json, the pages of each ring, and the kernel's text of each instance."""
    folder.mkdir(parents=True)
    with kernel_trace("record", game=[os.getpid()]) as trace:
        _work()
        for each in trace.folders:
            (each / "tracing_on").write_text("0")
            text = (each / "trace").read_text()
            (folder / f"{each.name.rpartition('-')[2]}.txt").write_text(text)
        (folder / "formats.json").write_text(encode_formats(trace.formats) + "\n")
        for index, descriptor in enumerate(trace.descriptors):
            pages = _pages(descriptor, trace.formats.page.size)
            (folder / f"ring{index}.raw").write_bytes(pages)


def _work() -> None:
    """What makes a few records of many kinds."""
    with tempfile.NamedTemporaryFile(dir=".") as file:
        for number in range(6):
            file.write(bytes(8192 * (number + 1)))
            file.flush()
            os.fsync(file.fileno())
        descriptor = os.open(file.name, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.pread(descriptor, 1 << 16, 0)
        os.close(descriptor)
    _COMPACT.write_text("1")


def _pages(descriptor: int, size: int) -> bytes:
    pages = b""
    for _ in range(_PAGES):
        try:
            pages += os.read(descriptor, size)
        except BlockingIOError:
            break
    return pages


if __name__ == "__main__":
    main(Path(sys.argv[1]))
