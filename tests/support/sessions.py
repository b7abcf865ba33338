# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions for tests of summaries, comparisons and reports, without measuring anything."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from destutter.analysis.examining.figures import figures_of
from destutter.analysis.examining.summary import SessionMarker, SessionSummary
from destutter.analysis.examining.tally import SessionTally
from destutter.analysis.reading.session_import import Check, import_file
from destutter.analysis.reading.session_reader import SessionReading, Tell, examine_session
from destutter.core.sample import Header
from destutter.session.format import MAGIC
from destutter.session.recorder import Recorder
from destutter.tuning.presets import GENERAL, Preset
from tests.support.scripted_source import Script

_KNOWN: dict[tuple[bytes, Preset, bool], SessionSummary] = {}


def _examine(
    path: Path, length_s: float, tell: Tell, preset: Preset = GENERAL, *, is_judged: bool = True
) -> SessionSummary:
    """As ``examine_session``; of a recording with the same bytes the same once more."""
    try:
        content = path.read_bytes()
    except OSError:
        content = b""  # the reader says why
    if not content.startswith(MAGIC):
        return examine_session(path, length_s, tell, preset, is_judged=is_judged)
    key = hashlib.sha256(content).digest(), preset, is_judged
    if key not in _KNOWN:
        _KNOWN[key] = examine_session(path, length_s, tell, preset, is_judged=is_judged)
    tell(1.0)
    return replace(_KNOWN[key], path=str(path))


def _examine_plainly(path: Path, check: Check) -> SessionSummary:
    return _examine(path, 0.0, lambda _share: check(), is_judged=False)


HERE = SessionReading(_examine, _examine_plainly, import_file)
"""Reads in this process, and each recording once: what tests of pages want, which do not test the
reader, and show the same flights again and again.
"""

MACHINE = {"kernel": "6.1.0", "memory_kib": 32 * 1024 * 1024, "page_bytes": 4096}


def frames_of(minutes: float, long_per_minute: float, seed: int = 1) -> np.ndarray:
    """Frames of about 16.7 ms with long ones of 80 to 230 ms, spread by chance."""
    generator = np.random.default_rng(seed)
    lengths = generator.uniform(16.4, 17.0, int(minutes * 3600))
    long = generator.choice(lengths.size, int(minutes * long_per_minute), replace=False)
    lengths[long] = generator.uniform(80, 230, long.size)
    return lengths


def summary(
    lengths_ms: np.ndarray, name: str = "a.csv", origin: str = "mangohud", **fields: object
) -> SessionSummary:
    """A session that has frames only."""
    end_s = np.cumsum(lengths_ms) / 1000
    duration_s = float(end_s[-1]) if lengths_ms.size else 0.0
    figures = figures_of(SessionTally(), (end_s, lengths_ms), origin, duration_s)
    given = {
        "path": f"/home/anna/{name}",
        "header": Header(0, 1.7e9, 100, MACHINE),
        "duration_s": duration_s,
        "samples": 0,
        "game": "Flight",
        "started_at": 1.7e9,
        **figures.as_fields(),
        **fields,
    }
    return SessionSummary(**given)  # type: ignore[arg-type]


def marker(at_s: float, text: str) -> SessionMarker:
    """A marker."""
    return SessionMarker(at_s, text)


def record(
    path: Path, script: Script, tunables: Mapping[str, str] | None = None, **machine: object
) -> Path:
    """Write a script as a recording of a computer."""
    header = script.messages[0]
    assert isinstance(header, Header)
    header = Header(
        header.monotonic_ns,
        header.wall_time,
        header.interval_ms,
        {**MACHINE, **machine},
        tunables or {},
    )
    script.messages[0] = header
    with Recorder(path, header) as recorder:
        for message in script.messages:
            recorder.accept_message(message)
    return path
