"""The report for keepers: counts, thresholds and flags, each line with the state of the calibration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ordws.fairplay.flags import BANDS, Flag
from ordws.fairplay.forms import read_forms
from ordws.fairplay.milestones import (
    FEWEST_GAMES,
    FLAGGED_SHARE,
    MILESTONES,
    simulated_bound,
    threshold,
)
from ordws.fairplay.store import FairPlayStore


def make_report(store: FairPlayStore, forms_path: Path, players: int, milestones: int) -> dict[str, Any]:
    """Return the report as it is printed in JSON."""
    forms = read_forms(forms_path)
    seats = store.all_seats()
    turns: dict[str, int] = {}
    for seat in seats:
        turns[seat.player] = turns.get(seat.player, 0) + len(seat.turns)
    flags = [Flag(*written) for written in store.flags()]
    in_use = threshold(players, milestones)
    return {
        "calibrated": forms.calibrated,
        "forms": forms.version,
        "games": store.game_count(),
        "players": len(turns),
        "players_at_milestones": {str(each): sum(n >= each for n in turns.values()) for each in MILESTONES},
        "fewest_games": FEWEST_GAMES,
        "threshold": round(in_use, 2),
        "planned_share": FLAGGED_SHARE,
        "false_flags": simulated_bound(forms.version, in_use),
        "flags": [
            {
                "number": flag.number,
                "player": flag.player,
                "kind": flag.kind,
                "turns": flag.milestone,
                "games": flag.games,
                "calibrated": flag.calibrated,
                "bands": {name: BANDS[band] for name, band in flag.bands.items()},
                "raised": flag.raised,
            }
            for flag in flags
        ],
    }


def report_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield the report as lines."""
    state = "calibrated" if report["calibrated"] else "uncalibrated"
    yield f"{state}: {report['games']} games of {report['players']} players; honest forms {report['forms']}"
    for milestone, players in report["players_at_milestones"].items():
        yield f"{state}: {players} players have {milestone} turns"
    share = round(1 / report["planned_share"])
    yield f"{state}: a gain of {report['threshold']} nats raises a flag, planned for one false flag in {share} fields"
    bound = report["false_flags"]
    if bound is None:
        yield f"{state}: false flags were not simulated with these honest forms and this threshold"
    else:
        rate = f"{bound['flagged']} of {bound['players']:,} simulated honest players"
        one_in = f"1 in {int(1 / bound['bound']):,}"
        yield f"{state}: above {bound['threshold']} nats were {rate}; the 95 % bound is {one_in}"
    for flag in report["flags"]:
        of_flag = "calibrated" if flag["calibrated"] else "uncalibrated"
        bands = ", ".join([f"{name} {band}" for name, band in flag["bands"].items()])
        where = f"at {flag['turns']} turns in {flag['games']} games"
        yield f"{of_flag}: flag {flag['number']}: {flag['player']}, {flag['kind']} {where}: {bands}"
    if not report["flags"]:
        yield f"{state}: no flags"
