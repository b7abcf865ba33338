# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the bench: what each is made of, and how it is compiled."""

import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = {
    "victim": ("victim", "game"),
    "engine": ("engine", "game"),
    "stall": ("stall",),
    "compositor": ("compositor",),
}


def compile_into(folder: Path, name: str, *options: str) -> Path:
    """Compile a program into a folder; gcc has to be there."""
    program = folder / name
    sources = [str(HERE / f"{source}.c") for source in SOURCES[name]]
    command = ["gcc", "-O2", "-Wall", "-pthread", *options, "-o", str(program), *sources]
    subprocess.run(command, check=True)
    return program
