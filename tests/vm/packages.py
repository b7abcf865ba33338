# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian packages that guests install, built from this checkout when its files have changed.

Beside them a second, newer helper from the same files, for the scenario of an upgrade.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from tests.vm.image import CACHE, HERE, ImageError

CHECKOUT = HERE.parents[1]
BUILDER = CHECKOUT / "packaging" / "deb" / "build"
INPUTS = ("app", "helper", "resources", "polkit", "packaging", "pyproject.toml")
NEWER = "0.1.0+newer"


def ensure_packages() -> Path:
    """The folder with both packages, and the newer helper in ``newer``; ``ImageError`` if not."""
    folder = CACHE / f"packages-{_inputs_key()}"
    if folder.exists():
        return folder
    work = CACHE / "packaging"
    shutil.rmtree(work, ignore_errors=True)
    (work / "newer").mkdir(parents=True)
    _build("--quick", str(work))
    _build("--helper-only", str(work / "newer"), version=NEWER)
    for old in CACHE.glob("packages-*"):
        shutil.rmtree(old)
    work.rename(folder)
    return folder


def _inputs_key() -> str:
    digest = hashlib.sha256()
    for name in INPUTS:
        place = CHECKOUT / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(CHECKOUT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _build(*arguments: str, version: str = "") -> None:
    environment = os.environ | ({"DESTUTTER_VERSION": version} if version else {})
    done = subprocess.run(
        [BUILDER, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ImageError(f"the packages could not be built: {done.stderr.strip()}")
