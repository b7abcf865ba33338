# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage and the helper that comes out of it on several systems, with a restart between.

Every system is a release of Debian that a page of shell (``layout``) makes into another kind
before systemd starts, so that no other distribution's packages are needed.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.vm.guest import GuestError, Machine, running
from tests.vm.image import HERE, Image
from tests.vm.releases import BOOKWORM, TRIXIE, Release
from tests.vm.run import Outcome, all_passed, scenario_job

FIRST, SECOND = "bundle_set_up", "bundle_restarted"
TIMEOUT_S = 900
INIT = "init=/usr/local/sbin/guest-init"


@dataclass(frozen=True)
class System:
    """A release, and the words for ``layout`` at each of its two starts."""

    release: Release
    layout: str = ""
    layout_later: str = ""


SYSTEMS: Mapping[str, System] = {
    "appimage-debian-12": System(BOOKWORM),
    "appimage-debian-13": System(TRIXIE),
    "appimage-image-based": System(TRIXIE, "broker image-based", "broker image-based"),
    "appimage-steamos": System(TRIXIE, "broker steamos", "broker updated steamos"),
}
"""Each run by its name."""


def run_bundle(image: Image, packages: Path, name: str) -> Outcome:
    """Set the helper up at the first start, and go on at the second, on the same disk."""
    system, lines = SYSTEMS[name], []
    with tempfile.TemporaryDirectory(prefix="destutter-guest-") as folder:
        for module, layout in ((FIRST, system.layout), (SECOND, system.layout_later)):
            outcome = _start(image, system.release, packages, Path(folder), (module, layout))
            lines += [f"# {name}, {module}", *outcome.lines]
            if not outcome.is_good:
                return Outcome(tuple(lines), is_good=False)
    return Outcome(tuple(lines), is_good=True)


def _start(
    image: Image, release: Release, packages: Path, folder: Path, start: tuple[str, str]
) -> Outcome:
    module, words = start
    machine = Machine(kernel=release.kernel, memory_mib=3072, disks=(), arguments=(INIT,))
    job = {**scenario_job(packages, module), "layout": layout_of(words)}
    try:
        with running(image, machine, job, folder) as guest:
            lines = guest.wait(TIMEOUT_S).lines
    except GuestError as error:
        said = (f"# {line}" for line in str(error).splitlines())
        return Outcome((f"not ok - {module}", *said), is_good=False)
    return Outcome(lines, all_passed(lines))


def layout_of(words: str) -> bytes:
    """The page of shell that guest-init runs, with its words."""
    return f'words="{words}"\n'.encode() + (HERE / "layout").read_bytes()
