# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalog of raw values and the table of metrics fit each other."""

from destutter.core.catalog import PROBES, SOURCES
from destutter.core.metric_table import METRICS


def test_fields_are_unique_within_their_source():
    """No source has a field twice."""
    for spec in SOURCES.values():
        assert len(spec.fields) == len(set(spec.fields)), spec.name


def test_every_metric_is_made_of_fields_that_exist():
    """Numerators and denominators are fields of the metric's source."""
    for metric in METRICS:
        assert {*metric.numerator, *metric.denominator} <= {*SOURCES[metric.source].fields}, metric


def test_probes_are_sources():
    """The sources that come from probes are in the catalog."""
    assert SOURCES.keys() >= PROBES
