# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares which files the packages of each format put on a computer.

    python3 packaging/release/file_lists.py DIST LISTS

DIST has Debian's packages and the rpm ones, LISTS the lists of what makepkg built. All come from
packaging/deb/stage; what a format adds by itself (compressed manuals, notices) is left aside.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ADDED = re.compile(
    r"usr/share/doc/[\w-]+/(changelog|copyright)|usr/share/lintian/|usr/share/python3/runtime\.d/"
    r"|.*\.pyc$"
)
DIFFERENT = re.compile(r"usr/lib/destutter/_internal/")
"""The frozen windows: Debian's takes more libraries from the distribution."""


def _told(*command: str | Path) -> list[str]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def of_deb(package: Path) -> set[str]:
    """The files of a Debian package, as names below the root."""
    lines = _told("dpkg-deb", "--contents", package)
    paths = (line.split(maxsplit=5)[5].partition(" -> ")[0] for line in lines if line[0] != "d")
    return plain(path.removeprefix("./") for path in paths)


def of_rpm(package: Path) -> set[str]:
    """The files of an rpm package."""
    lines = _told("rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", package)
    return plain(line.split(maxsplit=1)[1].lstrip("/") for line in lines if line[0] != "d")


def of_list(names: Path) -> set[str]:
    """The files in a list, in which folders end with a slash."""
    return plain(line for line in names.read_text().splitlines() if not line.endswith("/"))


def plain(names: Iterable[str]) -> set[str]:
    """The names as they were staged, without what a format adds."""
    unpacked = (re.sub(r"^(usr/share/(?:man|doc)/.*)\.gz$", r"\1", name) for name in names)
    own = (name.replace("/doc/destutter-native/", "/doc/destutter/") for name in unpacked)
    return {name for name in own if not ADDED.match(name) and not DIFFERENT.match(name)}


def differences(lists: dict[str, set[str]]) -> list[str]:
    """A line for each file that one of the lists lacks."""
    every = set().union(*lists.values())
    return [
        f"{name}: not in {', '.join(lacking)}"
        for name in sorted(every)
        if (lacking := [kind for kind, files in lists.items() if name not in files])
    ]


def main(dist: str, lists: str) -> int:
    """Compare; returns the exit status."""
    debs, rpms, built = Path(dist), Path(dist), Path(lists)
    found = [
        *differences(
            {
                "the helper's deb": of_deb(next(debs.glob("destutter-helper_*.deb"))),
                "the helper's rpm": of_rpm(next(rpms.glob("destutter-helper-*.noarch.rpm"))),
                "the helper's package for Arch": of_list(built / "destutter-helper.files"),
            }
        ),
        *differences(
            {
                "the window's deb": of_deb(next(debs.glob("destutter_*.deb"))),
                "the window's rpm": of_rpm(next(rpms.glob("destutter-[0-9]*.x86_64.rpm"))),
            }
        ),
        *differences(
            {
                "the native deb": of_deb(next(debs.glob("destutter-native_*.deb"))),
                "the window's package for Arch": of_list(built / "destutter.files"),
            }
        ),
    ]
    for line in found:
        sys.stderr.write(f"{line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
