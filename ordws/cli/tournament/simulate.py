"""`ordws tournament simulate`: a made-up event, beside random and Swiss pairing."""

from __future__ import annotations

import json
import resource
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from ordws.cli.tournament.event import json_option, print_table
from ordws.tournament.certificate import RANDOM_SCHEDULES, certify
from ordws.tournament.counts import count_of
from ordws.tournament.simulation import METHODS, simulate_event

_MOST_COMPARED = 10_000
"""The largest field that is compared with random schedules: beside a larger one stands a whole random event."""


@click.command("simulate")
@click.option("--players", required=True, type=click.IntRange(2, 2_000_000), help="Players, who all stay to the end.")
@click.option("--rounds", required=True, type=click.IntRange(1, 320), help="Rounds, of one game each.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Decides everything.")
@click.option("--method", type=click.Choice([*METHODS]), help="Pair by this method alone [default: all, in a table].")
@json_option
def simulate(players: int, rounds: int, seed: int, method: str | None, as_json: bool) -> None:
    """Play a made-up event, and show its certificate and how long the drafts took. It needs no file.

    Skill is normally distributed over the field, 28 points a turn and 4.5 the standard deviation; a turn scatters by 12
    points, and a game takes each player 10 to 15 turns. With `--json` it is one object, of the average method unless
    another is named.

    The object is that of `certificate`, with method, seed, draft_seconds (of each round), longest_draft_seconds and
    peak_memory_mb. Above 10,000 players no random schedules are drawn, and percentile is null.

    \b
    Example:
      ordws tournament simulate --players 1000000 --rounds 20
    """
    methods = [method] if method else ["average"] if as_json else [*METHODS]
    rows = [_simulate(players, rounds, seed, each) for each in methods]
    if as_json:
        click.echo(json.dumps(rows[0]))
    else:
        _print_rows(players, rounds, seed, rows)


def _simulate(players: int, rounds: int, seed: int, method: str) -> dict[str, Any]:
    """Return the certificate of an event and its times, with a progress bar on a terminal."""
    console = Console(stderr=True)
    played = track(
        simulate_event(players, rounds, seed, method),
        f"pairing by {method}",
        total=rounds,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    *_, (event, _) = rounds_played = list(played)
    seconds = [taken for _, taken in rounds_played]
    figures = certify(event.meetings(), seed, event.digest(), RANDOM_SCHEDULES if players <= _MOST_COMPARED else 0)
    return {
        "method": method,
        "seed": seed,
        **figures.as_json(),
        "draft_seconds": [round(taken, 3) for taken in seconds],
        "longest_draft_seconds": round(max(seconds), 3),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024 / 1e6),
    }


def _print_rows(players: int, rounds: int, seed: int, rows: Sequence[dict[str, Any]]) -> None:
    counted = f"{count_of(players, 'player', 'players')}, {count_of(rounds, 'round', 'rounds')}"
    click.echo(f"{counted}, seed {seed}; residuals in points per turn")
    print_table(
        ("method", "rms residual", "worst", "repeats", "byes", "starts off by", "longest draft", "memory so far"),
        [
            (
                row["method"],
                f"{row['rms_residual']:.3f}",
                f"{row['worst_residual']:.2f}",
                row["repeats"],
                row["byes"],
                row["worst_start_imbalance"],
                f"{row['longest_draft_seconds']:.2f} s",
                f"{row['peak_memory_mb']} MB",
            )
            for row in rows
        ],
        right=range(1, 8),
    )
    first = rows[0]
    if first["percentile"] is not None:
        click.echo(f"{first['method']}: closer to the field than {first['percentile']:g} % of random schedules")
