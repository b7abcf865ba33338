# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what follows from the version in pyproject.toml and from CHANGELOG.md.

`python packaging/release/derive.py` after either has changed; tests/house compares. Derived are
the version that the helper and the command line tell, the release notes for software centres, and
the changelog of the Debian packages, whose date is also the time stamp of all that is built.
"""

import datetime as dt
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = ROOT / "CHANGELOG.md"
NAMES = ROOT / "helper" / "destutter_helper" / "api" / "names.py"
METAINFO = ROOT / "resources" / "io.github.destutter.Destutter.metainfo.xml"
DEBIAN = ROOT / "packaging" / "deb" / "debian" / "changelog"
_WIDTH = 78
"""Columns of a line in Debian's changelog."""


class ReleaseError(Exception):
    """The changelog does not have what a release needs, in words."""


@dataclass(frozen=True)
class Release:
    """A version with its date and what is told of it: paragraphs, and points below them."""

    version: str
    date: dt.date
    paragraphs: tuple[str, ...]
    points: tuple[str, ...]


def project_version() -> str:
    """The version of the project: the one place where it is written by hand."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def releases(text: str) -> list[Release]:
    """The releases of a changelog, newest first: `## VERSION - YYYY-MM-DD`, then their notes.

    The notes end where the first `###` begins. Raises ``ReleaseError`` when one has none.
    """
    found = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        match = re.fullmatch(r"(\d[\w.~+]*) - (\d{4}-\d\d-\d\d)", title.strip())
        if match is None:
            continue
        blocks = re.split(r"\n\n|\n(?=- )", body.partition("\n### ")[0].strip())
        lines = [" ".join(block.split()) for block in blocks if block.strip()]
        paragraphs = tuple(line for line in lines if not line.startswith("- "))
        if not paragraphs:
            raise ReleaseError(f"CHANGELOG.md says nothing of {match[1]} before its first '###'")
        points = tuple(line[2:] for line in lines if line.startswith("- "))
        found.append(Release(match[1], dt.date.fromisoformat(match[2]), paragraphs, points))
    return found


def helper_names(version: str) -> str:
    """The helper's contract with this version."""
    return re.sub(
        r'^HELPER_VERSION = ".*"', f'HELPER_VERSION = "{version}"', NAMES.read_text(), flags=re.M
    )


def metainfo(known: list[Release]) -> str:
    """The description for software centres with the notes of these releases."""
    lines = ["  <releases>"]
    for release in known:
        lines.append(f'    <release version="{release.version}" date="{release.date}">')
        lines.append("      <description>")
        lines += [f"        <p>{escape(text)}</p>" for text in release.paragraphs]
        if release.points:
            points = [f"          <li>{escape(text)}</li>" for text in release.points]
            lines += ["        <ul>", *points, "        </ul>"]
        lines += ["      </description>", "    </release>"]
    lines.append("  </releases>\n")
    text = re.sub(r"  <releases>.*</releases>\n", "", METAINFO.read_text(), flags=re.DOTALL)
    return text.replace("</component>", "\n".join(lines) + "</component>")


def debian_changelog(known: list[Release]) -> str:
    """The changelog of the Debian packages."""
    entries = []
    for release in known:
        lines = [f"destutter ({release.version}) unstable; urgency=medium", ""]
        for text in (*release.paragraphs, *release.points):
            lines += _wrapped(text)
        day = f"{release.date:%a, %d %b %Y} 00:00:00 +0000"
        lines += ["", f" -- Destutter contributors <destutter@localhost>  {day}", ""]
        entries.append("\n".join(lines))
    return "\n".join(entries)


def _wrapped(text: str) -> list[str]:
    lines, line = [], "  *"
    for word in text.split():
        if len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}"
    return [*lines, line]


def derived() -> dict[Path, str]:
    """What each derived file has to say. Raises ``ReleaseError``."""
    version = project_version()
    known = releases(CHANGELOG.read_text(encoding="utf-8"))
    if not known or known[0].version != version:
        raise ReleaseError(
            f"pyproject.toml says version {version}, and CHANGELOG.md does not begin with it"
        )
    return {
        NAMES: helper_names(version),
        METAINFO: metainfo(known),
        DEBIAN: debian_changelog(known),
    }


def main() -> int:
    """Write them; returns the exit status."""
    try:
        for path, text in derived().items():
            path.write_text(text, encoding="utf-8")
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
