"""The report for keepers: counts, thresholds and flags, each line with the state of the calibration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ordws.fairplay.false_flags import read_false_flags, simulated_bound
from ordws.fairplay.flags import BANDS, Flag
from ordws.fairplay.forms import read_forms
from ordws.fairplay.milestones import FEWEST_GAMES, FLAGGED_SHARE, MILESTONES, FieldSize, looks_due
from ordws.fairplay.store import FairPlayStore
from ordws.instance import Instance


def make_report(store: FairPlayStore, instance: Instance, size: FieldSize) -> dict[str, Any]:
    """Return the report on a field of this size as it is printed in JSON."""
    forms = read_forms(instance.fairplay_forms)
    turns: dict[str, list[int]] = {}
    for seat in store.all_seats():
        of_player = turns.setdefault(seat.player, [])
        # Games whose numbers were taken with other forms do not count.
        if seat.forms == forms.version:
            of_player.append(len(seat.turns))
    reached = [look.milestone for each in turns.values() for look in looks_due(each)]
    flags = [Flag(*written) for written in store.flags()]
    bound = simulated_bound(read_false_flags(instance.fairplay_false_flags), forms.version, size.threshold)
    return {
        "calibrated": forms.calibrated,
        "forms": forms.version,
        "games": store.game_count(),
        "players": len(turns),
        "players_at_milestones": {str(each): reached.count(each) for each in MILESTONES},
        "fewest_games": FEWEST_GAMES,
        "field": size._asdict(),
        "threshold": round(size.threshold, 2),
        "planned_share": FLAGGED_SHARE,
        "false_flags": bound.counts,
        "false_flags_missing": bound.missing,
        "flags": [
            {
                "number": flag.number,
                "player": flag.player,
                "kind": flag.kind,
                "turns": flag.milestone,
                "games": flag.games,
                "calibrated": flag.calibrated,
                "forms": flag.forms,
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
        yield f"{state}: {players} players have come to the look at {milestone} turns"
    size, share = FieldSize(**report["field"]), round(1 / report["planned_share"])
    field = f"{size.players:,} players at {size.milestones} milestones"
    yield (
        f"{state}: a gain of {report['threshold']} nats raises a flag, planned for one false flag of a test in {share}"
        f" fields of {field}"
    )
    if report["false_flags"] is None:
        yield f"{state}: {report['false_flags_missing']}"
    else:
        counts = report["false_flags"]
        rate = f"{counts['flagged']} of {counts['players']:,} simulated honest players, within {counts['turns']} turns"
        one_in = f"1 in {int(1 / counts['bound']):,}"
        yield f"{state}: above {counts['threshold']} nats were {rate}; the 95 % bound is {one_in}"
    for flag in report["flags"]:
        of_flag = "calibrated" if flag["calibrated"] else "uncalibrated"
        bands = ", ".join([f"{name} {band}" for name, band in flag["bands"].items()])
        where = f"at {flag['turns']} turns in {flag['games']} games"
        past = "" if flag["forms"] in ("", report["forms"]) else "; by honest forms that are not in force any more"
        yield f"{of_flag}: flag {flag['number']}: {flag['player']}, {flag['kind']} {where}: {bands}{past}"
    if not report["flags"]:
        yield f"{state}: no flags"
