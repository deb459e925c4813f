"""Ports for servers that have to be told one."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from typing import Final

PORTS: Final = range(10_000, 30_000, 2)
"""Ports below the ephemeral range, from which the system takes one for whoever names none; each has one beside it."""
_reserved: Final[list[socket.socket]] = []


def free_port() -> int:
    """Return a port on which nothing listens, and which no other process of tests is given while this one lives."""
    for port in random.sample(PORTS, 100):
        # A name that one process alone may have, and that ends with it.
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0ordws-test-port-{port}")
        except OSError:
            name.close()
            continue
        _reserved.append(name)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is no free port")
