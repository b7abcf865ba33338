# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of kernel files in memory, and the archive that it becomes."""

import gzip
import io
import tarfile
from collections.abc import Mapping

Content = object
"""Bytes as they are; a number or text with the newline that the kernel puts behind it."""


class Tree:
    """Files and symbolic links by absolute path."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.links: dict[str, str] = {}

    def put(self, path: str, content: Content) -> None:
        """One file."""
        data = content if isinstance(content, bytes) else f"{content}\n".encode()
        self.files[path] = data

    def put_all(self, folder: str, contents: Mapping[str, Content]) -> None:
        """Several files of one folder."""
        for name, content in contents.items():
            self.put(f"{folder}/{name}", content)

    def link(self, path: str, target: str) -> None:
        """A symbolic link; the target is absolute here and relative in the archive."""
        steps_up = path.count("/") - 1
        self.links[path] = "../" * steps_up + target.lstrip("/")

    def archive(self) -> bytes:
        """A gzipped tar archive that is the same, byte for byte, whenever it is made."""
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted({*self.files, *self.links}):
                member = tarfile.TarInfo(path.lstrip("/"))
                if path in self.links:
                    member.type = tarfile.SYMTYPE
                    member.linkname = self.links[path]
                    archive.addfile(member)
                    continue
                member.size = len(self.files[path])
                archive.addfile(member, io.BytesIO(self.files[path]))
        return gzip.compress(raw.getvalue(), mtime=0)


def cpu_list(cpus: list[int]) -> str:
    """The kernel's short form of a set of CPUs: "0-7,16"."""
    parts: list[list[int]] = []
    for cpu in sorted(cpus):
        if parts and cpu == parts[-1][-1] + 1:
            parts[-1].append(cpu)
        else:
            parts.append([cpu])
    return ",".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else f"{p[0]}" for p in parts)
