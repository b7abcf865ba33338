# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one HTML file that needs nothing else: no network, no script, dark and light.

Every text is escaped, because names of programs and games are whatever their makers liked. A
content policy forbids the page to load or run anything, should one slip through.
"""

from html import escape
from unicodedata import category

from destutter.analysis.report.document import (
    Block,
    Chart,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
)
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.style import STYLE
from destutter.analysis.report.svg import chart_svg
from destutter.words.measures import Measures

_HEAD = """<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
"""
_PRINTABLE = {"\t", "\n"}


def to_html(document: ReportDocument, words: ReportWords) -> str:
    """The whole file; ``words`` are those that the document is written in."""
    body = "\n".join(_block(block, words.numbers) for block in document.blocks)
    title = _safe(document.title)
    return (
        f'<!DOCTYPE html>\n<html lang="{_safe(words.language)}">\n'
        f"{_HEAD}<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block, numbers: Measures) -> str:
    match block:
        case Heading(text):
            return f"<h2>{_safe(text)}</h2>"
        case Paragraph(text, tone):
            return f'<p class="{tone.value}">{_safe(text)}</p>'
        case Listing(items):
            return "<ul>\n" + "".join(f"<li>{_safe(item)}</li>\n" for item in items) + "</ul>"
        case Table():
            return _table(block)
        case Chart():
            drawn = _without_controls(chart_svg(block, numbers))
            return (
                f"<figure>\n<figcaption>{_safe(block.title)}</figcaption>\n{drawn}\n"
                f'<p class="note">{_safe(block.text)}</p>\n</figure>'
            )


def _table(table: Table) -> str:
    cells = "".join(_cell("th", head, number, table) for number, head in enumerate(table.heads))
    heads = f"<thead><tr>{cells}</tr></thead>\n" if any(table.heads) else ""
    rows = "".join(
        "<tr>" + "".join(_cell("td", cell, n, table) for n, cell in enumerate(row)) + "</tr>\n"
        for row in table.rows
    )
    return f'<div class="wide"><table>\n{heads}<tbody>\n{rows}</tbody>\n</table></div>'


def _cell(tag: str, text: str, column: int, table: Table) -> str:
    kind = ' class="figure"' if column in table.figures else ""
    scope = ' scope="col"' if tag == "th" else ""
    return f"<{tag}{scope}{kind}>{_safe(text)}</{tag}>"


def _safe(text: str) -> str:
    return _without_controls(escape(text))


def _without_controls(text: str) -> str:
    """Control characters and halves of pairs cannot stand in a file of UTF-8 text.

    Spaces of any width can: locales put narrow ones into numbers and times.
    """
    return "".join(
        each if each.isprintable() or each in _PRINTABLE or category(each) == "Zs" else "\ufffd"
        for each in text
    )
