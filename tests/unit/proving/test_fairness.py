# SPDX-License-Identifier: GPL-3.0-or-later
"""The pair of jobs on one drive: fio's result, and real fio where it is installed."""

import contextlib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from destutter.proving.experiment import ExperimentError
from destutter.proving.fairness import Fairness, read_result


def _job(name, iops, p50=200_000, p99=3_000_000):
    percentiles = {"50.000000": p50, "99.000000": p99}
    read = {"iops": iops, "clat_ns": {"percentile": percentiles}}
    return {"jobname": name, "error": 0, "read": read}


def _text(*jobs):
    return "note: both iodepth >= 1\n" + json.dumps({"jobs": jobs})


def test_result_in_units():
    """Nanoseconds become milliseconds; the fairness index is heavy over reader."""
    found = read_result(_text(_job("reader", 500.0), _job("heavy", 100_000.0)))
    assert found["reader_p99_ms"] == 3.0
    assert found["reader_median_ms"] == 0.2
    assert found["heavy_per_reader"] == 200.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "{}",
        '{"jobs": 3}',
        _text(_job("reader", 500.0)),
        _text(_job("reader", 0.0), _job("heavy", 1.0)),
        _text({**_job("reader", 5.0), "error": 5}, _job("heavy", 1.0)),
    ],
)
def test_anything_else_is_told_in_words(text):
    """A result without both jobs is an error of one line, never a zero."""
    with pytest.raises(ExperimentError):
        read_result(text)


ODD = st.none() | st.booleans() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
NUMBERS = st.floats(0.1, 1e6) | st.integers(1, 1 << 40)
TIMES = st.fixed_dictionaries(
    {}, optional={"50.000000": NUMBERS | ODD, "99.000000": NUMBERS | ODD}
)
READS = st.fixed_dictionaries(
    {"iops": NUMBERS | ODD, "clat_ns": st.fixed_dictionaries({"percentile": TIMES | ODD}) | ODD}
)
JOBS = st.fixed_dictionaries(
    {
        "jobname": st.sampled_from(["reader", "heavy"]) | ODD,
        "error": st.integers(0, 1),
        "read": READS | ODD,
    }
)


@given(st.lists(JOBS | ODD, max_size=3) | ODD)
@example([_job("reader", 500.0), _job("heavy", 1.0)])
def test_any_output_is_a_result_of_numbers_or_an_error_in_words(jobs):
    """No other exception leaves the reader, and no measure without a number behind it."""
    with contextlib.suppress(ExperimentError):
        found = read_result(json.dumps({"jobs": jobs}))
        assert all(value >= 0 for value in found.values())
        assert found["reader_per_s"] > 0


def test_missing_fio_is_named(tmp_path, monkeypatch):
    """Without fio nothing is written, and the sentence names what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    experiment = Fairness(str(tmp_path), 1.0)
    with pytest.raises(ExperimentError, match="fio"):
        experiment.prepare()
    experiment.close()
    assert not list(tmp_path.iterdir())


def test_too_little_room_is_told(tmp_path, monkeypatch):
    """Files that would fill the file system are not begun."""
    programs, folder = tmp_path / "bin", tmp_path / "games"
    programs.mkdir()
    folder.mkdir()
    (programs / "fio").symlink_to("/bin/false")
    monkeypatch.setenv("PATH", str(programs))
    experiment = Fairness(str(folder), 1.0, file_mib=1 << 30)
    with pytest.raises(ExperimentError, match="B free"):
        experiment.prepare()
    assert not list(folder.iterdir())
