"""The set-up of every run: an installation, its service on one core, and the generator on another."""

from __future__ import annotations

import gc
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from tests.load.generator import MOST_CONNECTIONS, Generator
from tests.load.load_installation import add_clients, build_installation, copy_installation
from tests.load.load_server import GENERATOR_CORE, start_service
from tests.load.request_stats import RequestStats
from tests.load.workload import HonestWorkload, clients_needed
from tests.processes import RunningServer, allow_open_files, pin_to_core

_SEED: Final = 1


@dataclass(frozen=True)
class Site:
    """A service under honest load."""

    folder: Path
    served: RunningServer
    honest: HonestWorkload

    def generator(self, port: int | None = None, most_connections: int = MOST_CONNECTIONS) -> Generator:
        """Return a generator that sends to the service, or to the proxy on another port."""
        return Generator(port or self.served.port, Random(_SEED), most_connections)

    async def measure(self, generator: Generator, rate: float, seconds: float) -> RequestStats:
        """Measure honest play at a rate, with the processor time of the service."""
        before = self.served.cpu_nanoseconds()
        tally = await generator.run(self.honest, rate, seconds)
        tally.cpu_seconds = (self.served.cpu_nanoseconds() - before) / 1e9
        return tally

    async def measure_until_idle(self, generator: Generator, rate: float, seconds: float) -> RequestStats:
        """Measure honest play at a rate, and wait until all of it was answered."""
        tally = await self.measure(generator, rate, seconds)
        await generator.drain()
        return tally


@contextmanager
def site(
    requests: int, instance: Path | None = None, words: int | None = None, *options: str, socket: str | None = None
) -> Iterator[Site]:
    """Yield a service with enough clients for so many requests; it is removed whatever ends the run.

    `socket` is the name of a Unix socket in the site's folder on which it listens, rather than on a port.
    """
    allow_open_files()
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _end))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ordws-load-")))
        root = folder / "instance"
        installation = (
            copy_installation(instance, root)
            if instance
            else build_installation(root, **({"words": words} if words else {}))
        )
        clients = add_clients(installation, *clients_needed(requests))
        served = stack.enter_context(start_service(root, folder, *options, path=folder / socket if socket else None))
        stack.enter_context(pin_to_core(GENERATOR_CORE))
        honest = HonestWorkload(clients, Random(_SEED))
        gc.collect()
        gc.freeze()
        stack.callback(gc.unfreeze)
        yield Site(folder, served, honest)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
