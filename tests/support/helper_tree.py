# SPDX-License-Identifier: GPL-3.0-or-later
"""A scratch tree of plain files that the helper's engine works on, for tests without a kernel."""

import errno
import os
import shutil
from pathlib import Path

from destutter_helper.api.tunables import TUNABLES
from destutter_helper.kernel_tree import KernelTree, Life

TWINS = {one.path: other.path for one in TUNABLES for other in TUNABLES if one.twin == other.id}


class ScratchTree(KernelTree):
    """Plain files instead of a kernel, which does something at a write; they do nothing."""

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """See KernelTree; a plain file has to be emptied, and its twin to be zeroed."""
        for name, text in ((path, data), (TWINS.get(path), b"0")):
            if name is not None:
                with self._open(name, os.O_WRONLY, life) as fd:
                    os.ftruncate(fd, 0)
                super().write(name, text, life)

    def open_device(self, path: str, flags: int = os.O_RDWR) -> int:
        """See KernelTree; a plain file stands for the device."""
        with self._open(path, flags) as fd:
            return os.dup(fd)

    def make_instance(self, path: str) -> None:
        """See KernelTree; what the kernel would put there lies beside it (fake_tracefs).

        What only instances of one kind have lies in a folder of its own.
        """
        place = Path(self.root, path.strip("/"))
        place.mkdir()
        for name in ("template", f"template-{place.name.rpartition('-')[2]}"):
            template = place.parent.with_name(name)
            if template.exists():
                shutil.copytree(template, place, dirs_exist_ok=True)

    def remove_instance(self, path: str) -> None:
        """See KernelTree; nobody keeps a plain file from being removed."""
        shutil.rmtree(Path(self.root, path.strip("/")))

    def thread_policy(self, pid: int) -> tuple[int, int]:
        """A scratch tree has no threads."""
        raise OSError(errno.EOPNOTSUPP, f"{pid} is no thread")

    def set_thread_policy(self, pid: int, policy: int, priority: int) -> None:
        """A scratch tree has no threads."""
        raise OSError(errno.EOPNOTSUPP, f"{pid} is no thread")


FILES = {
    "proc/sys/kernel/random/boot_id": "a-boot",
    "proc/meminfo": "MemTotal:       16384000 kB",
    "proc/cmdline": "quiet",
    "proc/sys/vm/swappiness": "60",
    "proc/sys/vm/page-cluster": "3",
    "proc/sys/vm/min_free_kbytes": "67584",
    "proc/sys/vm/dirty_ratio": "20",
    "proc/sys/vm/dirty_bytes": "0",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
    "sys/devices/virtual/block/sda/size": "2097152",
    "sys/devices/virtual/block/sda/wwid": "naa.5002538e40a1b2c3",
    "sys/devices/virtual/block/sda/queue/scheduler": "[none] mq-deadline kyber bfq",
    "sys/devices/virtual/block/sda/queue/nr_requests": "128",
    "sys/devices/virtual/block/sda/queue/read_ahead_kb": "128",
    "sys/devices/virtual/block/sda/queue/wbt_lat_usec": "2000",
    "dev/cpu_dma_latency": "",
}
DIRECTORIES = ("var/lib", "run", "sys/block", "sys/class/nvme", "sys/class/scsi_host")


def build(root: Path) -> Path:
    """Writes the tree below ``root`` and returns it."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n" if text else "")
    for name in DIRECTORIES:
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "sys/block/sda").symlink_to("../devices/virtual/block/sda")
    return root
