# SPDX-License-Identifier: GPL-3.0-or-later
"""Read-only and full places: mounts of a namespace of the test's own."""

import subprocess
import sys
from pathlib import Path

from destutter_helper.api.tunables import SYSCTLS, TUNABLES
from tests.support.real_kernel import RealKernel

TRY = """
import sys
from pathlib import Path
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet
from tests.support.real_kernel import Helper
state = Path(sys.argv[1])
with Helper(state) as engine:
    try:
        trial = engine.begin_trial(
            ChangeSet((Change("vm.swappiness", "11"),)), owner_uid=0, owner_name="", seconds=30
        )
    except HelperError as error:
        print(error.name)
    else:
        engine.revert(trial.txid, "reverted")
        print("done")
print(sorted(path.name for path in state.iterdir()))
"""


def _in_own_mounts(script: str, state: Path, attempt: str = TRY) -> list[str]:
    """The lines that a trial prints after ``script`` has arranged the mounts."""
    root = Path(__file__).parents[3]
    command = f'{script} && PYTHONPATH="{root}:{root}/helper" exec "$0" -c "$1" "$2"'
    result = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", command, sys.executable, attempt, str(state)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_f34_read_only_proc_sys_is_unsupported(kernel: RealKernel, state: Path) -> None:
    """As in a container: refused when looking, nothing journaled."""
    before = kernel.dump()
    mounts = "mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys"
    assert _in_own_mounts(mounts, state) == ["Unsupported", "[]"]
    assert kernel.dump() == before


def test_a_file_mounted_over_a_setting_is_not_taken_for_the_kernels(
    kernel: RealKernel, state: Path, tmp_path: Path
) -> None:
    """Another file system's file in place of a setting is refused, whatever it says."""
    fake = tmp_path / "swappiness"
    fake.write_text("60\n")
    mounts = f"mount --bind {fake} /proc/sys/vm/swappiness"
    assert _in_own_mounts(mounts, state)[0] == "Refused"
    assert fake.read_text() == "60\n"


def test_f02_a_full_disk_means_no_write(kernel: RealKernel, state: Path) -> None:
    """The state directory on a full file system: JournalUnavailable, and nothing is changed."""
    before = kernel.dump()
    state.mkdir(mode=0o700)
    mounts = (
        f"mount -t tmpfs -o size=64k,mode=0700 none {state} && "
        f"{{ dd if=/dev/zero of={state}/full bs=4k 2>/dev/null || true; }}"
    )
    assert _in_own_mounts(mounts, state)[0] == "JournalUnavailable"
    assert kernel.dump() == before


def test_f02_a_read_only_disk_means_no_write(kernel: RealKernel, state: Path) -> None:
    """The state directory on a read-only mount: JournalUnavailable, and nothing is changed."""
    before = kernel.dump()
    state.mkdir(mode=0o700)
    mounts = f"mount --bind {state} {state} && mount -o remount,bind,ro {state}"
    assert _in_own_mounts(mounts, state)[0] == "JournalUnavailable"
    assert kernel.dump() == before


def test_f04_without_the_sandbox_it_is_done(kernel: RealKernel, state: Path) -> None:
    """The same trial without odd mounts works: what was seen above is the mounts' doing."""
    assert _in_own_mounts("true", state)[0] == "done"


WRITE_EACH = """
import sys
from destutter_helper.api.tunables import SYSCTLS, TUNABLES
from destutter_helper.kernel_tree import KernelTree
tree, done = KernelTree("/"), []
for one in TUNABLES:
    if one.path.startswith(SYSCTLS) and not (one.twin and tree.read(one.path) == b"0\\n"):
        tree.write(one.path, tree.read(one.path))
        done.append(one.id)
print(len(done))
try:
    tree.write("/proc/sys/kernel/core_pattern", tree.read("/proc/sys/kernel/core_pattern"))
except OSError as error:
    print(error.strerror)
"""


def test_a41_in_the_sandbox_each_sysctl_can_be_written_and_core_pattern_cannot(
    kernel: RealKernel, state: Path
) -> None:
    """The mounts that systemd makes of the unit's lines, around every setting below /proc/sys."""
    before = kernel.dump()
    there = [one.path for one in TUNABLES if one.path.startswith(SYSCTLS)]
    there = [path for path in there if Path(path).exists()]
    mounts = "mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys"
    for path in there:
        mounts += f" && mount --bind {path} {path} && mount -o remount,bind,rw {path}"
    count, refused = _in_own_mounts(mounts, state, WRITE_EACH)
    assert len(there) - 2 == int(count)  # one of each pair is active
    assert refused == "Read-only file system"
    assert kernel.dump() == before
