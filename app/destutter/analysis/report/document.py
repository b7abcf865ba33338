# SPDX-License-Identifier: GPL-3.0-or-later
"""A report before it has a form: what is said, in order. HTML and Markdown are made from it."""

from dataclasses import dataclass
from enum import Enum

from destutter.analysis.examining.summary import Series


class Tone(Enum):
    """How a sentence is meant."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One or two sentences."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines that belong together."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; columns whose number is in ``figures`` stand to the right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Curve:
    """One series of a chart: ``role`` is "a", "b" or "other", which decides its colour."""

    name: str
    x: Series
    y: Series
    role: str = "a"


@dataclass(frozen=True, slots=True)
class Band:
    """A span of the x axis with a name."""

    name: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A graph. ``x_unit`` "s" shows times since the beginning, "ms" a logarithmic axis.

    ``text`` says in words what the graph shows, for those who cannot see it.
    """

    title: str
    text: str
    curves: tuple[Curve, ...]
    y_unit: str
    x_unit: str = "s"
    bands: tuple[Band, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()


Block = Heading | Paragraph | Listing | Table | Chart


@dataclass(frozen=True, slots=True)
class ReportDocument:
    title: str
    blocks: tuple[Block, ...]
