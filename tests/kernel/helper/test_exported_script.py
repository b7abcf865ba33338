# SPDX-License-Identifier: GPL-3.0-or-later
"""The exported script on the running kernel: it sets what it says and takes all of it back."""

import os
import subprocess
from pathlib import Path

from destutter.tuning.export_script import script
from destutter.tuning.exported import ExportedChange
from tests.support.real_kernel import LoopDevice, RealKernel

_DEFRAG = Path("/sys/kernel/mm/transparent_hugepage/defrag")


def _run(file: Path, what: str) -> subprocess.CompletedProcess[str]:
    places = {**os.environ, "DESTUTTER_SAVED": str(file.with_suffix(".saved"))}
    command = ["sh", str(file), what]
    return subprocess.run(command, env=places, check=False, capture_output=True, text=True)


def _vm(name: str) -> str:
    return Path("/proc/sys/vm", name).read_text().strip()


def _chosen(path: Path) -> str:
    text = path.read_text()
    return text.partition("[")[2].partition("]")[0]


def test_script_applies_and_undoes_exactly(
    kernel: RealKernel, loop: LoopDevice, tmp_path: Path
) -> None:
    """A sysctl, one of a pair, a choice, and a scheduler with what depends on it."""
    before = kernel.dump()
    queue = Path("/sys/block", loop.name, "queue")
    changes = (
        ExportedChange("vm.swappiness", "", "33", _vm("swappiness")),
        ExportedChange("vm.dirty_bytes", "", "268435456", f"vm.dirty_ratio={_vm('dirty_ratio')}"),
        ExportedChange("thp.defrag", "", "defer", _chosen(_DEFRAG)),
        ExportedChange("block.scheduler", loop.name, "mq-deadline", "none"),
        ExportedChange("block.nr_requests", loop.name, "64", "128"),
    )
    file = tmp_path / "settings.sh"
    file.write_text(script(changes, "now"))
    done = _run(file, "apply")
    assert (done.returncode, done.stderr) == (0, "")
    assert (_vm("swappiness"), _vm("dirty_bytes"), _vm("dirty_ratio")) == ("33", "268435456", "0")
    assert (_chosen(_DEFRAG), _chosen(queue / "scheduler")) == ("defer", "mq-deadline")
    assert (queue / "nr_requests").read_text() == "64\n"
    again = _run(file, "apply")
    assert (again.returncode, "undo it first" in again.stderr) == (1, True)
    undone = _run(file, "undo")
    assert (undone.returncode, undone.stderr) == (0, "")
    assert kernel.dump() == before


def test_script_without_its_notes_goes_back_to_the_values_it_knows(
    kernel: RealKernel, tmp_path: Path
) -> None:
    """After a restart the notes are gone: the values from before Destutter are written."""
    before = kernel.dump()
    changes = (ExportedChange("vm.swappiness", "", "34", _vm("swappiness")),)
    file = tmp_path / "settings.sh"
    file.write_text(script(changes, "now"))
    assert _run(file, "apply").returncode == 0
    file.with_suffix(".saved").unlink()
    assert _vm("swappiness") == "34"
    assert _run(file, "undo").returncode == 0
    assert kernel.dump() == before


def test_script_tells_what_this_computer_has_not(kernel: RealKernel, tmp_path: Path) -> None:
    """A drive that is gone: said on stderr with status 1; the rest is done."""
    before = kernel.dump()
    changes = (
        ExportedChange("block.scheduler", "nodrive", "none", "kyber"),
        ExportedChange("vm.swappiness", "", "35", _vm("swappiness")),
    )
    file = tmp_path / "settings.sh"
    file.write_text(script(changes, "now"))
    done = _run(file, "apply")
    assert (done.returncode, "nodrive" in done.stderr) == (1, True)
    assert _vm("swappiness") == "35"
    assert _run(file, "undo").returncode == 0
    assert kernel.dump() == before
