"""Whole sealed games over HTTP, as they stand in tests/vectors/referee (docs/rules.md 5 to 9)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from each_row import each_row
from sealed_game import FixedDraws, SealedGame, install_edition, service_sender
from small_installation import FakeClock, InProcessService

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

VECTORS = Path(__file__).parent.parent / "vectors" / "referee"
WORDS = ("CAT", "CATS", "EAT", "HEAT", "HEATERS", "LOVE", "SEA", "TEA", "TOE")
REFERENCE = ("CAT", "HAET", "SNEA", "THAE")


@dataclass
class Script:
    """A written game: its rules, options, draws and lines."""

    title: str
    rules: str
    options: dict[str, str]
    players: int
    draws: list[str]
    lines: list[tuple[str, list[str]]] = field(default_factory=list)


def read_scripts():
    for path in sorted(VECTORS.glob("*.txt")):
        for block in re.split(r"(?m)^(?=GAME )", path.read_text("utf-8"))[1:]:
            title, rules, players, draws, *rest = [line for line in block.splitlines() if line and line[0] != "#"]
            _, name, *options = rules.split()
            script = Script(
                f"{path.stem}: {title.removeprefix('GAME ')}",
                name,
                dict(option.split("=") for option in options),
                int(players.removeprefix("players ")),
                draws.split()[1:],
            )
            for line in rest:
                text, _, facts = line.partition("=>")
                script.lines.append((text.strip(), [fact.strip() for fact in facts.split(",") if fact.strip()]))
            yield script


SCRIPTS = [*read_scripts()]


@pytest.fixture(scope="module")
def service(shared_installation):
    """Return the service, and the clock that it goes by."""
    install_edition(shared_installation, WORDS, number=2, core=(), reference=REFERENCE)
    clock = FakeClock()
    return InProcessService(shared_installation.services(), shared_installation.key, clock), clock


@pytest.fixture
def new_key(shared_installation):
    """Return a function that makes a client key, so that no other game counts for the game that is opened with it."""
    register = shared_installation.register
    numbers = count(len(register.list()))
    return lambda: register.add(f"table {next(numbers)}", "home", 0)


def send_line(game, clock, text):
    """Send a line's move, and return its outcome or the code of its refusal; let time pass, and return nothing."""
    number, *tokens = text.split()
    if number == "after":
        clock.now += float(tokens[0])
        return ""
    seat = int(number) - 1
    swaps = [token for token in tokens if token.startswith("=")]
    match [token for token in tokens if not token.startswith("=")]:
        case ["challenge", *words]:
            fields = {"move": "challenge", **({"words": words} if words else {})}
        case ["check-ospd", *word]:
            fields = {"move": "check-ospd", **({"word": word[0]} if word else {})}
        case move:
            fields = {"move": " ".join(move), **({"swaps": swaps} if swaps else {})}
    status, body = game.post(seat, game.standing(seat)["turn"], **fields)
    answer = json.loads(body)
    return answer["happened"]["outcome"] if status == 200 else f"refused {answer['code']}"


def state_fact(see, outcome, fact):
    """Return what seats see on the subject of a fact; the same text if the fact holds."""
    standing = see(0)
    match fact.split():
        case ["bag", _]:
            return f"bag {standing['bag']}"
        case ["rack", player, _]:
            return f"rack {player} {see(int(player) - 1)['rack'] or '-'}"
        case [player, "has", _, "in", _, "turns"]:
            seat = standing["seats"][int(player) - 1]
            return f"{player} has {round((seat['points_per_turn'] or 0) * seat['turns'])} in {seat['turns']} turns"
        case [player, "sees" | "misses", other]:
            seen = see(int(player) - 1)["seats"][int(other) - 1]["rack"] is not None
            return f"{player} {'sees' if seen else 'misses'} {other}"
        case [player, "left", _]:
            return f"{player} left {standing['seats'][int(player) - 1]['left']}"
        case [player, "may", *_]:
            return " ".join([player, "may", *see(int(player) - 1)["acts"]])
        case ["price", player, _]:
            return f"price {player} {see(int(player) - 1)['check_price']}"
        case ["prices", player, *_]:
            words = see(int(player) - 1)["check_words"]
            return " ".join(["prices", player, *[f"{each['word']}:{each['price']}" for each in words]])
        case ["won", "by", *_]:
            return " ".join(["won by", *[str(seat + 1) for seat in standing["winners"]]])
        case ["round", *_]:
            return " ".join(["round", *[str(seat + 1) for seat in (standing["unplayed_round"] or {}).get("seats", [])]])
        case ["opened", *_]:
            made = (standing["unplayed_round"] or {"proposals": []})["proposals"]
            texts = [f"{each['seat'] + 1}:{'/'.join(each['words']) or '-'}:{each['points']}" for each in made]
            return " ".join(["opened", *texts])
        case ["over", _]:
            return f"over {standing['ending']}"
        case [_, "to", "move"] | [_, "to", "replay"] | [_, "to", "check"] | [_, "to", "challenge"]:
            names = {"to-move": "move", "may-replay": "replay", "may-check": "check", "may-be-challenged": "challenge"}
            return f"{(standing['mover'] or 0) + 1} to {names.get(standing['phase'], standing['phase'])}"
        case _ if re.fullmatch(r"-?\d+( -?\d+)+", fact):
            return " ".join([str(seat["score"]) for seat in standing["seats"]])
    return outcome


@each_row("script", SCRIPTS)
def test_a_written_game_goes_as_it_is_written(service, new_key, script):
    """Every line of a written game has the outcome and the standing that are written after it."""
    service, clock = service
    service.services.games.chance = FixedDraws(*script.draws)
    game = SealedGame(service_sender(service, new_key()), script.rules, script.players, options=script.options)
    for number, (text, facts) in enumerate(script.lines, start=1):
        outcome = send_line(game, clock, text)
        see = cache(game.standing)
        found = [state_fact(see, outcome, fact) for fact in facts]
        assert found == facts, f"line {number}: {text}"
    if game.standing(0)["phase"] == "over":
        assert audit_record(read_gcg(game.record())).is_exact


@each_row("script", [each for each in SCRIPTS if "unplayed_tiles_round" in each.options])
def test_the_unplayed_tiles_round_leaves_points_per_turn_as_they_are(service, new_key, script):
    """Turns and their points are those of the same game without the round."""
    service, clock = service
    totals = []
    for options in (script.options, {**script.options, "unplayed_tiles_round": "off"}):
        service.services.games.chance = FixedDraws(*script.draws)
        game = SealedGame(service_sender(service, new_key()), script.rules, script.players, options=options)
        for text, _ in script.lines:
            send_line(game, clock, text)
        totals.append([(seat["turns"], seat["points_per_turn"]) for seat in game.standing(0)["seats"]])
    assert totals[0] == totals[1]


def test_two_players_propose_at_once(service, new_key):
    """Neither proposal is refused because the other one came first, and each sent again gets its reply again."""
    service, _ = service
    service.services.games.chance = FixedDraws("AEHLTVZ", "CEILOQU")
    game = SealedGame(
        service_sender(service, new_key()), "scrabble-o", 2, options={"scoop": 14, "unplayed_tiles_round": "on"}
    )
    for seat, move in ((0, "8E HEAT"), (1, "-"), (0, "-"), (1, "-")):
        assert game.post(seat, game.standing(seat)["turn"], move=move)[0] == 200
    turn = game.standing(0)["turn"]
    replies = [game.post(seat, turn, move=move) for seat, move in ((0, "H8 .OE"), (1, "-"), (0, "H8 .OE"), (1, "-"))]
    assert [status for status, _ in replies] == [200] * 4
    assert replies[:2] == replies[2:]
    assert [seat["score"] for seat in game.standing(0)["seats"]] == [2, -18]
