"""Forty endings with the unplayed tiles round, as tests/vectors/referee/unplayed.txt has them, played over HTTP."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sealed_game import FixedDraws, SealedGame, install_edition, service_sender
from small_installation import FakeClock, InProcessService, build_installation

from tests.api.test_sealed_scripts import REFERENCE, SCRIPTS, WORDS, Script, send_line, state_fact
from tests.benchmarks.figure import Figure


def measure() -> Iterator[Figure]:
    """Yield how many endings go as they are written, and how many have other points per turn without the round."""
    endings = [script for script in SCRIPTS if script.title.startswith("unplayed: ")]
    with tempfile.TemporaryDirectory() as folder, build_installation(Path(folder) / "instance") as installation:
        install_edition(installation, WORDS, number=2, core=(), reference=REFERENCE)
        clock = FakeClock()
        service = InProcessService(installation.services(), installation.key, clock)

        def play(script: Script, options: dict[str, str]) -> tuple[bool, list[tuple[int, Any]]]:
            key = installation.register.add(f"table {len(installation.register.list())}", "home", 0)
            service.services.games.chance = FixedDraws(*script.draws)
            game = SealedGame(service_sender(service, key), script.rules, script.players, options=options)
            is_right = True
            for text, facts in script.lines:
                outcome = send_line(game, clock, text)
                is_right &= [state_fact(game, outcome, fact) for fact in facts] == facts
            return is_right, [(seat["turns"], seat["points_per_turn"]) for seat in game.standing(0)["seats"]]

        played = [play(script, script.options) for script in endings]
        without = [play(script, {**script.options, "unplayed_tiles_round": "off"}) for script in endings]
    right = sum(is_right for is_right, _ in played)
    yield Figure("D1", "scripted endings of the challenge round that go as written", right, "", "== 40")
    changed = sum(one != other for (_, one), (_, other) in zip(played, without, strict=True))
    yield Figure("D1", "of them with other points per turn without the round", changed, "", "== 0")
