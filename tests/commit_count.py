"""The number of commits to a SQLite database with a write-ahead log, by whatever process."""

from __future__ import annotations

import struct
from pathlib import Path


def count_commits(path: Path) -> int:
    """Return a count that grows by one with each transaction that wrote: iChange of the log's index.

    https://www.sqlite.org/walformat.html#the_wal_index_file_format, section 2.1. With synchronous=FULL each of them is
    one flush of the log.
    """
    count: int = struct.unpack_from("=I", Path(f"{path}-shm").read_bytes(), 8)[0]
    return count
