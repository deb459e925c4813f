"""The facts that follow from commands about the event as a whole and about its entrants. Pure."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from ordws.errors import BadInput
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.counts import count_of
from ordws.tournament.names import clean_entrant_name, clean_member, clean_name, name_key
from ordws.tournament.pairing.problem import PAIRING_METHODS
from ordws.tournament.state import MOST_GAMES, Entrant, TournamentState

MOST_OPERATORS: Final = 50
LONGEST_OPERATOR: Final = 64
"""The characters of a client's name in the word judge's register."""

MOST_MINUTES: Final = 10_080
"""The minutes until a forfeit: a week."""
MOST_MONEY: Final = 100_000_000_000
"""A fee, or a fund, in hundredths."""

_MONEY: Final = ("entry_fee", "prize_fund", "fee_percent", "equal_percent", "currency")

MOST_ENTRANTS: Final = 10_000
"""The entrants that one file takes (docs/tournaments.md 8)."""


def decide_create(state: TournamentState, command: f.Created) -> list[f.Fact]:
    if state.created is not None:
        raise BadInput(f'the file has the event "{state.event.name}" already')
    if command.rules not in RULE_SETS:
        raise BadInput(f'there is no rule set "{command.rules}": expected {", ".join(RULE_SETS)}')
    options = {}
    for option in command.options:
        name, equals, options[name] = option.partition("=")
        if not equals:
            raise BadInput(f'option "{option}" is not of the form NAME=VALUE')
    try:
        with_options(RULE_SETS[command.rules], options)
    except BadOption as err:
        raise BadInput(str(err)) from err
    if command.games_a_round not in (1, 2):
        raise BadInput(f"{command.games_a_round} games a round: expected 1 or 2")
    _check_rounds(command.rounds, command.games_a_round)
    _check_settings(command.settings)
    owner = _clean_operator(command.owner) if command.owner else ""
    return [structs.replace(command, name=clean_name(command.name, "name of the event"), owner=owner)]


def changes_money_alone(state: TournamentState, command: c.Command) -> bool:
    """Return whether a command changes nothing but fees and prizes, which may be settled after the last round."""
    if not isinstance(command, c.Configure) or command.settings is None:
        return False
    if command.rounds not in (None, state.rounds_planned) or command.name not in (None, state.event.name):
        return False
    kept = {name: getattr(state.settings, name) for name in _MONEY}
    return structs.replace(command.settings, **kept) == state.settings


def decide_configure(state: TournamentState, command: c.Configure) -> list[f.Fact]:
    rounds = command.rounds if command.rounds is not None else state.rounds_planned
    settings = command.settings if command.settings is not None else state.settings
    if settings.on_line and not state.settings.on_line:
        # Whoever plays on line agrees to the conditions first (docs/rules.md 10.5).
        settings = structs.replace(settings, consent_required=True)
    name = state.event.name if command.name is None else clean_name(command.name, "name of the event")
    if (rounds, settings, name) == (state.rounds_planned, state.settings, state.event.name):
        return []
    if not name and state.event.name:
        raise BadInput("the name of the event is empty")
    _check_rounds(rounds, state.event.games_a_round)
    _check_settings(settings)
    if rounds < len(state.live_rounds):
        published = count_of(len(state.live_rounds), "round is", "rounds are")
        raise BadInput(f"{published} published, so there cannot be {rounds}")
    return [f.Configured(rounds=rounds, settings=settings, name="" if name == state.event.name else name)]


def decide_operators(state: TournamentState, command: c.NameOperators) -> list[f.Fact]:
    if command.is_claim and state.operators:
        return []
    owner, *others = [*state.operators, ""] if command.owner is None else [command.owner, *state.operators[1:]]
    directors = [each for each in others if each] if command.directors is None else command.directors
    if not owner:
        raise BadInput("the event belongs to no operator", hint="name one first: owner OPERATOR")
    named = [_clean_operator(each) for each in dict.fromkeys((owner, *directors))]
    if tuple(named) == state.operators:
        return []
    if len(named) > MOST_OPERATORS:
        raise BadInput(f"{len(named)} operators, and {MOST_OPERATORS} are the most")
    return [f.OperatorsNamed(owner=named[0], directors=tuple(named[1:]))]


def decide_enter(state: TournamentState, command: c.Enter) -> list[f.Fact]:
    name = clean_entrant_name(command.name)
    _check_name_is_free(state, name)
    if len(state.entrants) >= MOST_ENTRANTS:
        raise BadInput(f"the event has {MOST_ENTRANTS:,} entrants, the most that one file takes")
    club, member = clean_name(command.club, "club"), clean_member(command.member)
    _check_member_is_free(state, member)
    return [f.Entered(entrant=state.entrants_ever + 1, name=name, minor=command.minor, club=club, member=member)]


def decide_rename(state: TournamentState, command: c.Rename) -> list[f.Fact]:
    entrant = get_entrant(state, command.entrant)
    if entrant.erased:
        raise BadInput(f"the data of entrant {entrant.name} were erased for good")
    name = entrant.name if command.name is None else clean_entrant_name(command.name)
    club = entrant.club if command.club is None else clean_name(command.club, "club")
    minor = entrant.minor if command.minor is None else command.minor
    member = entrant.member if command.member is None else clean_member(command.member)
    if (name, club, minor, member) == (entrant.name, entrant.club, entrant.minor, entrant.member):
        return []
    _check_name_is_free(state, name, except_for=entrant.number)
    _check_member_is_free(state, member, except_for=entrant.number)
    return [f.Renamed(entrant=entrant.number, name=name, minor=minor, club=club, member=member)]


def decide_erase(state: TournamentState, command: f.Erased) -> list[f.Fact]:
    entrant = get_entrant(state, command.entrant)
    if entrant.erased:
        return []
    if not state.is_finished and entrant.status != "withdrawn":
        raise BadInput(
            f'"{entrant.name}" takes part in the event', hint="withdraw the entrant first, or wait for the end"
        )
    return [command]


def decide_attendance(state: TournamentState, command: c.ChangeOfAttendance) -> list[f.Fact]:
    entrant = get_entrant(state, command.entrant)
    match command:
        case f.CheckedIn():
            if entrant.status == "withdrawn":
                raise BadInput(f'"{entrant.name}" has withdrawn', hint="take the entrant back with: return")
            _check_consent(state, entrant)
            return [] if entrant.status == "present" else [command]
        case f.CheckedOut():
            return [command] if entrant.status == "present" else []
        case f.Withdrawn():
            reason = clean_name(command.reason, "reason")
            return [] if entrant.status == "withdrawn" else [structs.replace(command, reason=reason)]
        case f.Returned():
            if entrant.status == "entered":
                raise BadInput(f'"{entrant.name}" has not withdrawn', hint="check the entrant in instead")
            if entrant.erased:
                raise BadInput(f"the data of entrant {entrant.name} were erased for good", hint="enter the player anew")
            _check_consent(state, entrant)
            return [] if entrant.status == "present" else [command]


def decide_about_entrant(state: TournamentState, command: c.ChangeOfStanding) -> list[f.Fact]:
    entrant = get_entrant(state, command.entrant)
    match command:
        case f.Agreed():
            is_new = entrant.agreed != (command.version, command.digest)
        case f.Frozen():
            is_new = command.case not in entrant.cases
        case f.Unfrozen():
            is_new = command.case in entrant.cases
        case f.CodeIssued():
            is_new = entrant.code_digest != command.digest
    return [command] if is_new else []


def decide_constraint(state: TournamentState, command: f.Constrained | f.Unconstrained) -> list[f.Fact]:
    a, b = get_entrant(state, command.a), get_entrant(state, command.b)
    if a.number == b.number:
        raise BadInput(f'"{a.name}" cannot meet themselves: name two entrants')
    pair = {a.number, b.number}
    in_force = [each for each in state.constraints if each.round in (None, state.next_round)]
    there = [each for each in in_force if {each.a, each.b} == pair]
    if isinstance(command, f.Unconstrained):
        if not there:
            raise BadInput(f'there is no constraint on "{a.name}" and "{b.name}"')
        return [command]
    if command.round is not None and command.round != state.next_round:
        raise BadInput(f"the next draft is that of round {state.next_round}, not of round {command.round}")
    if any((each.constraint, each.round) == (command.constraint, command.round) for each in there):
        return []
    if there:
        word = "forbidden to meet" if there[0].constraint == "forbid" else "put together"
        raise BadInput(f'"{a.name}" and "{b.name}" are {word} already', hint="end that first: free ANN, BEN")
    if command.constraint == "together":
        # A round has one place for each, so that nobody is put together with two.
        for each in in_force:
            if each.constraint == "together" and pair & {each.a, each.b}:
                names = f'"{state.name_of(each.a)}" and "{state.name_of(each.b)}"'
                raise BadInput(f"{names} are put together already", hint="end that first: free ANN, BEN")
    return [structs.replace(command, reason=clean_name(command.reason, "reason"))]


def get_entrant(state: TournamentState, number: int) -> Entrant:
    """Return the entrant with a number; raise BadInput for a number that nobody has."""
    if number not in state.entrants:
        raise BadInput(f"there is no entrant #{number}")
    return state.entrants[number]


def _check_name_is_free(state: TournamentState, name: str, except_for: int = 0) -> None:
    number = state.numbers_by_name.get(name_key(name), except_for)
    if number != except_for:
        raise BadInput(
            f'"{name}" is entered already, as #{number} "{state.name_of(number)}"',
            hint="two players of one name need something to tell them apart, such as a club or an initial",
        )


def _check_member_is_free(state: TournamentState, member: str, except_for: int = 0) -> None:
    """Raise BadInput where another entrant has the member number, which stands in no error."""
    number = state.numbers_by_member.get(member, except_for)
    if number != except_for:
        raise BadInput(
            f'the member number is that of #{number} "{state.name_of(number)}" already',
            hint="one of the two was mistyped; a player without a number of their own has none",
        )


def _check_consent(state: TournamentState, entrant: Entrant) -> None:
    if state.settings.consent_required and entrant.agreed is None:
        raise BadInput(
            f'"{entrant.name}" has not agreed to the conditions of the event',
            hint="the entrant agrees on their own page, or you record it with: agree",
        )


def _clean_operator(name: str) -> str:
    if not (1 <= len(name) <= LONGEST_OPERATOR and name.isprintable()):
        raise BadInput(f"the name of an operator has 1 to {LONGEST_OPERATOR} printable characters")
    return name


def _check_rounds(rounds: int, games_a_round: int) -> None:
    if not 1 <= rounds <= MOST_GAMES // games_a_round:
        raise BadInput(f"{rounds} rounds: expected 1 to {MOST_GAMES // games_a_round}")


def _check_settings(settings: f.EventSettings) -> None:
    for name, most in (("forfeit_minutes", MOST_MINUTES), ("entry_fee", MOST_MONEY), ("prize_fund", MOST_MONEY)):
        if getattr(settings, name) < 0:
            raise BadInput(f"{name} is {getattr(settings, name)}: expected 0 or more")
        if getattr(settings, name) > most:
            raise BadInput(f"{name} is too large: expected {most:,} at most")
    for name in ("fee_percent", "equal_percent"):
        if not 0 <= getattr(settings, name) <= 100:
            raise BadInput(f"{name} is {getattr(settings, name)}: expected 0 to 100")
    if settings.pairing not in PAIRING_METHODS:
        raise BadInput(f'there is no pairing method "{settings.pairing}": expected {", ".join(PAIRING_METHODS)}')
    clean_name(settings.currency, "currency")
