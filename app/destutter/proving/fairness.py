# SPDX-License-Identifier: GPL-3.0-or-later
"""How long one reader waits beside a heavy job on the same drive: the fairness of storage.

Two jobs of fio at once, past the page cache: the reader asks for 4 KiB and waits for it, as a
game does that needs a texture now; the heavy one keeps 512 requests under way, as a download or a
scan does. With the heavy job alone a drive may look fast while everybody else waits. Reads only:
the files are written once, at the start, and taken away at the end.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement, Value
from destutter.core.system_error import system_reason
from destutter.proving.experiment import BlockMeasure, ExperimentError

FILE_MIB = 1024  # the study's 2 and 4 GiB take long to write; less may lie in a drive's own cache
# The BFQ study's experiment: one reader that waits, beside a job that fills every queue.
_READER_DEPTH, _HEAVY_DEPTH = 1, 512
# So that a test never fills a drive.
_NEEDED_TIMES = 4
_SPARE_SHARE = 0.1
_LIMIT_S = 300.0  # a slow drive takes minutes to write both files; a job that hangs ends with it
_MEASURES = (
    BlockMeasure("reader_p99_ms", Statement("proving.measure.reader_p99"), "ms"),
    BlockMeasure("reader_median_ms", Statement("proving.measure.reader_median"), "ms"),
    BlockMeasure("reader_per_s", Statement("proving.measure.reader"), "per_s", is_cost=False),
    BlockMeasure("heavy_per_s", Statement("proving.measure.heavy"), "per_s", is_cost=False),
    BlockMeasure("heavy_per_reader", Statement("proving.measure.heavy_to_reader"), "ratio"),
)


class Fairness:
    """The pair of jobs in files of ``file_mib`` each, below ``folder``."""

    name = "storage"
    measures: tuple[BlockMeasure, ...] = _MEASURES
    ended_early: Statement | None = None

    def __init__(self, folder: str, seconds: float, file_mib: int = FILE_MIB) -> None:
        self._folder = folder
        self._seconds = seconds
        self._file_mib = file_mib
        self._place: tempfile.TemporaryDirectory[str] | None = None

    def prepare(self) -> None:
        """Write both files. Raises ``ExperimentError`` without fio or without room."""
        if shutil.which("fio") is None:
            if is_sandboxed():
                raise ExperimentError(Statement("proving.needs_fio.sandbox"))
            raise ExperimentError(Statement("proving.needs_fio"))
        self._check_room()
        try:
            self._place = tempfile.TemporaryDirectory(prefix=".destutter-prove-", dir=self._folder)
        except OSError as error:
            values: dict[str, Value] = {"folder": self._folder, "error": system_reason(error)}
            raise ExperimentError(Statement("proving.folder", values)) from None
        self._fio("--create_only=1")

    def block(self) -> Mapping[str, float]:
        """Run both jobs at once for the seconds of a block."""
        limits = ("--time_based", f"--runtime={self._seconds:g}", "--randrepeat=0")
        return read_result(self._fio(*limits))

    def close(self) -> None:
        """Take the files away."""
        if self._place is not None:
            self._place.cleanup()
            self._place = None

    def _check_room(self) -> None:
        numbers = os.statvfs(self._folder)
        free = numbers.f_bavail * numbers.f_frsize
        needed = _NEEDED_TIMES * 2 * self._file_mib << 20
        if free < needed or free < _SPARE_SHARE * numbers.f_blocks * numbers.f_frsize:
            raise ExperimentError(
                Statement(
                    "proving.no_room",
                    {"folder": self._folder, "free_bytes": free, "needed_bytes": needed},
                )
            )

    def _fio(self, *options: str) -> str:
        assert self._place is not None  # noqa: S101  prepare made it
        common = ["fio", "--output-format=json", "--direct=1", "--ioengine=libaio", *options]
        for name, depth in (("reader", _READER_DEPTH), ("heavy", _HEAVY_DEPTH)):
            file = os.path.join(self._place.name, name)
            common += [f"--name={name}", f"--filename={file}", f"--size={self._file_mib}m"]
            common += ["--rw=randread", "--bs=4k", f"--iodepth={depth}"]
        try:
            done = subprocess.run(
                common, capture_output=True, text=True, timeout=_LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise ExperimentError(Statement("proving.fio.late")) from None
        if done.returncode != 0:
            words = (done.stderr or done.stdout).strip().splitlines()
            reason = words[-1] if words else str(done.returncode)
            raise ExperimentError(Statement("proving.fio.failed", {"reason": reason}))
        return done.stdout


def read_result(text: str) -> Mapping[str, float]:
    """The measures in what fio printed. Raises ``ExperimentError`` when they are not in it."""
    try:
        # Notes may stand before the object.
        jobs = {job["jobname"]: job for job in json.loads(text[text.index("{") :])["jobs"]}
        times = _percentiles(jobs["reader"])
        reader, heavy = (float(jobs[name]["read"]["iops"]) for name in ("reader", "heavy"))
        if jobs["reader"]["error"] or jobs["heavy"]["error"] or reader <= 0:
            raise ExperimentError(Statement("proving.fio.unreadable"))
        return {
            "reader_p99_ms": times["99.000000"] / 1e6,
            "reader_median_ms": times["50.000000"] / 1e6,
            "reader_per_s": reader,
            "heavy_per_s": heavy,
            "heavy_per_reader": heavy / reader,
        }
    except (KeyError, ValueError, TypeError) as error:
        reason = {"error": str(error)}
        raise ExperimentError(Statement("proving.fio.not_understood", reason)) from None


def _percentiles(job: Mapping[str, Any]) -> Mapping[str, float]:
    found: Mapping[str, float] = job["read"]["clat_ns"]["percentile"]
    return found
