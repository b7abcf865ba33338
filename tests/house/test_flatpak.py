# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of the Flatpak, and what is made of it. The whole is built by `make flatpak`."""

import json
import re
import subprocess
import sys

import pytest
import yaml

from tests.house.source_tree import ROOT

ID = "io.github.destutter.Destutter"
FOLDER = ROOT / "packaging" / "flatpak"
FILE = FOLDER / f"{ID}.yaml"
SUM = re.compile(r"[0-9a-f]{64}")


@pytest.fixture
def manifest():
    """The manifest as a builder reads it."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def _made(word, given=""):
    command = [sys.executable, FOLDER / "manifest.py", word, FILE]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return done.stdout


def _sources(manifest):
    return [source for module in manifest["modules"] for source in module["sources"]]


def test_sandbox_opens_to_the_screen_the_helper_and_the_tray_alone(manifest):
    """Each permission is weighed in the manifest; one more has to be weighed here too."""
    assert manifest["finish-args"] == [
        "--share=ipc",
        "--socket=wayland",
        "--socket=fallback-x11",
        "--device=dri",
        "--system-talk-name=io.github.destutter.Helper1",
        "--talk-name=org.kde.StatusNotifierWatcher",
    ]
    assert "network" not in json.dumps(
        [module["build-commands"] for module in manifest["modules"]]
    )
    assert "build-args" not in json.dumps(manifest)


def test_every_source_is_pinned_or_of_this_checkout(manifest):
    """A file from elsewhere has the sum of what was looked at."""
    for source in _sources(manifest):
        if source["path"].endswith(".whl"):
            assert SUM.fullmatch(source["sha256"]), source
        else:
            assert (FOLDER / source["path"]).exists(), source
            assert ROOT in (FOLDER / source["path"]).resolve().parents, source


def test_pip_takes_the_wheels_with_these_sums_alone(manifest):
    """The list that `build` hands to pip has name, version and sum of each wheel."""
    lines = _made("wheels").splitlines()
    wheels = [each for each in _sources(manifest) if each["path"].endswith(".whl")]
    assert len(lines) == len(wheels) > 0
    for line in lines:
        assert re.fullmatch(r"\w+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line), line
    assert f"pyqtgraph==0.14.0 --hash=sha256:{wheels[0]['sha256']}" in lines


def test_stand_in_differs_in_its_runtime_alone(manifest):
    """Permissions, commands and sources are those that people get."""
    stand_in = json.loads(_made("stand-in"))
    runtime = "io.github.destutter.StandIn"
    assert (stand_in["runtime"], stand_in["sdk"], stand_in["runtime-version"]) == (
        (runtime, runtime, "1")
    )
    changed = {key for key in manifest if stand_in.get(key) != manifest[key]}
    assert changed == {
        *("runtime", "runtime-version", "sdk", "base", "base-version", "cleanup-commands")
    }
    assert stand_in.keys() - manifest.keys() == {"appstream-compose"}
    assert re.search(rf"readonly ID={runtime} VERSION=1 ", (FOLDER / "build-stand-in").read_text())


def test_flathub_gets_addresses_in_place_of_paths(manifest):
    """Each from pip's report, found by its sum, whatever the order."""
    wheels = [each for each in _sources(manifest) if each["path"].endswith(".whl")]
    found = [
        {
            "download_info": {
                "url": f"https://example.org/{each['path'].rpartition('/')[2]}",
                "archive_info": {"hashes": {"sha256": each["sha256"]}},
            }
        }
        for each in reversed(wheels)
    ]
    given = json.dumps({"commit": "0" * 40, "report": {"install": found}})
    told = _sources(yaml.safe_load(_made("addresses", given)))
    assert all("path" not in source for source in told)
    urls = {each["url"]: each["sha256"] for each in told if "sha256" in each}
    assert (
        urls[f"https://example.org/{wheels[0]['path'].rpartition('/')[2]}"]
        == (wheels[0]["sha256"])
    )
    assert len(urls) == len(wheels)
    assert [each["commit"] for each in told if each["type"] == "git"] == ["0" * 40]


def test_runtime_and_base_are_of_one_version(manifest):
    """PySide of the base application is linked to the Qt of that runtime."""
    assert manifest["runtime-version"] == manifest["base-version"]
    assert _made("runtime").split() == [
        f"{name}//{manifest['runtime-version']}"
        for name in ("org.kde.Platform", "org.kde.Sdk", "io.qt.PySide.BaseApp")
    ]
