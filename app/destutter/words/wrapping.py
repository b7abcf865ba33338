# SPDX-License-Identifier: GPL-3.0-or-later
"""Paragraphs broken into the lines of a terminal.

``textwrap`` counts letters and breaks at spaces. Here each wide sign is followed by a filler, so
that letters are columns, and between two of them a line may end, though no mark begins one.
"""

import re
from textwrap import TextWrapper

from destutter.words.columns import columns

_FILLER = "\ufdd0"  # no letter, and never one (The Unicode Standard, 23.7)
_MARKS = "，。；：？！、）」』》】％"
_OPENINGS = "（「『《【"
_WIDE = rf"(?:[{_OPENINGS}]{_FILLER})*.{_FILLER}"
_PART = re.compile(rf"(?:{_WIDE}|(?:(?!.{_FILLER}).)+)(?:[{_MARKS}]{_FILLER})*", re.DOTALL)


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most so many columns, the first and the others with a beginning of their own.

    Beside its beginning a line has room for one wide sign at least.
    """
    width = max(width, len(first) + 2, len(rest) + 2)
    wrapper = _Wrapper(width=width, initial_indent=first, subsequent_indent=rest)
    lines = wrapper.wrap("".join(sign + _FILLER * (columns(sign) - 1) for sign in text))
    return [line.replace(_FILLER, "") for line in lines]


class _Wrapper(TextWrapper):
    def _split(self, text: str) -> list[str]:
        return [part for chunk in super()._split(text) for part in _PART.findall(chunk)]

    def _handle_long_word(
        self, reversed_chunks: list[str], cur_line: list[str], cur_len: int, width: int
    ) -> None:
        super()._handle_long_word(reversed_chunks, cur_line, cur_len, width)
        if reversed_chunks[-1].startswith(_FILLER):  # its sign belongs to the next line, too
            reversed_chunks[-1] = cur_line[-1][-1] + reversed_chunks[-1]
            cur_line[-1] = cur_line[-1][:-1]
