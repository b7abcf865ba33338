# SPDX-License-Identifier: GPL-3.0-or-later
"""One guest with one module of scenarios: boots it, and judges what it told."""

import json
import re
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.truth.programs import compile_into
from tests.vm.booted import BOOTED, ensure_booted
from tests.vm.guest import REQUEST, GuestError, Job, Machine, boot, plugging_in
from tests.vm.image import Image
from tests.vm.packages import ensure_flatpak
from tests.vm.patched_qemu import ensure_patched_qemu, patched_qemu
from tests.vm.releases import TRIXIE

CHECKOUT = Path(__file__).parents[2]
TIMEOUT_S = 900
GAME_TIMEOUT_S = 2400
WITH_THE_WINDOW = frozenset(
    {"desktop", "fixing_memory", "fixing_storage", "power_states", "tracing"}
)
"""The modules that need the window's packages; the others are spared unpacking them."""
WITH_A_GAME = frozenset({"fixing_memory", "fixing_storage", "power_states", "flatpak"})
"""The modules that need the victim of the truth bench, and the time of all its blocks."""
WITH_THE_APPIMAGE = frozenset({"appimage", "bundle_set_up", "bundle_restarted", "bundle_windows"})
"""The modules that need the AppImage, and no package of the window."""
WITH_THE_FLATPAK = frozenset({"flatpak"})
"""The modules that need the Flatpak and its runtime."""
INSTALLED = ("packaging/system", "polkit", "resources/dbus", "SECURITY.md")
"""What a scenario needs that installs the helper from the checkout, beside the code."""
SLEEPY = Machine(disks=("sleepy",), qemu=str(patched_qemu()))
WITH_ONE_WINDOW = Machine(memory_mib=3072, disks=())
TRACED = Machine(arguments=("tsc=reliable",), cpus=1, memory_mib=1024, disks=("virtio",))
"""A busy host makes the kernel doubt its clock, and the one instead of it costs an emulated
processor a hundred times as much. One processor, here and for the Flatpak, which traces too: with
several, an emulated kernel panics now and then where trace events are switched (``Oops: int3``).
"""
SCENARIOS: dict[str, tuple[str, Machine]] = {
    "desktop": ("desktop", BOOTED),
    "packages": ("package_life", BOOTED),
    "queues": ("queues", BOOTED),
    "units": ("units", BOOTED),
    "measuring": ("measuring", BOOTED),
    "appimage": ("appimage", BOOTED),
    "queues-newer-kernel": ("queues", Machine(kernel="6.12.")),
    "packages-newer-kernel": ("package_life", Machine(kernel="6.12.", disks=("nvme", "sata"))),
    "measuring-no-pressure": ("measuring", Machine(arguments=("psi=0",), cpus=1, memory_mib=1024)),
    "measuring-two-nodes": ("measuring", Machine(kernel="6.12.", cpus=4, numa_nodes=2)),
    "measuring-8-gib": ("measuring", Machine(memory_mib=8192)),
    "measuring-newer-kernel": ("measuring", Machine(kernel="6.12.")),
    "fixing-memory": ("fixing_memory", Machine(memory_mib=3072, disks=())),
    "fixing-storage": ("fixing_storage", Machine(disks=("nvme",), per_s=600)),
    "appimage-windows": ("bundle_windows", WITH_ONE_WINDOW),
    "appimage-windows-debian-13": (
        "bundle_windows",
        replace(WITH_ONE_WINDOW, kernel=TRIXIE.kernel),
    ),
    "flatpak-debian-13": ("flatpak", replace(WITH_ONE_WINDOW, kernel=TRIXIE.kernel, cpus=1)),
    "tracing-packages": ("tracing", TRACED),
    "tracing-newer-kernel": ("tracing", replace(TRACED, kernel="6.12.")),
    "power-states": ("power_states", SLEEPY),
    "power-states-newer-kernel": ("power_states", replace(SLEEPY, kernel="6.12.")),
}
"""Each run by its name: the module of scenarios, and the machine; only BOOTED is not booted."""


@dataclass(frozen=True)
class Outcome:
    """What one or several guests told, and whether that is what they had planned."""

    lines: tuple[str, ...]
    is_good: bool
    files: dict[str, bytes] = field(default_factory=dict)


def run_scenarios(image: Image, packages: Path, name: str) -> Outcome:
    """Boot a guest for the run of this name, or take the booted one, and wait for its end."""
    module, machine = SCENARIOS[name]
    if machine.qemu == SLEEPY.qemu:
        ensure_patched_qemu()
    saved = ensure_booted(image) if machine is BOOTED else None
    timeout_s = GAME_TIMEOUT_S if module in WITH_A_GAME else TIMEOUT_S
    try:
        result = boot(image, machine, scenario_job(packages, module, machine), timeout_s, saved)
    except GuestError as error:
        said = (f"# {line}" for line in str(error).splitlines())
        return Outcome((f"not ok - {name}", *said), is_good=False)
    return Outcome(result.lines, all_passed(result.lines), dict(result.files))


def scenario_job(packages: Path, module: str, machine: Machine | None = None) -> Job:
    """A job that runs the scenarios of a module, with the checkout and the packages beside it.

    The drives that the booted machine still lacks are plugged in first.
    """
    script = "#!/bin/sh\n"
    drives = ""
    if machine is BOOTED:
        script += f"echo {shlex.quote(REQUEST + json.dumps(plugging_in('nvme')))}\n"
        drives = "nvme0n1"
    script += f"PYTHONPATH=helper:app:. exec python3 -m tests.vm.inside {module} {drives}\n"
    wanted = "destutter*.deb" if module in WITH_THE_WINDOW else "destutter-helper*.deb"
    found = [*packages.rglob(wanted)]
    if module in WITH_THE_APPIMAGE:
        found += packages.glob("*.AppImage")
    bundles = ensure_flatpak() if module in WITH_THE_FLATPAK else {}
    debs = {f"packages/{path.relative_to(packages)}": path for path in found}
    job: dict[str, bytes | Path] = {
        "run": script.encode(),
        **debs,
        **bundles,
        **project_files(*INSTALLED),
    }
    if module in WITH_A_GAME:
        job |= {
            "victim": _built("victim"),
            "stall": _built("stall"),
            "resources/presets": CHECKOUT / "resources" / "presets",
        }
    return job


def _built(name: str) -> bytes:
    """A program of the truth bench, such that it needs no library of the guest."""
    with tempfile.TemporaryDirectory() as folder:
        return compile_into(Path(folder), name, "-static").read_bytes()


def project_files(*more: str) -> dict[str, bytes | Path]:
    """The checkout's own code for a job: both halves, and what runs the scenarios."""
    texts = ("resources/catalogue", "resources/icons")  # by these the program knows the folder
    ours = ("app/destutter", "helper/destutter_helper", "tests/vm")
    names = ["tests/__init__.py", *texts, *ours, *more]
    return {name: CHECKOUT / name for name in names}


def all_passed(lines: Sequence[str]) -> bool:
    """Whether a guest told its plan and as many outcomes, all of them ok."""
    plans = [int(line[3:]) for line in lines if re.fullmatch(r"1\.\.\d+", line)]
    passed = [line for line in lines if line.startswith("ok ")]
    failed = [line for line in lines if line.startswith("not ok ")]
    return plans == [len(passed)] and not failed and bool(passed)
