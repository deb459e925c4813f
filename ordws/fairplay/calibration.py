"""The honest forms refitted on records (GCG) of games in person, where nobody had help (docs/fairplay.md 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from ordws.errors import BadInput
from ordws.fairplay.forms import FormParameters, HonestForms, Numbers, RankedPlays, join, likelihoods
from ordws.fairplay.statistics import GainBounds, gains, improve
from ordws.fairplay.turns import ChosenPlay, TurnReader
from ordws.records.audit import audit_record, iter_positions
from ordws.records.record import Record
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet

FEWEST_PLAYERS: Final = 8
FEWEST_TURNS: Final = 1_000

_STEPS: Final = (0.5, -0.5, 0.2, -0.2)
"""The changes of a difficulty that are tried, one after the other."""

_CEILINGS: Final = np.arange(-0.6, 3.01, 0.2)
_CEILING_MARGIN: Final = 0.15
"""How much further than the best player in person the ceiling lies."""

_MOST_GAIN: Final = 2.0
"""The gain in nats that a ceiling may leave to anybody who played in person."""

_EM_STEPS: Final = 60
_LEAST: Final = 1e-12


class ChoiceInPerson(NamedTuple):
    """A play in person: the plays there were, and the rank of the one that was made."""

    player: str
    plays: RankedPlays
    made: int


class Calibration(NamedTuple):
    """The refitted forms, and what they were fitted to."""

    forms: HonestForms
    players: int
    turns: int
    before: float
    """The log-likelihood of the choices under the forms before, in nats a turn."""

    after: float


def calibrate(choices: Sequence[ChoiceInPerson], forms: HonestForms) -> Calibration:
    """Fit the difficulties of rarity and of tiles, then raise or lower the ceiling of attention to what people reach.

    Raises BadInput for fewer than 8 players or 1,000 turns.
    """
    by_player: dict[str, list[int]] = {}
    for at, choice in enumerate(choices):
        by_player.setdefault(choice.player, []).append(at)
    if len(by_player) < FEWEST_PLAYERS or len(choices) < FEWEST_TURNS:
        raise BadInput(
            f"{len(choices)} turns of {len(by_player)} players are too few to calibrate on",
            hint=f"bring records of {FEWEST_TURNS} turns of {FEWEST_PLAYERS} players at least",
        )
    plays = join([choice.plays for choice in choices])
    made = plays.starts[:-1] + np.array([choice.made for choice in choices])

    def value(parameters: FormParameters) -> float:
        chosen = likelihoods(plays, HonestForms(parameters, calibrated=True))[made]
        columns = np.maximum(chosen, _LEAST)
        start = np.full((1, chosen.shape[1]), 1 / chosen.shape[1])
        fits = [improve(columns[turns][None], start, _EM_STEPS) for turns in by_player.values()]
        return sum([float(fit.value[0]) for fit in fits]) / len(choices)

    before = best = value(forms.parameters)
    parameters = forms.parameters
    # Every difficulty but the first of each kind, where the logits begin; twice over.
    for field, at, step in [*product(("rarity", "tiles"), range(1, 4), _STEPS)] * 2:
        values = list(getattr(parameters, field))
        if at < len(values):
            values[at] = round(values[at] + step, 3)
            trial = parameters._replace(**{field: tuple(values)})  # type: ignore[arg-type]
            if (found := value(trial)) > best + 1e-6:
                parameters, best = trial, found
    ceiling = _ceiling(parameters, plays, made, by_player)
    attentions = (*[each for each in parameters.attentions[:-1] if each < ceiling], ceiling)
    # The number of attentions stays, so that every form has its neighbours: the others are spread below the ceiling.
    spread = np.linspace(min(attentions), ceiling, len(parameters.attentions))
    parameters = parameters._replace(attentions=tuple([round(float(each), 3) for each in spread]))
    return Calibration(
        HonestForms(parameters, calibrated=True), len(by_player), len(choices), before, value(parameters)
    )


def _ceiling(
    parameters: FormParameters, plays: RankedPlays, made: Numbers, by_player: Mapping[str, list[int]]
) -> float:
    """Return the lowest ceiling under which a program explains nobody's plays better, and a margin above it."""
    engine, bounds = plays.engine[made], GainBounds(below=_MOST_GAIN, above=_MOST_GAIN)
    for ceiling in _CEILINGS:
        attentions = (*parameters.attentions[:-1], float(ceiling))
        chosen = likelihoods(plays, HonestForms(parameters._replace(attentions=attentions), calibrated=True))[made]
        columns = np.maximum(np.concatenate([chosen, engine[:, None]], axis=1), _LEAST)
        gained = [float(gains(columns[turns][None], bounds).values[0]) for turns in by_player.values()]
        if max(gained) < _MOST_GAIN:
            return round(float(ceiling) + _CEILING_MARGIN, 3)
    raise BadInput(
        "somebody plays the best play nearly always, and no honest form can tell them from a program",
        hint="leave out records of players who were helped, or of programs",
    )


def choices_in_person(record: Record, reader_for: Callable[[RuleSet], TurnReader]) -> list[ChoiceInPerson]:
    """Return the choices of a record: numbers, and who made them. Plays that are not among the best are left out."""
    choices: list[ChoiceInPerson] = []
    reader: TurnReader | None = None
    for player, taken in turns_in_person(record):
        reader = reader or reader_for(taken.rules)
        plays, made, _ = reader.rank(taken)
        if made is not None and made < len(plays.scores) > 1:
            choices.append(ChoiceInPerson(player, plays, made))
    return choices


class TurnInPerson(NamedTuple):
    """A play on a table, and the name of its player."""

    player: str
    taken: ChosenPlay


def turns_in_person(record: Record) -> Iterator[TurnInPerson]:
    """Yield the plays of a record that stood, as far as their whole racks are written."""
    audit = audit_record(record)
    rules = audit.rules
    names = {player.nick: player.name or player.nick for player in record.players}
    for event, board, placed in iter_positions(record, audit):
        play = None if placed is None else placed.play
        if play is None or len(event.rack) != rules.rack_size:
            continue
        if isinstance(judge(rules, board, play, event.rack), Legal):
            # The rack is written as it was after the swaps, so these are not part of the choice.
            yield TurnInPerson(names.get(event.nick, event.nick), ChosenPlay(rules, board, event.rack, play, ()))
