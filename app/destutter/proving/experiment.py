# SPDX-License-Identifier: GPL-3.0-or-later
"""What all short experiments have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from destutter.core.statement import Statement, StatementError


class ExperimentError(StatementError):
    """The experiment cannot be made."""


@dataclass(frozen=True, slots=True)
class BlockMeasure:
    """One number of a block. The first measure of an experiment is the one that decides.

    ``unit`` is "ms", "per_s", "count", "ratio" or "MiB"; ``is_cost``: less of it is better.
    """

    id: str
    label: Statement
    unit: str
    is_cost: bool = True


class Experiment(Protocol):
    """Measures the same thing again and again, in blocks of a few seconds."""

    name: str
    measures: tuple[BlockMeasure, ...]
    ended_early: Statement | None
    """Why a block, the last of those that did, ended before it was done."""

    def prepare(self) -> None:
        """Make what the blocks need. Raises ``ExperimentError``."""

    def block(self) -> Mapping[str, float]:
        """Measure once: a value per measure. Raises ``ExperimentError``."""

    def close(self) -> None:
        """Take away what was made. May be called twice, also without ``prepare``."""
