"""A desk that says how its process is kept, and that fails with a word in its hands when it is asked for one."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from pathlib import Path

from ordws.desk.wiring import open_services
from ordws.guard.gate import Gate
from ordws.instance import Instance

GET_DUMPABLE = 3
FAILS = "ZZXQV"


class FailingGate(Gate):
    """Fails as a mistake in the program would, with values of the question in the exception and in its frames."""

    def admit(self, who, question, core, now, **more):
        if FAILS in question.words:
            held = {"words": question.words, "who": who}
            raise KeyError(f"{held} of {who}")
        return super().admit(who, question, core, now, **more)


def open_worried(root, notes):
    """The desk of a house; a line of the process that opens it is added to the notes."""
    kept = {
        "pid": os.getpid(),
        "dumpable": ctypes.CDLL(None).prctl(GET_DUMPABLE, 0, 0, 0, 0),
        "core": resource.getrlimit(resource.RLIMIT_CORE),
        "hook": sys.excepthook is not sys.__excepthook__,
    }
    with Path(notes).open("a") as file:
        file.write(json.dumps(kept) + "\n")
    desk = open_services(Instance(Path(root)))
    desk.gate.__class__ = FailingGate
    return desk


def main(root, notes):
    """The service as `ordws serve` runs it, over such a desk."""
    from functools import partial

    from ordws.server import find_address, harden
    from ordws.service.counts import Counts
    from ordws.service.process import check, serve

    harden()
    opens = partial(open_worried, root, notes)
    check(opens)
    address, port = find_address("127.0.0.1", 0)
    sys.stderr.write(f"http://{address}:{port}, is served\n")
    sys.stderr.flush()
    serve(opens, address, port, 2, Counts.create(2))


if __name__ == "__main__":
    main(*sys.argv[1:])
