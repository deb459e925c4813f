"""A season of events of simulated players, from games to the register: `make fairplay-event`.

Every game is played by the real rules with the real bag, every round drawn by the real pairing, every turn read by the
real statistics, and every flag taken through the real case files. The players are simulated, and so are the reviewers,
who hold a pattern established where its band is the last of the five.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from ordws.atomic_files import PUBLIC_MODE, SECRET_MODE, write_atomically
from ordws.cases import commands as steps
from ordws.cases.event_prizes import sync_prizes
from ordws.cases.exhibits import read_figures, record_exhibit
from ordws.cases.facts import ReviewerFinding
from ordws.cases.state import CaseState
from ordws.cases.store import CaseFiles, open_case_files, write_register
from ordws.cli.cases.keeper import Keeper
from ordws.cli.cases.opening import open_on_flag
from ordws.fairplay.calibration import calibrate, choices_in_person
from ordws.fairplay.flags import open_flags
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms, read_forms, write_forms
from ordws.fairplay.looks import LookTerms, look, measure_field
from ordws.fairplay.milestones import EVENT_MILESTONES, FieldSize
from ordws.fairplay.recorded_games import TRUE_BY_TIER
from ordws.fairplay.store import FairPlayStore
from ordws.fairplay.synthetic_lexicon import draw_words
from ordws.fairplay.turns import RarityLists, TurnReader
from ordws.instance import Instance
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.gcg import read_gcg
from ordws.tournament.commands import Enter
from ordws.tournament.consent import current_consent
from ordws.tournament.facts import (
    Agreed,
    CheckedIn,
    Closed,
    Created,
    EventSettings,
    Finished,
    OneSide,
    Published,
    Reported,
    SideResult,
    TableResult,
)
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.played_event import event_pairings, problem_of
from ordws.tournament.store import EventFile
from tests.benchmarks.season_games import (
    RULES,
    Habit,
    PlayedGame,
    SeasonPlayer,
    SeasonWords,
    play_season_game,
)
from tests.mining.mined_lexicon import make_mined_lexicon

DAY: Final = 86_400
BEGIN: Final = 1_795_262_400
PANELS: Final = (("Rita", "Rob", "Rose"), ("Sam", "Sue", "Sid"))
DECIDING: Final = (*PANELS[0][:2], "Ruth")
CHEATS: Final[tuple[Habit, ...]] = ("always best", "every third turn", "word checks")


class SeasonSize(NamedTuple):
    """The size of a season."""

    players: int = 200
    rounds: int = 8
    events: int = 3
    cheats_of_a_kind: int = 2
    quitters: int = 4
    in_person_games: int = 60
    words: int = 40_000


class Found(NamedTuple):
    """A player who was flagged: the habit, the test, and the turns and the event after which it was."""

    name: str
    habit: Habit
    kind: str
    turns: int
    event: int


@dataclass
class SeasonReport:
    """What a season came to."""

    size: SeasonSize
    games: int
    turns_an_event: float
    found: list[Found]
    missed: dict[str, int]
    honest_flagged: int
    seconds: float
    register: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        found = [each._asdict() for each in self.found]
        return {**vars(self), "size": self.size._asdict(), "found": found}


class Season:
    """A season in an installation of its own; all of it follows from the seed."""

    def __init__(self, root: Path, size: SeasonSize, seed: int) -> None:
        self.instance, self.size, self.rng = Instance(root), size, Random(seed)
        self.instance.make_folders()
        self.instance.tournaments.mkdir()
        self.words, lists = make_words(seed, size.words)
        self.players = make_players(size, self.rng)
        self.games = 0
        self.records: dict[str, list[bytes]] = {player.name: [] for player in self.players}
        self.found: list[Found] = []
        self._calibrate(lists)
        self.forms = read_forms(self.instance.fairplay_forms)
        self.reader = TurnReader(self.forms, self.words.true, lists)
        write_atomically(self.instance.fairplay_key, bytes(32), SECRET_MODE)
        self.numbers = FairPlayStore.create(self.instance.fairplay, bytes(32))
        self.files = open_case_files(self.instance)

    def close(self) -> None:
        self.numbers.close()
        self.files.close()

    def _calibrate(self, lists: RarityLists) -> None:
        """Fit the honest forms to games in person, in which nobody cheats, as `ordws fairplay calibrate` does."""
        honest = [player for player in self.players if player.habit == "honest"]
        reader = TurnReader(DEFAULT_FORMS, self.words.true, lists)
        choices = []
        for number in range(self.size.in_person_games):
            pair = self.rng.sample(honest, 2)
            game = play_season_game(f"in person {number}", pair, self.words, reader, BEGIN, self.rng)
            choices += choices_in_person(read_gcg(game.record), lambda rules: reader)
        forms = calibrate(choices, DEFAULT_FORMS).forms if choices else HonestForms(DEFAULT_FORMS.parameters, True)
        write_atomically(self.instance.fairplay_forms, write_forms(forms).encode())

    def play_event(self, number: int) -> None:
        """Play an event of all players, and look at each of them when it is over."""
        now = BEGIN + 7 * DAY * number
        consent = current_consent()
        begin = Created(
            name=f"Event {number}",
            rules="classic",
            rounds=self.size.rounds,
            seed=number,
            settings=EventSettings(on_line=True, consent_required=True),
        )
        path = self.instance.tournament(f"event-{number}")
        with closing(EventFile.create(path, begin, actor="Dan", now=now)) as event:
            event.apply(*[Enter(name=player.name) for player in self.players], actor="Dan", now=now)
            entrants = list(event.state.entrants)
            event.apply(
                *[Agreed(entrant=each, version=consent.version, digest=consent.digest) for each in entrants],
                *[CheckedIn(entrant=each) for each in entrants],
                actor="Dan",
                now=now,
            )
            for _ in range(self.size.rounds):
                self._play_round(event, number, now)
            event.apply(Finished(), actor="Dan", now=now)
        self._look(number, now + DAY)

    def _play_round(self, event: EventFile, number: int, now: int) -> None:
        state = event.state
        drawn = draft_round(problem_of(state))
        this_round = state.next_round
        pairings = event_pairings(drawn)
        publish = Published(round=this_round, pairings=pairings, bye=drawn.bye)
        event.apply(publish, actor="Dan", now=now, expected=state.version)
        results = []
        for pairing in pairings:
            pair = [self.players[each - 1] for each in (pairing.first, pairing.second)]
            id = f"{number}-{this_round}-{pairing.table}"
            game = play_season_game(id, pair, self.words, self.reader, now + this_round * 3_600, self.rng)
            self.numbers.keep_game(id, now + this_round * 3_600, game.seats)
            self.games += 1
            for player in pair:
                if len(self.records[player.name]) < 2:
                    self.records[player.name].append(game.record)
            results.append(
                Reported(
                    round=this_round,
                    table=pairing.table,
                    result=table_result(game),
                    source="game",
                    digest=f"{self.games:064x}",
                )
            )
        event.apply(*results, Closed(round=this_round), actor="service", now=now)

    def _look(self, number: int, now: int) -> None:
        terms = LookTerms(
            self.forms,
            FieldSize(max(self.size.players, 2), EVENT_MILESTONES).threshold,
            measure_field(self.numbers.all_seats(), self.forms),
        )
        for player in self.players:
            for flag in look(self.numbers, player.name, terms, now):
                if player.name not in [each.name for each in self.found]:
                    self.found.append(Found(player.name, player.habit, flag.kind, flag.milestone, number))

    def open_cases(self, now: int) -> list[CaseState]:
        """Open a case on the first flag of each player, with their figures and two records, and hold their prizes."""
        opened: dict[str, CaseState] = {}
        for flag in open_flags(self.instance):
            if flag.player not in opened:
                keeper = Keeper(self.instance, self.files, "Kay", now)
                state = open_on_flag(keeper, flag, flag.player, is_minor=False)
                opened[flag.player] = self._add_to_case(state, flag.player, now)
        self.sync(now)
        return list(opened.values())

    def _add_to_case(self, state: CaseState, player: str, now: int) -> CaseState:
        """Add two records of a player to a case, and hold their prizes in all events."""
        for record in dict.fromkeys(self.records[player]):
            exhibit = record_exhibit(record, player.replace(" ", ""))
            self.take(state.case, steps.add_exhibit, exhibit, now=now)
        entrant = int(player.split()[1])
        for path in sorted(self.instance.tournaments.glob("*.db")):
            self.files.take(state.case, lambda now, event=path.stem: steps.hold_prize(now, event, entrant), "Kay", now)
        return self.files.find(state.case)

    def take(
        self, case: str, step: Callable[..., steps.CaseStep], *values: Any, now: int, by: str = "Kay"
    ) -> CaseState:
        return self.files.take(case, lambda state: step(state, *values, now), by, now)

    def sync(self, now: int) -> None:
        assert sync_prizes(self.files, self.instance.tournament, now).failed == ()
        write_atomically(self.instance.register, write_register(self.files.register(now)), PUBLIC_MODE)

    def hear(self, state: CaseState, now: int) -> CaseState:
        """Let the three of the first panel judge by the bands alone, and go on as they find."""
        self.take(state.case, steps.assign_reviewers, PANELS[0], (), now=now)
        self._judge(state.case, PANELS[0], now)
        return self.finish(state, now)

    def _judge(self, case: str, panel: Sequence[str], now: int) -> None:
        for reviewer in panel:
            finding = judge_figures(self.files, self.files.find(case))
            self.take(case, steps.give_opinion, reviewer, finding, "By the bands.", now=now, by=reviewer)

    def finish(self, state: CaseState, now: int) -> CaseState:
        """Go on from three opinions: notice, no answer, three who decide, and the register after the time to appeal."""
        state = self.files.find(state.case)
        if state.phase(now) == "notice-due":
            self.take(state.case, steps.give_notice, "The letter.", self.files.digest_code(state.case), now=now)
            self.take(state.case, steps.assign_reviewers, DECIDING[2:], DECIDING[:2], now=now + 15 * DAY)
            self._judge(state.case, DECIDING, now + 15 * DAY)
            self.take(state.case, steps.decide, "Kay", "established", "By the evidence.", now=now + 15 * DAY)
            self.take(state.case, steps.publish, now=now + 46 * DAY)
        return self.files.find(state.case)

    def uphold_appeal(self, case: str, now: int) -> None:
        """Uphold a late appeal: one of three others is not convinced, and the entry is struck."""
        self.files.take(case, lambda state: steps.appeal(state, "Something new.", now, is_late=True), "Kay", now)
        self.take(case, steps.assign_reviewers, PANELS[1], (), now=now)
        for reviewer, finding in zip(PANELS[1], ("established", "not-established", "established"), strict=True):
            self.take(case, steps.give_opinion, reviewer, finding, "By the appeal.", now=now, by=reviewer)
        decide = partial(steps.decide, changed="It raises a doubt.")
        self.take(case, decide, "Kay", "not-established", "There is a doubt.", now=now)

    def report(self, seconds: float) -> SeasonReport:
        found = {each.name for each in self.found}
        missed: dict[str, int] = {}
        for player in self.players:
            if player.habit != "honest" and player.name not in found:
                missed[player.habit] = missed.get(player.habit, 0) + 1
        turns = sum(len(seat.turns) for seat in self.numbers.all_seats())
        return SeasonReport(
            size=self.size,
            games=self.games,
            turns_an_event=round(turns / len(self.players) / self.size.events, 1),
            found=self.found,
            missed=missed,
            honest_flagged=sum(each.habit == "honest" for each in self.found),
            seconds=round(seconds, 1),
            register=json.loads(self.instance.register.read_bytes()),
        )


def make_words(seed: int, size: int) -> tuple[SeasonWords, RarityLists]:
    """Return the words of a simulation: invented ones, with tiers of rarity, of which some are true."""
    lexicon = make_mined_lexicon(seed, size)
    true = draw_words(lexicon, TRUE_BY_TIER, Random(seed))
    words = SeasonWords(
        Graph.from_words(words_for(RULES, lexicon.words)),
        Graph.from_words(words_for(RULES, sorted(true))),
        true,
        dict(lexicon.tiers),
    )
    return words, RarityLists(lexicon.core, lexicon.reference)


def make_players(size: SeasonSize, rng: Random) -> list[SeasonPlayer]:
    """Return the players: cheats and quitters of middling strength among honest ones of all strengths."""
    habits: list[Habit] = [kind for kind in CHEATS for _ in range(size.cheats_of_a_kind)]
    habits += ["quits"] * size.quitters
    habits += ["honest"] * (size.players - len(habits))
    rng.shuffle(habits)
    players = []
    for number, habit in enumerate(habits, 1):
        vocabulary = rng.uniform(0.8, 5.0) if habit == "honest" else rng.uniform(1.0, 4.0)
        attention = min(-2.8 + 0.55 * vocabulary + rng.gauss(0, 0.35), 0.05)
        players.append(SeasonPlayer(number, habit, vocabulary, attention))
    return players


def table_result(game: PlayedGame) -> TableResult:
    """Return the result of a game as an event takes it."""
    sides = []
    for seat in range(2):
        turns, points = game.final.turn_totals(seat)
        sides.append(SideResult(game.final.scores[seat], points, turns))
    left = next((at for at in range(2) if game.final.seats[at].departure), None)
    if left is None:
        return TableResult(first=sides[0], second=sides[1])
    name: OneSide = "second" if left else "first"
    if sides[left].turns == 0:
        return TableResult(forfeit=name)
    return TableResult(first=sides[0], second=sides[1], resigned=name)


def judge_figures(files: CaseFiles, state: CaseState) -> ReviewerFinding:
    """Return the finding of a simulated reviewer: against the player where the band of the flag's kind is the last."""
    (digest,) = [each.digest for each in state.exhibits if each.kind == "figures"]
    figures = read_figures(files.exhibit(digest))
    return steps.findings_of(state.stage)[figures.bands.get(figures.kind) == 4]


def run_season(root: Path, size: SeasonSize, seed: int, note: Callable[[str], None]) -> SeasonReport:
    """Run a season from games to the register, an appeal included, and return what it came to."""
    began = time.monotonic()
    with closing(Season(root, size, seed)) as season:
        note(f"honest forms fitted to {size.in_person_games} games in person ({time.monotonic() - began:.0f} s)")
        for number in range(1, size.events + 1):
            season.play_event(number)
            note(f"event {number}: {season.games} games so far, {len(season.found)} players flagged")
        now = BEGIN + 7 * DAY * (size.events + 1)
        cases = [season.hear(state, now) for state in season.open_cases(now)]
        published = [state.case for state in cases if state.published_at is not None]
        if published:
            season.uphold_appeal(published[-1], now + 60 * DAY)
        season.sync(now + 60 * DAY)
        return season.report(time.monotonic() - began)


def print_report(report: SeasonReport) -> None:
    """Print a report for people."""
    print(f"{report.games} games, {report.turns_an_event} turns a player and event, {report.seconds} s")
    for each in sorted(report.found, key=lambda found: (found.habit, found.turns)):
        print(f"  {each.habit:<18} found by {each.kind} at {each.turns} turns, after event {each.event}")
    for habit, count in sorted(report.missed.items()):
        print(f"  {habit:<18} not found: {count}")
    print(f"honest players flagged: {report.honest_flagged}")
    (counts,) = [report.register["years"][0]] if len(report.register["years"]) == 1 else [report.register["years"]]
    print(f"register: {len(report.register['entries'])} entries; counts: {json.dumps(counts)}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=SeasonSize().players)
    parser.add_argument("--events", type=int, default=SeasonSize().events)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    size = SeasonSize(players=given.players, events=given.events)
    with tempfile.TemporaryDirectory() as folder:
        report = run_season(Path(folder) / "instance", size, given.seed, lambda line: print(line, file=sys.stderr))
    print_report(report)
    if given.json:
        given.json.write_text(json.dumps(report.as_json(), indent=1) + "\n", "utf-8")
    if report.honest_flagged:
        sys.exit("an honest player was flagged")


if __name__ == "__main__":
    main(sys.argv[1:])
