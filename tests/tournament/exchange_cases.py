"""Sheets of events that never happened, for the round trips of the exchange formats."""

from __future__ import annotations

from hypothesis import strategies as st

from ordws.tournament.exchange.sheet import Bye, Sheet, SheetGame, SheetPlayer, SheetSide

WORDS = st.text(st.characters(codec="utf-8", categories=("Lu", "Ll", "Nd", "Pd", "Po")), min_size=1, max_size=9)
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).filter(lambda name: ";" not in name)
SCORES = st.integers(-49, 949)


@st.composite
def sides(draw: st.DrawFn, has_turns: bool) -> SheetSide:
    score = draw(SCORES)
    if not has_turns:
        return SheetSide(score)
    turns = draw(st.integers(1, 40))
    return SheetSide(score, draw(st.integers(0, 60 * turns)), turns)


@st.composite
def sheets(draw: st.DrawFn, *, has_turns: bool = True, has_forfeits: bool = True, has_clubs: bool = False) -> Sheet:
    """Draw a sheet of rounds that are played, the last of which may be under way."""
    names = draw(st.lists(NAMES, min_size=2, max_size=7, unique=True))
    per_round = draw(st.sampled_from([1, 1, 2])) if has_turns else 1
    rounds = draw(st.integers(0, 4))
    games: list[SheetGame] = []
    byes: list[Bye] = []
    for number in range(1, rounds + 1):
        order = draw(st.permutations(range(1, len(names) + 1)))
        paired = draw(st.integers(1, len(order) // 2))
        byes += [Bye(number, order[-1])] * (len(order) % 2)
        for table in range(1, paired + 1):
            first, second = order[2 * table - 2], order[2 * table - 1]
            for which in range(1, per_round + 1):
                pair = (first, second) if which == 1 else (second, first)
                game = SheetGame(number, table, which, *pair)
                kinds = ["played", "played", "resigned", *["forfeit"] * has_forfeits]
                kinds += ["unplayed"] * (has_forfeits and number == rounds and which == per_round)
                match draw(st.sampled_from(kinds)):
                    case "played":
                        game = game._replace(sides=(draw(sides(has_turns)), draw(sides(has_turns))))
                    case "resigned":
                        game = game._replace(sides=(draw(sides(has_turns)), draw(sides(has_turns))))
                        side = draw(st.sampled_from(["first", "second"]))
                        plain = game.half_points()
                        if plain != game._replace(resigned=side).half_points():
                            game = game._replace(resigned=side)
                    case "forfeit":
                        game = game._replace(forfeit=draw(st.sampled_from(["first", "second", "both"])))
                games.append(game)
    players = [
        SheetPlayer(
            name,
            draw(NAMES) if has_clubs else "",
            has_clubs and draw(st.booleans()),
            draw(st.booleans()),
            draw(st.sampled_from(["", "A-17", "0017", "-5"])) if has_clubs else "",
        )
        for name in names
    ]
    return Sheet("Autumn Open", tuple(players), tuple(games), tuple(byes), "2026-11-21", rounds, per_round)


def by_place(sheet: Sheet) -> Sheet:
    """Return the sheet with its games and byes in the order of rounds, tables and games."""
    return sheet._replace(games=tuple(sorted(sheet.games, key=lambda game: game[:5])), byes=tuple(sorted(sheet.byes)))
