"""A service that notes how its processes are hardened, and that fails on a certain word with the word at hand."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from pathlib import Path

from ordws.api.services import open_services
from ordws.guard.gate import Gate
from ordws.instance import Instance

GET_DUMPABLE = 3
FAILING_WORD = "ZZXQV"


class FailingGate(Gate):
    """A gate that fails as a bug would, with values of the question in the exception and in its frames."""

    def admit(self, identity, question, core, now, **more):
        if FAILING_WORD in question.words:
            held = {"words": question.words, "who": identity}
            raise KeyError(f"{held} of {identity}")
        return super().admit(identity, question, core, now, **more)


def open_failing_services(root, notes):
    """Open the services of an installation, and add a line about the process to the notes."""
    kept = {
        "pid": os.getpid(),
        "dumpable": ctypes.CDLL(None).prctl(GET_DUMPABLE, 0, 0, 0, 0),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "hook": sys.excepthook is not sys.__excepthook__,
    }
    with Path(notes).open("a") as file:
        file.write(json.dumps(kept) + "\n")
    services = open_services(Instance(Path(root)))
    services.gate.__class__ = FailingGate
    return services


def main(root, notes):
    """Serve as `ordws serve` does, over failing services."""
    from functools import partial

    from ordws.listeners import listen, resolve_address
    from ordws.server import harden
    from ordws.web.serving import check_startup, serve_on_sockets
    from ordws.web.telemetry import RequestCounts

    harden()
    opens = partial(open_failing_services, root, notes)
    check_startup(opens)
    address, port = resolve_address("127.0.0.1", 0)
    sys.stderr.write(f"http://{address}:{port}, is served\n")
    sys.stderr.flush()
    serve_on_sockets(opens, listen(address, port, 2), 2, RequestCounts.create(2))


if __name__ == "__main__":
    main(*sys.argv[1:])
