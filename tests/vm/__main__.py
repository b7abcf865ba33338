# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages in emulated computers: python -m tests.vm [--all] [--list] [NAME ...].

Builds the packages and the guest's disk image when their inputs have changed, boots the guests,
two at a time, and prints what they say: lines of the Test Anything Protocol, with times. Exits
with 1 when anything failed or a guest did not tell all that it had planned. Files that guests
left (a picture of the window) go to .cache/vm/left.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

from tests.vm.booted import ensure_booted
from tests.vm.bundles import SYSTEMS, run_bundle
from tests.vm.cuts import FEW_CUTS, MANY_CUTS, run_cuts
from tests.vm.guest import GuestError
from tests.vm.image import CACHE, Image, ImageError, ensure_image
from tests.vm.packages import ensure_packages
from tests.vm.releases import BOOKWORM, TRIXIE, Release
from tests.vm.restarts import run_restarts
from tests.vm.run import SCENARIOS, Outcome, run_scenarios

Run = Callable[[Image, Path], Outcome]
LONG = tuple(name for name in SCENARIOS if "-" in name)
RUNS: dict[str, Run] = {
    "desktop": partial(run_scenarios, name="desktop"),
    "restarts": run_restarts,
    "packages": partial(run_scenarios, name="packages"),
    "cuts": partial(run_cuts, wanted=FEW_CUTS),
    **{
        name: partial(run_scenarios, name=name)
        for name in ("appimage", "units", "queues", "measuring")
    },
}
"""What every machine runs, the longest first."""
MORE: dict[str, Run] = {
    "all-cuts": partial(run_cuts, wanted=MANY_CUTS),
    **{name: partial(run_scenarios, name=name) for name in LONG},
    **{name: partial(run_bundle, name=name) for name in SYSTEMS},
}
"""What --all adds: more power cuts, other kernels, other computers and other systems."""
NEWER_RELEASE = frozenset(
    (
        *("appimage-windows-debian-13", "flatpak-debian-13"),
        *(name for name, system in SYSTEMS.items() if system.release is TRIXIE),
    )
)
"""The runs whose guest is Debian 13."""
AT_ONCE = 2


def main(words: Sequence[str]) -> int:
    """Run the named runs, or those of every machine; 2 for a name that does not exist."""
    parser = argparse.ArgumentParser(prog="python -m tests.vm", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of --list")
    parser.add_argument("--all", action="store_true", help="also what takes longer")
    parser.add_argument("--list", action="store_true", help="name the runs")
    options = parser.parse_args(words)
    known = RUNS | MORE
    if unknown := [name for name in options.names if name not in known]:
        sys.stderr.write(f"no such run: {', '.join(unknown)} (of {', '.join(known)})\n")
        return 2
    if options.list:
        sys.stdout.write("".join(f"{name}\n" for name in known))
        return 0
    wanted = {name: known[name] for name in options.names} or (known if options.all else RUNS)
    if options.all and not options.names:
        wanted = {name: run for name, run in wanted.items() if name != "cuts"}
    try:
        return _run_all(wanted)
    except (ImageError, GuestError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    finally:
        _leave_nothing_of_root()


def _run_all(wanted: dict[str, Run]) -> int:
    began = time.monotonic()
    with ThreadPoolExecutor() as pool:
        making = pool.submit(ensure_packages)
        images = {name: ensure_image(_release(name)) for name in wanted}
        _tell(f"# images: {time.monotonic() - began:.0f} s")
        if any(name not in MORE for name in wanted):
            ensure_booted(ensure_image(BOOKWORM))
            _tell(f"# image, booted: {time.monotonic() - began:.0f} s")
        packages = making.result()
    _tell(f"# images and packages: {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    failed = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tasks = [
            pool.submit(_timed, name, run, images[name], packages) for name, run in wanted.items()
        ]
        for task in as_completed(tasks):
            name, seconds, outcome = task.result()
            _tell(f"# {name}: {seconds:.0f} s", *outcome.lines)
            _keep(name, outcome)
            if not outcome.is_good:
                failed.append(name)
    _tell(f"# guests: {time.monotonic() - began:.0f} s")
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


def _release(name: str) -> Release:
    return TRIXIE if name in NEWER_RELEASE else BOOKWORM


def _timed(name: str, run: Run, image: Image, packages: Path) -> tuple[str, float, Outcome]:
    began = time.monotonic()
    outcome = run(image, packages)
    return name, time.monotonic() - began, outcome


def _keep(name: str, outcome: Outcome) -> None:
    folder = CACHE / "left" / name
    shutil.rmtree(folder, ignore_errors=True)
    for file, content in outcome.files.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / Path(file).name).write_bytes(content)


def _tell(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _leave_nothing_of_root() -> None:
    """Under sudo the cache is given back to the user, who may want to clean it."""
    if os.geteuid() == 0 and "SUDO_UID" in os.environ:
        user, group = int(os.environ["SUDO_UID"]), int(os.environ.get("SUDO_GID", "-1"))
        for folder in (CACHE, CACHE.parents[1] / "build"):
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, user, group, follow_symlinks=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
