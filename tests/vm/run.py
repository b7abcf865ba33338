# SPDX-License-Identifier: GPL-3.0-or-later
"""Boot guests and run the scenarios in them: python -m tests.vm.run [NAME ...].

Prints what the guests say, as lines of the Test Anything Protocol, and exits with 1 when
anything failed or a guest did not tell all that it had planned.
"""

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.vm.guest import GuestError, Job, Machine, boot
from tests.vm.image import Image, ImageError, ensure_image

CHECKOUT = Path(__file__).parents[2]
TIMEOUT_S = 300
INSTALLED = ("packaging/system", "polkit", "resources/dbus", "SECURITY.md")
"""What a scenario needs that installs the helper, beside the code."""
SCENARIOS: dict[str, tuple[str, Machine]] = {
    "queues": ("queues", Machine()),
    "queues-newer-kernel": ("queues", Machine(kernel="6.12.")),
    "units": ("units", Machine(disks=("sata",))),
    "measuring": ("measuring", Machine()),
    "measuring-no-pressure": ("measuring", Machine(arguments=("psi=0",), cpus=1, memory_mib=1024)),
    "measuring-two-nodes": ("measuring", Machine(kernel="6.12.", cpus=4, numa_nodes=2)),
}
"""Each run by its name: the module of scenarios, and the machine that it is booted on."""


def main(names: Sequence[str]) -> int:
    """Run the named runs, or all; 2 for a name that does not exist."""
    unknown = [name for name in names if name not in SCENARIOS]
    if unknown:
        sys.stderr.write(f"no such run: {', '.join(unknown)} (of {', '.join(SCENARIOS)})\n")
        return 2
    try:
        image = ensure_image()
    except ImageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    failed = [name for name in names or SCENARIOS if not _run(image, name)]
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


def project_files(*more: str) -> dict[str, bytes | Path]:
    """The checkout's own code for a job: both halves, and what runs the scenarios."""
    names = ["app/destutter", "helper/destutter_helper", "tests/__init__.py", "tests/vm", *more]
    return {name: CHECKOUT / name for name in names}


def all_passed(lines: Sequence[str]) -> bool:
    """Whether a guest told its plan and as many outcomes, all of them ok."""
    plans = [int(line[3:]) for line in lines if re.fullmatch(r"1\.\.\d+", line)]
    passed = [line for line in lines if line.startswith("ok ")]
    failed = [line for line in lines if line.startswith("not ok ")]
    return plans == [len(passed)] and not failed and bool(passed)


def _run(image: Image, name: str) -> bool:
    module, machine = SCENARIOS[name]
    script = f"#!/bin/sh\nPYTHONPATH=helper:app:. exec python3 -B -m tests.vm.inside {module}\n"
    job: Job = {"run": script.encode(), **project_files(*INSTALLED)}
    began = time.monotonic()
    sys.stdout.write(f"# {name}: {image.kernel_release(machine.kernel)}\n")
    try:
        lines = boot(image, machine, job, TIMEOUT_S).lines
    except GuestError as error:
        sys.stdout.write(f"not ok - {name}\n")
        sys.stderr.write(f"{error}\n")
        return False
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.write(f"# {name}: {time.monotonic() - began:.0f} s\n")
    return all_passed(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
