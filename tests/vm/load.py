# SPDX-License-Identifier: GPL-3.0-or-later
"""Load for the guest: more memory than there is, and writers on its disks, until it is killed.

python3 -m tests.vm.load DEVICE ...; says "ready" when the memory is full and the writers write.
"""

import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

BLOCK_BYTES = 1 << 20
RANDOM_BYTES = BLOCK_BYTES // 3  # what zram cannot compress
PAGE_BYTES = 4096
OVER_PERCENT = 125
PAUSE_S = 0.02


def main(devices: Sequence[str]) -> None:
    """Fill the memory, start one writer per device, then touch the memory in turn for ever."""
    blocks = [_block() for _ in range(_available_kib() * OVER_PERCENT // 100 // 1024)]
    for device in devices:
        threading.Thread(target=_write, args=(device,), name=f"writer {device[5:]}").start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        for block in blocks:
            block[::PAGE_BYTES] = bytes(len(block) // PAGE_BYTES)
            time.sleep(PAUSE_S)


def _block() -> bytearray:
    return bytearray(os.urandom(RANDOM_BYTES)) + bytearray(BLOCK_BYTES - RANDOM_BYTES)


def _available_kib() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0])
    raise ValueError("this kernel does not tell how much memory is available")


def _write(device: str) -> None:
    """Write the disk from its beginning to its end, over and over, through the page cache."""
    descriptor = os.open(device, os.O_WRONLY)
    size = os.lseek(descriptor, 0, os.SEEK_END)
    offset = 0
    while True:
        os.pwrite(descriptor, _block(), offset)
        offset = (offset + BLOCK_BYTES) % size
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(sys.argv[1:])
