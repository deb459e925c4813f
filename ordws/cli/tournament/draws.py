"""`ordws tournament verify` and `simulate`: the draws of an event made again, and those of a made-up one."""

from __future__ import annotations

import json
import resource
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from ordws.cli.tournament.event import event_argument, json_option, print_note, print_table
from ordws.tournament.certificate import RANDOM_SCHEDULES, certify, verify_draws
from ordws.tournament.counts import count_of
from ordws.tournament.played_event import played_event
from ordws.tournament.simulation import METHODS, simulate_event
from ordws.tournament.store import EventFile


@click.command("verify")
@event_argument
@click.option("--head", "noted", metavar="DIGEST", help="A digest of the certificate or of the players' page.")
@json_option
def verify(event: EventFile, noted: str | None, as_json: bool) -> None:
    """Check every fact of the file and draw every round again; status 1 where a draw differs, or a digest is not its.

    A file that was rewritten from some fact on, with new hashes, follows from itself as well: only a digest that was
    noted before tells. With --head the file has to hold it.

    The JSON has rounds, faults, facts, head, played_digest (the hash of the fact that ended the event) and
    holds_up_to (the fact up to which the digest of --head speaks, or null).

    \b
    Example:
      ordws tournament verify club.event
      ordws tournament verify club.event --head DIGEST
    """
    facts, head, digest, state = event.facts, event.head, event.played_digest, event.state
    held = None if noted is None else event.find_link(noted.strip().lower())
    report = verify_draws(facts)
    # A certificate from before it named the last link has a digest over the whole event, as it ended.
    if noted and held is None and noted.strip().lower() == played_event(state, digest).digest:
        held = len(facts)
    if noted is not None and held is None:
        fault = f"no fact has the digest {noted}: the file is not the one in which it was noted, or was rewritten"
        report = replace(report, faults=(*report.faults, fault))
    if as_json:
        row = {**asdict(report), "facts": len(facts), "head": head, "played_digest": digest, "holds_up_to": held}
        click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(f"{count_of(len(facts), 'fact follows', 'facts follow')} from each other, to {head}")
        click.echo(f"{count_of(report.rounds, 'round was', 'rounds were')} drawn again")
        if held is not None:
            click.echo(f"facts 1 to {held} are those of which the digest was noted")
    if noted is None:
        print_note("whether facts were rewritten before this is not known: compare a digest noted earlier, with --head")
    elif held is not None and held < len(facts):
        print_note(f"of {count_of(len(facts) - held, 'fact', 'facts')} after it the digest says nothing")
    for fault in report.faults:
        print_note(fault)
    click.get_current_context().exit(1 if report.faults else 0)


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
