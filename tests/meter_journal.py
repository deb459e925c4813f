"""The rows that a store of meters has ever put, by their kinds and sizes."""

from __future__ import annotations

from ordws.guard.stores.journal import read_frames
from ordws.guard.stores.lmdb import LmdbMeterStore


def written_rows(store: LmdbMeterStore) -> list[tuple[bytes, int, int]]:
    """Return the kind, the length of the key and that of the value of each row, in the order in which they were put."""
    written = []
    for path in sorted(store._map.folder.glob("journal-*")):
        for frame in read_frames(path.read_bytes()):
            assert frame is not None
            written += [(key[:1], len(key), len(value)) for key, value in frame]
    return written
