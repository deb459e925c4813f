"""Looks at players at their milestones: what raises flags, and what reviewers and keepers see (docs/fairplay.md 4, 5).

Each line of the keepers' report has the state of the calibration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from ordws.errors import Missing
from ordws.fairplay.flags import (
    BANDS,
    CATEGORIES,
    Flag,
    FlagEvidence,
    FlagKind,
    OwnPeriod,
    open_store,
    read_false_flags,
    simulated_bound,
)
from ordws.fairplay.forms import HonestForms, read_forms
from ordws.fairplay.milestones import EVENT_MILESTONES, FEWEST_GAMES, FLAGGED_SHARE, MILESTONES, FieldSize, looks_due
from ordws.fairplay.statistics import (
    TimePattern,
    choice_gains,
    has_quit,
    quitting_gain,
    tabulate,
    time_gain,
    time_pattern,
)
from ordws.fairplay.store import FairPlayStore, SeatNumbers, TurnNumbers
from ordws.instance import Instance

_BAND_ENDS: Final = (1.0, 4.0, 8.0)
"""The gains in nats at which the second, third and fourth band begin; the last one begins at the threshold."""


class Field(NamedTuple):
    """The usual among all players whose games are kept."""

    quitting_rate: float = 0.0
    time_correlation: float = 0.0


class LookTerms(NamedTuple):
    """The terms of a look: the honest forms, the threshold, and the field to compare with."""

    forms: HonestForms
    threshold: float
    field: Field
    milestones: int = EVENT_MILESTONES
    """The number of milestones for which the threshold was set; nobody is looked at after the last of them."""


def measure_field(seats: Sequence[SeatNumbers], forms: HonestForms) -> Field:
    """Return what is usual among these seats: the share of games left, and how times go with difficulty."""
    if not seats:
        return Field()
    patterns = [time_pattern(seat.turns, forms) for seat in seats if seat.forms == forms.version]
    turns = sum([pattern.turns for pattern in patterns])
    correlation = sum([pattern.turns * pattern.correlation for pattern in patterns]) / turns if turns else 0.0
    return Field(sum(map(has_quit, seats)) / len(seats), correlation)


def look(store: FairPlayStore, player: str, terms: LookTerms, now: int) -> list[Flag]:
    """Look at a player at each milestone reached since the last look, and return the flags that were raised.

    A look takes the first turns alone (`looks_due`), so that it comes out the same whenever it is done.
    """
    forms = terms.forms
    seats = [seat for seat in store.seats_of(player) if seat.forms == forms.version]
    raised = []
    for milestone, turns in looks_due([len(seat.turns) for seat in seats], terms.milestones):
        # By forms that were refitted everybody is looked at anew, over games that no look has counted.
        tests = {kind: f"{kind.value}/{forms.version}" for kind in FlagKind}
        tests = {kind: test for kind, test in tests.items() if not store.has_looked(player, test, milestone)}
        if not tests:
            continue
        first = first_turns(seats, turns)
        gains = gains_of(first, terms)
        for kind, test in tests.items():
            flag = None
            if (gain := gains[kind.value]) >= terms.threshold:
                bands = {name: band_of(value, terms.threshold) for name, value in gains.items()}
                numbers = (player, kind.value, milestone, len(first), round(gain, 2), round(terms.threshold, 2))
                flag = Flag(0, *numbers, forms.calibrated, bands, now, forms.version)
                raised.append(flag)
            store.keep_look(player, test, milestone, now, flag)
    return raised


def look_at_all(
    store: FairPlayStore, forms: HonestForms, threshold: float, now: int, milestones: int = EVENT_MILESTONES
) -> int:
    """Look at every player who has reached a milestone, and return the number of flags raised."""
    seats = store.all_seats()
    turns: dict[str, list[int]] = {}
    for seat in seats:
        if seat.forms == forms.version:
            turns.setdefault(seat.player, []).append(len(seat.turns))
    terms = LookTerms(forms, threshold, measure_field(seats, forms), milestones)
    due = [player for player, each in turns.items() if looks_due(each, milestones)]
    return sum([len(look(store, player, terms, now)) for player in due])


def first_turns(seats: Sequence[SeatNumbers], count: int, skipped: int = 0) -> list[SeatNumbers]:
    """Return the seats that hold so many turns, without those of them that come before; seats are cut, not joined.

    Games that were left before the first play are among them.
    """
    kept, at = [], 0
    for seat in seats:
        turns = seat.turns[max(skipped - at, 0) : max(count - at, 0)]
        is_left_at_once = not seat.turns and skipped <= at < count
        at += len(seat.turns)
        if turns or is_left_at_once:
            kept.append(seat._replace(turns=turns))
    return kept


def gains_of(seats: Sequence[SeatNumbers], terms: LookTerms) -> dict[str, float]:
    """Return the gain in nats of each category over these turns."""
    turns: list[TurnNumbers] = [turn for seat in seats for turn in seat.turns]
    if not turns:
        return dict.fromkeys(CATEGORIES, 0.0)
    times: TimePattern = time_pattern(turns, terms.forms)
    return {
        "choices": float(choice_gains(tabulate(turns), terms.forms).values[0]),
        "times": time_gain(times, terms.field.time_correlation),
        "quitting": quitting_gain(sum(map(has_quit, seats)), len(seats), terms.field.quitting_rate),
    }


def band_of(gain: float, threshold: float) -> int:
    """Return the index in `BANDS` of a gain."""
    return len(BANDS) - 1 if gain >= threshold else sum([gain >= end for end in _BAND_ENDS])


def evidence_of(store: FairPlayStore, player: str, terms: LookTerms) -> FlagEvidence:
    """Return what reviewers may see of a player; raises Missing where no game of theirs is kept."""
    seats = [seat for seat in store.seats_of(player) if seat.forms == terms.forms.version]
    if not seats:
        raise Missing("no game of this player is kept under the honest forms in force", hint="ordws fairplay report")
    turns_of_games = [len(seat.turns) for seat in seats]
    turns = sum(turns_of_games)
    ends = [look.turns for look in looks_due(turns_of_games)] or [turns]
    counted = ends[-1]
    periods, begin = [], 0
    for end in [*ends, *([turns] if turns > counted else [])]:
        periods.append(OwnPeriod(begin + 1, end, _bands(first_turns(seats, end, begin), terms)))
        begin = end
    games = tuple(dict.fromkeys([seat.game for seat in seats]))
    bands = _bands(first_turns(seats, counted), terms)
    ended = seats[0].ended, seats[-1].ended
    return FlagEvidence(player, turns, games, *ended, bands, counted, tuple(periods), terms.forms.calibrated)


def _bands(seats: Sequence[SeatNumbers], terms: LookTerms) -> dict[str, int]:
    return {name: band_of(gain, terms.threshold) for name, gain in gains_of(seats, terms).items()}


def evidence(instance: Instance, player: str, in_use: float) -> FlagEvidence:
    """Return what reviewers may see of a player; raises Missing where none of their games is kept.

    `in_use` is the threshold of the flag, in nats: the last band begins there.
    """
    forms = read_forms(instance.fairplay_forms)
    with closing(open_store(instance)) as store:
        field = measure_field(store.all_seats(), forms)
        return evidence_of(store, player, LookTerms(forms, in_use, field))


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
