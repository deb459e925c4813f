"""Deeds: what a director does at the desk, as commands, and as the sentence that says it was done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from msgspec import structs

from ordws.desk.fields import Fields, read_amount, read_game, read_number, read_reason, read_result, read_row
from ordws.desk.views import count_entrants, warn_of_rounds
from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.consent import current_consent
from ordws.tournament.counts import count_of
from ordws.tournament.decide_entrants import MOST_ENTRANTS, get_entrant
from ordws.tournament.decide_rounds import find_missing, get_pairing
from ordws.tournament.facts import PairKind, TableResult
from ordws.tournament.names import clean_entrant_name, clean_member, find_doubles, find_entrant, name_key, turn_name
from ordws.tournament.pairing.problem import Draft
from ordws.tournament.played_event import event_pairings
from ordws.tournament.results import find_doubts
from ordws.tournament.standings import winner_of
from ordws.tournament.state import Entrant, TournamentState

SWITCHES: Final = ("on_line", "automatic", "consent_required", "unplayed_tiles_round")
"""The settings that are on or off."""


_NUMBERS: Final = ("forfeit_minutes", "fee_percent", "equal_percent")
_AMOUNTS: Final = ("entry_fee", "prize_fund")
_TEXTS: Final = ("currency", "pairing")
_TABLE_DIGITS: Final = 6
SETTINGS: Final = ("name", "rounds", *SWITCHES, *_NUMBERS, *_AMOUNTS, *_TEXTS)
"""What the form of settings takes."""


class Doubtful(BadInput):
    """Something is possible and looks wrong: it is done where the director sends it once more."""

    def __init__(self, doubts: Sequence[str], done: str) -> None:
        super().__init__("; ".join(doubts), hint=f"Send it once more, unchanged, and {done} all the same.")


class Deed(NamedTuple):
    """The commands of a deed, what is said when they are carried out, and the endpoint of the page to go to, if any."""

    commands: tuple[c.Command, ...]
    said: str
    to: str = ""


def plan_deed(state: TournamentState, name: str, fields: Fields) -> Deed:
    """Return what a deed takes; raise BadInput where its fields do not say, or there is no deed of that name."""
    if name not in DEEDS:
        raise BadInput(f'the desk does not know "{name}"')
    return DEEDS[name](state, fields)


def describe_result(state: TournamentState, place: dict[str, int], result: TableResult) -> str:
    """Return a result in a sentence."""
    pairing = get_pairing(state, place["round"], place["table"])
    names = {"first": state.name_of(pairing.first), "second": state.name_of(pairing.second)}
    game = f", game {place['game']}" if len(pairing.games) > 1 else ""
    where = f"Round {place['round']}, table {place['table']}{game}: "
    if result.forfeit:
        who = " and ".join(names.values()) if result.forfeit == "both" else names[result.forfeit]
        return f"{where}{who} forfeited."
    sides = [
        f"{names[side]} {figures.score} ({figures.points} in {figures.turns})"
        for side, figures in (("first", result.first), ("second", result.second))
        if figures is not None
    ]
    winner = winner_of(result)
    end = f"{names[winner]} wins" if winner in names else "a tie"
    resigned = f", {names[result.resigned]} resigned" if result.resigned else ""
    return f"{where}{', '.join(sides)}; {end}{resigned}."


def _record(state: TournamentState, fields: Fields) -> Deed:
    place, result = read_game(fields), _read_sure_result(fields)
    said = f"{describe_result(state, place, result)}{say_who_stays(state, place, result)}"
    return Deed((f.Resulted(result=result, **place),), said)


def _read_sure_result(fields: Fields) -> TableResult:
    """Return the result that the fields tell; raise Doubtful for an unusual one that is not sent for sure."""
    result = read_result(fields)
    if (doubts := find_doubts(result)) and not fields.get("sure"):
        raise Doubtful(doubts, "it is stored")
    return result


def say_who_stays(state: TournamentState, place: dict[str, int], result: TableResult) -> str:
    """Return that whoever forfeits is paired again all the same, for those who are checked in."""
    pairing = get_pairing(state, place["round"], place["table"])
    sides = {"first": [pairing.first], "second": [pairing.second], "both": [*pairing.entrants]}
    staying = [each for each in sides.get(result.forfeit or "", []) if state.entrants[each].status == "present"]
    if not staying:
        return ""
    names = " and ".join([state.name_of(each) for each in staying])
    return (
        f" {names} {'stays' if len(staying) == 1 else 'stay'} checked in: check out, or withdraw, who does not play on."
    )


def _correct(state: TournamentState, fields: Fields) -> Deed:
    place, result = read_game(fields), _read_sure_result(fields)
    command = f.Corrected(result=result, reason=read_reason(fields), **place)
    return Deed((command,), f"Corrected. {describe_result(state, place, result)}")


def _confirm(state: TournamentState, fields: Fields) -> Deed:
    place = read_game(fields)
    result = read_result(fields) if fields.get("first") else None
    command = c.ConfirmResult(reason=read_reason(fields), result=result, **place)
    return Deed((command,), f"The result of table {place['table']} is confirmed.")


def _enter(state: TournamentState, fields: Fields) -> Deed:
    rows = [read_row(line) for line in fields.get("names", "").splitlines() if line.strip()]
    turned = turn_name if fields.get("turn") else str
    entering = [
        c.Enter(name=clean_entrant_name(turned(name)), club=club, minor=is_minor, member=clean_member(member))
        for name, club, is_minor, member in rows
    ]
    if not entering:
        raise BadInput("no name is typed")
    if len(state.entrants) + len(entering) > MOST_ENTRANTS:
        raise BadInput(f"with these there are more than {MOST_ENTRANTS:,} players, the most that one event takes")
    numbered = enumerate(entering, state.entrants_ever + 1)
    added = {number: Entrant(number, each.name, 0) for number, each in numbered}
    after = replace(state, entrants={**state.entrants, **added})
    # The same name is refused for good, and the refusal says what to do.
    alike = [(a, b) for a, b in find_doubles(after, added) if name_key(a) != name_key(b)]
    doubts = [f'"{b}" looks like "{a}"' for a, b in alike]
    if doubts and not fields.get("sure"):
        raise Doubtful(doubts, "they are entered")
    said = f'"{entering[0].name}" is entered' if len(entering) == 1 else f"{len(entering)} players are entered"
    return Deed(tuple(entering), f"{said}. {describe_field(after)}")


def describe_field(state: TournamentState) -> str:
    """Return how many have entered, with a warning where there are more rounds than opponents."""
    entered = count_of(count_entrants(state)["there"], "has", "have")
    return f"{entered} entered. {warn_of_rounds(state)}".strip()


def _entrant(state: TournamentState, fields: Fields) -> Entrant:
    return get_entrant(state, read_number(fields, "entrant"))


def _check_in(state: TournamentState, fields: Fields) -> Deed:
    if fields.get("all"):
        coming = [each for each in state.entrants.values() if each.status == "entered"]
        commands = tuple(f.CheckedIn(entrant=each.number) for each in coming)
        said = f"{count_of(len(coming), 'is', 'are')} checked in." if coming else "Everybody is checked in."
        return Deed(commands, said)
    entrant = _entrant(state, fields)
    return Deed((f.CheckedIn(entrant=entrant.number),), f"{entrant.name} is checked in.{late_offer(state, entrant)}")


def late_offer(state: TournamentState, entrant: Entrant) -> str:
    """Return the offer of a game in the round being played to one who comes late, or why there is none."""
    played = state.open_round
    if played is None or played.of_entrant(entrant.number) is not None or played.bye == entrant.number:
        return ""
    if played.bye is None or state.entrants[played.bye].status != "present":
        return f" Round {played.number} is being played and nobody waits with a bye: the next round has a place."
    name = state.name_of(played.bye)
    return f" {name} has the bye of round {played.number}: type late {entrant.name} if their game can begin now."


def _check_out(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    return Deed(
        (f.CheckedOut(entrant=entrant.number),),
        f"{entrant.name} is not paired until checked in again.{_open_game(state, entrant)}",
    )


def _withdraw(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    command = f.Withdrawn(entrant=entrant.number, reason=fields.get("reason", ""))
    return Deed((command,), f"{entrant.name} has withdrawn; the games played stay.{_open_game(state, entrant)}")


def _open_game(state: TournamentState, entrant: Entrant) -> str:
    """Return that one who leaves has a game without a result, if so."""
    played = state.open_round
    pairing = played.of_entrant(entrant.number) if played else None
    if played is None or pairing is None or pairing.is_complete:
        return ""
    return (
        f" Their game in round {played.number}, at table {pairing.table}, is open: key in its result, or the forfeit."
    )


def _take_back(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    return Deed((f.Returned(entrant=entrant.number),), f"{entrant.name} is back, and paired from the next draft on.")


def _late(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    played = state.open_round
    if played is None:
        raise BadInput("no round is being played: the next draft pairs everybody who is checked in")
    arrival: list[c.Command] = [] if entrant.status == "present" else [f.CheckedIn(entrant=entrant.number)]
    if entrant.status == "withdrawn":
        arrival = [f.Returned(entrant=entrant.number)]
    opponent = state.name_of(played.bye) if played.bye else "nobody"
    said = f"{entrant.name} plays {opponent}, who had the bye, at table {len(played.pairings) + 1}."
    return Deed((*arrival, c.PairLate(round=played.number, entrant=entrant.number)), said)


def _rename(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    command = c.Rename(
        entrant=entrant.number,
        name=fields.get("name"),
        club=fields.get("club"),
        minor=bool(fields.get("minor")),
        member=fields.get("member"),
    )
    return Deed((command,), f"{entrant.name} is now {fields.get('name', entrant.name)}.")


def _erase(state: TournamentState, fields: Fields) -> Deed:
    entrant = _entrant(state, fields)
    if not fields.get("sure"):
        raise Doubtful([f"the data of {entrant.name} are erased for good"], "they are erased")
    said = f"The name and all else about {entrant.name} are erased; #{entrant.number} and the results stay."
    return Deed((f.Erased(entrant=entrant.number),), said)


def _agree(state: TournamentState, fields: Fields) -> Deed:
    wording = current_consent()
    agreeing = [each for each in state.entrants.values() if each.status != "withdrawn" and not each.agreed]
    if not fields.get("all"):
        agreeing = [_entrant(state, fields)]
    commands = [f.Agreed(entrant=each.number, version=wording.version, digest=wording.digest) for each in agreeing]
    said = f"{agreeing[0].name} has" if len(agreeing) == 1 else count_of(len(agreeing), "has", "have")
    return Deed(tuple(commands), f"{said} agreed to the conditions.")


def _pair(state: TournamentState, fields: Fields) -> tuple[Entrant, Entrant]:
    """Return the two entrants of the fields `a` and `b`, each a number or a name."""
    a, b = (
        find_entrant(state, f"#{text}" if (text := fields.get(name, "").strip()).isdecimal() else text) for name in "ab"
    )
    return a, b


def _constrain(state: TournamentState, fields: Fields) -> Deed:
    a, b = _pair(state, fields)
    kind = fields.get("kind", "")
    if kind not in ("forbid", "together"):
        raise BadInput(f'the constraint is "{kind}": expected forbid or together')
    command = f.Constrained(
        a=a.number,
        b=b.number,
        constraint=cast(PairKind, kind),
        reason=read_reason(fields),
        round=read_number(fields, "round", 0) or None,
    )
    verb = "are not paired" if kind == "forbid" else "are paired"
    when = f" in round {command.round}" if command.round else " in the next draft" if kind == "together" else ""
    return Deed((command,), f"{a.name} and {b.name} {verb}{when}.")


def _free(state: TournamentState, fields: Fields) -> Deed:
    a, b = _pair(state, fields)
    return Deed((f.Unconstrained(a=a.number, b=b.number),), f"{a.name} and {b.name} are free again.")


def _close(state: TournamentState, fields: Fields) -> Deed:
    number = read_number(fields, "round")
    return Deed((f.Closed(round=number),), f"Round {number} is closed.")


def _void(state: TournamentState, fields: Fields) -> Deed:
    number = read_number(fields, "round")
    tables = fields.get("began", "").replace(",", " ").split()
    began = tuple(int(each) for each in tables if each.isdecimal() and len(each) <= _TABLE_DIGITS)
    command = f.Voided(round=number, reason=read_reason(fields), began=began)
    return Deed((command,), f"Round {number} is void and is drawn again.")


def _finish(state: TournamentState, fields: Fields) -> Deed:
    played = state.open_round
    if played is None or find_missing(state):
        return Deed((f.Finished(),), "The event is over.")
    said = f"Round {played.number} is closed, and the event is over."
    return Deed((f.Closed(round=played.number), f.Finished()), said)


def _undo(state: TournamentState, fields: Fields) -> Deed:
    number = read_number(fields, "number", 0) or None
    return Deed((c.Undo(number=number),), "Undone.")


def _bind(state: TournamentState, fields: Fields) -> Deed:
    place = read_game(fields)
    command = f.Bound(sealed_game=fields.get("sealed_game", ""), device=fields.get("device", ""), **place)
    where = f"at the station {command.device}" if command.device else f"as the sealed game {command.sealed_game}"
    return Deed((command,), f"The game of table {place['table']} is played {where}, and tells its result itself.")


def _configure(state: TournamentState, fields: Fields) -> Deed:
    """Take the settings that the form has: a box that is not ticked is missing from what a browser sends."""
    changed: dict[str, object] = {name: bool(fields.get(name)) for name in SWITCHES}
    now = state.settings
    changed |= {name: read_number(fields, name, getattr(now, name)) for name in _NUMBERS}
    changed |= {name: read_amount(fields, name, getattr(now, name)) for name in _AMOUNTS}
    changed |= {name: fields.get(name, getattr(now, name)).strip() for name in _TEXTS}
    rounds = read_number(fields, "rounds", state.rounds_planned)
    command = c.Configure(rounds=rounds, name=fields.get("name"), settings=structs.replace(now, **changed))
    return Deed((command,), f"The settings are saved. {warn_of_rounds(replace(state, rounds_planned=rounds))}".strip())


def _own(_: TournamentState, fields: Fields) -> Deed:
    owner = fields.get("operator", "")
    return Deed((c.NameOperators(owner=owner),), f"The event belongs to the operator {owner}.")


def _direct(_: TournamentState, fields: Fields) -> Deed:
    names = tuple([each.strip() for each in fields.get("operators", "").split(";") if each.strip()])
    said = f"The owner and {', '.join(names)} direct the event." if names else "The owner alone directs the event."
    return Deed((c.NameOperators(directors=names),), said)


def plan_publication(state: TournamentState, draft: Draft) -> Deed:
    """Return what it takes to publish a draft of this state; a round whose results are all in is closed before."""
    publish = f.Published(round=state.next_round, pairings=event_pairings(draft), bye=draft.bye)
    closing = [f.Closed(round=state.open_round.number)] if state.open_round else []
    return Deed((*closing, publish), f"Round {state.next_round} is published.", "desk.now")


def describe_place(state: TournamentState, fields: Fields) -> str:
    """Return where the entrant of the fields plays now."""
    entrant = _entrant(state, fields)
    played = state.open_round
    pairing = played.of_entrant(entrant.number) if played else None
    if played is not None and pairing is not None:
        opponent = state.name_of(pairing.opponent_of(entrant.number))
        return f"{entrant.name}: table {pairing.table}, round {played.number}, against {opponent}."
    if played is not None and played.bye == entrant.number:
        return f"{entrant.name} has the bye of round {played.number}."
    status = {"present": "is checked in", "entered": "is not checked in", "withdrawn": "has withdrawn"}[entrant.status]
    return f"{entrant.name} {status}."


DEEDS: Final[dict[str, Callable[[TournamentState, Fields], Deed]]] = {
    "result": _record,
    "correct": _correct,
    "confirm": _confirm,
    "enter": _enter,
    "check-in": _check_in,
    "check-out": _check_out,
    "withdraw": _withdraw,
    "return": _take_back,
    "late": _late,
    "rename": _rename,
    "erase": _erase,
    "agree": _agree,
    "constrain": _constrain,
    "free": _free,
    "close": _close,
    "void": _void,
    "finish": _finish,
    "undo": _undo,
    "bind": _bind,
    "configure": _configure,
    "owner": _own,
    "directors": _direct,
}
"""The deeds by name; publishing is beside them, since it takes the draft."""
