"""A simulated evening of a club: 24 games at four tables, judged on paired devices, with no question refused."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import pytest
from paired_devices import Director, make_director
from sealed_game import install_edition
from small_installation import CORE, NOON, FakeClock, InProcessService, build_installation

from ordws.guard.policy import Policy

TABLES, GAMES = 4, 24
EVENING = NOON + 6 * 3_600
ONSETS = ("B", "C", "D", "F", "G", "H", "J", "K", "L", "M", "P", "QU", "R", "S", "T", "V", "W", "Z", "CH", "ST", "TR")
VOWELS = ("A", "E", "I", "O", "U", "AI", "EA", "EE", "OA", "OU")
CODAS = ("B", "CK", "D", "FT", "G", "K", "L", "LT", "M", "ND", "NG", "NT", "P", "R", "RK", "S", "ST", "T", "TH", "X")
ENDINGS = ("", "", "S", "ED", "ER", "ING", "ISH", "LY")
GOES_ON = ("game", "plays")
"""The budgets of a game: when one is spent, the page continues once under a new label."""


def doubtful_words(rng, number):
    """Return made-up words outside the core list, of the kind that players play and doubt."""
    words = set()
    while len(words) < number:
        stem = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.choice((1, 1, 2))))
        words.add(stem + rng.choice(CODAS) + rng.choice(ENDINGS))
    return sorted(words)


class Table:
    """A device and the behaviour of its page: a random label for each game, and one more when that one is used up."""

    def __init__(self, tablet, labels):
        self.tablet, self.labels, self.label = tablet, labels, None
        self.refused, self.renewed, self.told = Counter(), 0, Counter()

    def begin(self):
        self.label = f"game {next(self.labels)}"

    def ask(self, *words):
        reply = self.tablet.judge(*words, game=self.label)
        if reply.status_code == 429 and reply.json["budget"] in GOES_ON:
            self.renewed += 1
            self.begin()
            reply = self.tablet.judge(*words, game=self.label)
        if reply.status_code == 200:
            self.told[reply.json["valid"]] += 1
        else:
            self.refused[reply.json.get("budget", reply.json["code"])] += 1


def evening(service, clock, director, rng, words, *, questions=(8, 20)):
    """Play the club's games, four at a time, each with this number of questions over 50 minutes; return the tables."""
    labels = count(1)
    tables = [Table(director.pairs(f"Table {number + 1}"), labels) for number in range(TABLES)]
    fresh, asked = iter(rng.sample(words, len(words))), []
    for _ in range(GAMES // TABLES):
        for table in tables:
            table.begin()
        turns = [table for table in tables for _ in range(rng.randint(*questions))]
        for table in rng.sample(turns, len(turns)):
            words_of_play = [next(fresh) for _ in range(rng.choice((1, 1, 1, 2)))]
            words_of_play += rng.sample(asked, 1) if asked and rng.random() < 0.1 else []
            words_of_play += rng.sample(CORE, 1) if rng.random() < 0.2 else []
            asked += words_of_play
            clock.now += 3_000 // len(turns)
            table.ask(*words_of_play)
    return tables


@pytest.fixture
def opened(tmp_path):
    """A service whose edition has two thirds of the doubtful words, at six in the evening."""
    rng = Random(24)
    words = doubtful_words(rng, 2_000)
    with build_installation(tmp_path / "house") as installation:
        install_edition(installation, [*CORE, *rng.sample(words, 1_340)], number=2, core=CORE)
        clock = FakeClock(EVENING)
        yield InProcessService(installation.services(), installation.key, clock), installation, clock, words


@pytest.mark.parametrize(
    ("seed", "questions"), [(1, (8, 20)), pytest.param(2, (8, 20), marks=pytest.mark.long), (3, (20, 20))]
)
def test_a_verified_clubs_evening_gets_every_verdict(opened, seed, questions):
    """Every question of 24 games on four devices of a verified club must get a verdict, within every budget."""
    service, installation, clock, words = opened
    club = make_director(service, installation)
    tables = evening(service, clock, club, Random(seed), words, questions=questions)
    assert [table.refused for table in tables] == [Counter()] * TABLES
    told = sum([table.told for table in tables], Counter())
    assert told.total() >= GAMES * questions[0]
    assert 0.2 < told[False] / told.total() < 0.65
    policy = Policy()
    for table in tables:
        left = table.tablet.left(table.label)
        spent = policy.units_a_day - left["units"]
        assert 0 < spent <= policy.units_a_day
        assert left["games"] == policy.games_a_day - GAMES // TABLES - table.renewed >= 0
        assert min(left.values()) >= 0
    spent = sum(policy.units_a_day - table.tablet.left()["units"] for table in tables)
    assert policy.operator_units_a_day - service.quota("?player=ann", key=club.key)["operator"] == spent
    assert service.services.gate.store.active_alarms(clock.now) == {}


def test_an_unverified_club_has_two_games_for_each_device(opened):
    """On an unverified club's first evening a device may open two games, of its client's share of the shared budget."""
    service, installation, clock, words = opened
    installation.register.add("strangers", "operator", EVENING)
    key = installation.register.add_key("strangers", EVENING)
    tables = evening(service, clock, Director(service, key), Random(1), words)
    for table in tables:
        assert table.refused.keys() <= {"games", "world"}
        assert table.tablet.left()["games"] == 0
        assert table.told.total() >= 8
