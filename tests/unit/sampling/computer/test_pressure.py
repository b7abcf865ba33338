# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure of kernels with and without it, with and without interrupts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.pressure import PressureSampler, PressureTotals, parse_pressure
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed, read_once

SOME = "some avg10=0.00 avg60=0.12 avg300=0.00 total={}\n"
FULL = "full avg10=0.00 avg60=0.00 avg300=0.00 total={}\n"


def test_all_resources_are_read(tmp_path):
    """Some and full in microseconds; interrupts have only full, an old CPU file only some."""
    root = FakeRoot(
        tmp_path,
        {
            "/proc/pressure/cpu": SOME.format(11),
            "/proc/pressure/memory": SOME.format(22) + FULL.format(21),
            "/proc/pressure/io": SOME.format(33) + FULL.format(31),
            "/proc/pressure/irq": FULL.format(44),
        },
    )
    sampler = PressureSampler(root.files, PressureTotals())
    assert read_once(sampler)["pressure"] == {
        "cpu": {"some_us": 11, "full_us": None},
        "memory": {"some_us": 22, "full_us": 21},
        "io": {"some_us": 33, "full_us": 31},
        "irq": {"some_us": None, "full_us": 44},
    }
    sampler.close()


def test_a_kernel_without_pressure_says_what_to_do(tmp_path):
    """With psi off the reason names the setting that turns it on; it may come back."""
    root = FakeRoot(tmp_path)
    sampler = PressureSampler(root.files, PressureTotals())
    with pytest.raises(AbsentError, match="psi=1"):
        sampler.read()
    root.put("/proc/pressure/cpu", SOME.format(1))
    assert list(read_once(sampler)["pressure"]) == ["cpu"]
    sampler.close()


@pytest.mark.parametrize("text", [
    "", "other\n", "some avg10=0.00\n", "some total=x\n", "some 12\nfull total=3\n",
    "some avg10=0.00\nfull total=3\n", "some total=3\nfull 4\n", "some total=3\nfull total=x\n",
])  # fmt: skip
def test_a_damaged_file_is_an_error(text):
    """Anything but the two lines of the kernel raises with the path."""
    with pytest.raises(KernelFileError, match="/proc/pressure/io"):
        parse_pressure("/proc/pressure/io", text.encode())


@given(st.binary(max_size=200), st.sampled_from([b"", b"some total=5\n", b"full avg10=0 "]))
def test_any_bytes_give_totals_or_an_error(data, start):
    """No content makes the parser fail in another way."""
    parsed(lambda: parse_pressure("/p", start + data), "/p")
