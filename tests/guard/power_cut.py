"""A machine whose power is cut: what of the meters would be on disk, and the store after the next start."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ordws.guard.stores import journal, rebuild
from ordws.guard.stores.lmdb import LmdbMeterStore


class Machine:
    """The disk of a machine: it knows what was flushed, and can start again with that and a part of the rest."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.monkeypatch, self.flushed, self.starts = folder, monkeypatch, {}, 0
        self.named = set()
        monkeypatch.setattr(journal.os, "fdatasync", self.flush)
        monkeypatch.setattr(journal.os, "fsync", self.flush_names)
        self.start()

    def flush(self, handle):
        self.flushed[Path(f"/proc/self/fd/{handle}").readlink().name] = os.fstat(handle).st_size

    def flush_names(self, handle):
        """Take the names in a folder for flushed. Of a file nothing is recorded: `cut` takes a new journal as whole."""
        if (path := Path(f"/proc/self/fd/{handle}").readlink()).is_dir():
            self.named |= {entry.name for entry in path.iterdir()}

    def start(self):
        self.starts += 1
        (self.folder / "boot_id").write_text(f"{self.starts}\n")
        self.monkeypatch.setattr(rebuild, "BOOT_ID", self.folder / "boot_id")

    def cut(self, store, part=0.0):
        """Lose the power with this part of what was not flushed, and return the store after the next start."""
        there = self.folder / f"after-{self.starts}" / "meters"
        there.mkdir(parents=True)
        for path in store._map.folder.iterdir():
            if path.name.startswith("snapshot-"):
                shutil.copy(path, there)
            elif path.name.startswith("journal-") and (path.name in self.named or part == 1.0):
                data, size = path.read_bytes(), self.flushed.get(path.name, 0)
                # Journal.create flushes a whole file, through another function.
                size = max(size, data.find(b"OJ1\n", 1) if data.find(b"OJ1\n", 1) > 0 else len(data))
                (there / path.name).write_bytes(data[: size + round(part * (len(data) - size))])
        self.start()
        self.look(there)
        return LmdbMeterStore(there)

    def look(self, folder):
        """Take all that is in a folder for flushed."""
        self.flushed = {path.name: path.stat().st_size for path in folder.iterdir()}
        self.named = set(self.flushed)

    def restart(self, store):
        """Start again after a regular end, which leaves nothing that is not on disk."""
        store.close()
        self.look(store._map.folder)
        self.start()
        return LmdbMeterStore(store._map.folder)
