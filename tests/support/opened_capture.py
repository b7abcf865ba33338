# SPDX-License-Identifier: GPL-3.0-or-later
"""Unpacks what `destutter capture` made, trusting nothing in it: captures come from strangers."""

import gzip
import json
import os
import tarfile
import zlib
from pathlib import Path, PurePosixPath

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.capturing.capture import FORMAT
from destutter.sampling.machine import MANIFEST

_MOST_FILE_BYTES = 4 << 20
_MOST_BYTES = 256 << 20
_MOST_FILES = 50_000


class OpenError(Exception):
    """An archive is no capture; the text says why in one line."""


def open_capture(archive: str | os.PathLike[str], into_dir: str | os.PathLike[str]) -> KernelFiles:
    """Unpack an archive into an existing empty folder and return the tree.

    Plain files and symbolic links are written that lie and lead inside the folder; a device, a
    path that leads elsewhere or an archive of unreasonable size is refused. Raises
    ``OpenError``.
    """
    source, folder = Path(archive), Path(into_dir)
    try:
        with gzip.open(source) as data, tarfile.open(fileobj=data, mode="r:") as tar:
            links = _unpack(tar, source, folder)
            # The checksum stands at the very end, behind the last entry.
            if len(data.read(_MOST_FILE_BYTES)) == _MOST_FILE_BYTES:
                raise OpenError(f"{source} is too large for a capture")
        _link(links, source, folder)
    except (tarfile.TarError, EOFError, zlib.error, UnicodeError) as error:
        raise OpenError(f"{source} is not a capture: {error}") from error
    except OSError as error:
        raise OpenError(f"{source} cannot be unpacked: {error.strerror or error}") from error
    _check(source, folder)
    return KernelFiles(folder)


def _unpack(tar: tarfile.TarFile, source: Path, folder: Path) -> dict[Path, str]:
    """Write the files; returns the links, which come last so that no file goes through one."""
    links: dict[Path, str] = {}
    left = _MOST_BYTES
    for count, entry in enumerate(tar):
        target = folder / _safe_name(source, entry)
        left -= entry.size
        if count >= _MOST_FILES or entry.size > _MOST_FILE_BYTES or left < 0:
            raise OpenError(f"{source} is too large for a capture")
        if entry.issym():
            links[target] = entry.linkname
        elif entry.isdir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            content = tar.extractfile(entry)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(b"" if content is None else content.read(_MOST_FILE_BYTES))
    return links


def _link(links: dict[Path, str], source: Path, folder: Path) -> None:
    for path, target in links.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    root = folder.resolve()
    for path in links:
        # Asked of the file system, not of the text: a link may go through another one.
        if not path.resolve().is_relative_to(root):
            raise OpenError(f"{source} holds a link that leads outside: {path.name:.60}")


def _safe_name(source: Path, entry: tarfile.TarInfo) -> PurePosixPath:
    """The name of an entry below the folder. Raises ``OpenError`` for any other."""
    name = PurePosixPath(entry.name)
    is_inside = not name.is_absolute() and ".." not in name.parts
    if not (is_inside and (entry.isreg() or entry.isdir() or entry.issym())):
        raise OpenError(f"{source} holds something that is no part of a capture: {name!s:.60}")
    return name


def _check(source: Path, folder: Path) -> None:
    if not (folder / "proc").is_dir():
        raise OpenError(f"{source} is not a capture: it has no folder proc")
    path = folder / MANIFEST.lstrip("/")
    if not path.exists():
        return  # a tree that somebody packed by hand
    try:
        version = json.loads(path.read_text(encoding="utf-8"))["format"]
    except (OSError, ValueError, KeyError, TypeError):
        raise OpenError(f"{source} has a manifest that cannot be read") from None
    if version != FORMAT:
        raise OpenError(f"{source} was written by a newer version of this program")
