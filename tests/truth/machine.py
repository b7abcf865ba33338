# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios change on this computer, each change with its way back."""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.kernel_lock import alone_with_the_kernel

MIB = 1 << 20
_PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
_UNIFIED = (_CGROUPS, _CGROUPS / "unified")
_END_S = 20.0
_HUGE_ORDER = 9  # 2 MiB of pages of 4 KiB
_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h

WRITE_LIMIT = _CGROUPS / "blkio/blkio.throttle.write_bps_device"
"""Bytes a second that a drive takes from everybody: only control groups of version 1 have it."""


class CannotBeMadeError(Exception):
    """This computer cannot have this trouble; the text says why, with what was seen."""


@dataclass
class Stage:
    """Where a trial plays: programs, a folder on the drive, one in memory; the present victim.

    ``wrap`` makes the command that records from the plain one; with ``is_traced`` that has the
    kernel's trace.
    """

    tools: Path
    disk: Path
    memory: Path
    victim_pid: int = 0
    wrap: Callable[[list[str]], list[str]] = list
    is_traced: bool = False

    def stall(
        self, *words: str | Path | int, prefix: Sequence[str] = (), name: str = "stall"
    ) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
        """A stall program under way, by this name; leaving the context ends it."""
        path = self.tools / name
        if not path.exists():
            path.hardlink_to(self.tools / "stall")
        return program([*prefix, str(path), *map(str, words)], is_announced=True)


@contextlib.contextmanager
def program(
    command: Sequence[str], *, is_announced: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends when its standard input closes, at last by force.

    ``is_announced``: it writes a line when it has begun, which is waited for.
    """
    output = subprocess.PIPE if is_announced else subprocess.DEVNULL
    # A group of its own: what it starts itself, as a compiler does, ends with it.
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, process_group=0)
    assert process.stdin is not None
    try:
        if process.stdout is not None and not process.stdout.readline():
            raise CannotBeMadeError(f"{' '.join(command[-3:])} did not begin")
        yield process
    finally:
        process.stdin.close()
        if not is_announced:
            process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _end_group(process.pid)
        if process.stdout is not None:
            process.stdout.close()


def tell(process: subprocess.Popen[bytes], line: str) -> None:
    """A line on a program's input."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()


def adopt_orphans() -> None:
    """From here on a child whose parent ended belongs to this process, and its time with it."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_group(group: int) -> None:
    """By force, and collected: only then does this process know the time that it used."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


@contextlib.contextmanager
def settings(values: dict[str, str]) -> Iterator[None]:
    """Kernel files with other values, put back in reverse order. Keeps kernel tests waiting."""
    with alone_with_the_kernel(), contextlib.ExitStack() as back:
        for path, value in values.items():
            old = _chosen(Path(path).read_text())
            # Even a write of the same value may change others (mm/khugepaged.c).
            if old != value:
                back.callback(write_setting, path, old)
                write_setting(path, value)
        yield


@contextlib.contextmanager
def late_workers(name: str, cpu: int) -> Iterator[None]:
    """The kernel's threads of this name on one processor, and only while nobody else wants it.

    As where their work is more than they can do: who needs its result has to do it.
    """
    threads = [int(path.parent.name) for path in _PROC.glob("[0-9]*/comm") if _is(path, name)]
    with alone_with_the_kernel(), contextlib.ExitStack() as back:
        for thread in threads:
            back.callback(os.sched_setaffinity, thread, os.sched_getaffinity(thread))
            policy = os.sched_getscheduler(thread)
            back.callback(os.sched_setscheduler, thread, policy, os.sched_getparam(thread))
            os.sched_setaffinity(thread, {cpu})
            os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
        yield


def _is(comm: Path, name: str) -> bool:
    """Whether this is the name of a kernel's thread, which ends with the number of its node."""
    try:
        return comm.read_text().strip().rstrip("0123456789") == name
    except OSError:
        return False


@contextlib.contextmanager
def dirty_limits(background: int, limit: int) -> Iterator[None]:
    """Limits of unwritten data in bytes. Only the member of a pair that was set is put back:
    writing the other one, even a zero, would clear it (mm/page-writeback.c).
    """
    vm = _PROC / "sys/vm"
    pairs = (("dirty_background_bytes", "dirty_background_ratio"), ("dirty_bytes", "dirty_ratio"))
    with alone_with_the_kernel():
        old = {name: (vm / name).read_text().strip() for pair in pairs for name in pair}
        try:
            write_setting(vm / "dirty_background_bytes", str(background))
            write_setting(vm / "dirty_bytes", str(limit))
            yield
        finally:
            for pair in reversed(pairs):
                for name in pair:
                    if old[name] != "0":
                        write_setting(vm / name, old[name])


@contextlib.contextmanager
def cgroup(controller: str, limits: dict[str, str], name: str = "") -> Iterator[Path]:
    """A group of version 1 with these limits; what is left in it goes to the parent's group."""
    parent = _CGROUPS / controller
    if not (parent / "cgroup.procs").exists():
        raise CannotBeMadeError(f"the cgroup controller {controller} is not mounted at {parent}")
    group = parent / f"destutter-truth-{os.getpid()}{name}"
    group.mkdir()
    try:
        for name, value in limits.items():
            write_setting(group / name, value)
        yield group
    finally:
        for pid in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                write_setting(parent / "cgroup.procs", pid)
        patiently(group.rmdir)


@contextlib.contextmanager
def own_group(*, is_wanted: bool = True) -> Iterator[list[str]]:
    """A group of version 2 for the victim alone, as desktops start each program in one.

    Gives the prefix that starts a command in it; an empty one where none is wanted. Raises
    ``CannotBeMadeError`` where there is no such tree: without one the trial is another.
    """
    if not is_wanted:
        yield []
        return
    tree = next((path for path in _UNIFIED if (path / "cgroup.controllers").exists()), None)
    if tree is None:
        raise CannotBeMadeError("there are no control groups of version 2")
    group = tree / f"destutter-truth-{os.getpid()}"
    group.mkdir()
    try:
        yield inside(group)
    finally:
        # Ctrl-C may come between the start of the victim and the "with" that would end it.
        write_setting(group / "cgroup.kill", "1")
        patiently(group.rmdir)


@contextlib.contextmanager
def swap_on(path: Path) -> Iterator[None]:
    """A swap area on a file or device."""
    subprocess.run(["mkswap", str(path)], check=True, capture_output=True)
    subprocess.run(["swapon", str(path)], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["swapoff", str(path)], check=True, capture_output=True)


@contextlib.contextmanager
def zram_swap(size: int) -> Iterator[None]:
    """A compressed swap on zram0, which must be unused."""
    zram = Path("/sys/block/zram0")
    if not zram.exists():
        raise CannotBeMadeError("there is no zram0")
    with alone_with_the_kernel():
        if (zram / "disksize").read_text().strip() != "0":
            raise CannotBeMadeError("zram0 is in use")
        write_setting(zram / "disksize", str(size))
        try:
            with swap_on(Path("/dev/zram0")):
                yield
        finally:
            patiently(write_setting, str(zram / "reset"), "1")


@contextlib.contextmanager
def loop_device(image: Path, *options: str) -> Iterator[Path]:
    """A loop device on a file."""
    device = output("losetup", "--find", "--show", *options, str(image))
    try:
        yield Path(device)
    finally:
        output("losetup", "--detach", device)


@contextlib.contextmanager
def slow_writes(folder: Path, size: int, bytes_per_s: int) -> Iterator[Path]:
    """A file system of its own on a loop device that takes only so many bytes a second.

    The limit is one of the root group and of this device, so that the kernel's own writeback is
    bound by it too.
    """
    if not WRITE_LIMIT.exists():
        raise CannotBeMadeError(f"there is no {WRITE_LIMIT}")
    image, mounted = folder / "image", folder / "mounted"
    mounted.mkdir()
    with contextlib.ExitStack() as back:
        back.callback(mounted.rmdir)
        with image.open("wb") as file:
            file.truncate(size)
        back.callback(image.unlink)
        device = output("losetup", "--find", "--show", str(image))
        back.callback(output, "losetup", "--detach", device)
        output("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
        output("mount", device, str(mounted))
        back.callback(patiently, output, "umount", str(mounted))
        number = (Path("/sys/block") / Path(device).name / "dev").read_text().strip()
        write_setting(WRITE_LIMIT, f"{number} {bytes_per_s}")
        # First of all, so that what is still unwritten at the end goes quickly.
        back.callback(write_setting, WRITE_LIMIT, f"{number} 0")
        yield mounted


def inside(group: Path) -> list[str]:
    """A prefix that starts a command in a group."""
    script = f'echo $$ > {group}/cgroup.procs && exec "$@"'
    return ["sh", "-c", script, "sh"]


def meminfo_mib(name: str) -> int:
    """A line of meminfo."""
    for line in (_PROC / "meminfo").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) // 1024
    raise CannotBeMadeError(f"meminfo has no {name}")


def whole_mib() -> int:
    """How much free memory lies in blocks of a huge page's size or more, in MiB.

    A column of buddyinfo counts the blocks of 2^order pages, from order 0 (mm/vmstat.c).
    """
    pages = 0
    for line in (_PROC / "buddyinfo").read_text().splitlines():
        counts = [int(word) for word in line.split()[4:]]
        pages += sum(count << order for order, count in enumerate(counts) if order >= _HUGE_ORDER)
    return pages * resource.getpagesize() // MIB


def drive_of(folder: Path) -> str:
    """The name of the drive that a folder lies on."""
    device = os.stat(folder).st_dev
    link = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    drive = link.parent if (link / "partition").exists() else link
    if not (drive / "queue").exists():
        raise CannotBeMadeError(f"{folder} lies on no drive with a queue ({drive})")
    return drive.name


def big_file(path: Path, size: int) -> Path:
    """A file of data that is on the drive and not in the page cache."""
    chunk = os.urandom(4 * MIB)
    with path.open("wb") as file:
        for _ in range(size // len(chunk)):
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return path


def output(*command: str) -> str:
    """What a command says. Raises CalledProcessError when it fails."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write_setting(path: str | Path, value: str) -> None:
    """Give a kernel's file a value."""
    with open(path, "w", encoding="ascii") as file:
        file.write(value)


def _chosen(text: str) -> str:
    """The value of a setting; of a list the one in brackets."""
    if "[" in text:
        return text.split("[", 1)[1].split("]", 1)[0]
    return text.strip()


def patiently(action: Callable[..., object], *words: str) -> None:
    """Do what the kernel refuses while processes are still on their way out."""
    for _ in range(50):
        try:
            action(*words)
        except (OSError, subprocess.CalledProcessError):
            time.sleep(0.1)
        else:
            return
    action(*words)
