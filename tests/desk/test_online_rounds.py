"""Tests of on-line rounds: an event whose games the desk opens, forfeits and reads at a real service, on one clock."""

from __future__ import annotations

from hashlib import sha256
from itertools import count

import httpx
import pytest
from event_desk import EventDesk
from invited_game import Browser
from leaks import find_leaks
from online_event import SITE, Killed, Mortal, OnlineEvent, new_client
from paired_devices import Director
from signing_station import RULES, SigningKey, game_of_event, register_key, send_game, short_record, sign_chain

from ordws.client import Client
from ordws.desk.online import OnlineRounds
from ordws.desk.online_games import event_key
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.personal_data import event_pseudonym

MINUTES = 60


@pytest.fixture(scope="module", name="installation")
def one_installation(shared_installation):
    return shared_installation


NUMBERS = count(1)


@pytest.fixture
def desk(service, installation):
    return EventDesk(service, installation, f"league {next(NUMBERS)}")


@pytest.fixture
def begin(service, desk, tmp_path):
    """Return a function that begins an on-line event and publishes its first round."""

    def begin(**settings):
        event = OnlineEvent(service, desk, tmp_path, **settings)
        event.publish()
        event.step()
        return event

    return begin


RESIGNED = TableResult(first=SideResult(0, 0, 1), second=SideResult(0, 0, 1), resigned="first")


def test_nobody_waits_for_a_director(begin):
    """An automatic event opens its games, reads results, closes, pairs again, and finishes by itself."""
    event = begin(rounds=2)
    for number in (1, 2):
        for table in (1, 2):
            event.play(table, moves=("-", "-", "-", "resign"))
        event.step()
        assert len(event.state.live_rounds) == 2
        assert event.state.find_round(number).status == "closed"
        event.step()
    state = event.state
    assert state.is_finished
    met = {frozenset(pairing.entrants) for played in state.rounds for pairing in played.pairings}
    assert len(met) == 4, "nobody has met twice"
    for played in state.rounds:
        for pairing in played.pairings:
            (game,) = pairing.games
            assert (
                game.result == TableResult(first=SideResult(0, 0, 2), second=SideResult(0, 0, 1), resigned="second")
                or game.result.resigned == "second"
            )
            assert (game.source, len(game.digest)) == ("game", 64)
    assert event.rounds.remarks == []


def test_the_games_of_an_event_may_be_reviewed_once_it_is_over(begin):
    """No game of an event is reviewed while rounds may follow; the step that finishes it lets all be reviewed."""
    event = begin(rounds=2)
    browsers = []
    for _ in (1, 2):
        browsers += [event.play(table, moves=("-", "-", "-", "resign"))[0] for table in (1, 2)]
        assert [each.standing()["event_table"]["over"] for each in browsers] == [False] * len(browsers)
        assert browsers[0].refusal("/review") == (409, "game-not-over")
        event.step()
        event.step()
    assert [each.standing()["event_table"]["over"] for each in browsers] == [True] * 4
    assert browsers[0].refusal("/review") == (503, "no-program")
    assert event.rounds.is_told_over(event.now)


def test_a_step_without_news_adds_nothing(begin):
    """Steps may be as many as there are seconds: only what has changed becomes a fact."""
    event = begin()
    event.play(1, moves=("-",))
    for _ in range(3):
        event.step(1)
    assert event.kinds() == ["bound", "bound", "began"]


def test_who_does_not_come_forfeits_on_time(begin):
    """After ten minutes whoever has not sworn has lost without a game, and is not paired again before checking in."""
    event = begin(rounds=2)
    event.browser(1, 0)
    event.step(10 * MINUTES - 1)
    assert event.results(1) == event.results(2) == [None]
    event.step(1)
    first = event.state.find_round(1)
    results = [pairing.games[0].result.forfeit for pairing in first.pairings]
    assert results == ["second", "both"]
    assert [pairing.have_met for pairing in first.pairings] == [False, False]
    assert event.state.present == (first.pairings[0].first,)
    assert event.rounds.remarks == [
        f'Round 2 cannot be drawn: only "{event.state.name_of(event.state.present[0])}"'
        " is checked in, and a round needs two."
    ]
    assert not event.state.is_finished


def test_who_forfeits_stays_paired_where_a_director_decides(begin):
    """Without the setting `automatic` nobody is checked out, and the round waits for its director."""
    event = begin(automatic=False)
    event.step(10 * MINUTES)
    assert event.results(1) == [TableResult(forfeit="both")]
    assert (len(event.state.present), event.state.open_round.status) == (4, "published")


def test_an_oath_before_the_forfeit_counts_however_late_the_desk(begin):
    """A desk that was away for an hour forfeits no game that began meanwhile."""
    event = begin()
    event.play(1, moves=("-",))
    event.step(3_600 // 4)
    assert event.results(1) == [None]
    assert event.results(2) == [TableResult(forfeit="both")]
    assert event.pairing(1).began


@pytest.mark.parametrize(
    ("moves", "result"),
    [
        (("resign",), TableResult(forfeit="first")),
        (("-", "resign"), TableResult(forfeit="second")),
        (("-", "-", "resign"), RESIGNED),
    ],
    ids=["before any turn", "before a turn of their own", "after a turn"],
)
def test_quitters_lose_as_the_design_says(begin, moves, result):
    """A quitter before a turn forfeits; a resignation after one is a loss with its turns counted."""
    event = begin(automatic=False)
    event.play(1, moves=moves)
    event.step()
    assert event.results(1) == [result]


def test_a_quitter_who_only_leaves_loses_by_the_clock(begin):
    """A player who has sworn and gone loses when the time is up, though neither looks at the game any more."""
    event = begin(automatic=False)
    event.play(1, moves=("-", "-"))
    for _ in range(3):
        event.step(26 * MINUTES)
    (result,) = event.results(1)
    assert (result.time_up, result.first.turns) == ("first", 1)


def test_the_second_game_follows_with_the_starts_swapped(begin):
    """With two games a round the second is opened when the first has a result, begun by the other player."""
    event = begin(games_a_round=2)
    assert [each.game for each in event.pairing(1).bound] == [1]
    event.play(1)
    event.step()
    event.step()
    assert [each.game for each in event.pairing(1).bound] == [1, 2]
    event.step(9 * MINUTES)
    event.play(1, game=2, moves=("-", "-", "-", "resign"))
    event.step()
    first, second = event.results(1)
    assert (first.resigned, second.resigned) == ("first", "first")
    assert (second.first.turns, second.second.turns) == (1, 2), "first is the pairing's, who went second"


def test_a_voided_round_calls_its_games_off_and_opens_others(begin):
    """Nobody takes a seat of a voided round; the pairs that began have met, and the redrawn round has its own games."""
    event = begin(rounds=2)
    before = [event.pairing(table).bound[0].sealed_game for table in (1, 2)]
    links = [event.rounds.seat_link(event.pairing(2).first, before[1])]
    event.play(1, moves=("-",))
    event.step()
    event.apply(f.Voided(round=1, reason="botched draw"))
    event.step()
    assert event.state.open_round is None, "a director draws again after a voided round"
    late = Browser(event.service, before[1])
    assert late.refusal("/seat", invitation=links[0].partition("=")[2]) == (409, "called-off")
    event.publish()
    event.step()
    after = [event.pairing(table).bound[0].sealed_game for table in (1, 2)]
    assert not {*before} & {*after}
    assert [pairing.have_met for pairing in event.state.rounds[0].pairings] == [True, False]


def test_a_director_may_bind_another_game(begin, desk):
    """A game that was opened elsewhere counts by the names of its players, and the one it replaces is called off."""
    event = begin(automatic=False)
    replaced = event.pairing(1).bound[0].sealed_game
    names = [event.state.name_of(entrant) for entrant in event.pairing(1).entrants]
    opened = desk.open(names=tuple(names[::-1]), event="another").json
    event.apply(f.Bound(round=1, table=1, sealed_game=opened["game"]))
    event.step()
    assert desk.find(replaced)[0]["status"] == "called-off"
    browsers = desk.begin(opened)
    for mover, move in ((0, "-"), (1, "-"), (0, "resign")):
        browsers[mover].take("/turns", turn=browsers[mover].standing()["turn"], move=move)
    event.step()
    (result,) = event.results(1)
    assert result == TableResult(first=SideResult(0, 0, 1), second=SideResult(0, 0, 1), resigned="second")
    wrong = desk.open(table=7, names=("Eve", "Fay"), event="another").json
    event.apply(f.Bound(round=1, table=2, sealed_game=wrong["game"]))
    desk.begin(wrong)[0].take(
        "/turns", turn=desk.service.services.games.find_by_id(wrong["game"], event.now).turn, move="resign"
    )
    event.step()
    assert event.rounds.remarks == [
        "round 1, table 2: the game that is bound there was not played by its two entrants."
    ]


def test_a_station_reports_to_its_table(begin, desk):
    """A pairing that is bound to a station takes its game, played without a connection, once it is sent."""
    event = begin(on_line=False, automatic=False, rules=RULES, names=("One", "Two", "Cy", "Dee"))
    named = zip(event.pairing(1).entrants, ("Ann", "Bob"), strict=True)
    event.apply(*[c.Rename(entrant=entrant, name=name) for entrant, name in named])
    key, station = SigningKey(), Director(event.service, desk.key).pairs("Table 3")
    register_key(station, key)
    event.apply(f.Bound(round=1, table=1, device="Table 3"), f.Bound(round=1, table=2, device="Table 9"))
    event.step()
    (told,) = station.get("/v1/stations/games").json["games"]
    assert (told["players"], told["round"], told["event"]) == (["Ann", "Bob"], 1, "Spring Open")
    detail = '"device": no device is paired for this table; GET /v1/devices lists them'
    assert event.rounds.remarks == [f"round 1, table 2 cannot be opened: {detail}"]
    event.apply(c.Rename(entrant=event.pairing(1).first, name="Anne"))
    sent = send_game(station, short_record(), sign_chain(key, game_of_event(told["game"])))
    assert sent.json.get("bound") == told["game"], sent.json
    event.step()
    (game,) = event.pairing(1).games
    assert (game.source, game.digest) == ("station", sha256(short_record().encode()).hexdigest())
    assert [game.result.first.turns, game.result.second.turns] == [1, 1]
    assert event.kinds() == ["reported"]


def test_a_service_that_is_away_is_waited_for(begin):
    """While the service does not answer a step says so and changes nothing; afterwards everything goes on."""
    event = begin(automatic=False)
    event.play(1)
    before = event.kinds()

    def refuse(request):
        raise httpx.ConnectError("refused")

    away = Client("http://localhost", event.key, transport=httpx.MockTransport(refuse), patience_seconds=0.0)
    event.rounds = OnlineRounds(event.event, away, SITE)
    event.step(3_600)
    assert (event.kinds(), len(event.rounds.remarks)) == (before, 1)
    assert event.rounds.remarks[0].startswith("The word judge does not answer")
    event.rounds = OnlineRounds(event.event, event.client, SITE)
    event.step()
    assert event.results(1) == [RESIGNED]


def test_a_desk_whose_key_is_refused_says_why(begin, installation):
    """A key without the scope opens nothing, and what the service says is a remark, for as long as it is so."""
    event = begin(automatic=False, rounds=2)
    other = installation.register.add(f"no desk {next(NUMBERS)}", "operator", 0)
    event.rounds = OnlineRounds(event.event, new_client(event.service, other), SITE)
    event.step()
    assert event.rounds.remarks == [
        "The word judge refuses what the desk asks: this client's scopes, which its keeper sets, do not include this"
        " request."
    ]


def test_a_game_for_which_no_budget_is_left_is_asked_for_again(service, desk, tmp_path):
    """An entrant's spent games of the day are a remark that stays; the game is opened when there are new ones."""
    event = OnlineEvent(service, desk, tmp_path, automatic=False)
    players = [event_pseudonym(event_key(event.event.snapshot()), entrant) for entrant in (1, 2)]
    for table in range(12):
        seats = [{"player": player, "name": player} for player in players]
        assert desk.open(table=table + 1, seats=seats).status_code == 201
    event.apply(f.Constrained(a=1, b=2, constraint="together"))
    event.publish()
    table = event.state.open_round.of_entrant(1).table
    event.step()
    remarks = event.rounds.remarks
    assert len(remarks) == 1
    assert remarks[0].startswith(f'round 1, table {table} cannot be opened: "games" (games a day)')
    event.step(1)
    assert event.rounds.remarks == remarks
    assert not event.pairing(table).bound
    event.step(43_200)  # midnight
    assert event.rounds.remarks == []
    assert event.pairing(table).bound


def test_a_desk_that_was_started_anew_knows_the_links_again(begin):
    """The links to seats are in no file: a new desk learns them from the service, for games that wait or run."""
    event = begin()
    event.play(1, moves=("-",))
    links = event.seat_links()
    assert None not in links
    event.rounds = OnlineRounds(event.event, event.client, SITE)
    assert event.seat_links() == [None] * 4
    event.step()
    assert event.seat_links() == links
    assert event.rounds.seat_link(99, event.pairing(1).bound[0].sealed_game) is None


def test_no_secret_is_in_the_event_or_in_an_error(begin, caplog):
    """Neither invitations nor the key stand in the file of an event or in remarks; the id of a game does."""
    event = begin()
    secrets = [link.partition("=")[2].removeprefix("ordws_invite_") for link in event.seat_links()]
    secrets.append(event.key.removeprefix("ordws_live_"))
    written = event.event.file.path.read_bytes() + repr(event.client).encode() + caplog.text.encode()
    written += "".join(event.rounds.remarks).encode()
    assert find_leaks(written, [event.pairing(1).bound[0].sealed_game]), "what is there is found"
    assert len(secrets) == 5
    assert not find_leaks(written, secrets)


def run_to_the_end(event, is_done=False, last=0):
    """Run an event in which one game is resigned and the other forfeited; the desk dies at its `last` call."""
    calls = count(1)
    mortal = [Mortal(each, calls, last, is_done=is_done) for each in (event.event, event.client)]
    event.rounds = OnlineRounds(*mortal, SITE)
    deaths = 0
    for stage in range(6):
        try:
            event.step()
        except Killed:
            deaths += 1
            event.rounds = OnlineRounds(event.event, event.client, SITE)
            event.step()
        if stage == 0:
            event.play(1)
        if stage == 2:
            event.service.clock.now += 10 * MINUTES
    return deaths


def told(event):
    """Return what the event has of its games, whatever they were called."""
    facts = [each.fact for each in event.event.snapshot().facts if each.actor == f.SERVICE_ACTOR]
    places = [(f.kind_of_fact(fact), getattr(fact, "table", 0), getattr(fact, "result", None)) for fact in facts]
    return sorted(places, key=repr)


@pytest.mark.parametrize(
    "is_done", [pytest.param(False, marks=pytest.mark.long), True], ids=["before its work", "after its work"]
)
def test_a_desk_that_is_killed_anywhere_loses_and_doubles_nothing(service, desk, tmp_path, is_done):
    """Killed at any call to the file or the service, a desk started anew comes to the same event, fact by fact."""

    def begun():
        event = OnlineEvent(service, desk, tmp_path)
        event.publish()
        return event

    whole = begun()
    assert run_to_the_end(whole) == 0
    assert whole.state.is_finished
    expected = told(whole)
    assert [kind for kind, _, _ in expected].count("bound") == 2
    for last in count(1):
        event = begun()
        if not run_to_the_end(event, is_done, last):
            break
        assert told(event) == expected, last
    assert last > 12
