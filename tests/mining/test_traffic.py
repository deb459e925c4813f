"""Tests of the questions of honest people over the days of a virtual clock."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from random import Random

import pytest

from ordws.mining.recorded_games import honest_games
from ordws.mining.traffic import HonestQuestion, honest_traffic, merge_by_time

KINDS = ("home", "duel", "club", "operator")
HOUR, DAY = 3_600, 86_400


def stream(kind, identities, days, seed=1) -> Iterator[HonestQuestion]:
    return honest_traffic(kind, honest_games(), Random(seed), identities=identities, days=days)


@cache
def questions_of(kind, identities, days) -> list[HonestQuestion]:
    return list(stream(kind, identities, days))


def by_game(questions) -> dict[tuple[str, str], list[HonestQuestion]]:
    found = defaultdict(list)
    for question in questions:
        found[question.identity, question.game].append(question)
    return found


def begun(questions) -> Counter[tuple[str, int]]:
    """Count the games that are first asked about, by identity and UTC day."""
    return Counter((game[0].identity, game[0].moment // DAY) for game in by_game(questions).values())


@pytest.mark.parametrize(("kind", "games"), [("home", 3), ("duel", 8), ("club", 24), ("operator", 1_000)])
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


@pytest.mark.parametrize("kind", ["home", "duel", "club", "operator"])
def test_nobody_plays_two_games_at_once(kind):
    """A person, or a table, asks about a game only after the game before is over."""
    by_person = defaultdict(list)
    for questions in by_game(questions_of(kind, 2, 2)).values():
        by_person[questions[0].identity, questions[0].player].append((questions[0].moment, questions[-1].moment))
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
    """A stream of a million years computes only what is read."""
    assert len(list(islice(stream("home", 2, 365_000_000), 500))) == 500


def test_streams_are_merged_by_time():
    """Several streams are merged in order of time, and nothing is lost."""
    one, other = questions_of("home", 2, 1), questions_of("duel", 2, 1)
    both = list(merge_by_time(iter(one), iter(other)))
    assert sorted(both, key=lambda question: question.moment) == both
    assert Counter(map(str, both)) == Counter(map(str, one + other))
