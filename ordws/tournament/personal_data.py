"""The personal data of an entrant: the facts that hold them, their erasure and export, and pseudonyms. Pure.

The word judge counts games and turns by pseudonyms. Whoever enters with a member number has one pseudonym in all events
under one key: a keyed digest of the number and the name together. So neither two people of one name nor a mistyped
number that is somebody else's brings the games of two people together; a slip parts one person's. Everybody else has a
pseudonym of the event.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec

from ordws.tournament import facts as f
from ordws.tournament.consent import wording_agreed_to
from ordws.tournament.fold import find_undone
from ordws.tournament.history import describe_facts, last_names
from ordws.tournament.names import name_key
from ordws.tournament.prizes import describe_pending
from ordws.tournament.standings import standings
from ordws.tournament.state import TournamentState


def facts_concerning(history: Sequence[f.RecordedFact], entrant: int) -> Iterator[f.RecordedFact]:
    """Yield the facts that concern one entrant: their own, those on their pairings, and constraints on them."""
    tables: dict[tuple[int, int], f.EventPairing] = {}
    for each in history:
        match each.fact:
            case f.Published():
                tables |= {(each.fact.round, pairing.table): pairing for pairing in each.fact.pairings}
                paired = [entrant for pairing in each.fact.pairings for entrant in pairing[1:]]
                concerns = entrant in (*paired, each.fact.bye)
            case f.PairedLate():
                tables[each.fact.round, each.fact.pairing.table] = each.fact.pairing
                concerns = entrant in each.fact.pairing[1:]
            case f.Constrained() | f.Unconstrained():
                concerns = entrant in (each.fact.a, each.fact.b)
            case (
                f.Bound() | f.Began() | f.Resulted() | f.Reported() | f.Confirmed() | f.Disputed() | f.Corrected()
            ) as fact:
                concerns = entrant in tables[fact.round, fact.table][1:]
            case (
                f.Created() | f.Configured() | f.OperatorsNamed() | f.Voided() | f.Closed() | f.Finished() | f.Undone()
            ):
                concerns = False
            case _:
                concerns = each.fact.entrant == entrant
        if concerns:
            yield each


def split_fact(fact: f.Fact) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a fact as JSON values in two parts: those of the chain, and the personal ones that may be erased."""
    whole: dict[str, Any] = msgspec.to_builtins(fact)
    personal = {name: whole.pop(name) for name in f.PERSONAL.get(type(fact), ()) if name in whole}
    return whole, personal


def join_fact(public: dict[str, Any], personal: dict[str, Any]) -> f.Fact:
    """Return the fact of which `split_fact` made two parts; erased fields are empty.

    Raises msgspec.ValidationError for a kind that a newer version of ordws wrote.
    """
    erased = {"entered": {"name": ""}, "renamed": {"name": ""}, "corrected": {"reason": ""}}
    fact: f.Fact = msgspec.convert(erased.get(str(public.get("kind")), {}) | public | personal, f.Fact)
    return fact


def export_entrant(state: TournamentState, history: Sequence[f.RecordedFact], entrant: int) -> dict[str, Any]:
    """Return everything that the event holds about one entrant, as JSON values; opponents are numbers alone."""
    held = state.entrants[entrant]
    names = {entrant: last_names(history).get(entrant, held.name)}
    theirs = [*facts_concerning(history, entrant)]
    wording = wording_agreed_to(*held.agreed) if held.agreed else None
    line = next(line for line in standings(state) if line.entrant == entrant)
    return {
        "event": state.event.name,
        "number": entrant,
        "name": held.name,
        "club": held.club,
        "member": held.member,
        "minor": held.minor,
        "status": held.status,
        "agreed": held.agreed[0] if held.agreed else None,
        "agreed_wording": wording and {"title": wording.title, "sentences": [each.text for each in wording.sentences]},
        "has_entry_code": bool(held.code_digest),
        "standing": line.to_json(),
        "prizes": describe_pending(state) or None,
        "facts": [
            # Their numbers would tell how many facts of fair play are between them.
            {"at": f"{datetime.fromtimestamp(each.at, UTC):%Y-%m-%dT%H:%M:%SZ}", "what": what}
            for each, what in zip(theirs, describe_facts(theirs, history, names), strict=True)
        ],
    }


_DIGEST_LETTERS: Final = 32


def event_pseudonym(event: str, entrant: int) -> str:
    """Return the pseudonym of an entrant in one event, which outlives an erased name; `event` is the event's key."""
    return f"{event[:16]}-{entrant}"


def person_pseudonym(key: bytes, member: str, name: str) -> str:
    """Return the pseudonym of a person in all events under a key; the parts of the name may stand in any order."""
    person = f"{member}\n{' '.join(sorted(name_key(name).split()))}"
    return f"p-{hmac.digest(key, person.encode(), sha256).hex()[:_DIGEST_LETTERS]}"


def pseudonyms_before(facts: Sequence[f.RecordedFact], number: int, key: bytes | None) -> Mapping[int, str]:
    """Return the pseudonym of each entrant as it was before the fact `number`; without a key they are the event's.

    A game is played under the pseudonyms of its draw, whatever is put right meanwhile: the word judge opens the game of
    a table once, for the same players. Erased entrants have the event's.
    """
    event, known = facts[0].command, facts[: number - 1]
    undone = find_undone(known)
    people: dict[int, f.Entered | f.Renamed] = {
        each.fact.entrant: each.fact
        for each in known
        if isinstance(each.fact, f.Entered | f.Renamed) and each.number not in undone
    }
    return {
        entrant: person_pseudonym(key, fact.member, fact.name)
        if key is not None and fact.member and fact.name
        else event_pseudonym(event, entrant)
        for entrant, fact in people.items()
    }


def entrants_behind(facts: Sequence[f.RecordedFact], pseudonym: str, key: bytes | None, since: int) -> set[int]:
    """Return the entrants who were paired under a pseudonym from `since` on, in seconds since 1970.

    Two stand behind one pseudonym where a number was given to another entrant in the course of the event.
    """
    found = set()
    for each in facts:
        if isinstance(each.fact, f.Published | f.PairedLate) and each.at >= since:
            drawn = each.fact.pairings if isinstance(each.fact, f.Published) else (each.fact.pairing,)
            paired = {entrant for pairing in drawn for entrant in pairing[1:]}
            names = pseudonyms_before(facts, each.number, key)
            found |= {entrant for entrant in paired if names[entrant] == pseudonym}
    return found
