# SPDX-License-Identifier: GPL-3.0-or-later
"""Every page on every screen, dark and light, in each language: a grid of pictures, on request.

A language needs a program of its own, and so do the pixels of a screen: this starts one for each.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from destutter.words.language import LANGUAGES

PAGES = (
    "live",
    "causes-game",
    "changes",
    "settings-all",
    "sessions",
    "sessions-one",
    "guide-1-welcome",
    "guide-4-choose",
    "system",
    "preferences",
    "help-page",
)
SIZES = ("640x480", "1024x740", "1280x800", "1920x1080", "3440x1440")
TWICE = "640x400"  # 1280x800 at 200 %


def commands(out: Path, names: list[str]) -> Iterator[list[str]]:
    """The programs that make all of them."""
    program = [sys.executable, "-m", "tests.screenshots", "--out", str(out)]
    for language in LANGUAGES:
        for scale, sizes in (("1", SIZES), ("2", (TWICE,))):
            options = ["--language", language, "--scale", scale]
            yield [*program, *options, "--size", *sizes, "--", *(names or PAGES)]


def make_all(out: Path, names: list[str]) -> int:
    """Make them; the first exit status that is not 0."""
    return next((code for each in commands(out, names) if (code := subprocess.call(each)) != 0), 0)
