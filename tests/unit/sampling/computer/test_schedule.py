# SPDX-License-Identifier: GPL-3.0-or-later
"""/proc/schedstat in its versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileError
from destutter.sampling.computer.schedule import RunqueueSampler, parse_schedstat
from destutter.sampling.files.measurement import AbsentError
from tests.support.fake_root import FakeRoot
from tests.support.measuring import parsed, read_once

CPU = "cpu{} 0 0 0 0 0 0 1834111222333 91000111222 48000123\n"
# Domain lines changed: version 15 has 36 numbers, 17 has 45 and a name behind the number.
DOMAINS = {
    15: "domain0 00000003 " + "7 " * 36,
    16: "domain0 00000003 " + "7 " * 36,
    17: "domain0 SMT 00000003 " + "7 " * 45,
}


@pytest.mark.parametrize("version", [15, 16, 17])
def test_cpu_lines_of_every_version_are_the_same(tmp_path, version):
    """Run time, delay and slices are read from each version; domains are passed over."""
    domain = DOMAINS[version].strip() + "\n"
    text = f"version {version}\ntimestamp 42\n{CPU.format(0)}{domain}{CPU.format(1)}{domain}"
    sampler = RunqueueSampler(FakeRoot(tmp_path, {"/proc/schedstat": text}).files)
    row = {"run_ns": 1834111222333, "run_delay_ns": 91000111222, "timeslices": 48000123}
    assert read_once(sampler)["runqueue"] == {"cpu0": row, "cpu1": row}
    sampler.close()


def test_a_version_that_nobody_looked_at_is_refused():
    """A newer layout is said to be unknown instead of being misread."""
    with pytest.raises(KernelFileError, match="version that is not known"):
        parse_schedstat(f"version 18\n{CPU.format(0)}".encode())


def test_a_kernel_without_it_says_so(tmp_path):
    """A kernel built without CONFIG_SCHEDSTATS is named."""
    with pytest.raises(AbsentError, match="CONFIG_SCHEDSTATS"):
        RunqueueSampler(FakeRoot(tmp_path).files).read()


@given(st.binary(max_size=200), st.sampled_from([b"", b"version 15\n", b"version 17\ncpu0 1 2\n"]))
def test_any_bytes_give_cpus_or_an_error(data, start):
    """No content makes the parser fail in another way."""
    found = parsed(lambda: parse_schedstat(start + data), "/proc/schedstat")
    assert found is None or len(found[1]) == 3 * len(found[0])
