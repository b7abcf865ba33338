# SPDX-License-Identifier: GPL-3.0-or-later
"""The systems on which the AppImage is tried; no guest is booted here."""

import subprocess

from tests.vm.__main__ import MORE, NEWER_RELEASE, RUNS
from tests.vm.bundles import SYSTEMS, layout_of
from tests.vm.image import HERE, inputs_key
from tests.vm.releases import BOOKWORM, TRIXIE


def test_every_system_is_among_the_long_runs():
    """Each can be named; none is played by every machine."""
    assert set(SYSTEMS) <= set(MORE)
    assert not set(SYSTEMS) & set(RUNS)
    assert NEWER_RELEASE.issubset(MORE)


def test_releases_have_images_of_their_own():
    """What differs between them is in the name under which an image is kept."""
    assert inputs_key(BOOKWORM) != inputs_key(TRIXIE)


def test_layout_knows_every_word_of_the_systems():
    """A word that nothing happens for would make a system of another name than it has."""
    text = (HERE / "layout").read_text()
    for system in SYSTEMS.values():
        for word in f"{system.layout} {system.layout_later}".split():
            assert f"        {word}) " in text


def test_layout_without_words_changes_nothing():
    """Plain Debian stays what it is."""
    done = subprocess.run(
        ["sh"], input=layout_of(""), capture_output=True, check=False, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
