"""Figures C3 and C4: false flags among honest players and power against cheats, simulated over the same positions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ordws.cli.fairplay_commands import POSITIONS, run_simulation
from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.simulation import SEED, false_flag_figures, plan, power_figures
from tests.benchmarks.figure import Figure

FOLDER = Path(tempfile.gettempdir()) / f"ordws-fairplay-{SEED}-{DEFAULT_FORMS.version}"
"""Where a measurement that was stopped goes on."""


def measure() -> Iterator[Figure]:
    """Yield C3 and C4, from 300,000 honest players and 500 cheats of each kind and strength."""
    counts = run_simulation(plan(), DEFAULT_FORMS, FOLDER, POSITIONS, SEED, os.cpu_count() or 1)
    for each in (*false_flag_figures(counts), *power_figures(counts)):
        yield Figure(each.id, each.figure, each.value, each.unit, each.goal)
