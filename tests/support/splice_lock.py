# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the lock of a pipe of its channel, until its input ends: ADDRESS requests|answers.

splice(2) of a pipe into a socket that is full sleeps with the pipe's lock held (Linux 6.5 and
later). An outsider kept the lender waiting for that lock, which not even SIGKILL ended.
"""

import json
import os
import socket
import sys
import threading
import time
from contextlib import suppress

from destutter.core.bus_caller import BusCaller
from destutter_helper.api import lending

REQUEST = json.dumps([[os.getpid(), 0, "stat"]]).encode()


def ask_on(requests: int) -> None:
    """Ask again and again, and wait for the lock as others do once it is held."""
    for _ in range(200):
        with suppress(BlockingIOError):
            os.write(requests, REQUEST)
        time.sleep(0.005)  # on purpose: a request finds the lock held or not


def main(address: str, which: str) -> None:
    """Do it, and say so."""
    caller = BusCaller(address, takes_descriptors=True)
    where = lending.BUS_NAME, lending.OBJECT_PATH, (lending.INTERFACE, "OpenChannel")
    requests, answers = caller.call(*where)[0]
    os.set_blocking(requests, False)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            ours.send(bytes(4096))
    ours.setblocking(True)
    held = os.open(f"/proc/self/fd/{requests if which == 'requests' else answers}", os.O_RDWR)
    os.write(held, REQUEST)
    for _ in range(4):
        threading.Thread(
            target=os.splice, args=(held, ours.fileno(), 1 << 16), daemon=True
        ).start()
    asking = threading.Thread(target=ask_on, args=(requests,), daemon=True)
    asking.start()
    asking.join(3)
    print("held", flush=True)
    sys.stdin.read()
    theirs.close()
    os._exit(0)  # some threads wait for ever


main(*sys.argv[1:])
