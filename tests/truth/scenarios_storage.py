# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles with drives and with writing to them."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from tests.truth.drives import slow_drive
from tests.truth.machine import (
    MIB,
    CannotBeMadeError,
    Stage,
    big_file,
    cgroup,
    dirty_limits,
    drive_of,
    inside,
    loop_device,
    output,
    patiently,
    program,
    settings,
    slow_writes,
    write_setting,
)
from tests.truth.makes import WITH_WORKERS, Options
from tests.truth.scenario import Play, Prepare, Scenario

_ASSETS_MIB = 512
NICE = ("nice", "-n", "-20")
_UPDATER = "updater"
_INNOCENT = "thumbs"
_BACKUP = "backup"
_DD = frozenset({"dd"})


def _fio(path: Path, *options: str) -> list[str]:
    if shutil.which("fio") is None:
        raise CannotBeMadeError("fio is not installed")
    common = ["--name=job", f"--filename={path}", "--direct=1", "--ioengine=libaio"]
    return ["fio", *common, "--time_based", "--runtime=60", *options]


def _reading(path: Path) -> Options:
    return {"assets": str(path), "read-kib": 64, "alloc-kib": 64}


@contextlib.contextmanager
def dirty_pages(place: Stage) -> Iterator[Play]:
    """A copy to a slow drive reaches low limits of unwritten data while the victim saves.

    Writers sleep from the middle of both limits on (mm/page-writeback.c): from 56 of 64 MiB.
    """
    with (
        slow_writes(place.disk, 2048 * MIB, 40 * MIB) as slow,
        dirty_limits(48 * MIB, 64 * MIB),
    ):
        target = slow / "copy"
        copy = ["dd", "if=/dev/zero", f"of={target}", "bs=1M", "count=1500", "status=none"]
        yield Play(
            burst=lambda: program(copy),
            victim={"save": str(slow / "save"), "write-kib": 64, "alloc-kib": 64},
        )


@contextlib.contextmanager
def waiting_commit(place: Stage) -> Iterator[Play]:
    """The victim makes its save safe while another program writes to the same slow drive.

    The victim sleeps until its own data is written, or in the file system's commit behind it
    (fs/jbd2/commit.c): which of the two, the function that it sleeps in tells.
    """
    with slow_writes(place.disk, 2048 * MIB, 40 * MIB) as slow:
        target = slow / "copy"
        copy = ["dd", "if=/dev/zero", f"of={target}", "bs=4M", "count=300"]
        copy += ["oflag=direct", "status=none"]

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            with program(copy):
                yield
            target.unlink(missing_ok=True)

        victim: Options = {
            "save": str(slow / "save"),
            "write-kib": 16,
            "alloc-kib": 64,
            "sync-every": 6,
        }
        yield Play(burst=burst, victim=victim)


def _contended(scheduler: str, job: Sequence[str]) -> Prepare:
    """A throughput job against the victim's reads on the same drive under a scheduler."""

    @contextlib.contextmanager
    def prepare(place: Stage) -> Iterator[Play]:
        drive = Path("/sys/block") / drive_of(place.disk) / "queue/scheduler"
        if scheduler not in drive.read_text():
            raise CannotBeMadeError(f"{drive} has {drive.read_text().strip()} only")
        assets = big_file(place.disk / "assets", _ASSETS_MIB * MIB)
        other = big_file(place.disk / "other", _ASSETS_MIB * MIB)
        command = _fio(other, *job)
        try:
            with settings({str(drive): scheduler}):
                victim = {**_reading(assets), "read-kib": 32, "reads": 5}
                yield Play(burst=_running(command), victim=victim)
        finally:
            assets.unlink()
            other.unlink()

    return prepare


def _running(command: Sequence[str]) -> Callable[[], AbstractContextManager[object]]:
    return lambda: program(command)


@contextlib.contextmanager
def throttled_drive(place: Stage) -> Iterator[Play]:
    """The victim's group may read only four requests a second in a burst.

    The limit holds requests back before the drive's queue sees them, so the drive's own times
    stay short: only the victim's waiting shows it.
    """
    device = drive_of(place.disk)
    number = (Path("/sys/block") / device / "dev").read_text().strip()
    assets = big_file(place.disk / "assets", _ASSETS_MIB * MIB)
    with cgroup("blkio", {}) as group:
        limit = group / "blkio.throttle.read_iops_device"

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            limit.write_text(f"{number} 4")
            try:
                yield
            finally:
                limit.write_text(f"{number} 0")

        try:
            yield Play(burst=burst, victim=_reading(assets), prefix=[*inside(group), *NICE])
        finally:
            assets.unlink()


@contextlib.contextmanager
def limited_group(place: Stage) -> Iterator[Play]:
    """The victim's group may read 800 kB a second in a burst, beside a reader without a limit.

    That one reads from the same drive one piece after the other, and holds nobody up.
    """
    number = (Path("/sys/block") / drive_of(place.disk) / "dev").read_text().strip()
    assets = big_file(place.disk / "assets", _ASSETS_MIB * MIB)
    other = big_file(place.disk / "other", _ASSETS_MIB * MIB)
    with cgroup("blkio", {}) as group:
        limit = group / "blkio.throttle.read_bps_device"

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            limit.write_text(f"{number} 800000")
            try:
                with place.stall("copy", other, 1, name=_INNOCENT):
                    yield
            finally:
                limit.write_text(f"{number} 0")

        try:
            victim = {**_reading(assets), "read-kib": 128}
            yield Play(burst=burst, victim=victim, prefix=[*inside(group), *NICE])
        finally:
            assets.unlink()
            other.unlink()


@contextlib.contextmanager
def frozen_files(place: Stage) -> Iterator[Play]:
    """The file system on which the victim saves is frozen in a burst, as for a snapshot.

    Beside it a reader of another drive, which hurts nobody.
    """
    image, mounted = place.disk / "image", place.disk / "mounted"
    other = big_file(place.disk / "other", _ASSETS_MIB * MIB)
    with contextlib.ExitStack() as back:
        back.callback(other.unlink)
        mounted.mkdir()
        back.callback(mounted.rmdir)
        back.callback(image.unlink, missing_ok=True)
        output("fallocate", "-l", str(256 * MIB), str(image))
        device = back.enter_context(loop_device(image))
        output("mkfs.ext4", "-q", str(device))
        output("mount", str(device), str(mounted))
        back.callback(patiently, output, "umount", str(mounted))

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            with place.stall("copy", other, 8, name=_INNOCENT):
                output("fsfreeze", "--freeze", str(mounted))
                try:
                    yield
                finally:
                    output("fsfreeze", "--unfreeze", str(mounted))

        save = str(mounted / "save")
        yield Play(burst=burst, victim={"save": save, "write-kib": 4, "alloc-kib": 64})


@contextlib.contextmanager
def slow_image(place: Stage) -> Iterator[Play]:
    """A loop device whose own requests take long: those of its file are held back.

    The kernel's worker of the device reads its file in the name of the victim's group
    (drivers/block/loop.c), which may read twelve requests a second in a burst.
    """
    number = (Path("/sys/block") / drive_of(place.disk) / "dev").read_text().strip()
    image = big_file(place.disk / "image", _ASSETS_MIB * MIB)
    with cgroup("blkio", {}) as group, loop_device(image, "--direct-io=on") as device:
        limit = group / "blkio.throttle.read_iops_device"

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            limit.write_text(f"{number} 12")
            try:
                yield
            finally:
                limit.write_text(f"{number} 0")

        try:
            victim = {**_reading(device), "read-kib": 4}
            yield Play(burst=burst, victim=victim, prefix=[*inside(group), *NICE])
        finally:
            image.unlink()


@contextlib.contextmanager
def save_beside_writer(place: Stage) -> Iterator[Play]:
    """The game saves now and then while an updater writes to the same drive of 30 MB/s."""
    with slow_drive(place.disk, 1024 * MIB, write_bytes=30_000_000) as drive:
        update = drive.folder / "update"
        drive.hold()
        victim: Options = {
            "save": str(drive.folder / "save"),
            "write-kib": 16,
            "alloc-kib": 64,
            "sync-every": 20,
        }
        yield Play(burst=lambda: place.stall("write", update, 256, name=_UPDATER), victim=victim)


@contextlib.contextmanager
def mapped_file(place: Stage) -> Iterator[Play]:
    """The game maps its files, on a drive of 120 reads a second, and their pages are dropped."""
    with slow_drive(place.disk, 256 * MIB, reads_per_s=120) as drive:
        file = big_file(drive.folder / "assets", 4 * MIB)
        _into_cache(file)
        drive.hold()

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            _out_of_cache(file)
            yield

        yield Play(burst=burst, victim={"map": str(file), "map-pages": 20})


@contextlib.contextmanager
def spinning_for_reads(place: Stage) -> Iterator[Play]:
    """The same game, whose main thread spins until its workers are done."""
    with mapped_file(place) as play:
        victim = {**play.victim, "spins": 1, "ahead": 0, "need-every": 1}
        yield Play(burst=play.burst, victim=victim, prefix=play.prefix)


@contextlib.contextmanager
def two_drives(place: Stage) -> Iterator[Play]:
    """An updater writes to the game's slow drive while a backup reads much from another."""
    other = big_file(place.disk / "other", _ASSETS_MIB * MIB)
    with save_beside_writer(place) as play:

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            with play.burst(), place.stall("copy", other, 64, name=_BACKUP):
                yield

        try:
            yield Play(burst=burst, victim=play.victim, prefix=play.prefix)
        finally:
            other.unlink()


@contextlib.contextmanager
def dropped_cache(place: Stage) -> Iterator[Play]:
    """Somebody drops the whole page cache while the game reads its files, on such a drive."""
    with slow_drive(place.disk, 256 * MIB, reads_per_s=120) as drive:
        file = big_file(drive.folder / "assets", 32 * MIB)
        _into_cache(file)
        drive.hold()

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            write_setting("/proc/sys/vm/drop_caches", "1")
            yield

        victim: Options = {
            "assets": str(file),
            "read-kib": 32,
            "reads": 8,
            "cached": 1,
            "alloc-kib": 64,
        }
        yield Play(burst=burst, victim=victim)


@contextlib.contextmanager
def reads_beside_copy(place: Stage) -> Iterator[Play]:
    """A backup reads from the same drive as fast as that can, in large pieces."""
    assets = big_file(place.disk / "assets", _ASSETS_MIB * MIB)
    other = big_file(place.disk / "other", _ASSETS_MIB * MIB)
    try:
        yield Play(
            burst=lambda: place.stall("copy", other, 64, name=_BACKUP),
            victim={**_reading(assets), "reads": 3},
        )
    finally:
        assets.unlink()
        other.unlink()


@contextlib.contextmanager
def drive_in_memory(place: Stage) -> Iterator[Play]:
    """The same, while another program reads a loop drive whose file lies in memory all along.

    It moves several times as much as the backup does, and nothing of it on the game's drive.
    """
    image = big_file(place.memory / "image", 256 * MIB)
    try:
        with (
            reads_beside_copy(place) as play,
            loop_device(image, "--read-only") as device,
            place.stall("copy", device, 1, name=_INNOCENT),
        ):
            yield play
    finally:
        image.unlink()


def _into_cache(file: Path) -> None:
    file.read_bytes()


def _out_of_cache(file: Path) -> None:
    with file.open("rb") as opened:
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


_DEEP_READS = ("--rw=randread", "--bs=1M", "--iodepth=256", "--numjobs=4", "--size=512m")
_DEEP_WRITES = ("--rw=write", "--bs=1M", "--iodepth=256", "--numjobs=4", "--size=512m")
_UNFAIR = frozenset({"io_unfairness"})
_BESIDE = frozenset({"slow_device", "run_queue_delay", "wbt_throttling"})

STORAGE = (
    Scenario(
        "dirty_throttling",
        dirty_pages,
        frozenset({"dirty_throttling"}),
        also=frozenset({"filesystem_commit", "slow_device", "run_queue_delay"}),
        culprits=_DD,
        burst_s=2.2,
    ),
    Scenario(
        "waiting_commit",
        waiting_commit,
        # What fills the drive is another program's copy, as beside an updater: that it is unfair
        # is as right as that the commit, or the drive, is waited for.
        frozenset({"filesystem_commit", "slow_device", "io_unfairness"}),
        also=frozenset({"dirty_throttling", "run_queue_delay"}),
        culprits=_DD,
        pause_s=2.0,
    ),
    *(
        Scenario(
            f"contended_{kind}_{scheduler}",
            _contended(scheduler, job),
            _UNFAIR,
            also=_BESIDE,
            culprits=frozenset({"fio"}),
        )
        for scheduler in ("none", "mq-deadline", "kyber", "bfq")
        for kind, job in (("reads", _DEEP_READS), ("writes", _DEEP_WRITES))
    ),
    Scenario("throttled_reads", throttled_drive, frozenset({"slow_device"})),
    Scenario(
        "io_limit", limited_group, frozenset({"slow_device"}), innocents=frozenset({_INNOCENT})
    ),
    Scenario(
        "frozen_fs",
        frozen_files,
        expects="a file system of the game stood still; no drive and no program is accused",
        bursts=8,
        burst_s=0.5,
    ),
    Scenario("slow_drive", slow_image, frozenset({"slow_device"})),
    Scenario(
        "save_beside_writer",
        save_beside_writer,
        frozenset({"filesystem_commit", "slow_device", "io_unfairness"}),
        culprits=frozenset({_UPDATER}),
    ),
    Scenario("mapped_file", mapped_file, frozenset({"slow_device"})),
    Scenario(
        "spinning_for_reads",
        spinning_for_reads,
        frozenset({"slow_device"}),
        makes=WITH_WORKERS,
    ),
    Scenario(
        "two_drives",
        two_drives,
        frozenset({"filesystem_commit", "slow_device", "io_unfairness"}),
        culprits=frozenset({_UPDATER}),
    ),
    # The drive is slow all the time; that it is asked at all is the dropped cache's doing.
    Scenario(
        "dropped_cache",
        dropped_cache,
        frozenset({"dropped_caches"}),
        also=frozenset({"slow_device"}),
    ),
    Scenario(
        "reads_beside_copy",
        reads_beside_copy,
        frozenset({"io_unfairness"}),
        also=_BESIDE,
        culprits=frozenset({_BACKUP}),
    ),
    Scenario(
        "drive_in_memory",
        drive_in_memory,
        frozenset({"io_unfairness"}),
        also=_BESIDE,
        culprits=frozenset({_BACKUP}),
        innocents=frozenset({_INNOCENT}),
    ),
)
