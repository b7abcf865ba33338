# SPDX-License-Identifier: GPL-3.0-or-later
"""A number that decides is a place of the text: typed in, it lies when the constant changes."""

import re
import xml.etree.ElementTree as ET
from fnmatch import fnmatch

from destutter.words.catalogue import Plural, texts
from destutter.words.language import ENGLISH
from tests.house.source_tree import ROOT

_NUMBER = re.compile(r"(?<![\w=./:-])\d+(?:[.,]\d+)*(?![\w:])")
_MAY_HAVE_ONE = (
    # What the measure is, or its unit.
    "proving.head.*",
    "proving.measure.*",
    "report.compared.*",
    "report.confirmed.*",
    "report.low.*",
    "report.p9?",
    "report.points",
    "report.row.*",
    "report.single.points",
    "terminal.frames",
    # Examples, versions of others' programs, and the least that can be counted.
    "cli.no_address",
    "cli.no_time",
    "cli.xplane",
    "command.window.crashes",
    "helper.kernel.drive_not_asked",
    "helper.request.count",
    "reason.drive_limit",
    # Measured on other computers, and nothing here decides by them.
    "tuning.nvme_awake.cost",
    "tuning.sata_link.cost",
    "tuning.scheduler.cost.throughput",
)
_OF_WIDGETS = ("{ratio} to 1", "FPS / 1 % low")


def _without_places(text: str) -> str:
    return re.sub(r"\{\w+\}", "{}", text)


def test_texts_of_the_catalogue_have_no_typed_numbers():
    """But those that a measure is called by."""
    found = set()
    for path in (ROOT / "resources" / "catalogue" / ENGLISH).glob("*.json"):
        for id_, text in texts(ENGLISH, path.stem).items():
            forms = text.forms if isinstance(text, Plural) else (text,)
            if any(_NUMBER.search(_without_places(form)) for form in forms):
                found.add(id_)
    assert {id_ for id_ in found if not any(fnmatch(id_, may) for may in _MAY_HAVE_ONE)} == set()
    assert [may for may in _MAY_HAVE_ONE if not any(fnmatch(id_, may) for id_ in found)] == []


def test_texts_of_widgets_have_no_typed_numbers():
    """But those of steps in a list."""
    file = ROOT / "resources" / "translations" / "destutter_de.ts"
    sources = {each.text or "" for each in ET.parse(file).iter("source")}  # noqa: S314  our own
    found = {text for text in sources if _NUMBER.search(_without_places(text))}
    assert {text for text in found if not re.match(r"\d\. ", text)} == set(_OF_WIDGETS)
