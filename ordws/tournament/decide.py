"""Commands become facts, or are refused. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_entrants import (
    changes_money_alone,
    decide_about_entrant,
    decide_attendance,
    decide_configure,
    decide_constraint,
    decide_create,
    decide_enter,
    decide_erase,
    decide_operators,
    decide_rename,
)
from ordws.tournament.decide_rounds import (
    decide_begin,
    decide_bind,
    decide_claim,
    decide_close,
    decide_confirm,
    decide_correct,
    decide_finish,
    decide_pair_late,
    decide_publish,
    decide_result,
    decide_void,
    has_games_at_the_service,
)
from ordws.tournament.fold import DRAFT, apply_to_own, find_undone, fold, overlap, subject_of, subjects_of, version_of
from ordws.tournament.history import history_in_words
from ordws.tournament.names import name_key
from ordws.tournament.state import Entrant, TournamentState

_AFTER_THE_END: Final = (c.NameOperators, c.Rename, f.Erased, f.Agreed, f.Frozen, f.Unfrozen, f.CodeIssued, c.Undo)
_LASTING: Final = (
    f.Created,
    f.OperatorsNamed,
    f.Published,
    f.Erased,
    f.Bound,
    f.Began,
    f.Reported,
    f.Agreed,
    f.Frozen,
    f.Unfrozen,
)
"""The facts that cannot be undone: others have acted on them, or they are not a director's."""
_ADVICE: Final[dict[type[f.Fact], str]] = {
    f.Published: "a published round is voided instead",
    f.Reported: "a reported result is corrected instead",
}


def decide(
    state: TournamentState,
    command: c.Command,
    history: Sequence[f.RecordedFact] = (),
    expected: int | None = None,
    *,
    conflict: c.EventConflict | None = None,
) -> list[f.Fact]:
    """Return the facts that a command adds to an event, none where it changes nothing.

    `history` are all facts of the event: an undoing needs them. Raises BadInput with what is wrong and what to do, and
    the conflict, if there is one, where the command would change something.
    """
    try:
        facts = _decide(state, command, history, expected)
    except BadInput:
        if conflict is not None:
            raise conflict from None
        raise
    # Two who want the same thing are not in conflict.
    if facts and conflict is not None:
        raise conflict
    return facts


def decide_all(
    commands: Sequence[c.Command],
    before: Sequence[f.RecordedFact],
    state: TournamentState,
    actor: str,
    now: int,
    command_id: str,
    expected: int | None = None,
) -> list[f.RecordedFact]:
    """Return the facts that commands add, one after the other, to an event of these facts and this state.

    `expected` is the number of the last fact that the sender knew, of the event (`TournamentState.version`) or of what
    the commands are about; None where the sender did not look. Raises EventConflict where it has changed since.
    """
    facts, seen, state = [*before], state, state.own()
    for command in commands:
        conflict = _find_conflict(seen, command, before, expected)
        for fact in decide(state, command, facts, expected, conflict=conflict):
            facts.append(f.RecordedFact(len(facts) + 1, now, actor, command_id, fact))
            state = fold(facts) if isinstance(fact, f.Undone) else apply_to_own(state, facts[-1])
    return facts[len(before) :]


def find_undoable(history: Sequence[f.RecordedFact], number: int | None = None) -> list[f.RecordedFact]:
    """Return the facts of the command that made fact `number`, or of the last one that can be undone.

    Raises BadInput where others rest on them: a published round is voided, never undone.
    """
    undone = find_undone(history)
    effective = [each for each in history if each.number not in undone]
    if number is None:
        # What games and players add may be newer than the director's last command, and stays.
        candidates = [
            each
            for each in effective
            if not isinstance(each.fact, (*_LASTING, f.Undone, f.CodeIssued))
            and each.actor != f.SERVICE_ACTOR
            and f.entrant_of_actor(each.actor) is None
        ]
        if not candidates:
            raise BadInput("there is nothing to undo")
        number = candidates[-1].number
    chosen = next((each for each in effective if each.number == number), None)
    if chosen is None:
        raise BadInput(
            f"fact {number} is undone already" if number in undone else f"there is no fact {number}",
            hint="the facts are listed by: ordws tournament history FILE",
        )
    facts = [each for each in effective if each.command == chosen.command]
    for each in facts:
        if isinstance(each.fact, _LASTING):
            words = history_in_words([each], history)[0]
            raise BadInput(f"fact {each.number} cannot be undone: {words}", hint=_ADVICE.get(type(each.fact)))
        if isinstance(each.fact, f.Voided) and has_games_at_the_service(history[: each.number - 1]):
            raise BadInput(
                f"fact {each.number} cannot be undone: the games of round {each.fact.round} are called off",
                hint="publish the round again: it gets games of its own",
            )
    last = facts[-1].number
    concerned = [each.fact for each in facts]
    for fact in concerned:
        if isinstance(fact, f.Undone):
            # What comes back must fit what was done without it; the list grows under the loop, undoing by undoing.
            concerned += [history[brought_back - 1].fact for brought_back in fact.numbers]
    for later in effective:
        if later.number > last and any(_rests_on(later.fact, each) for each in concerned):
            words = history_in_words([later], history)[0]
            hint = _ADVICE.get(type(later.fact)) if isinstance(later.fact, _LASTING) else "undo that first"
            raise BadInput(f"fact {number} cannot be undone, for fact {later.number} rests on it: {words}", hint=hint)
    return facts


def decide_undo(history: Sequence[f.RecordedFact], command: c.Undo) -> list[f.Fact]:
    """Return the fact of an undoing.

    Raises BadInput too where two entrants would have one name, or one member number, after it.
    """
    facts = find_undoable(history, command.number)
    undone = f.Undone(numbers=tuple([each.number for each in facts]))
    names: dict[str, Entrant] = {}
    members: dict[str, Entrant] = {}
    for each in fold([*history, facts[-1]._replace(number=len(history) + 1, fact=undone)]).entrants.values():
        other = names.setdefault(name_key(each.name), each)
        if other is not each:
            raise BadInput(
                f"fact {facts[0].number} cannot be undone: #{other.number} and #{each.number} "
                f'would both be "{each.name}"',
                hint="rename one of them first, or undo the entry of that one",
            )
        if each.member and (other := members.setdefault(each.member, each)) is not each:
            raise BadInput(
                f'fact {facts[0].number} cannot be undone: #{other.number} "{other.name}" and #{each.number} '
                f'"{each.name}" would have one member number',
                hint="change the number of one of them first",
            )
    return [undone]


def _rests_on(later: f.Fact, earlier: f.Fact) -> bool:
    """Return True if a later fact would not make sense without an earlier one."""
    earlier_subjects, later_subjects = subjects_of(earlier), subjects_of(later)
    # Drafts rest on everybody's attendance and results, and attendances do not rest on each other.
    if DRAFT in earlier_subjects and isinstance(later, f.Published):
        return True
    if isinstance(earlier, f.Undone):
        return isinstance(later, f.Undone)
    # After the end money alone is set, and it stays when the event goes on.
    if isinstance(earlier, f.Finished) and isinstance(later, f.Configured):
        return False
    return any(overlap(one, other) for one in earlier_subjects for other in later_subjects if DRAFT not in (one, other))


def _find_conflict(
    state: TournamentState, command: c.Command, history: Sequence[f.RecordedFact], expected: int | None
) -> c.EventConflict | None:
    subject = subject_of(command)
    if expected is None or version_of(state, subject) <= expected:
        return None
    by_number = {each.number: each.fact for each in history}
    between = []
    for each in history[max(expected, 0) :]:
        changed = [each.fact]
        if isinstance(each.fact, f.Undone):
            changed = [by_number[number] for number in each.fact.numbers]
        if any(subject in subjects_of(fact) for fact in changed):
            between.append(each)
    words = "; ".join(history_in_words(between, history)) or "it was changed"
    return c.EventConflict(
        f"somebody else was faster: {words}", between, hint="look at it as it is now, and decide again"
    )


def _decide(
    state: TournamentState, command: c.Command, history: Sequence[f.RecordedFact], expected: int | None
) -> list[f.Fact]:
    if state.created is None and not isinstance(command, f.Created):
        raise BadInput("the event was not created")
    if state.is_finished and not isinstance(command, _AFTER_THE_END) and not changes_money_alone(state, command):
        raise BadInput(f'the event "{state.event.name}" is finished', hint="undo the end to change something")
    match command:
        case f.Created():
            return decide_create(state, command)
        case c.Configure():
            return decide_configure(state, command)
        case c.NameOperators():
            return decide_operators(state, command)
        case c.Enter():
            return decide_enter(state, command)
        case c.Rename():
            return decide_rename(state, command)
        case f.Erased():
            return decide_erase(state, command)
        case f.CheckedIn() | f.CheckedOut() | f.Withdrawn() | f.Returned():
            return decide_attendance(state, command)
        case f.Agreed() | f.Frozen() | f.Unfrozen() | f.CodeIssued():
            return decide_about_entrant(state, command)
        case f.Constrained() | f.Unconstrained():
            return decide_constraint(state, command)
        case f.Published():
            return decide_publish(state, command)
        case c.PairLate():
            return decide_pair_late(state, command)
        case f.Voided():
            return decide_void(state, command)
        case f.Closed():
            return decide_close(state, command)
        case f.Finished():
            return decide_finish(state, command)
        case f.Began():
            return decide_begin(state, command)
        case f.Bound():
            return decide_bind(state, command)
        case f.Resulted() | f.Reported():
            return decide_result(state, command)
        case c.ClaimResult():
            return decide_claim(state, command, history)
        case c.ConfirmResult():
            return decide_confirm(state, command, expected)
        case f.Corrected():
            return decide_correct(state, command)
        case c.Undo():
            return decide_undo(history, command)
