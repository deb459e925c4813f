"""The state of an event as pages and prints show it, in words and figures. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ordws.errors import BadInput
from ordws.tournament.counts import count_of
from ordws.tournament.decide import find_undoable
from ordws.tournament.decide_rounds import find_missing
from ordws.tournament.facts import EventSettings, RecordedFact, TableResult, Undone
from ordws.tournament.fold import find_undone
from ordws.tournament.history import describe_facts
from ordws.tournament.prizes import PrizeTable, format_money
from ordws.tournament.standings import StandingLine, standings, winner_of
from ordws.tournament.state import Entrant, TableGame, TournamentState

if TYPE_CHECKING:
    from ordws.tournament.certificate import Certificate


LOOKED_BACK = 60
"""The newest facts for which the log looks whether they can be undone: to look at all would take long."""


_EXAMPLES: Final = {
    "people": "enter Ann Lee",
    "check-in": "in all",
    "draft": "draft",
    "": "3 412:398/13 371:380/13",
    "finish": "finish",
    "ranks": "standings",
}


class PhaseView(NamedTuple):
    """The standing of the event, and what to do next: `people`, `check-in`, `draft`, `finish`, `ranks` or nothing."""

    title: str
    detail: str
    next: str = ""
    round: int = 0

    @property
    def example(self) -> str:
        """Return a line that does what comes next, such as a director types."""
        return _EXAMPLES[self.next]


class MissingView(NamedTuple):
    """A game whose result is missing."""

    place: str
    names: str
    remark: str


class LogEntryView(NamedTuple):
    """A fact in words."""

    number: int
    iso: str
    clock: str
    text: str
    actor: str
    is_undone: bool
    can_undo: bool


def view_phase(state: TournamentState) -> PhaseView:
    """Return where the event stands."""
    of = f"of {state.rounds_planned}"
    present = len(state.present)
    checked_in = f"{count_of(present, 'is', 'are')} checked in."
    if state.is_finished:
        return PhaseView(
            "The event is over", f"{count_of(len(state.live_rounds), 'round was', 'rounds were')} played.", "ranks"
        )
    if (played := state.open_round) is not None:
        missing, games = len(find_missing(state)), sum(len(each.games) for each in played.pairings)
        title = f"Round {played.number} {of}"
        if missing:
            verb = "is" if missing == 1 else "are"
            return PhaseView(title, f"{missing} of {games} results {verb} missing.", round=played.number)
        is_last = played.number >= state.rounds_planned
        return PhaseView(title, "All results are in.", "finish" if is_last else "draft", played.number)
    if state.next_round > state.rounds_planned:
        return PhaseView("All rounds are played", "Look at the ranks, then finish.", "finish")
    if state.phase == "entry":
        there = len([each for each in state.entrants.values() if each.status != "withdrawn"])
        entered = count_of(there, "has entered", "have entered")
        step = "draft" if present > 1 else "check-in" if there > 1 else "people"
        return PhaseView("Entry", f"{entered}, {checked_in}", step)
    return PhaseView(f"Before round {state.next_round} {of}", checked_in, "draft")


def view_missing(state: TournamentState) -> list[MissingView]:
    """Return the games of the open round whose results do not count yet."""
    rows = []
    for pairing, number in find_missing(state):
        game = pairing.games[number - 1]
        place = f"{pairing.table}.{number}" if len(pairing.games) > 1 else f"{pairing.table}"
        remark = "" if game is None else "disputed" if game.dispute else "to be confirmed"
        rows.append(MissingView(place, f"{state.name_of(pairing.first)} – {state.name_of(pairing.second)}", remark))
    return rows


def count_entrants(state: TournamentState) -> dict[str, int]:
    """Return how many are present, entered and not checked in, gone, and there at all."""
    counts = dict.fromkeys(("present", "entered", "withdrawn"), 0)
    for each in state.entrants.values():
        counts[each.status] += 1
    return {
        "present": counts["present"],
        "entered": counts["entered"],
        "gone": counts["withdrawn"],
        "there": counts["present"] + counts["entered"],
    }


def warn_of_rounds(state: TournamentState) -> str:
    """Return a warning where there are more rounds than opponents; empty otherwise."""
    there = count_entrants(state)["there"]
    if there < 2 or state.rounds_planned <= there - 1:
        return ""
    return (
        f"{state.rounds_planned} rounds are planned and everyone has {count_of(there - 1, 'opponent', 'opponents')}: "
        "some will meet twice. "
        "The number of rounds is among the settings."
    )


def find_late(state: TournamentState) -> list[Entrant]:
    """Return the entrants without a pairing in the open round, if who has its bye is here to play one of them."""
    played = state.open_round
    if played is None or played.bye is None or state.entrants[played.bye].status != "present":
        return []
    unpaired = [each for number, each in state.entrants.items() if played.of_entrant(number) is None]
    return [each for each in unpaired if each.status != "withdrawn" and each.number != played.bye]


def rank_changes(state: TournamentState, lines: Sequence[StandingLine]) -> dict[int, str]:
    """Return the rank before the last round, in words, of those whose rank has changed since."""
    before = len(state.live_rounds) - 1
    if before < 1:
        return {}
    ranks = {line.entrant: line.rank for line in standings(state, after=before)}
    return {line.entrant: f"was {ranks[line.entrant]}" for line in lines if ranks[line.entrant] != line.rank}


def describe_counted(state: TournamentState) -> str:
    """Return what the standings count, for their heading."""
    if not state.live_rounds:
        return "No round has been played."
    last = state.live_rounds[-1]
    return f"After round {last.number}." if last.status == "closed" else f"Round {last.number} is being played."


def find_winner(game: TableGame | None) -> str | None:
    """Return "first" or "second" for a game with a winner that counts; None otherwise."""
    return winner_of(game.result) if game is not None and game.is_settled else None


def side_fields(result: TableResult) -> dict[str, str]:
    """Return a result as the fields of the form that corrects it."""
    fields = {name: getattr(result, name) or "" for name in ("forfeit", "resigned", "time_up")}
    for side in ("first", "second"):
        if (figures := getattr(result, side)) is not None:
            fields |= {f"{side}_{name}": str(value) for name, value in figures._asdict().items()}
    return fields


def view_log(facts: Sequence[RecordedFact], newest: int | None = None, *, undoable: bool = False) -> list[LogEntryView]:
    """Return the newest facts in words, the last first; with `undoable`, whether each can be undone."""
    undone, shown = find_undone(facts), facts[-newest:] if newest else facts
    entries = []
    for each, words in reversed([*zip(shown, describe_facts(shown, facts), strict=True)]):
        moment = datetime.fromtimestamp(each.at, UTC)
        can_undo = undoable and each.number > len(facts) - LOOKED_BACK and _can_undo(facts, each)
        entry = LogEntryView(
            each.number,
            f"{moment:%Y-%m-%dT%H:%M:%SZ}",
            f"{moment:%H:%M}",
            f"{words[:1].upper()}{words[1:]}",
            each.actor,
            each.number in undone,
            can_undo,
        )
        entries.append(entry)
    return entries


def _can_undo(facts: Sequence[RecordedFact], fact: RecordedFact) -> bool:
    if isinstance(fact.fact, Undone):
        return False
    try:
        find_undoable(facts, fact.number)
    except BadInput:
        return False
    return True


_ABOUT_HALF: Final = 15
"""How many percent from 50 a certificate's place among random schedules is explained."""
_WHY_HALF: Final = (
    "Averages of players who are about equal differ by chance after few turns, and no pairing can know that chance"
    " before the games. So in a small event of equal players about half of random schedules come closer. Where players"
    " differ in strength, or rounds are many, nearly all are farther."
)


def describe_prizes(table: PrizeTable, settings: EventSettings) -> list[str]:
    """Return where the prizes come from, how they are shared, and who gets none."""

    def money(amount: int) -> str:
        return format_money(amount, table.currency)

    sentences = []
    if table.fees:
        each = f"Entry fees of {money(settings.entry_fee)} come to {money(table.fees)}"
        sentences.append(f"{each}, of which {money(table.from_fees)} go to the prizes.")
    if settings.prize_fund:
        sentences.append(f"Beside the fees, the fund has {money(settings.prize_fund)}.")
    if table.goes_to_final:
        sentences.append(
            f"Prize money is awarded at the final in person, and never on line: this event adds {money(table.fund)} to"
            " the fund of its final."
        )
        sentences.append(f"All prizes of this event are {table.pending}.")
    elif table.fund:
        sentences.append(
            f"{settings.equal_percent} % of the fund of {money(table.fund)} are shared equally by all who were there"
            " for two thirds of the rounds; the rest in the proportion 1, 1/2, 1/3 and so on of their places. Players"
            " of one rank share what their places bring."
        )
    else:
        sentences.append("The event has no prize fund.")
    if table.without and table.fund:
        sentences.append(f"Without a prize, for fewer rounds: {', '.join(table.without)}.")
    return [*sentences, "These are figures alone: no payment is made by this program."]


def describe_certificate(certificate: Certificate) -> list[tuple[str, str]]:
    """Return the figures of a certificate with what each of them is."""
    figures = [
        ("Players and rounds", f"{certificate.players} and {certificate.rounds}"),
        ("Points a turn of the field", f"{certificate.field_ppt:.2f}"),
        ("Distance of the opponents from the field, root mean square", f"{certificate.rms_residual:.2f}"),
        (
            f"The same among the {certificate.stayed} who were there for two thirds of the rounds",
            f"{certificate.stayed_rms_residual:.2f}",
        ),
        ("The largest distance", f"{certificate.worst_residual:.2f}"),
        ("Meetings of two who had met before", str(certificate.repeats)),
        ("Byes, and the most of one player", f"{certificate.byes} and {certificate.most_byes}"),
        ("The largest difference of starts and replies", str(certificate.worst_start_imbalance)),
    ]
    if certificate.percentile is not None and certificate.random_rms is not None:
        figures += [
            (
                f"Closer than this share of {certificate.random_schedules:,} random schedules",
                f"{certificate.percentile:.0f} %",
            ),
            ("Distance of the middle one of the random schedules", f"{certificate.random_rms:.2f}"),
        ]
        if abs(certificate.percentile - 50) <= _ABOUT_HALF:
            figures.append(("Why that is about half", _WHY_HALF))
    figures.append(("Digest", certificate.digest))
    return [*figures, ("Last link of the facts", certificate.head)] if certificate.head else figures
