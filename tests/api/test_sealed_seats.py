"""Tests of seat tokens in sealed games, and of games whose store, edition or turn is lost."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from sealed_game import (
    ACCEPTED_WORDS,
    CORE_WORDS,
    NOON,
    REFERENCE_WORDS,
    FixedDraws,
    SealedGame,
    budget_left,
    game_opener,
    install_edition,
    install_game_edition,
    new_service_sender,
    service_sender,
)
from small_installation import read_rows

from ordws.api import games
from ordws.referee.games import SealedGames
from ordws.referee.seat_credentials import SeatTokenSigner
from ordws.referee.stores.sqlite import SqliteGameStore

DAY = 86_400


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


@pytest.fixture
def play(service):
    return game_opener(service)


def bad_tokens(play, service, installation):
    """Return invalid tokens for the game's first seat by kind, each with the key that it is sent with."""
    game, other = play("scrabble-o", "AEHLTVZ", "CEILOQU"), play("scrabble-o", "AEHLTVZ", "CEILOQU")
    good, second = game.tokens
    head, _, mac = good.rpartition("_")
    stranger = installation.register.add("stranger", "home", 0)
    table, _ = service.services.games.find(game.opened["game"], good, "1", NOON)
    seats = SeatTokenSigner(installation.instance.games_key.read_bytes())
    return game, {
        "missing": ("", None),
        "no token": ("hello", None),
        "forged": (f"{head}_{'0' * 64}", None),
        "one bit": (good[:-1] + ("0" if good[-1] != "0" else "1"), None),
        "truncated": (good[:-1], None),
        "longer": (good + "0", None),
        "in capitals": (good.upper(), None),
        "the other seat's": (f"{head[:-1]}0_{second.rpartition('_')[2]}", None),
        "for the other seat": (f"{head[:-1]}1_{mac}", None),
        "a seat that is not there": (f"{head[:-1]}7_{mac}", None),
        "another game's": (other.tokens[0], None),
        "another game's mac": (f"{head}_{other.tokens[0].rpartition('_')[2]}", None),
        "another client's key": (good, stranger),
        "another edition": (seats.issue(replace(table.header, edition=1), 0), None),
        "another end": (seats.issue(replace(table.header, expires=1), 0), None),
        "another key": (SeatTokenSigner(bytes(32)).issue(table.header, 0), None),
        "with text": (good + "\t7", None),
    }


def test_every_bad_token_gets_the_same_refusal(play, service, installation, clock):
    """Forged, foreign and expired tokens, and those of an unknown game, get the same bytes; a missing one is named."""
    game, tokens = bad_tokens(play, service, installation)
    answers = {}
    for kind, (token, key) in tokens.items():
        answers[kind] = replies_to(service, game.path, token, key)
    good = game.tokens[0]
    answers["unknown game"] = replies_to(service, f"/v1/games/{'0' * 32}", good.replace(game.opened["game"], "0" * 32))
    answers["no game"] = replies_to(service, "/v1/games/x", good)
    assert replies_to(service, game.path, good)[0][0] == 200
    clock.now += DAY
    answers["expired"] = replies_to(service, game.path, good)
    service.services.games.sweep(clock.now + 3_600)
    answers["swept"] = replies_to(service, game.path, good)
    wrong = "got a token that is not of this game and this key"
    for kind, (shown, sent) in answers.items():
        what = wrong if tokens.get(kind, (good,))[0] else "missing"
        assert shown == refused(f"Seat-Token: {what}"), kind
        assert sent == refused(f'\\"seat\\": {what}'), kind


def refused(place):
    """Return the reply to a bad token that was sent in this place."""
    body = (
        '{"type":"urn:ordws:problem:bad-seat","title":"Not allowed without a seat in this game","status":403,'
        f'"detail":"{place}, expected the seat token that POST /v1/games gave for this game",'
        '"instance":"urn:ordws:request:id","code":"bad-seat"}'
    )
    headers = {
        "Cache-Control": "no-store",
        "Content-Length": str(len(body)),
        "Content-Type": "application/problem+json",
        "X-Content-Type-Options": "nosniff",
    }
    return 403, body.encode(), tuple(headers.items())


def replies_to(service, path, token, key=None):
    """Return the replies to a look and to a move with a token, without the ids of the requests."""
    send = service_sender(service, key)
    body = json.dumps({"seat": token, "turn": 1, "move": "-"}).encode()
    replies = [send("GET", path, {"Seat-Token": token} if token else {}, None), send("POST", f"{path}/turns", {}, body)]
    told = []
    for status, headers, data in replies:
        fields = {name: value for name, value in headers.items() if name != "X-Request-Id"}
        data = data.replace(headers["X-Request-Id"].encode(), b"id")
        fields["Content-Length"] = str(len(data))
        told.append((status, data, tuple(sorted(fields.items()))))
    return tuple(told)


def test_a_game_keeps_its_first_edition(play, serve, service, installation, clock):
    """A word that newer editions drop must stay good in an old game, even after a restart, and be bad in a new game."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU", "IIII", "EEE")
    install_edition(installation, ["TEAH"], number=3, core=CORE_WORDS, reference=REFERENCE_WORDS)
    clock.now += 1
    assert game.take(0, "8E HEAT")["happened"]["outcome"] == "stands"
    assert service.services.editions.current.number == 3
    newer = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    assert newer.take(0, "8E HEAT")["happened"]["outcome"] == "rejected"
    for number in range(4, 16):
        install_edition(installation, ["TEAH"], number=number, core=CORE_WORDS, reference=REFERENCE_WORDS)
        clock.now += 1
        service.judge("AB")
    restarted = serve()
    assert restarted.services.editions.current.number == 15
    game.send = service_sender(restarted)
    assert game.take(1, "H8 .ILE")["happened"]["outcome"] == "stands"
    assert restarted.services.games.store.editions(clock.now) == {2, 3}


def test_without_its_edition_a_game_judges_no_play(play, serve, installation, clock):
    """Without its edition a game must answer plays with 503 and no charge, and moves without words as usual."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    install_edition(installation, ACCEPTED_WORDS, number=3)
    clock.now += 1
    shutil.rmtree(installation.instance.editions / "0002")
    service = serve()
    game.send = service_sender(service)
    before = budget_left(service, game)
    assert game.refusal(0, "8E HEAT") == (503, "store-down")
    assert budget_left(service, game) == before
    assert game.take(0, "-AE")["happened"]["outcome"] == "exchanged"


@pytest.mark.parametrize("file", ["meters", "games"])
def test_without_a_store_there_is_no_verdict(play, service, installation, file):
    """Without the meters or the games a play must get 503; when they are back, the same submission is answered."""
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    path = getattr(installation.instance, file)
    path.rename(path.with_suffix(".away"))
    status, body = game.post(0, 1, "8E HEAT")
    assert (status, json.loads(body)["code"]) == (503, "store-down")
    path.with_suffix(".away").rename(path)
    assert game.standing()["turn"] == 1
    assert game.take(0, "8E HEAT")["happened"]["outcome"] == "stands"


def test_a_game_has_a_limit_of_turns(play, monkeypatch):
    """A game must have a limit of turns, because passes cost nothing."""
    monkeypatch.setattr(games, "MAX_TURNS", 5)
    game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
    for turn in range(5):
        game.take(turn % 2, "-")
    assert game.refusal(1, "-") == (429, "budget-spent")


def test_yes_and_no_take_the_same_work(play, service):
    """A play that stands and one that is rejected must take the same look-ups and writes to each store."""
    counts = {}
    # The first question of all takes a level for the meters of the day as well.
    for move in ("8E LATH", "8E HEAT", "8E TEAH"):
        game = play("scrabble-o", "AEHLTVZ", "CEILOQU")
        asked, edition = [], service.services.editions.current
        counting = replace(edition, words=Counting(edition.words, asked))
        service.services.editions._served = service.services.editions._served._replace(edition=counting)
        before = changes(service)
        game.post(0, 1, move)
        counts[move] = (len(asked), [now - then for now, then in zip(changes(service), before, strict=True)])
        service.services.editions._served = service.services.editions._served._replace(edition=edition)
    assert counts["8E HEAT"] == counts["8E TEAH"]
    assert counts["8E HEAT"][0] == 1


class Counting:
    """A word set that notes the words looked up in it."""

    def __init__(self, words, asked):
        self.words, self.asked = words, asked

    def __contains__(self, word):
        self.asked.append(word)
        return word in self.words


def changes(service):
    """Return the number of rows that were ever written to the store of games, and those of the meters."""
    with service.services.games.store._database as db:
        return db.total_changes, len(read_rows(service.services.gate.store))


def test_a_move_that_loses_a_race_leaves_no_trace_of_its_verdict(service, installation):
    """The verdict on a second move sent at the same time must show in no budget and no reply."""

    class Overtaken(SqliteGameStore):
        """A store to which another worker always writes first."""

        def append(self, game, number, row, taken=None):
            if rivals:
                rivals.pop()()
            return super().append(game, number, row, taken)

    rivals, seen = [], []
    key = installation.instance.games_key.read_bytes()
    for move in ("8E HEAT", "8E TEAH"):
        turns = Overtaken(installation.instance.games)
        services = replace(service.services, games=SealedGames(turns, key, FixedDraws("AEHLTVZ", "CEILOQU")))
        game = SealedGame(new_service_sender(services, service.key), "scrabble-o")
        rivals.append(lambda game=game: game.post(0, 1, "-AE"))
        status, body = game.post(0, 1, move)
        left = budget_left(service, game)
        seen.append((status, body.partition(b'"instance"')[0], left["plays"], left["game"]))
    assert seen[0] == seen[1]
    assert seen[0][0] == 409
