# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and sentences one after the other, with the marks of the user's language."""

from collections.abc import Iterable
from functools import reduce

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def listed(names: Iterable[str]) -> str:
    """Names as part of a sentence: "vm.swappiness, nvme0n1 and sda"."""
    *others, last = [*names] or [""]
    if not others:
        return last
    joined = translate("Listing", ", ", "between names").join(others)
    return translate("Listing", "{names} and {last}").format(names=joined, last=last)


def enumerated(names: Iterable[str]) -> str:
    """Names and nothing else: "none, bfq, kyber"."""
    return translate("Listing", ", ", "between names").join(names)


def as_sentence(text: str) -> str:
    """A remark of the helper, which begins small and has no stop, as a sentence of its own."""
    return with_full_stop(text[:1].upper() + text[1:])


def with_full_stop(text: str) -> str:
    """A sentence that may begin with the name of a drive, which stays as the kernel writes it."""
    if not text or text.endswith((".", "!", "?", "。")):
        return text
    return translate("Listing", "{text}.", "a sentence and its full stop").format(text=text)


def sentences(texts: Iterable[str]) -> str:
    """Whole sentences in one paragraph; empty ones are left out."""
    pair = translate("Listing", "{first} {second}", "two sentences, each with its own full stop")
    said = [text for text in texts if text] or [""]
    return reduce(lambda first, second: pair.format(first=first, second=second), said)
