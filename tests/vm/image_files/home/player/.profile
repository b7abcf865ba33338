# At the console the session only runs what the scenarios ask for.
case $(tty) in
    /dev/tty1) exec /usr/local/bin/session-agent ;;
esac
