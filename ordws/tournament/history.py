"""The history of an event in words, for its log and for conflicts. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ordws.tournament import facts as f
from ordws.tournament.counts import count_of
from ordws.tournament.results import format_result


def history_in_words(facts: Iterable[f.RecordedFact], history: Sequence[f.RecordedFact] = ()) -> list[str]:
    """Return a sentence a fact with its actor, such as "Ben Ode withdrew (ill), by desk"; see `describe_facts`."""
    shown = list(facts)
    names = last_names(history or shown)
    sentences = []
    for each, words in zip(shown, describe_facts(shown, history), strict=True):
        entrant = f.entrant_of_actor(each.actor)
        sentences.append(f"{words}, by {each.actor if entrant is None else names.get(entrant, f'#{entrant}')}")
    return sentences


def describe_facts(
    facts: Sequence[f.RecordedFact], history: Sequence[f.RecordedFact], names: dict[int, str] | None = None
) -> list[str]:
    """Return a sentence a fact, such as "Ben Ode withdrew (ill)".

    Names are those of `history`, all facts of the event, or `names` alone; without either entrants are numbers.
    """
    event = _EventNames(last_names(history or facts) if names is None else names, history or facts)
    return [_describe_fact(each, event) for each in facts]


def last_names(history: Iterable[f.RecordedFact]) -> dict[int, str]:
    """Return the last name of each entrant who has one."""
    return {
        each.fact.entrant: each.fact.name
        for each in history
        if isinstance(each.fact, f.Entered | f.Renamed) and each.fact.name
    }


class _EventNames:
    """The names of an event's entrants, and the players of its tables."""

    def __init__(self, names: dict[int, str], history: Sequence[f.RecordedFact]) -> None:
        self._names = names
        self.by_number = {each.number: each for each in history}
        self._pairings: dict[tuple[int, int], list[tuple[int, f.EventPairing]]] = defaultdict(list)
        for each in history:
            if isinstance(each.fact, f.Published | f.PairedLate):
                pairings = each.fact.pairings if isinstance(each.fact, f.Published) else (each.fact.pairing,)
                for pairing in pairings:
                    self._pairings[each.fact.round, pairing.table].append((each.number, pairing))

    def name(self, entrant: int) -> str:
        return self._names.get(entrant, f"#{entrant}")

    def players_at(self, round: int, table: int, number: int) -> str:
        """Return who plays at a table, as of the fact with this number: a voided round is drawn again."""
        seated = [pairing for published, pairing in self._pairings[round, table] if published < number]
        return f" ({self.name(seated[-1].first)} - {self.name(seated[-1].second)})" if seated else ""


def _describe_fact(recorded: f.RecordedFact, event: _EventNames) -> str:
    fact, name = recorded.fact, event.name

    def because(reason: str) -> str:
        return f" ({reason})" if reason else ""

    match fact:
        case f.Created():
            rounds = count_of(fact.rounds, "round", "rounds")
            return f'the event "{fact.name}" of {rounds} by the rules {fact.rules} was created'
        case f.Configured():
            renamed = f', and the name is "{fact.name}"' if fact.name else ""
            return f"the settings were changed, with {count_of(fact.rounds, 'round', 'rounds')}{renamed}"
        case f.OperatorsNamed():
            others = f", and is directed by {', '.join(fact.directors)} too" if fact.directors else ""
            return f"the event belongs to the operator {fact.owner}{others}"
        case f.Finished():
            return "the event was finished"
        case f.Undone():
            undone = [event.by_number[number] for number in fact.numbers if number in event.by_number]
            words = "; ".join([_describe_fact(each, event) for each in undone[:3]])
            more = f" and {len(undone) - 3} more" if len(undone) > 3 else ""
            return f"it was undone that {words}{more}" if undone else f"facts {fact.numbers} were undone"
        case f.Constrained():
            verb = "may not meet" if fact.constraint == "forbid" else "are put together"
            round_ = f" in round {fact.round}" if fact.round is not None else ""
            return f"{name(fact.a)} and {name(fact.b)} {verb}{round_}{because(fact.reason)}"
        case f.Unconstrained():
            return f"the constraint on {name(fact.a)} and {name(fact.b)} was ended"
        case f.Published():
            bye = f", with a bye for {name(fact.bye)}" if fact.bye is not None else ""
            pairings = count_of(len(fact.pairings), "pairing", "pairings")
            return f"round {fact.round} was published with {pairings}{bye}"
        case f.PairedLate():
            pairing = fact.pairing
            return f"{name(pairing.first)} - {name(pairing.second)} were paired late in round {fact.round}"
        case f.Voided():
            return f"round {fact.round} was voided{because(fact.reason)}"
        case f.Closed():
            return f"round {fact.round} was closed"
        case f.Bound() | f.Began() | f.Resulted() | f.Reported() | f.Confirmed() | f.Disputed() | f.Corrected():
            return _describe_table_fact(fact, event, event.players_at(fact.round, fact.table, recorded.number))
        case _:
            return f"{name(fact.entrant)} {_describe_entrant_fact(fact)}"


def _describe_entrant_fact(fact: f.Entered | f.ChangeOfEntrant) -> str:
    match fact:
        case f.Entered():
            return "entered with a member number" if fact.member else "entered"
        case f.Renamed():
            return f"has the name {fact.name or '(erased)'} now{', and a member number' if fact.member else ''}"
        case f.Erased():
            return "was erased"
        case f.CheckedIn():
            return "was checked in"
        case f.CheckedOut():
            return "was checked out"
        case f.Withdrawn():
            return f"withdrew ({fact.reason})" if fact.reason else "withdrew"
        case f.Returned():
            return "returned"
        case f.Agreed():
            return f"agreed to the conditions, version {fact.version}"
        case f.Frozen():
            return f"gets no prize while case {fact.case} is open"
        case f.Unfrozen():
            return f"may get a prize, for case {fact.case} is closed"
        case f.CodeIssued():
            return "has a new entry code"


def _describe_table_fact(fact: f.ChangeOfTable, event: _EventNames, players: str) -> str:
    place = f"round {fact.round}, table {fact.table}{players}"
    if not isinstance(fact, f.Began) and fact.game > 1:
        place += f", game {fact.game}"
    match fact:
        case f.Bound():
            where = "a sealed game" if fact.sealed_game else f"the device {fact.device}"
            return f"{place} was bound to {where}"
        case f.Began():
            return f"{place} began"
        case f.Resulted():
            told = f"was claimed by {event.name(fact.by)}" if fact.by is not None else "was keyed in"
            return f"{place}: {format_result(fact.result)} {told}"
        case f.Reported():
            return f"{place}: {format_result(fact.result)} was reported by the {fact.source}"
        case f.Confirmed():
            by = event.name(fact.entrant) if fact.entrant is not None else "a director"
            return f"{place} was confirmed by {by}" + (f" ({fact.reason})" if fact.reason else "")
        case f.Disputed():
            return f"{place} was disputed by {event.name(fact.entrant)}, who has {format_result(fact.result)}"
        case f.Corrected():
            return f"{place} was corrected to {format_result(fact.result)} ({fact.reason or 'reason erased'})"
