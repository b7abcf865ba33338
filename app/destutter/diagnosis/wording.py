# SPDX-License-Identifier: GPL-3.0-or-later
"""Which texts of the catalogue tell of a finding."""

from collections.abc import Mapping

from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import Finding
from destutter.words.catalogue import find_text, places
from destutter.words.language import ENGLISH


def named_as(finding: Finding) -> str:
    """What the name and the explanation of a finding stand under: its way, or else its cause."""
    way = finding.told_as
    return way if find_text(ENGLISH, f"cause.{way}") is not None else finding.cause


def told_with(id_: str, values: Mapping[str, Value]) -> Statement:
    """The sentence with these values, or its plain one, which does without what is missing."""
    is_whole = find_text(ENGLISH, id_) is None or places(id_) <= values.keys()
    return Statement(id_ if is_whole else f"{id_}.plain", dict(values))
