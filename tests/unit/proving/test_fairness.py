# SPDX-License-Identifier: GPL-3.0-or-later
"""The pair of jobs on one drive: fio's result, and real fio where it is installed."""

import json

import pytest
from hypothesis import given
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


@given(st.text(max_size=200))
def test_any_text_is_a_result_or_an_error_in_words(text):
    """No other exception leaves the reader."""
    with pytest.raises(ExperimentError):
        read_result("{" + text)


def test_missing_fio_is_named(tmp_path, monkeypatch):
    """Without fio nothing is written, and the sentence names what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    experiment = Fairness(str(tmp_path), 1.0)
    with pytest.raises(ExperimentError, match="fio"):
        experiment.prepare()
    experiment.close()
    assert not list(tmp_path.iterdir())


def test_too_little_room_is_told(tmp_path):
    """Files that would fill the file system are not begun."""
    experiment = Fairness(str(tmp_path), 1.0, file_mib=1 << 30)
    with pytest.raises(ExperimentError, match=r"B free|needs fio"):
        experiment.prepare()
    assert not list(tmp_path.iterdir())
