"""The state of an event as the fold of its facts, and the subjects whose versions they raise. Pure.

By the versions of subjects two directors are kept from overwriting each other. A subject is a tuple: ("event",),
("entrant", number), ("round", number) or ("round", number, table). The subject ("draft",) is that of the next draft:
facts that change it are those on which the draft depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final, TypeAlias

from msgspec import structs

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.names import name_key
from ordws.tournament.state import Entrant, GameBinding, PairingState, RoundState, TableGame, TournamentState

Subject: TypeAlias = tuple[str | int, ...]

EVENT: Final[Subject] = ("event",)
DRAFT: Final[Subject] = ("draft",)


def subjects_of(fact: f.Fact) -> tuple[Subject, ...]:
    """Return the subjects whose state a fact changes, first the one that its sender has looked at."""
    match fact:
        case f.Created() | f.Configured() | f.Finished():
            return (EVENT, DRAFT)
        case f.Entered() | f.Renamed() | f.Erased() | f.Agreed() | f.Frozen() | f.Unfrozen() | f.CodeIssued():
            return (("entrant", fact.entrant),)
        case f.CheckedIn() | f.CheckedOut() | f.Withdrawn() | f.Returned():
            return (("entrant", fact.entrant), DRAFT)
        case f.Constrained() | f.Unconstrained():
            return (DRAFT, ("entrant", fact.a), ("entrant", fact.b))
        case f.Published():
            return (DRAFT, ("round", fact.round))
        case f.Voided() | f.Closed():
            return (("round", fact.round), DRAFT)
        case f.PairedLate():
            return (("round", fact.round), ("round", fact.round, fact.pairing.table), DRAFT)
        case f.Bound() | f.Began() | f.Disputed():
            return (("round", fact.round, fact.table),)
        case f.Resulted() | f.Reported() | f.Confirmed() | f.Corrected():
            return (("round", fact.round, fact.table), DRAFT)
        case f.Undone() | f.OperatorsNamed():
            return ()


def subject_of(command: c.Command) -> Subject:
    """Return the subject that the sender of a command has looked at."""
    match command:
        case c.Configure() | c.NameOperators() | c.Enter() | c.Undo():
            return EVENT
        case c.Rename():
            return ("entrant", command.entrant)
        case c.PairLate():
            return ("round", command.round)
        case c.ClaimResult() | c.ConfirmResult():
            return ("round", command.round, command.table)
        case _:
            return subjects_of(command)[0]


def version_of(state: TournamentState, subject: Subject) -> int:
    """Return the number of the last fact that changed a subject, 0 for a subject that there is not."""
    match subject:
        case ("draft",):
            return state.draft_version
        case ("entrant", int(number)):
            return state.entrants[number].version if number in state.entrants else 0
        case ("round", int(number)):
            found = state.find_round(number)
            return found.version if found else 0
        case ("round", int(number), int(table)):
            found = state.find_round(number)
            pairing = found.at_table(table) if found else None
            return pairing.version if pairing else 0
    return state.event_version


def touch(state: TournamentState, subject: Subject, version: int) -> TournamentState:
    """Return an own state with the version of a subject raised; a subject that there is not is left out."""
    match subject:
        case ("event",):
            return replace(state, event_version=version)
        case ("draft",):
            return replace(state, draft_version=version)
        case ("entrant", int(number)) if number in state.entrants:
            state.entrants[number] = state.entrants[number]._replace(version=version)
        case ("round", int(number), *table):
            found = state.find_round(number)
            if found is not None and not table:
                return state.with_round(found._replace(version=version))
            if found is not None and isinstance(table[0], int) and (pairing := found.at_table(table[0])) is not None:
                return state.with_round(found.with_pairing(pairing._replace(version=version)))
    return state


def overlap(one: Subject, other: Subject) -> bool:
    """Return True if a subject is the other or a part of it: a table is a part of its round."""
    return one[: len(other)] == other or other[: len(one)] == one


def fold(recorded: Iterable[f.RecordedFact]) -> TournamentState:
    """Return the state to which facts lead, in their order from the first on; those that were undone leave no trace.

    A subject of an undone fact has the version of the undoing, so that whoever saw it before hears of a conflict.
    """
    facts = list(recorded)
    undone = find_undone(facts)
    by_number = {each.number: each.fact for each in facts}
    state = TournamentState()
    for each in facts:
        if isinstance(each.fact, f.Undone):
            state = replace(state, version=each.number)
            for subject in {subject for number in each.fact.numbers for subject in subjects_of(by_number[number])}:
                state = touch(state, subject, each.number)
        elif each.number not in undone:
            state = apply_to_own(state, each)
        else:
            entered = each.fact.entrant if isinstance(each.fact, f.Entered) else 0
            state = replace(state, version=each.number, entrants_ever=max(state.entrants_ever, entered))
    if not undone:
        return state
    # Without what was undone, two may have shared a name for a while.
    return replace(
        state,
        numbers_by_name={name_key(each.name): number for number, each in state.entrants.items()},
        numbers_by_member={each.member: number for number, each in state.entrants.items() if each.member},
    )


def find_undone(facts: Sequence[f.RecordedFact]) -> frozenset[int]:
    """Return the numbers of the facts that do not count; what an undone undoing had undone counts again."""
    undone: set[int] = set()
    for each in reversed(facts):
        if isinstance(each.fact, f.Undone) and each.number not in undone:
            undone.update(each.fact.numbers)
    return frozenset(undone)


def apply_facts(state: TournamentState, recorded: Iterable[f.RecordedFact]) -> TournamentState:
    """Return the state after more facts, of which none is an `Undone`: that needs all facts, and `fold`."""
    return reduce(apply_to_own, recorded, state.own())


def apply_to_own(state: TournamentState, recorded: f.RecordedFact) -> TournamentState:
    """Return an own state (`TournamentState.own`) after one more fact; its entrants are changed in place."""
    number, fact = recorded.number, recorded.fact
    match fact:
        case f.Created():
            operators = (fact.owner,) if fact.owner else ()
            state = replace(
                state, created=fact, rounds_planned=fact.rounds, settings=fact.settings, operators=operators
            )
        case f.OperatorsNamed():
            state = replace(state, operators=(fact.owner, *fact.directors))
        case f.Configured():
            created = structs.replace(state.event, name=fact.name or state.event.name)
            state = replace(state, created=created, rounds_planned=fact.rounds, settings=fact.settings)
        case f.Finished():
            state = replace(state, finished_at=recorded.at)
        case f.Entered():
            entrant = Entrant(fact.entrant, fact.name or _number_as_name(fact.entrant), number)
            entrant = entrant._replace(club=fact.club, minor=fact.minor, member=fact.member)
            _put_entrant(state, entrant)
            state = replace(state, entrants_ever=max(state.entrants_ever, fact.entrant))
        case f.Constrained():
            state = replace(state, constraints=(*state.constraints, fact))
        case f.Unconstrained():
            pair = {fact.a, fact.b}
            kept = tuple([each for each in state.constraints if {each.a, each.b} != pair])
            state = replace(state, constraints=kept)
        case f.Published() | f.Voided() | f.Closed() | f.PairedLate():
            state = _apply_to_round(state, fact, number)
        case f.Bound() | f.Began() | f.Resulted() | f.Reported() | f.Confirmed() | f.Disputed() | f.Corrected():
            return _stamp(_apply_to_pairing(state, fact, number), fact, number)
        case f.Undone():
            raise ValueError("an Undone is applied by fold alone")
        case _:
            _put_entrant(state, _change_entrant(state.entrants[fact.entrant], fact))
    for subject in subjects_of(fact):
        if subject not in (EVENT, DRAFT):
            state = touch(state, subject, number)
    return _stamp(state, fact, number)


def _stamp(state: TournamentState, fact: f.Fact, number: int) -> TournamentState:
    """Return the state with the number of its last fact, at once for all that it concerns beside its parts."""
    subjects = subjects_of(fact)
    return replace(
        state,
        version=number,
        event_version=number if EVENT in subjects else state.event_version,
        draft_version=number if DRAFT in subjects else state.draft_version,
    )


def _put_entrant(state: TournamentState, entrant: Entrant) -> None:
    """Add an entrant to an own state, or exchange the one of the same number there."""
    number, before = entrant.number, state.entrants.get(entrant.number)
    state.entrants[number] = entrant
    if before is not None:
        if (before.name, before.member) == (entrant.name, entrant.member):
            return
        state.numbers_by_name.pop(name_key(before.name), None)
        state.numbers_by_member.pop(before.member, None)
    state.numbers_by_name[name_key(entrant.name)] = number
    if entrant.member:
        state.numbers_by_member[entrant.member] = number


def _number_as_name(entrant: int) -> str:
    """Return the name of an entrant whose data were erased."""
    return f"#{entrant}"


def _change_entrant(entrant: Entrant, fact: f.ChangeOfEntrant) -> Entrant:
    match fact:
        case f.Renamed():
            name = fact.name or _number_as_name(entrant.number)
            return entrant._replace(name=name, club=fact.club, minor=fact.minor, member=fact.member)
        case f.Erased():
            name = _number_as_name(entrant.number)
            return entrant._replace(name=name, club="", minor=False, member="", code_digest="", erased=True)
        case f.CheckedIn() | f.Returned():
            return entrant._replace(status="present")
        case f.CheckedOut():
            return entrant._replace(status="entered")
        case f.Withdrawn():
            return entrant._replace(status="withdrawn")
        case f.Agreed():
            return entrant._replace(agreed=(fact.version, fact.digest))
        case f.Frozen():
            return entrant._replace(cases=entrant.cases | {fact.case})
        case f.Unfrozen():
            return entrant._replace(cases=entrant.cases - {fact.case})
        case f.CodeIssued():
            return entrant._replace(code_digest=fact.digest)


def _apply_to_round(state: TournamentState, fact: f.ChangeOfRound, number: int) -> TournamentState:
    games = (None,) * state.event.games_a_round
    if isinstance(fact, f.Published):
        pairings = tuple([PairingState(*pairing, games, number) for pairing in fact.pairings])
        published = RoundState(fact.round, "published", pairings, fact.bye, fact.absent, number)
        return replace(state, rounds=(*state.rounds, published))
    found = state.find_round(fact.round)
    assert found is not None
    match fact:
        case f.Closed():
            # A constraint for one round ends with it, and not before: a voided round is drawn again under it.
            kept = tuple([each for each in state.constraints if each.round is None or each.round > fact.round])
            return replace(state, constraints=kept).with_round(found._replace(status="closed"))
        case f.PairedLate():
            pairing = PairingState(*fact.pairing, games, number)
            absent = tuple([each for each in found.absent if each not in pairing.entrants])
            return state.with_round(found._replace(pairings=(*found.pairings, pairing), bye=None, absent=absent))
        case f.Voided():
            pairings = tuple([each._replace(games=games, began=each.table in fact.began) for each in found.pairings])
            return state.with_round(found._replace(status="void", pairings=pairings, void_reason=fact.reason))


def _apply_to_pairing(state: TournamentState, fact: f.ChangeOfTable, number: int) -> TournamentState:
    found = state.find_round(fact.round)
    assert found is not None
    pairing = found.at_table(fact.table)
    assert pairing is not None

    def with_game(change: Callable[[TableGame | None], TableGame]) -> PairingState:
        assert pairing is not None
        assert not isinstance(fact, f.Began)
        games = [change(game) if index == fact.game else game for index, game in enumerate(pairing.games, 1)]
        return pairing._replace(games=tuple(games))

    match fact:
        case f.Bound():
            others = [each for each in pairing.bound if each.game != fact.game]
            bindings = (*others, GameBinding(fact.game, fact.sealed_game, fact.device))
            changed = pairing._replace(bound=tuple(sorted(bindings)))
        case f.Began():
            changed = pairing._replace(began=True)
        case f.Resulted():
            changed = with_game(lambda _: TableGame(fact.result, fact.source, fact.by))
        case f.Reported():
            changed = with_game(lambda _: TableGame(fact.result, fact.source, digest=fact.digest))
        case f.Corrected():
            digest = (pairing.games[fact.game - 1] or TableGame(fact.result, "director")).digest
            changed = with_game(lambda _: TableGame(fact.result, "director", digest=digest))
        case f.Confirmed():
            changed = with_game(lambda game: _known(game)._replace(confirmed=True, dispute=None))
        case f.Disputed():
            changed = with_game(lambda game: _known(game)._replace(dispute=fact))
    return state.with_round(found.with_pairing(changed._replace(version=number)))


def _known(game: TableGame | None) -> TableGame:
    assert game is not None, "only a claimed result is confirmed or disputed"
    return game
