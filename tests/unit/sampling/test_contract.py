# SPDX-License-Identifier: GPL-3.0-or-later
"""Every sampler on every captured computer: exactly the fields of the catalog, or a reason."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError
from destutter.core.metric_table import METRICS
from destutter.core.metrics import Deriver
from destutter.core.sample import Layout, Sample, decode, encode
from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.machine import MANIFEST
from destutter.sampling.registry import SAMPLERS, build_parts
from destutter.sampling.sampler import Sampler, SamplerOptions
from tests.support.fake_root import OverlaidFiles, WatchedFiles
from tests.support.measuring import SteppedClock, named
from tests.support.roots import game_of


def built(files, name, clock=None):
    """A sampler on a tree, watching the tree's game."""
    parts = build_parts(files, clock or SteppedClock(), lambda: 0)
    parts.watch.pid = game_of(files)
    return SAMPLERS[name](parts)


def read(sampler):
    """What a sampler delivers; nothing when it says that it cannot, in words."""
    try:
        return list(sampler.read())
    except (AbsentError, KernelFileError) as error:
        reason = str(error)
    assert reason
    return []


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampler_delivers_what_the_catalog_says(computer, name):
    """Its own sources, a value per field and instance, whole numbers or None; or it is absent."""
    sampler = built(computer, name)
    measurements = read(sampler)
    sampler.close()
    assert {measurement.source for measurement in measurements} <= set(sampler.sources)
    for measurement in measurements:
        assert (measurement.instances is not None) == SOURCES[measurement.source].is_instanced
        assert len(set(measurement.instances or ())) == len(measurement.instances or ())
        for row in named(measurement).values():
            assert all(value is None or type(value) is int for value in row.values())


@pytest.mark.parametrize("name", ["vmstat", "meminfo", "stat", "disk", "interrupt", "zone", "cpu"])
def test_every_computer_has_the_basics(computer, name):
    """What every kernel from 5.15 on has is there, and not only None."""
    sampler = built(computer, name)
    (first, *_) = sampler.read()
    sampler.close()
    assert any(value for value in first.values)


def test_a_computer_becomes_a_stream_of_metrics(computer):
    """Header, facts, layouts and samples of a captured tree survive the pipe and are derived."""
    clock = SteppedClock()
    options = SamplerOptions(pid=game_of(computer))
    sampler = Sampler(computer, options, clock, lambda: 0)
    deriver = Deriver(METRICS)
    stream = sampler.begin(0.0)
    for _ in range(12):
        sampler.slow.run_due()
        stream += sampler.tick(clock.now_ns)
        clock.advance(0.1)
    sampler.close()
    values: dict[str, float | None] = {}
    for message in stream:
        received = decode(encode(message))
        assert received == message
        if isinstance(received, Layout):
            deriver.accept_layout(received)
        if isinstance(received, Sample):
            values |= deriver.derive(received).values
    assert values["memory.free_bytes"]
    assert values["cpu.running"]


DAMAGE = st.one_of(
    st.none(),
    st.just(b""),
    st.binary(max_size=200),
    st.tuples(st.just("cut"), st.floats(0, 1)),
    st.tuples(st.just("flip"), st.floats(0, 1), st.binary(min_size=1, max_size=8)),
)


def damaged(data, damage):
    """A file that is missing, empty, something else, cut off, or overwritten somewhere."""
    if not isinstance(damage, tuple):
        return damage
    at = int(len(data) * damage[1])
    if damage[0] == "cut":
        return data[:at]
    return data[:at] + damage[2] + data[at + len(damage[2]) :]


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLERS)
@given(data=st.data())
@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_damaged_files_cost_only_their_sampler(computer, name, data, tmp_path):
    """Whatever a file holds, its sampler measures, is absent or names it: no other error."""
    watched = WatchedFiles(computer.root)
    clean = built(watched, name)
    read(clean)
    clean.close()
    # A tree with a damaged manifest is refused as a whole (see test_child).
    paths = [path for path in watched.asked if computer.is_file(path) and path != MANIFEST]
    if not paths:
        return
    chosen = data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3, unique=True))
    changes = {
        path: damaged(computer.read_bytes(path) or b"", data.draw(DAMAGE)) for path in chosen
    }
    clock = SteppedClock()
    sampler = built(OverlaidFiles(computer, tmp_path, changes), name, clock)
    for _ in range(2):
        for measurement in read(sampler):
            named(measurement)
        clock.advance(3)
    sampler.close()
