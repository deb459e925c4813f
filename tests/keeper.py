"""A keeper who runs commands in an installation of their own, over authored dictionaries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from preloaded_commands import run_preloaded
from sample_dictionaries import write_sources

BIN = Path(sys.executable).parent


class Keeper:
    """Runs commands in an installation of its own, and collects their output."""

    def __init__(self, folder: Path) -> None:
        self.sources, self.instance = folder / "sources", folder / "instance"
        self.recipe = write_sources(self.sources)
        self.outputs: list[str] = []
        self.is_quick = True
        """True to fork commands from a process that has everything loaded, False to start them as a shell does."""
        self.environment = {
            **os.environ,
            "ORDWS_INSTANCE": str(self.instance),
            "ORDWS_SOURCES": str(self.sources),
            "HOME": str(folder),
        }

    def types(self, command: str, *, status: int = 0, stdin: str = "") -> str:
        """Run a command, assert its exit status, and return its standard output, with standard error if it fails."""
        done = self._run(command.split(), stdin)
        self.outputs.append(done.stdout + done.stderr)
        assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout if status == 0 else done.stdout + done.stderr

    def _run(self, command: list[str], stdin: str) -> subprocess.CompletedProcess[str]:
        if self.is_quick:
            return run_preloaded(command, self.environment, stdin)
        program, *arguments = command
        return subprocess.run(
            [BIN / program, *arguments], env=self.environment, input=stdin, capture_output=True, text=True, timeout=300
        )

    def build(self, *options: str) -> Any:
        return json.loads(self.types(" ".join(["ordws-build run --json --recipe", str(self.recipe), *options])))

    def accepts(self, words: str) -> bool:
        verdict = self._run(["ordws", "judge", *words.split()], "")
        assert verdict.returncode in (0, 1), verdict.stderr
        return verdict.returncode == 0

    def votes(self, *lines: str) -> str:
        """Import ballots `id family curator vote [forms...]`."""
        rows = ["id,family,curator,vote,forms,reason,at"]
        for number, line in enumerate(lines):
            name, family, curator, vote, *forms = line.split()
            rows.append(f"{name},{family},{curator},{vote},{' '.join(forms)},heard it,2026-11-20T19:{number:02}:00Z")
        path = self.instance.parent / "ballots.csv"
        path.write_text("\n".join(rows) + "\n")
        return self.types(f"ordws curation import {path}")
