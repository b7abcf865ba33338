# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of samplers by name, for tests."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import RawValue
from destutter.sampling.files.measurement import Measurement, SourceSampler

T = TypeVar("T")


def named(measurement: Measurement) -> dict[str, Mapping[str, RawValue]]:
    """Instance to field to value; the instance of a scalar source is ""."""
    fields = SOURCES[measurement.source].fields
    instances = ("",) if measurement.instances is None else measurement.instances
    assert len(measurement.values) == len(fields) * len(instances), measurement
    return {
        instance: dict(
            zip(fields, measurement.values[index * len(fields) :], strict=False),
        )
        for index, instance in enumerate(instances)
    }


def read_once(sampler: SourceSampler) -> dict[str, dict[str, Mapping[str, RawValue]]]:
    """Source to instance to field to value of one reading."""
    return by_source(sampler.read())


def by_source(
    measurements: Sequence[Measurement],
) -> dict[str, dict[str, Mapping[str, RawValue]]]:
    """Source to instance to field to value."""
    return {measurement.source: named(measurement) for measurement in measurements}


def parsed(parse: Callable[[], T], path: str) -> T | None:
    """What a parser makes of any bytes; None when it refuses them, which it says of this path."""
    try:
        return parse()
    except KernelFileError as error:
        refused = error
    assert refused.path == path
    return None


class SteppedClock:
    """A clock in nanoseconds that only moves when it is told to."""

    def __init__(self, now_ns: int = 1_000_000_000_000) -> None:
        self.now_ns = now_ns

    def __call__(self) -> int:
        """The present time."""
        return self.now_ns

    def advance(self, seconds: float) -> None:
        """Move on."""
        self.now_ns += round(seconds * 1e9)
