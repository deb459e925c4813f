"""Tests of the questions of honest people over the days of a virtual clock."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from random import Random

import pytest
from each_row import each_row

from ordws.fairplay.recorded_games import honest_games
from tests.mining.traffic import HonestQuestion, honest_traffic, merge_by_time

KINDS = ("home", "duel", "full-day", "new", "club", "challenges", "tournament", "operator", "new-operator")
HOUR, DAY = 3_600, 86_400


def stream(kind, identities, days, seed=1) -> Iterator[HonestQuestion]:
    return honest_traffic(kind, honest_games(), Random(seed), identities=identities, days=days)


@cache
def questions_of(kind, identities, days) -> list[HonestQuestion]:
    return list(stream(kind, identities, days))


def by_game(questions) -> dict[tuple[str, str], list[HonestQuestion]]:
    found = defaultdict(list)
    for question in questions:
        found[question.identity, question.label].append(question)
    return found


def begun(questions) -> Counter[tuple[str, int]]:
    """Count the games that are first asked about, by identity and UTC day."""
    return Counter((game[0].identity, game[0].moment // DAY) for game in by_game(questions).values())


@each_row(
    ("kind", "games"),
    [
        ("home", 3),
        ("duel", 8),
        ("full-day", 12),
        ("new", 2),
        ("club", 24),
        ("challenges", 24),
        ("tournament", 120),
        ("operator", 1_000),
        ("new-operator", 10),
    ],
)
def test_every_identity_plays_the_games_of_its_kind_each_day(kind, games):
    """Every identity plays as many games on each UTC day as its kind does, with the questions in order of time."""
    questions = questions_of(kind, 2, 2)
    assert begun(questions) == {(f"{kind}-{n}", day): games for n in (1, 2) for day in (0, 1)}
    assert all(one.moment <= other.moment for one, other in pairwise(questions))
    assert {question.kind for question in questions} == {kind}


def test_questions_of_a_game_follow_a_recorded_game():
    """The questions of a game are the plays of one recorded game, in order, without its exchanges."""
    recorded = {game.plays for game in honest_games()}
    for questions in by_game(questions_of("home", 20, 1)).values():
        assert tuple([question.turn for question in questions]) in recorded


def test_nobody_plays_at_night():
    """Nobody asks between three and nine in the morning, though games go on after midnight."""
    questions = [question for kind in KINDS for question in questions_of(kind, 2, 2)]
    hours = {question.moment % DAY // HOUR for question in questions}
    assert hours.isdisjoint(range(3, 9))
    assert {0, 9, 23} <= hours


@each_row("kind", KINDS)
def test_nobody_plays_two_games_at_once(kind):
    """A person, or a table, asks about a game only after the game before is over."""
    by_person = defaultdict(list)
    for questions in by_game(questions_of(kind, 2, 2)).values():
        for player in questions[0].game.players or (None,):
            by_person[questions[0].identity, player].append((questions[0].moment, questions[-1].moment))
    for spans in by_person.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(spans)))


def test_a_duel_is_four_games_an_hour():
    """Eight games in a row are over within two hours."""
    for day in range(5):
        moments = [question.moment for question in questions_of("duel", 1, 5) if question.moment // DAY == day]
        assert 7 * HOUR // 4 < moments[-1] - moments[0] < 2 * HOUR


def test_a_club_plays_two_games_on_each_of_twelve_tables():
    """Twelve tables with one key play two games each, from seven in the evening on."""
    games = by_game(questions_of("club", 1, 1)).values()
    assert Counter(questions[0].player for questions in games) == {f"table {n}": 2 for n in range(1, 13)}
    assert all(question.moment >= 19 * HOUR for questions in games for question in questions)


def test_a_tournament_is_played_by_sixty_new_players():
    """Sixty players take turns in four games each of two, and none of them comes again on another day."""
    evenings = [Counter(), Counter()]
    for questions in by_game(questions_of("tournament", 1, 2)).values():
        assert {question.player for question in questions} == set(questions[0].game.players)
        evenings[questions[0].moment // DAY].update(questions[0].game.players)
    assert [{*evening.values()} for evening in evenings] == [{4}, {4}]
    assert [len(evening) for evening in evenings] == [60, 60]
    assert evenings[0].keys().isdisjoint(evenings[1])


def test_a_sealed_tournament_has_every_turn():
    """A server that deals is told exchanges and passes too."""
    for questions in by_game(stream("sealed-tournament", 1, 1)).values():
        assert [question.number for question in questions] == [*range(len(questions[0].game.game.turns))]


def test_a_club_challenges_all_bad_plays_and_few_others():
    """A club whose tablets judge challenges asks about each unacceptable play, and about a twentieth of the others."""
    asked = {(question.label, question.number) for question in questions_of("challenges", 1, 2)}
    plays = Counter()
    for label, game in {question.label: question.game.game for question in questions_of("challenges", 1, 2)}.items():
        for number, turn in enumerate(game.turns):
            if turn.words:
                plays[turn.accepted, (label, number) in asked] += 1
    assert plays[False, False] == 0
    assert plays[True, True] / (plays[True, True] + plays[True, False]) == pytest.approx(0.05, abs=0.02)


def test_a_game_comes_again_only_after_all_others():
    """An identity that plays 400 games plays each recorded game once."""
    played = [questions[0].game.game for questions in by_game(questions_of("full-day", 1, 33)).values()]
    assert len(set(played)) == len(played) == 396


def test_an_operators_games_are_played_under_many_pseudonyms():
    """A thousand games a day are played under many pseudonyms, one to three games each, most of which come again."""
    players = [Counter(), Counter()]
    for (identity, _), questions in by_game(questions_of("operator", 2, 2)).items():
        if identity == "operator-1":
            players[questions[0].moment // DAY][questions[0].player] += 1
    assert all({*day.values()} == {1, 2, 3} for day in players)
    assert all(450 < len(day) < 550 for day in players)
    assert len(players[0].keys() & players[1].keys()) > 300


def test_traffic_follows_from_its_seed():
    """The same seed gives the same questions, another seed others."""
    assert list(stream("home", 3, 2)) == list(stream("home", 3, 2))
    assert list(stream("home", 3, 2)) != list(stream("home", 3, 2, seed=2))


def test_traffic_is_computed_lazily():
    """A stream of a thousand years computes only what is read."""
    assert len(list(islice(stream("home", 2, 365_000), 500))) == 500


def test_streams_are_merged_by_time():
    """Several streams are merged in order of time, and nothing is lost."""
    one, other = questions_of("home", 2, 1), questions_of("duel", 2, 1)
    both = list(merge_by_time(iter(one), iter(other)))
    assert sorted(both, key=lambda question: question.moment) == both
    assert Counter(map(str, both)) == Counter(map(str, one + other))
