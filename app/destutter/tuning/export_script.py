# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes as a shell script that also takes them back. It needs sh, sed and cat, nothing else."""

from collections.abc import Sequence

from destutter.core.kernel_names import KSOFTIRQD
from destutter.tuning.exported import ExportedChange, check, in_order, touched_paths
from destutter_helper.api.tunables import HOLD, POLICY

SCRIPT_NAME = "destutter-settings.sh"
_POLICIES = {"fifo": "-f", "rr": "-r", "other": "-o", "batch": "-b", "idle": "-i"}

_HEAD = """\
#!/bin/sh
# Kernel settings chosen with Destutter; written {written}.
#
#   sudo sh {name} apply   sets them until the next restart
#   sudo sh {name} undo    puts back what was there before "apply"
#   sh {name} show         prints the values of now
#
# "apply" notes every value that it or the kernel will move in $SAVED, and "undo" reads them from
# there. Without that file, "undo" writes the values from before Destutter that are listed below.
set -eu
SAVED=${{DESTUTTER_SAVED:-/run/destutter-settings.saved}}
failed=0

# The value in a file; of several choices the one in [brackets].
value_of() {{
    sed -n '1{{s/.*\\[\\([^]]*\\)\\].*/\\1/;p;}}' "$1"
}}

put() {{
    if [ ! -e "$1" ]; then
        echo "not on this computer: $1" >&2
        failed=1
    elif [ "$(value_of "$1")" != "$2" ] && ! printf '%s' "$2" 2>/dev/null > "$1"; then
        echo "refused by the kernel: $1 = $2" >&2
        failed=1
    fi
}}

# The passive one of dirty_ratio and dirty_bytes is 0; it follows the other one.
put_back() {{
    case "$1" in
        */dirty_ratio|*/dirty_bytes|*/dirty_background_ratio|*/dirty_background_bytes)
            if [ "$2" = 0 ]; then return 0; fi ;;
    esac
    put "$1" "$2"
}}
"""

_TAIL = """\
case "${1:-}" in
    apply)
        if [ -e "$SAVED" ]; then
            echo "applied already; undo it first" >&2
            exit 1
        fi
        umask 077
        save_all > "$SAVED.new"
        mv "$SAVED.new" "$SAVED"
        apply_all
        ;;
    undo)
        if [ -e "$SAVED" ]; then
            while read -r path value; do
                if [ -e "$path" ]; then put_back "$path" "$value"; fi
            done < "$SAVED"
            undo_threads
            rm -f "$SAVED"
        else
            undo_all
            undo_threads
        fi
        ;;
    show)
        save_all
        ;;
    *)
        echo "usage: $0 apply | undo | show" >&2
        exit 2
        ;;
esac
exit "$failed"
"""


def script(changes: Sequence[ExportedChange], written: str) -> str:
    """The script; ``written`` is a date for its head.

    Raises ``NotExportableError``.
    """
    check(changes)
    ordered = in_order(changes)
    if "\n" in written:
        raise ValueError("a date has no lines")
    files = [each for each in ordered if each.path and each.tunable.kind not in (HOLD, POLICY)]
    parts = [_HEAD.format(name=SCRIPT_NAME, written=written)]
    paths = touched_paths(files)
    parts.append(_function("save_all", [_save(path) for path in paths]))
    applied = [f"put {each.path} {each.value}" for each in files]
    applied += [_policy(each, each.value) for each in ordered if each.tunable.kind == POLICY]
    applied += [_note(each) for each in ordered if each.tunable.kind == HOLD]
    parts.append(_function("apply_all", applied))
    originals = [each.original for each in files]
    parts.append(
        _function(
            "undo_all", [f"put_back {path} {value}" for path, value in filter(None, originals)]
        )
    )
    threads = [
        _policy(each, each.origin)
        for each in ordered
        if each.tunable.kind == POLICY and each.origin is not None
    ]
    parts.append(_function("undo_threads", threads))
    return "\n".join([*parts, _TAIL])


def _function(name: str, lines: Sequence[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"{name}() {{\n{body}    return 0\n}}\n"


def _save(path: str) -> str:
    return f'if [ -r {path} ]; then echo "{path} $(value_of {path})"; fi'


def _policy(change: ExportedChange, value: str) -> str:
    policy, _, priority = value.partition(":")
    thread = f"{KSOFTIRQD}{change.device.removeprefix('cpu')}"
    option = _POLICIES.get(policy, "-o")
    return f'chrt {option} -p {priority or 0} "$(pgrep -x {thread})" || failed=1'


def _note(change: ExportedChange) -> str:
    return f'echo "{change.id}: lasts only while a program holds it, not set here" >&2'
