"""`make stream-bench`: ten thousand idle streams on one process, how fast a row reaches a player, and a cut of all.

It writes stream.json, with the figures B1 to B3 of the stream.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

from ordws.instance import Instance
from ordws.referee.stores.news import RowStored
from ordws.referee.stores.sqlite import SqliteGameStore
from ordws.stream.notify import DatagramNotifier
from ordws.stream.tickets import StreamSigner
from tests.benchmarks.figure import Figure, format_table, percentile, write_json
from tests.processes import ROOT, TIMEOUT_SECONDS, allow_open_files, cpu_nanoseconds, memory
from tests.stream.stream_reader import StreamService

STREAMS: Final = 10_000
ADDRESSES: Final = 100
"""The addresses of this host from which the streams come, since one address may have 256."""
KEY: Final = b"s" * 32
IDLE_SECONDS: Final = 30.0
"""Two heartbeats of every stream."""
ROWS: Final = 500
ROWS_A_SECOND: Final = 50
LOST_ROWS: Final = 60
AFTER_CUT_SECONDS: Final = 60.0


class StreamServer(StreamService):
    """An `ordws stream` in a process of its own, over a folder with the stream key and an empty store."""

    def __init__(self, folder: Path) -> None:
        instance = Instance(folder)
        instance.make_folders()
        instance.stream_key.write_bytes(KEY)
        store, notify = SqliteGameStore.create(instance.games), DatagramNotifier(instance.stream_notices)
        super().__init__(folder, folder, store, StreamSigner(KEY), notify)

    def close(self) -> None:
        self.stop()
        self.store.close()

    def connect(self, game: str, seat: int, address: str = "127.0.0.1") -> socket.socket:
        """Open a stream and return its connection, on which nothing was read yet."""
        ticket = self.ticket(game, seat)
        connection = socket.create_connection(("127.0.0.1", self.port), TIMEOUT_SECONDS, (address, 0))
        head = f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: bench\r\nCookie: ordws_stream={ticket}\r\n\r\n"
        connection.sendall(head.encode())
        return connection

    def open_streams(self) -> int:
        """Return how many streams are open, as its metrics say."""
        return int(self.metrics()[("ordws_streams",)])

    def await_streams(self, least: int, most: int) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not least <= self.open_streams() <= most:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.open_streams()} streams are open, {least} to {most} were expected")
            time.sleep(0.02)

    def cpu_seconds(self) -> float:
        return cpu_nanoseconds(self.process.pid) / 1e9

    def cpu_share(self, seconds: float) -> float:
        """Return the share of one core, in percent, that it takes over the next seconds."""
        before, began = self.cpu_seconds(), time.monotonic()
        time.sleep(seconds)
        return 100 * (self.cpu_seconds() - before) / (time.monotonic() - began)

    def resident_megabytes(self) -> float:
        return memory(self.process.pid).resident / 1e6


def hold(folder: str, port: int, games: Sequence[str]) -> None:
    """Hold two streams of each game, read all that comes, and say when all are open; run in a process of its own."""
    allow_open_files()
    server = StreamServer.__new__(StreamServer)
    server.port, server.signer = port, StreamSigner(KEY)
    readers = selectors.EpollSelector()
    for number, game in enumerate(games):
        for seat in (0, 1):
            connection = server.connect(game, seat, f"127.0.{1 + number % ADDRESSES}.1")
            connection.setblocking(False)
            readers.register(connection, selectors.EVENT_READ)
    Path(folder, "held").touch()
    while True:
        for ready, _ in readers.select():
            ready.fileobj.recv(65_536)  # type: ignore[union-attr]


def measure() -> Iterator[Figure]:
    """Yield B1, B2 and B3."""
    with tempfile.TemporaryDirectory() as name, closing(StreamServer(Path(name, "instance"))) as server:
        empty = server.resident_megabytes()
        games = [server.new_game() for _ in range(STREAMS // 2)]
        Path(name, "games").write_text(" ".join(games))
        program = "import sys; from tests.benchmarks.stream import hold; from pathlib import Path;"
        program += "hold(sys.argv[1], int(sys.argv[2]), Path(sys.argv[1], 'games').read_text().split())"
        holder = subprocess.Popen([sys.executable, "-c", program, name, str(server.port)], cwd=ROOT)
        try:
            while not Path(name, "held").exists():
                if holder.poll() is not None:
                    raise RuntimeError("the streams could not be opened")
                time.sleep(0.1)
            server.await_streams(STREAMS, STREAMS)
            time.sleep(2)
            share = server.cpu_share(IDLE_SECONDS)
            memory = server.resident_megabytes()
            yield Figure(
                "B1", f"memory of the stream process with {STREAMS:,} idle streams", round(memory), "MB", "<= 250"
            )
            yield Figure("B1", "memory of it without any", round(empty), "MB")
            yield Figure(
                "B1", f"processor with {STREAMS:,} idle streams and their heartbeats", round(share, 2), "%", "<= 8"
            )
            yield from measure_delays(server)
        finally:
            holder.kill()
            began = time.monotonic()
            holder.wait()
        server.await_streams(0, 2)
        gone = time.monotonic() - began
        yield Figure("B3", f"{STREAMS:,} streams cut at once: the last is gone after", round(gone, 2), "s", "<= 20")
        time.sleep(max(0.0, AFTER_CUT_SECONDS - gone))
        share = server.cpu_share(10)
        yield Figure("B3", "processor of the process a minute after the cut", round(share, 2), "%", "<= 2")


def measure_delays(server: StreamServer) -> Iterator[Figure]:
    """Yield B2: the time from the commit of a row to the client of the other player, with all other streams open."""
    game = server.new_game()
    with closing(server.connect(game, 0)) as own, closing(server.connect(game, 1)) as other:
        read_row(own, 0)
        read_row(other, 0)
        before, delays = server.cpu_seconds(), []
        for row in range(1, ROWS + 1):
            due = time.monotonic() + 1 / ROWS_A_SECOND
            delays.append(tell(server, game, row, own, other))
            time.sleep(max(0.0, due - time.monotonic()))
        each = (server.cpu_seconds() - before) / ROWS
        lost = [tell(server, game, ROWS + n, own, other, with_notice=False) for n in range(1, LOST_ROWS + 1)]
    p50, p99 = 1_000 * median(delays), 1_000 * percentile(delays, 99)
    yield Figure("B2", "from the commit of a row to the other player's client, median", round(p50, 2), "ms", "<= 20")
    yield Figure("B2", "the same, 99th percentile", round(p99, 2), "ms", "<= 100")
    yield Figure("B2", "the same where the notice was lost, longest", round(1_000 * max(lost)), "ms", "<= 400")
    yield Figure("B2", "processor of the process a row, with two receivers and all heartbeats", round(1e6 * each), "us")


def tell(
    server: StreamServer, game: str, row: int, own: socket.socket, other: socket.socket, *, with_notice: bool = True
) -> float:
    """Store a row as a worker does, and return the seconds from its commit to the other player."""
    server.store.append(game, row, b"row")
    committed = time.perf_counter()
    if with_notice:
        server.notify(RowStored(game, row))
    read_row(other, row)
    seconds = time.perf_counter() - committed
    read_row(own, row)
    return seconds


def read_row(connection: socket.socket, row: int) -> None:
    """Read until this row and its nonce have come."""
    data = b""
    while b'{"row": %d}' % row not in data or b"nonce" not in data:
        part = connection.recv(65_536)
        if not part:
            raise RuntimeError("a stream ended")
        data += part


def main() -> None:
    """Measure, print a table and write stream.json; status 1 where a goal is missed."""
    most = allow_open_files()
    if most < STREAMS + 1_000:
        sys.exit(f"ordws: error: {most} open files are allowed, {STREAMS + 1_000} are needed: ulimit -n")
    os.environ.setdefault("PYTHONPATH", str(ROOT))
    figures = list(measure())
    sys.stdout.write(f"{format_table(figures)}\n")
    write_json(figures, Path("stream.json"))
    sys.exit(any(figure.holds is False for figure in figures))


if __name__ == "__main__":
    main()
