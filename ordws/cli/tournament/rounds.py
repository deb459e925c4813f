"""The commands of `ordws tournament` about rounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordws.cli.tournament.event import (
    EventSender,
    director_option,
    director_options,
    file_argument,
    json_option,
    open_event,
    print_note,
    print_table,
)
from ordws.errors import BadInput

if TYPE_CHECKING:
    from ordws.tournament.facts import PairKind
    from ordws.tournament.pairing.problem import Draft, PairingProblem
    from ordws.tournament.state import RoundState, TournamentState
    from ordws.tournament.store import EventFile

_MOST_EXPLAINED: Final = 200
"""The number of pairings up to which a draft is explained on a terminal."""


@click.command("constrain")
@file_argument
@click.argument("name")
@click.argument("other")
@click.option("--forbid", "kind", flag_value="forbid", help="The two may not meet.")
@click.option("--together", "kind", flag_value="together", help="The two meet in the next draft.")
@click.option("--end", "kind", flag_value="end", help="End the constraint on the two.")
@click.option("--once", is_flag=True, help="For the next draft alone.")
@click.option("--reason", default="", metavar="TEXT", help="The reason, such as a family; required but with --end.")
@director_options
def constrain(
    file: Path,
    name: str,
    other: str,
    kind: str | None,
    once: bool,
    reason: str,
    sender: EventSender,
) -> None:
    """Forbid that two entrants meet, or have them meet next.

    \b
    Example:
      ordws tournament constrain club.event "Ann Lee" "Ben Lee" --forbid --reason "a couple"
    """
    from ordws.tournament.commands import Constrain, Unconstrain
    from ordws.tournament.names import find_entrant

    if kind is None:
        raise BadInput("nothing was asked of the two", hint="--forbid, --together or --end")
    if kind != "end" and not reason.strip():
        raise BadInput("a constraint has a reason", hint='--reason "a couple"')
    with open_event(file) as event:
        a, b = (find_entrant(event.state, each).number for each in (name, other))
        if kind == "end":
            command: Constrain | Unconstrain = Unconstrain(a=a, b=b, expected=sender.expected)
        else:
            # A pair that has met would meet again in every draft, were it put together for good.
            only = event.state.next_round if once or kind == "together" else None
            constraint: PairKind = "forbid" if kind == "forbid" else "together"
            command = Constrain(a=a, b=b, constraint=constraint, reason=reason, round=only, expected=sender.expected)
        sender.show(event, sender.apply(event, [command]))


@click.command("draft")
@file_argument
@director_option
@json_option
def draft(file: Path, director: str, as_json: bool) -> None:
    """Draw the next round, and say why each pairing is as it is. Nothing is published.

    The round before is closed, if all its results are in. Drawn again without a change, the draft is the same.

    \b
    Example:
      ordws tournament draft club.event
    """
    with open_event(file) as event:
        _close_complete_round(event, director)
        problem, drawn = draw(event.state)
        if not as_json:
            click.echo(f"draft of round {event.state.next_round}, not published yet")
        _print_draft(event.state, problem, drawn, as_json=as_json)


@click.command("publish")
@file_argument
@director_options
def publish(file: Path, sender: EventSender) -> None:
    """Publish the draft as the next round. From then on it never changes silently.

    \b
    Example:
      ordws tournament publish club.event
    """
    from ordws.tournament.commands import Publish
    from ordws.tournament.draft_problem import event_pairings
    from ordws.tournament.facts import Published
    from ordws.tournament.fold import fold

    with open_event(file) as event:
        done = [each for each in event.facts if each.command == sender.command_id]
        if done and isinstance(done[-1].fact, Published):
            # What was printed the first time follows from the facts before.
            state = fold(event.facts[: done[-1].number - 1])
            _print_draft(state, *draw(state), as_json=sender.as_json, has_reasons=False)
            return
        if done:
            sender.show(event, done)
            return
        # What the director has seen is compared before this command closes the round itself.
        expected = sender.expected
        if expected is None or event.state.draft_version <= expected:
            _close_complete_round(event, sender.director)
            expected = event.state.version
        state = event.state
        problem, drawn = draw(state)
        command = Publish(
            round=state.next_round,
            pairings=event_pairings(drawn),
            bye=drawn.bye,
            expected=expected,
        )
        sender.apply(event, [command])
        if not sender.as_json:
            click.echo(f"round {command.round} is published")
        _print_draft(state, problem, drawn, as_json=sender.as_json, has_reasons=False)


@click.command("pairings")
@file_argument
@click.argument("number", type=int, required=False, metavar="[ROUND]")
@json_option
def pairings(file: Path, number: int | None, as_json: bool) -> None:
    """Show who plays whom in a published round, the last one if none is named, with the results so far.

    \b
    Example:
      ordws tournament pairings club.event 2
    """
    from ordws.tournament.decide_rounds import get_round

    with open_event(file) as event:
        state = event.state
        if number is None and state.last_round is None:
            raise BadInput("no round is published", hint=f"ordws tournament publish {file}")
        found = state.last_round if number is None else get_round(state, number)
        assert found is not None
        _print_round(state, found, as_json=as_json)


@click.command("late")
@file_argument
@click.argument("name")
@director_options
def late(file: Path, name: str, sender: EventSender) -> None:
    """Check a late entrant in, and let them play whoever has the bye in the round that is being played.

    \b
    Example:
      ordws tournament late club.event "Zoe Moe"
    """
    from ordws.tournament.commands import CheckIn, PairLate
    from ordws.tournament.names import find_entrant

    with open_event(file) as event:
        played, entrant = event.state.open_round, find_entrant(event.state, name)
        if played is None:
            raise BadInput("no round is being played", hint=f'ordws tournament check-in {file} "{entrant.name}"')
        commands = (
            CheckIn(entrant=entrant.number),
            PairLate(round=played.number, entrant=entrant.number, expected=sender.expected),
        )
        sender.show(event, sender.apply(event, commands))


@click.command("void")
@file_argument
@click.argument("number", type=int, metavar="ROUND")
@click.option("--reason", required=True, metavar="TEXT", help="The reason, which everybody may read.")
@click.option("--began", type=int, multiple=True, metavar="TABLE", help="A table that had begun; may be repeated.")
@director_options
def void(
    file: Path,
    number: int,
    reason: str,
    began: tuple[int, ...],
    sender: EventSender,
) -> None:
    """Take the last round back: no result of it counts, and it is drawn again.

    Pairs that had begun have met. Those with a result had; name the other tables with --began.

    \b
    Example:
      ordws tournament void club.event 3 --reason "drawn without the late entrants" --began 4
    """
    from ordws.tournament.commands import VoidRound

    sender.change(file, lambda _: [VoidRound(round=number, reason=reason, began=began, expected=sender.expected)])


@click.command("close")
@file_argument
@director_options
def close(file: Path, sender: EventSender) -> None:
    """End the round that is being played, and show what it changed in the standings.

    \b
    Example:
      ordws tournament close club.event
    """
    from ordws.tournament.commands import CloseRound
    from ordws.tournament.standings import standings

    with open_event(file) as event:
        last = event.state.last_round
        if last is None:
            raise BadInput("no round is published", hint=f"ordws tournament publish {file}")
        command = CloseRound(round=last.number, expected=sender.expected)
        added = sender.apply(event, [command])
        sender.show(event, added)
        state = event.state
    if not added or sender.as_json:
        return
    # Beside each rank, the places that the round won or lost.
    before = {line.entrant: line.rank for line in standings(state, after=len(state.live_rounds) - 1)}
    rows = []
    for line in standings(state):
        moved = before[line.entrant] - line.rank
        change = f"{moved:+d}" if moved and len(state.live_rounds) > 1 else ""
        rows.append((line.rank, change, line.name, line.wins, line.ties, line.losses, line.win_pct, line.ppt))
    print_table(("rank", "", "name", "won", "tied", "lost", "win %", "PPT"), rows, right=(0, 1, 3, 4, 5, 6, 7))


@click.command("finish")
@file_argument
@director_options
def finish(file: Path, sender: EventSender) -> None:
    """End the event, and the last round if its results are in.

    \b
    Example:
      ordws tournament finish club.event
    """
    from ordws.tournament.commands import Finish

    with open_event(file) as event:
        _close_complete_round(event, sender.director)
        left = event.state.rounds_planned - len(event.state.live_rounds)
        added = sender.apply(event, [Finish(expected=sender.expected)])
        sender.show(event, added)
        if left > 0 and added:
            verb = "was" if left == 1 else "were"
            print_note(f"{left} of {event.state.rounds_planned} rounds {verb} not played; undo plays on")


def draw(state: TournamentState) -> tuple[PairingProblem, Draft]:
    """Return the draft of the next round and its problem; raise BadInput where no round can be drawn."""
    from ordws.tournament.decide_rounds import check_may_draft
    from ordws.tournament.draft_problem import problem_of

    check_may_draft(state)
    from ordws.tournament.pairing.draft import draft_round

    problem = problem_of(state)
    return problem, draft_round(problem)


def _close_complete_round(event: EventFile, director: str) -> None:
    """Close the round that is being played if nothing is missing."""
    from ordws.tournament.commands import CloseRound
    from ordws.tournament.decide_rounds import find_missing

    played = event.state.open_round
    if played is not None and not find_missing(event.state):
        close = CloseRound(round=played.number, expected=event.state.version)
        EventSender(director).apply(event, [close])
        print_note(f"round {played.number} is closed")


def _print_draft(
    state: TournamentState, problem: PairingProblem, drawn: Draft, *, as_json: bool, has_reasons: bool = True
) -> None:
    """Print a draft as docs/interfaces.md 1.9 has it, or as a table and, with reasons, a sentence for each pairing."""
    from ordws.tournament.pairing.explanation import explain, explain_bye
    from ordws.tournament.pairing.problem import fill_names

    names = {number: each.name for number, each in state.entrants.items()}
    for note in drawn.notes:
        print_note(fill_names(note, names))
    if as_json:
        rows = [
            {
                "table": table,
                "first": names[each.first],
                "second": names[each.second],
                "why": explain(problem, each, each.first, names),
            }
            for table, each in enumerate(drawn.pairings, 1)
        ]
        bye = None if drawn.bye is None else names[drawn.bye]
        click.echo(json.dumps({"round": state.next_round, "pairings": rows, "bye": bye}, ensure_ascii=False))
        return
    print_table(
        ("table", "first", "second"),
        [(table, names[each.first], names[each.second]) for table, each in enumerate(drawn.pairings, 1)],
        right=(0,),
    )
    if drawn.bye is not None:
        click.echo(f"bye: {names[drawn.bye]}")
    if has_reasons and len(drawn.pairings) <= _MOST_EXPLAINED:
        click.echo()
        for table, each in enumerate(drawn.pairings, 1):
            click.echo(f"{table}  to {names[each.first]}: {explain(problem, each, each.first, names)}")
        if drawn.bye is not None:
            click.echo(explain_bye(problem, drawn.bye, names))


def _print_round(state: TournamentState, played: RoundState, *, as_json: bool) -> None:
    from ordws.tournament.results import format_result

    def results(index: int) -> list[str | None]:
        games = played.pairings[index].games
        return [format_result(game.result) if game is not None and game.is_settled else None for game in games]

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "table": each.table,
                "first": state.name_of(each.first),
                "second": state.name_of(each.second),
                "results": results(index),
            }
            for index, each in enumerate(played.pairings)
        ]
        bye = None if played.bye is None else state.name_of(played.bye)
        row = {"round": played.number, "status": played.status, "pairings": rows, "bye": bye}
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    click.echo(f"round {played.number}, {played.status}")
    print_table(
        ("table", "first", "second", "result"),
        [
            (each.table, *map(state.name_of, each.entrants), ", ".join([text or "-" for text in results(index)]))
            for index, each in enumerate(played.pairings)
        ],
        right=(0,),
    )
    if played.bye is not None:
        click.echo(f"bye: {state.name_of(played.bye)}")
    if played.absent:
        click.echo(f"not paired: {', '.join([state.name_of(each) for each in played.absent])}")
