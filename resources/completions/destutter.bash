# bash completion for destutter
# Made by packaging/manual/manual.py from the options of the program.
_destutter() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local each name=""
    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " watch record diagnose compare import export status prove apply undo trace mark capture menu install-helper update-helper uninstall-helper doctor " in
            *" $each "*) name=$each; break ;;
        esac
    done
    case $before in
        --folder|--frames|--mangohud|--more-a|--more-b|--out|--replay|--root)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return ;;
    esac
    local words=""
    case $name in
        watch) words="-h --help --root --pid --mangohud --frames --xplane --trace --seconds --json" ;;
        record) words="-h --help --root --pid --mangohud --frames --xplane --trace --json --out --seconds" ;;
        diagnose) words="-h --help --root --pid --mangohud --frames --xplane --trace --json --html --markdown --no-redact --verbose --seconds" ;;
        compare) words="-h --help --more-a --more-b --json --html --markdown --no-redact" ;;
        import) words="-h --help --json" ;;
        export) words="-h --help --out --metrics --frames --json" ;;
        status) words="-h --help --root --json --workload" ;;
        prove) words="-h --help --json --device --folder --seconds --blocks --against --pairs --all-schedulers --fill --mib storage write wakeup memory" ;;
        apply) words="-h --help --json --trial --keep --for-game" ;;
        undo) words="-h --help --json --all --force --accept --for-game" ;;
        trace) words="-h --help --game --expert --seconds --json" ;;
        mark) words="-h --help" ;;
        capture) words="-h --help --root --pid --json --out --hide-names" ;;
        menu) words="-h --help add remove" ;;
        install-helper) words="-h --help --show" ;;
        update-helper) words="-h --help --show" ;;
        uninstall-helper) words="-h --help --show" ;;
        doctor) words="-h --help --root --pid --json" ;;
        *) words="watch record diagnose compare import export status prove apply undo trace mark capture menu install-helper update-helper uninstall-helper doctor -h --help --version --replay --strip --hidden --record --quit --xwayland --root --pid --mangohud --frames --xplane" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [[ ${#COMPREPLY[@]} -eq 0 && $word != -* && -n $name ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _destutter destutter
