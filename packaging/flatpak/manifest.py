# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows from the manifest: its stand-in, the wheels to fetch, and Flathub's form of it.

    manifest.py stand-in MANIFEST    the same on the stand-in runtime, as JSON
    manifest.py wheels MANIFEST      its Python packages, as requirements of pip with their sums
    manifest.py addresses MANIFEST   for Flathub, from pip's report and a commit, on standard input
    manifest.py runtime MANIFEST     what has to be installed to build it, one ref a line

Needs the distribution's python3-yaml.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

STAND_IN = "io.github.destutter.StandIn"
STAND_IN_VERSION = "1"
OURS = "https://github.com/destutter/destutter.git"

Manifest = dict[str, Any]


def on_stand_in(manifest: Manifest) -> Manifest:
    """On a runtime that has Qt, PySide and NumPy by itself, and so needs no base application."""
    own = {name: value for name, value in manifest.items() if not name.startswith("base")}
    own |= {"runtime": STAND_IN, "runtime-version": STAND_IN_VERSION, "sdk": STAND_IN}
    # That of the base application.
    own.pop("cleanup-commands", None)
    # The tool that composes the catalogue of software is in no distribution's runtime.
    own["appstream-compose"] = False
    return own


def wheels(manifest: Manifest) -> Iterator[Manifest]:
    """The sources that are Python packages."""
    for module in manifest["modules"]:
        yield from (each for each in module["sources"] if each["path"].endswith(".whl"))


def requirement(wheel: Manifest) -> str:
    """A line for pip: name and version of a wheel are the first two parts of its name."""
    name, version, *_ = Path(wheel["path"]).name.split("-")
    return f"{name}=={version} --hash=sha256:{wheel['sha256']}"


def with_addresses(manifest: Manifest, report: Manifest, commit: str) -> Manifest:
    """Each wheel from where pip found the file with this sum, and our own files from a commit."""
    found = {
        each["download_info"]["archive_info"]["hashes"]["sha256"]: each["download_info"]["url"]
        for each in report["install"]
    }
    for wheel in wheels(manifest):
        del wheel["path"]
        wheel["url"] = found[wheel["sha256"]]
    for module in manifest["modules"]:
        if any("path" in source for source in module["sources"]):
            module["sources"] = [{"type": "git", "url": OURS, "commit": commit}]
    return manifest


def needed(manifest: Manifest) -> Iterator[str]:
    """Runtime, SDK and base application with their versions."""
    for kind, version in (("runtime", "runtime"), ("sdk", "runtime"), ("base", "base")):
        yield f"{manifest[kind]}//{manifest[f'{version}-version']}"


def main(words: list[str]) -> int:
    """Print what the first word asks for."""
    answers: dict[str, Callable[[Manifest], str]] = {
        "stand-in": lambda manifest: json.dumps(on_stand_in(manifest), indent=2),
        "wheels": lambda manifest: "\n".join(map(requirement, wheels(manifest))),
        "addresses": lambda manifest: yaml.safe_dump(
            with_addresses(manifest, **json.load(sys.stdin)), sort_keys=False
        ),
        "runtime": lambda manifest: "\n".join(needed(manifest)),
    }
    if len(words) != 2 or words[0] not in answers:
        sys.stderr.write(f"usage: manifest.py {'|'.join(answers)} MANIFEST\n")
        return 2
    manifest = yaml.safe_load(Path(words[1]).read_text(encoding="utf-8"))
    sys.stdout.write(answers[words[0]](manifest).rstrip("\n") + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
