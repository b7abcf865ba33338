# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles above a drive: requests that wait before the drive has them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.truth.drives import slow_drive
from tests.truth.machine import MIB, CannotBeMadeError, Stage, big_file, program, settings
from tests.truth.makes import Options
from tests.truth.scenario import Play, Scenario

_SAVER = "mailbox"
_BACKUP = "backup"
_HEAVY: Options = {"heavy-every": 2, "heavy-ms": 150}


@contextlib.contextmanager
def writeback_limit(place: Stage) -> Iterator[Play]:
    """The kernel lets one write through at a time, as it does while reads miss their aim.

    The aim is set far below what the drive can do (block/blk-wbt.c); many files are saved, and the
    game's save waits for its turn. The drive itself takes 200 MB a second.
    """
    with slow_drive(place.disk, 512 * MIB, write_bytes=200_000_000, has_journal=False) as drive:
        limit = Path("/sys/block") / drive.device / "queue/wbt_lat_usec"
        if not limit.exists():
            raise CannotBeMadeError(f"there is no {limit}")
        probe = big_file(drive.folder / "pictures", 8 * MIB)
        saves = drive.folder / "saves"
        saves.mkdir()
        read = ["fio", "--name=job", f"--filename={probe}", "--direct=1", "--rw=randread"]
        read += ["--bs=4k", "--rate_iops=200", "--time_based", "--runtime=120"]
        drive.hold()
        victim: Options = {
            "save": str(drive.folder / "save"),
            "write-kib": 64,
            "alloc-kib": 64,
            "sync-every": 20,
            "ahead": 0,
            "need-every": 1,
        }
        with settings({str(limit): "1"}), program(read):
            yield Play(burst=lambda: place.stall("save", saves, 24, name=_SAVER), victim=victim)


@contextlib.contextmanager
def few_tags(place: Stage) -> Iterator[Play]:
    """The drive's queue has four places, and a backup has them all."""
    with slow_drive(place.disk, 512 * MIB, reads_per_s=300) as drive:
        assets = big_file(drive.folder / "assets", 64 * MIB)
        other = big_file(drive.folder / "other", 64 * MIB)
        queue = Path("/sys/block") / drive.device / "queue"
        read = ["fio", f"--name={_BACKUP}", f"--filename={other}", "--direct=1", "--rw=randread"]
        read += ["--bs=4k", "--numjobs=48", "--time_based", "--runtime=60"]
        drive.hold()
        victim: Options = {"assets": str(assets), "read-kib": 4, "alloc-kib": 64}
        # Without a scheduler the number of places is the driver's own.
        with settings({str(queue / "scheduler"): "mq-deadline", str(queue / "nr_requests"): "4"}):
            yield Play(burst=lambda: program(read), victim=victim)


@contextlib.contextmanager
def few_tags_elsewhere(place: Stage) -> Iterator[Play]:
    """The same while the game reads nothing, and is slow by itself."""
    with few_tags(place) as play:
        yield Play(burst=play.burst, victim=_HEAVY)


@contextlib.contextmanager
def writeback_limit_elsewhere(place: Stage) -> Iterator[Play]:
    """Others are held back by the limit while the game writes nothing, and is slow by itself."""
    with writeback_limit(place) as play:
        yield Play(burst=play.burst, victim=_HEAVY)


_SLOW_BY_ITSELF = "the game's own thread computed: which one, and for how long"

QUEUES = (
    Scenario(
        "writeback_limit",
        writeback_limit,
        # Whose writes stand in front, and that the drive takes long for them, is as right as what
        # keeps them from it.
        frozenset({"wbt_throttling", "io_unfairness", "slow_device"}),
        also=frozenset({"filesystem_commit"}),
        culprits=frozenset({_SAVER}),
    ),
    Scenario(
        "few_tags",
        few_tags,
        frozenset({"io_unfairness", "slow_device"}),
        culprits=frozenset({"fio"}),
    ),
    Scenario("few_tags_elsewhere", few_tags_elsewhere, expects=_SLOW_BY_ITSELF),
    Scenario("writeback_limit_elsewhere", writeback_limit_elsewhere, expects=_SLOW_BY_ITSELF),
)
