"""Reader of the games in tests/vectors/games, which are written an event a line with the expected facts.

The README.md of that folder describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ordws.records.notation import read_move_with_swaps
from ordws.rules.ending import winners
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Drew,
    Event,
    Exchanged,
    Overdrew,
    Passed,
    Played,
    Resigned,
    ScoreEntryKind,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, initial_state
from ordws.rules.move import Exchange, Play
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.rules.state import (
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayReplay,
    Phase,
    ToDraw,
    ToMove,
    visible_racks,
)

FOLDER = Path(__file__).parent.parent / "vectors" / "games"


@dataclass
class Line:
    """An event, its text, and the facts that are expected after it."""

    text: str
    event: Event
    expected: list[str]


@dataclass
class Script:
    """A written game, and the facts at its end under other options."""

    title: str
    rules: str
    options: dict[str, str]
    players: int
    bag: str
    lines: list[Line] = field(default_factory=list)
    variations: list[tuple[dict[str, str], list[str]]] = field(default_factory=list)

    def game(self, changed: dict[str, str] | None = None) -> Game:
        """Return the game before its events, under the options of the script and some changed ones."""
        given = {"scoop": str(len(self.bag)), **self.options, **(changed or {})}
        return Game(with_options(RULE_SETS[self.rules], given), self.players, self.bag)


def read_scripts() -> list[Script]:
    return [script for path in sorted(FOLDER.glob("*.txt")) for script in _read(path)]


def _read(path: Path) -> Iterator[Script]:
    for block in re.split(r"(?m)^(?=GAME )", path.read_text("utf-8"))[1:]:
        title, rules, players, bag, *rest = [line for line in block.splitlines() if line and not line.startswith("#")]
        name, *options = rules.removeprefix("rules").split()
        script = Script(
            title.removeprefix("GAME").strip(),
            name,
            _options(options),
            int(players.removeprefix("players")),
            "".join(bag.removeprefix("bag").split()),
        )
        for line in rest:
            text, _, expected = (part.strip() for part in line.partition("=>"))
            facts = [fact.strip() for fact in expected.split(",") if fact.strip()]
            if text.startswith("with "):
                script.variations.append((_options(text.split()[1:]), facts))
            else:
                events = [*_events(text)]
                script.lines += [Line(text, event, []) for event in events[:-1]]
                script.lines.append(Line(text, events[-1], facts))
        yield script


def _options(tokens: list[str]) -> dict[str, str]:
    return dict(token.split("=") for token in tokens)


def _events(text: str) -> Iterator[Event]:
    """Yield the events of a line; a move includes its swaps."""
    match text.split():
        case ["stands"]:
            yield Stood()
        case ["caught", "turn", number]:
            yield Caught(int(number) - 1)
        case [number, *words]:
            yield from _of_player(int(number) - 1, words, text)


def _of_player(player: int, words: list[str], text: str) -> Iterator[Event]:
    match words:
        case ["draws", tiles]:
            yield Drew(player, tiles)
        case ["overdraws", tiles, "seen", seen, "returned", returned, *mixed]:
            yield Overdrew(player, tiles, seen, returned, mixed=bool(mixed))
        case ["challenges", *named, "upheld" | "fails" as verdict]:
            yield Challenged(player, tuple(named), verdict == "upheld")
        case ["checks", *named, "not", "found"]:
            yield Checked(player, False, *named)
        case ["checks", *named, "found"]:
            yield Checked(player, True, *named)
        case ["uses", time]:
            minutes, _, seconds = time.partition(":")
            yield Clocked(player, round(1_000 * (60 * int(minutes) + float(seconds))))
        case ["time", "is", "up"]:
            yield TimeUp(player)
        case ["resigns"]:
            yield Resigned(player)
        case ["gets", points, kind, *reason]:
            yield Adjusted(player, int(points), ScoreEntryKind(kind), " ".join(reason))
        case _:
            yield from _moves(player, words, text)


def _moves(player: int, words: list[str], text: str) -> Iterator[Event]:
    accepted = words[-1] != "rejected"
    move_words = words if accepted else words[:-1]
    is_swap = move_words[-1].startswith("=")
    turn = read_move_with_swaps(" ".join([*move_words, "-"] if is_swap else move_words))
    yield from [Swapped(player, row, column) for row, column in turn.swaps]
    if is_swap:
        return
    match turn.move:
        case Play() as play:
            yield Played(player, play, accepted)
        case Exchange(tiles):
            yield Exchanged(player, tiles)
        case _:
            yield Passed(player)


def run(game: Game, events: list[Event]) -> tuple[GameState, list[str]]:
    """Return the state after all events that are not refused, and the faults of those that are."""
    state, refused = initial_state(game), []
    for event in events:
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            refused.append(following.fault.value)
        else:
            state = following
    return state, refused


def state_text(state: GameState, fact: str) -> str:
    """Return what a state says on the subject of an expected fact; the same text if the fact holds."""
    match fact.split():
        case ["bag", _]:
            return f"bag {len(state.bag)}"
        case ["rack", player, *_]:
            return f"rack {player} {state.seats[int(player) - 1].rack or '-'}"
        case [viewer, "sees" | "misses", other]:
            seen = visible_racks(state, int(viewer) - 1)[int(other) - 1] is not None
            return f"{viewer} {'sees' if seen else 'misses'} {other}"
        case [player, "has", _, "in", _, "turns"]:
            turns, points = state.turn_totals(int(player) - 1)
            return f"{player} has {points} in {turns} turns"
        case [square, "reads", word]:
            turn = read_move_with_swaps(f"{square} {word}")
            assert isinstance(turn.move, Play)
            row, column, axis, letters = turn.move
            squares = [(row + i * axis, column + i * (1 - axis)) for i in range(len(letters))]
            return f"{square} reads {''.join([state.board.letter_at(*at) for at in squares])}"
        case ["won", "by", *_]:
            return " ".join(["won by", *(str(player + 1) for player in winners(state))])
        case [first, *_] if re.fullmatch(r"-?\d+", first) and re.fullmatch(r"[-\d ]+", fact):
            return " ".join([str(score) for score in state.scores])
    return phase_text(state.phase)


def phase_text(phase: Phase) -> str:
    match phase:
        case ToDraw(players):
            return " ".join([*(str(player + 1) for player in players), "to draw"])
        case ToMove(player):
            return f"{player + 1} to move"
        case MayReplay(player):
            return f"{player + 1} plays again"
        case MayCheckOspd(player):
            return f"{player + 1} may check"
        case MayBeChallenged(player):
            return f"{player + 1} may be challenged"
        case GameOver(why):
            return f"over: {why.value}"
