# SPDX-License-Identifier: GPL-3.0-or-later
"""What the captured and the made-up kernel trees of the tests promise."""

import re
import tarfile
from pathlib import Path

import pytest

from tests.data.roots.make_synthetic import HERE, trees

MOST_BYTES = 300 * 1024
ARCHIVES = sorted(HERE.glob("*.tar.gz"))
ADDRESSES = re.compile(
    rb"\b(?:\d{1,3}\.){3}\d{1,3}\b"  # IPv4
    rb"|\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"  # Ethernet
)


def content(archive: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Files and symbolic links of an archive by path."""
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    with tarfile.open(archive) as opened:
        for member in opened:
            name = "/" + member.name.removeprefix("./")
            data = opened.extractfile(member) if member.isfile() else None
            if data is not None:
                files[name] = data.read()
            elif member.issym():
                links[name] = member.linkname
    return files, links


@pytest.mark.parametrize("name", sorted(trees()))
def test_made_up_trees_are_what_the_script_makes(name):
    """The committed archive of a made-up computer holds exactly what make_synthetic writes."""
    tree = trees()[name]
    assert content(HERE / name) == (tree.files, tree.links)


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_archives_are_small_and_name_nobody(archive):
    """An archive is at most 300 KiB and shows no network address of anybody."""
    assert archive.stat().st_size <= MOST_BYTES
    found = {path for path, data in content(archive)[0].items() if ADDRESSES.search(data)}
    assert not found


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_only_made_up_trees_say_that_they_are(archive):
    """Exactly the archives named synthetic-… carry a file that says so in words."""
    note = content(archive)[0].get("/SYNTHETIC", b"")
    assert (b"not a capture" in note) == archive.name.startswith("synthetic-")
