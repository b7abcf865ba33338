# SPDX-License-Identifier: GPL-3.0-or-later
"""The program without its files, as pip installs it alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import destutter
import destutter_helper

ROOT = Path(__file__).parents[3]
RECORDING = ROOT / "tests/data/sessions/contended_reads_bfq.destutter"


def test_what_was_found_is_told_by_ids_and_values(tmp_path):
    """Nothing ends for want of a text, and nothing that was measured is lost."""
    for package in (destutter, destutter_helper):
        folder = Path(str(package.__file__)).parent
        no_caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(folder, tmp_path / folder.name, ignore=no_caches)
    told = subprocess.run(
        [sys.executable, "-m", "destutter", "diagnose", RECORDING],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "verdict.stutter" in told
    assert "io_unfairness" in told
    assert "explained: " in told
