# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian packages without freezing the window: what is in them, and what their scripts say.

The whole of them is built by `make deb` and installed in a guest by `make test-vm`.
"""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib

import pytest

from destutter.commands.version import program_version
from destutter.sampling.own_program import own_command
from tests.house.source_tree import ROOT

DEBIAN = ROOT / "packaging" / "deb" / "debian"
WINDOW = {
    "usr/bin/destutter",
    "usr/share/applications/io.github.destutter.Destutter.desktop",
    "usr/share/metainfo/io.github.destutter.Destutter.metainfo.xml",
    "usr/share/icons/hicolor/scalable/apps/io.github.destutter.Destutter.svg",
    "usr/share/icons/hicolor/symbolic/apps/io.github.destutter.Destutter-symbolic.svg",
    "usr/share/bash-completion/completions/destutter",
    "usr/share/doc/destutter/README.md",
    "usr/share/man/man1/destutter.1",
}
HELPER = {
    "usr/lib/systemd/system/destutter-boot.service",
    "usr/lib/systemd/system/destutter-confirm.service",
    "usr/lib/systemd/system/destutter-confirm.timer",
    "usr/lib/systemd/system/destutter-helper.service",
    "usr/lib/systemd/system/destutter-recover.service",
    "usr/lib/systemd/system/destutter-resume.service",
    "usr/lib/tmpfiles.d/destutter.conf",
    "usr/libexec/destutter/destutter-helper",
    "usr/libexec/destutter/destutter-lender",
    "usr/share/dbus-1/services/io.github.destutter.Destutter.Lender1.service",
    "usr/libexec/destutter/destutter_helper/introspection.xml",
    "usr/share/dbus-1/interfaces/io.github.destutter.Helper1.xml",
    "usr/share/dbus-1/system-services/io.github.destutter.Helper1.service",
    "usr/share/dbus-1/system.d/io.github.destutter.Helper1.conf",
    "usr/share/doc/destutter-helper/SECURITY.md",
    "usr/share/polkit-1/actions/io.github.destutter.policy",
}


def staged(package, folder):
    """The files, as names below the folder, that a package gets beside the frozen window."""
    subprocess.run([ROOT / "packaging/deb/stage", package, folder], check=True, timeout=60)
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_window_package_has_its_files(tmp_path):
    """The window's package has the program, menu entry, icons, description, manual, completion."""
    found = staged("window", tmp_path)
    assert found == WINDOW
    assert (tmp_path / "usr/bin/destutter").readlink().as_posix() == "../lib/destutter/destutter"


def test_helper_package_is_the_readable_source(tmp_path):
    """The helper's package has every module of the checkout as text, and nothing compiled."""
    found = staged("helper", tmp_path)
    modules = {
        f"usr/libexec/destutter/{path.relative_to(ROOT / 'helper')}"
        for path in (ROOT / "helper").rglob("*.py")
    }
    links = {name for name in found if ".wants/" in name}
    assert found - modules - links == HELPER
    assert modules <= found
    assert links == {
        "usr/lib/systemd/system/multi-user.target.wants/destutter-boot.service",
        "usr/lib/systemd/system/timers.target.wants/destutter-confirm.timer",
        *(
            f"usr/lib/systemd/system/{target}.target.wants/destutter-resume.service"
            for target in ("suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate")
        ),
    }


def test_native_package_is_the_readable_source(tmp_path):
    """The window on the distribution's Qt: modules and resources as they are, and no helper."""
    found = staged("native", tmp_path)
    inside = "usr/share/destutter"
    modules = {
        f"{inside}/modules/{path.relative_to(ROOT / folder)}"
        for folder, pattern in (("app", "destutter"), ("helper", "destutter_helper/api"))
        for path in (ROOT / folder / pattern).rglob("*.py")
    }
    of_helper = f"{inside}/modules/destutter_helper/__init__.py"
    resources = {name for name in found if name.startswith(f"{inside}/resources/")}
    assert found - resources - modules == WINDOW | {f"{inside}/destutter", of_helper}
    assert modules <= found
    assert {name.split("/")[4] for name in resources} == {
        *("icons", "presets", "catalogue", "explanations", "translations")
    }
    assert (tmp_path / "usr/bin/destutter").readlink().as_posix() == "../share/destutter/destutter"
    assert not [name for name in found if name.endswith((".ts", ".pyc", "py.typed"))]


def test_native_program_finds_its_modules_and_starts_itself_again(tmp_path):
    """Wherever it is called, and whatever PYTHONPATH says; its own processes go through it too."""
    staged("native", tmp_path)
    program = tmp_path / "usr/bin/destutter"
    (tmp_path / "destutter.py").write_text("raise SystemExit('a stranger')")
    done = subprocess.run(
        [program, "--version"],
        env={"PYTHONPATH": str(tmp_path), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, f"destutter {program_version()}\n")
    place = tmp_path / "usr/share/destutter"
    modules = place / "modules/destutter/sampling/own_program.py"
    assert own_command(str(modules)) == [str(place / "destutter")]
    assert own_command() == [sys.executable, "-m", "destutter"]


def test_versions_agree():
    """The packages have the version of the project."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert (DEBIAN / "changelog").read_text().startswith(f"destutter ({version}) ")


@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm"])
def test_maintainer_scripts_parse(name):
    """Each script of the helper's package is understood by sh, and stops at a failure."""
    script = DEBIAN / f"destutter-helper.{name}"
    subprocess.run(["sh", "-n", script], check=True)
    assert re.search("^set -e$", script.read_text(), re.MULTILINE)


def test_removal_takes_changes_back():
    """The helper's changes are undone before its files go, and its state when it is purged."""
    prerm = (DEBIAN / "destutter-helper.prerm").read_text()
    assert "--undo-all --no-dbus" in prerm[prerm.index("remove)") :]
    postrm = (DEBIAN / "destutter-helper.postrm").read_text()
    assert "rm -rf /var/lib/destutter" in postrm[postrm.index("= purge") :]


def test_helper_depends_on_what_it_imports():
    """The helper's package names the distribution's Python modules, the bus and polkit."""
    text = (DEBIAN / "control").read_text()
    depends = text[text.index("Package: destutter-helper") :]
    for name in ("python3-dbus", "python3-gi", "dbus-system-bus", "polkitd"):
        assert name in depends


def test_window_package_has_every_resource_that_the_window_opens():
    """What the code takes from the folder of resources is frozen with it."""
    recipe = (ROOT / "packaging/frozen/destutter.spec").read_text()
    code = "".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    wanted = set(re.findall(r'resource_folder\(\) / "(\w+)"', code))
    assert {"icons", "translations"} <= wanted
    assert {name for name in wanted if f'"{name}"' in recipe} == wanted


def test_window_has_what_is_imported_by_name():
    """PyInstaller sees no module whose name is a text: the recipe names it (NVIDIA's library)."""
    recipe = (ROOT / "packaging/frozen/destutter.spec").read_text()
    code = "".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    wanted = set(re.findall(r'import_module\("(\w+)"\)', code))
    assert wanted
    missing = {name for name in wanted if f'"{name}"' not in recipe}
    assert not missing


def test_nothing_that_a_part_of_the_window_needs_is_left_out():
    """A package that another one imports, though nothing of ours does: pyqtgraph asks for one."""
    recipe = ast.parse((ROOT / "packaging/frozen/destutter.spec").read_text())
    excluded = {
        text.value
        for node in recipe.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "EXCLUDED_MODULES"
        for text in ast.walk(node.value)
        if isinstance(text, ast.Constant)
    }
    assert "tkinter" in excluded
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = [re.split(r"[^\w.-]", each)[0] for each in ours]
    for name in wanted:
        needs = importlib.metadata.requires(name) or []
        wanted += [re.split(r"[^\w.-]", each)[0] for each in needs if "extra ==" not in each]
    owners = importlib.metadata.packages_distributions()
    asked = {each.lower().replace("-", "_") for each in wanted}
    needed = {
        module
        for module, names in owners.items()
        if asked & {each.lower().replace("-", "_") for each in names}
    }
    assert {"pyqtgraph", "colorama", "numpy"} <= needed
    assert not needed & excluded
