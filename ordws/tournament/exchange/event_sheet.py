"""The sheet of an event that was run here, and the commands by which a sheet enters one, all or none. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ordws.errors import BadInput, BadSheet
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_entrants import MOST_ENTRANTS
from ordws.tournament.exchange.sheet import Bye, Sheet, SheetGame, SheetPlayer, SheetSide
from ordws.tournament.facts import EventPairing, OneSide, Published, RecordedFact, SideResult, TableResult
from ordws.tournament.names import clean_entrant_name, clean_member, clean_name, name_key, turn_name
from ordws.tournament.standings import standings
from ordws.tournament.state import TournamentState


def first_day(facts: Sequence[RecordedFact]) -> str:
    """Return the day of the first round, as in 2026-11-21; before there is one, that on which the event was made."""
    begun = next((each for each in facts if isinstance(each.fact, Published)), facts[0])
    return datetime.fromtimestamp(begun.at, UTC).date().isoformat()


def sheet_of(state: TournamentState, *, date: str = "") -> Sheet:
    """Return the sheet of an event; `date` is its first day, as in 2026-11-21.

    Players are numbered again without gaps, in the order of their entry. Of a voided round nothing is in it.
    """
    entrants = sorted(state.entrants)
    places = {entrant: place for place, entrant in enumerate(entrants, 1)}
    ranks = {line.entrant: line.rank for line in standings(state)}
    games = []
    for played in state.live_rounds:
        for pairing in played.pairings:
            for number, found in enumerate(pairing.games, 1):
                # The second player begins the second game.
                is_swapped = number % 2 == 0
                pair = pairing.entrants[::-1] if is_swapped else pairing.entrants
                game = SheetGame(played.number, pairing.table, number, places[pair[0]], places[pair[1]])
                if found is not None and found.is_settled:
                    game = _with_result(game, found.result, is_swapped)
                games.append(game)
    return Sheet(
        name=state.event.name,
        players=tuple(
            [
                SheetPlayer(each.name, each.club, each.minor, each.status == "withdrawn", each.member)
                for number, each in sorted(state.entrants.items())
            ]
        ),
        games=tuple(games),
        byes=tuple([Bye(found.number, places[found.bye]) for found in state.live_rounds if found.bye is not None]),
        date=date,
        rounds=state.rounds_planned,
        games_a_round=state.event.games_a_round,
        ranks=tuple([ranks[number] for number in entrants]),
    )


def _with_result(game: SheetGame, result: TableResult, is_swapped: bool) -> SheetGame:
    """Return the game with its result, seen from the player who began it."""
    sides = [SheetSide(*each) for each in (result.first, result.second) if each is not None]
    if is_swapped:
        sides.reverse()
    return game._replace(
        sides=(sides[0], sides[1]) if len(sides) == 2 and result.forfeit is None else None,
        forfeit="both" if result.forfeit == "both" else swap_side(result.forfeit, is_swapped),
        resigned=swap_side(result.resigned, is_swapped),
        time_up=swap_side(result.time_up, is_swapped),
    )


def swap_side(side: OneSide | None, is_swapped: bool) -> OneSide | None:
    """Return the other side if the sides are swapped, else the side."""
    if side is None or not is_swapped:
        return side
    return "second" if side == "first" else "first"


class SheetEntry(NamedTuple):
    """The commands that enter a sheet, and the names of players who were in the event before."""

    commands: tuple[c.Command, ...]
    already_there: tuple[str, ...]


def enter_players(state: TournamentState, sheet: Sheet, *, file: str = "the file") -> SheetEntry:
    """Return the commands that enter those players of a sheet who are not in the event.

    Players who have left their event, and games, are not taken over. Raises BadSheet, which names the line, for a name
    or a member number that cannot be entered.
    """
    known = {name_key(each.name): each.name for each in state.entrants.values()}
    entered: dict[str, str] = {}
    members = {each.member: each.name for each in state.entrants.values() if each.member}
    commands: list[c.Command] = []
    there: list[str] = []
    for place, player in enumerate(sheet.players):
        line = sheet.lines[place] if sheet.lines else place + 1
        try:
            name, club = clean_entrant_name(player.name), clean_name(player.club, "club")
            member = clean_member(player.member)
        except BadInput as fault:
            raise BadSheet(file, line, str(fault), hint=fault.hint) from None
        key = name_key(name)
        if known.get(key) == name:
            there.append(name)
        elif key in known or key in entered:
            raise BadSheet(file, line, f'"{name}" is "{known.get(key) or entered[key]}", who is entered already')
        elif not player.is_withdrawn:
            if len(known) + len(entered) >= MOST_ENTRANTS:
                raise BadSheet(file, line, f"with this one there are more than {MOST_ENTRANTS:,} players, the most")
            if member and members.setdefault(member, name) != name:
                raise BadSheet(file, line, f'the member number is that of "{members[member]}" already')
            entered[key] = name
            commands.append(c.Enter(name=name, club=club, minor=player.is_minor, member=member))
    return SheetEntry(tuple(commands), tuple(there))


def turn_names(sheet: Sheet) -> Sheet:
    """Return a sheet whose names have the family name first, before a comma, with names as they are said."""
    return sheet._replace(players=tuple([each._replace(name=turn_name(each.name)) for each in sheet.players]))


def count_commas(sheet: Sheet) -> int:
    """Return how many names may have the family name first."""
    return sum("," in each.name for each in sheet.players)


def enter_rounds(state: TournamentState, sheet: Sheet, *, file: str = "the file") -> SheetEntry:
    """Return the commands that enter a sheet with all of its rounds into an event without entrants.

    Rounds are published as they were, with their results, and closed, but for the last one if a result is missing.
    Raises BadInput if the event has begun or has another number of games a round, or if a game has no turns.
    """
    if state.entrants or state.rounds:
        raise BadInput("results are taken over by an event without entrants alone", hint="begin another: new")
    if sheet.games_a_round != state.event.games_a_round:
        raise BadInput(
            f"{file} has {sheet.games_a_round} games a round, the event {state.event.games_a_round}",
            hint=f"begin another: new --games-a-round {sheet.games_a_round}",
        )
    everyone = sheet._replace(players=tuple([each._replace(is_withdrawn=False) for each in sheet.players]))
    commands = list(enter_players(state, everyone, file=file).commands)
    last = max([*[game.round for game in sheet.games], *[bye.round for bye in sheet.byes], 0])
    if last > state.rounds_planned:
        commands.insert(0, c.Configure(rounds=last))
    numbers = range(state.entrants_ever, state.entrants_ever + len(sheet.players) + 1)
    present: set[int] = set()
    for round_number in range(1, last + 1):
        tables = _tables_of(file, sheet, round_number, numbers)
        byes = [numbers[bye.player] for bye in sheet.byes if bye.round == round_number]
        if len(byes) > 1:
            raise BadInput(f"{file} has {len(byes)} byes in round {round_number}, and one is the most")
        paired = {entrant for pairing, _ in tables for entrant in (pairing.first, pairing.second)} | {*byes}
        commands += [f.CheckedIn(entrant=each) for each in sorted(paired - present)]
        commands += [f.CheckedOut(entrant=each) for each in sorted(present - paired)]
        present = paired
        pairings = tuple([pairing for pairing, _ in tables])
        commands.append(f.Published(round=round_number, pairings=pairings, bye=byes[0] if byes else None))
        results = [
            f.Resulted(round=round_number, table=pairing.table, game=game.game, result=result)
            for pairing, games in tables
            for game in games
            if (result := _result_of(file, sheet, game)) is not None
        ]
        commands += results
        if len(results) == len(tables) * sheet.games_a_round:
            commands.append(f.Closed(round=round_number))
    commands += [
        f.Withdrawn(entrant=numbers[place]) for place, each in enumerate(sheet.players, 1) if each.is_withdrawn
    ]
    return SheetEntry(tuple(commands), ())


def _tables_of(
    file: str, sheet: Sheet, round_number: int, numbers: Sequence[int]
) -> list[tuple[EventPairing, list[SheetGame]]]:
    """Return the pairings of a round with their games, at tables from 1 on in the order of the sheet's tables."""
    by_pair: dict[frozenset[int], list[SheetGame]] = defaultdict(list)
    for game in sorted([game for game in sheet.games if game.round == round_number], key=lambda game: game[:5]):
        by_pair[frozenset((game.first, game.second))].append(game)
    tables = []
    for table, games in enumerate(sorted(by_pair.values(), key=lambda games: games[0].table), 1):
        if [game.game for game in games] != list(range(1, sheet.games_a_round + 1)):
            raise BadInput(
                f"{file} has {len(games)} games of one pairing in round {round_number}, not {sheet.games_a_round}"
            )
        tables.append((EventPairing(table, numbers[games[0].first], numbers[games[0].second]), games))
    return tables


def _result_of(file: str, sheet: Sheet, game: SheetGame) -> TableResult | None:
    """Return the result of a game as its pairing has it, None for one that was not played."""
    is_swapped = game.game == 2
    if game.forfeit is not None:
        return TableResult(forfeit="both" if game.forfeit == "both" else swap_side(game.forfeit, is_swapped))
    if game.sides is None:
        return None
    sides = []
    for side, player in zip(game.sides, (game.first, game.second), strict=True):
        if side.points is None or side.turns is None:
            raise BadInput(
                f'{file}: in round {game.round} "{sheet.players[player - 1].name}" has no turn points and turns,'
                " by which players are ranked here",
                hint="import the players without --results, and key the results in",
            )
        sides.append(SideResult(side.score, side.points, side.turns))
    first, second = reversed(sides) if is_swapped else sides
    return TableResult(
        first=first,
        second=second,
        resigned=swap_side(game.resigned, is_swapped),
        time_up=swap_side(game.time_up, is_swapped),
    )
