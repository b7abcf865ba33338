# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists what is inside the frozen bundles, with versions and licences, as CycloneDX 1.5.

    PYTHON packaging/release/parts.py OUT SECONDS NAME=FOLDER ...

SECONDS since 1970 are the time of the release. PYTHON is the one that froze them: it knows where
each file came from. FOLDER is a frozen program (the one with _internal). NAME says which bundle
it is in; the program in front of the file system of "AppImage" is looked up as well. Every file
and every module has to belong to a part that has a licence, else this fails: nothing comes into a
bundle unseen.
"""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LICENCES = tomllib.loads((Path(__file__).parent / "licences.toml").read_text(encoding="utf-8"))
OWN = re.compile(r"resources/|destutter")
PYTHON = re.compile(r"lib-dynload/|base_library\.zip$|libpython|python3[^/]*/")
IN_WHEELS = (
    (re.compile(r"PySide6/Qt/lib/libicu|libicu"), "ICU"),
    (re.compile(r"PySide6/Qt/|libQt6"), "Qt"),
    (re.compile(r"numpy\.libs/libscipy_openblas"), "OpenBLAS"),
    (re.compile(r"numpy\.libs/libgfortran"), "libgfortran"),
    (re.compile(r"numpy\.libs/libquadmath"), "libquadmath"),
)
RUNTIME = (
    *("libsquashfuse-dev", "libfuse3-dev", "libc6-dev", "libzstd-dev", "zlib1g-dev"),
    *("liblzma-dev", "liblz4-dev"),
)
"""What packaging/appimage/build-runtime links statically."""


class PartError(Exception):
    """Something in a bundle belongs to no part that is known, in words."""


@dataclass(frozen=True, order=True)
class Part:
    """A part with its address as a package (purl) and its licence (SPDX)."""

    name: str
    version: str
    address: str
    licence: str


def licence_of(kind: str, name: str) -> str:
    """What licences.toml says of it. Raises ``PartError``."""
    try:
        return str(LICENCES[kind][name])
    except KeyError:
        place = f"[{kind}] of packaging/release/licences.toml"
        raise PartError(f"{name} is in a bundle, and its licence is not in {place}") from None


def of_python(name: str) -> Part:
    """A distribution that this Python has. Raises ``PartError``."""
    metadata = importlib.metadata.metadata(name)
    named, version = metadata["Name"], metadata["Version"]
    licence = metadata.get("License-Expression") or licence_of("python", named)
    address = f"pkg:pypi/{named.lower().replace('_', '-')}@{version}"
    return Part(named, version, address, licence)


def inside_wheel(name: str, path: str) -> Part:
    """A library that a wheel brings as a file of its own."""
    version = ""
    if name == "Qt":
        from PySide6.QtCore import qVersion

        version = qVersion()
    elif name == "OpenBLAS":
        import numpy as np

        version = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["version"]
    elif match := re.search(r"\.so\.([\d.]+)$", path):
        version = match[1]
    return Part(name, version, f"pkg:generic/{name.lower()}@{version}", licence_of("inside", name))


def of_debian(package: str) -> Part:
    """An installed package of Debian, named by its source."""
    form = "${source:Package} ${source:Version} ${Version} ${Architecture}"
    command = ["dpkg-query", "--show", "--showformat", form, package]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise PartError(f"{package} is in a bundle, and dpkg does not know it")
    source, version, of_binary, architecture = told.stdout.split()
    binary = package.partition(":")[0]
    address = f"pkg:deb/debian/{binary}@{of_binary}?arch={architecture}"
    return Part(binary, version, address, licence_of("debian", source))


def _package_of(library: str) -> str:
    """The package of Debian that a library in the folder was copied from."""
    command = ["dpkg-query", "--search", f"*/{library}"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in told.splitlines():
        package, _, path = line.partition(": ")
        if re.fullmatch(r"(/usr)?/lib/[\w-]+/[^/]+", path):
            return package
    raise PartError(f"nobody knows where {library} in a bundle comes from")


def part_of_file(path: str, python_part: Part) -> Part | None:
    """The part to which a file of _internal belongs; None for Destutter's own."""
    for pattern, name in IN_WHEELS:
        if pattern.match(path):
            return inside_wheel(name, path)
    top = path.split("/", maxsplit=1)[0]
    if PYTHON.match(path):
        return python_part
    if OWN.match(path):
        return None
    if match := re.fullmatch(r"(.+)-[\d.]+\.dist-info", top):
        return of_python(match[1])
    if "/" in path:
        return part_of_module(top, python_part)
    if ".so" in path:
        return of_debian(_package_of(path))
    raise PartError(f"nobody knows where {path} in a bundle comes from")


def part_of_module(name: str, python_part: Part) -> Part | None:
    """The part to which a module at the top belongs; None for Destutter's own."""
    if name in {"destutter", "destutter_helper"}:
        return None
    if name in sys.stdlib_module_names or name.startswith("_sysconfigdata"):
        return python_part
    if name.startswith(("pyi", "_pyi")):
        return of_python("pyinstaller")
    owners = importlib.metadata.packages_distributions().get(name)
    if not owners:
        raise PartError(f"nobody knows where the module {name} in a bundle comes from")
    return of_python(owners[0])


def parts_of(folder: Path) -> set[Part]:
    """All parts of a frozen program. Raises ``PartError``."""
    from PyInstaller.archive.readers import CArchiveReader

    inside = folder / "_internal"
    library = next(inside.glob("libpython3*.so*"))
    python_part = of_debian(_package_of(library.name))
    found = {of_python("pyinstaller"), python_part}
    for path in sorted(inside.rglob("*")):
        if path.is_file() and not path.is_symlink():
            found.add(
                part_of_file(path.relative_to(inside).as_posix(), python_part) or python_part
            )
    program = CArchiveReader(str(folder / "destutter"))
    (archive,) = (name for name in program.toc if name.lower().startswith("pyz"))
    modules = {name.partition(".")[0] for name in program.open_embedded_archive(archive).toc}
    for name in sorted(modules):
        found.add(part_of_module(name, python_part) or python_part)
    return found


def document(bundles: dict[str, Iterable[Part]], version: str, when: int) -> dict[str, object]:
    """The list as CycloneDX has it; ``when`` in seconds since 1970."""
    places = defaultdict(list)
    for bundle, parts in bundles.items():
        for part in parts:
            places[part].append(bundle)
    components = []
    for part in sorted(places):
        spdx = part.licence
        known = {"license": {"name": spdx}} if spdx == "public domain" else {"expression": spdx}
        inside = ", ".join(sorted(places[part]))
        components.append(
            {
                "type": "library",
                "bom-ref": part.address,
                "name": part.name,
                "version": part.version,
                "licenses": [known],
                "purl": part.address,
                "properties": [{"name": "destutter:inside", "value": inside}],
            }
        )
    own = {
        "type": "application",
        "bom-ref": "destutter",
        "name": "destutter",
        "version": version,
        "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
    }
    stamp = datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": stamp, "component": own},
        "components": components,
    }


def main(out: str, when: str, *bundles: str) -> int:
    """Write the list; returns the exit status."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Iterable[Part]] = {}
    try:
        for bundle in bundles:
            name, _, folder = bundle.partition("=")
            found[name] = parts_of(Path(folder))
        if "AppImage" in found:
            found["AppImage"] = {*found["AppImage"], *map(of_debian, RUNTIME)}
    except PartError as error:
        sys.stderr.write(f"packaging/release/parts.py: {error}\n")
        return 1
    made = document(found, project["version"], int(when))
    text = json.dumps(made, indent=2, ensure_ascii=False)
    Path(out).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
