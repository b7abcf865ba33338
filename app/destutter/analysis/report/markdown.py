# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as Markdown with tables, for forums and bug trackers. Graphs stay in the HTML."""

import re

from destutter.analysis.report.document import (
    Block,
    Chart,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
    Tone,
)

_SPECIAL = re.compile(r"([\\`*_\[\]{}<>|~$@#])")
_AT_START = re.compile(r"^(\s*\d*)([.)](?=\s|$)|[-+](?=[-+\s]|$)|=)")


def to_markdown(document: ReportDocument) -> str:
    blocks = [f"# {plain(document.title)}", *(_block(block) for block in document.blocks)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def plain(text: str) -> str:
    """A text that no forum takes for markup: no links, mentions, tables, HTML or line breaks."""
    one_line = " ".join("".join(c if c.isprintable() else " " for c in text).split(" "))
    escaped = _SPECIAL.sub(r"\\\1", one_line.replace("&", "&amp;")).replace("://", ":&#47;/")
    return _AT_START.sub(r"\1\\\2", escaped)


def _block(block: Block) -> str:
    match block:
        case Heading(text):
            return f"## {plain(text)}"
        case Paragraph(text, tone):
            return f"**{plain(text)}**" if tone in (Tone.GOOD, Tone.BAD) else plain(text)
        case Listing(items):
            return "\n".join(f"- {plain(item)}" for item in items)
        case Table():
            return _table(block)
        case Chart():
            return ""


def _table(table: Table) -> str:
    rules = ["---:" if n in table.figures else "---" for n in range(len(table.heads))]
    lines = [
        _row([plain(head) for head in table.heads]),
        _row(rules),
        *(_row([plain(cell) for cell in row]) for row in table.rows),
    ]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
