"""A person in two on-line events: one player for the service, for fair play and for a case, by the member number."""

from __future__ import annotations

from contextlib import closing

import pytest
from event_desk import EventDesk
from leaks import scan_folder
from online_event import SITE, OnlineEvent

from ordws.cases.event_prizes import entrants_of_player
from ordws.desk.desk_key import own_key_path, players_key_path
from ordws.desk.online import OnlineRounds
from ordws.errors import Broken
from ordws.fairplay.flags import create_store
from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.process import FairPlay, open_queue
from ordws.instance import Instance
from ordws.row_cipher import open_key
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.personal_data import event_pseudonym, person_pseudonym

KEY = bytes(range(32))
MEMBER = "QX-4711"


class EventWithNumbers(OnlineEvent):
    """An on-line event whose desk has the key of players, and in which Ann has a member number."""

    def __init__(self, service, desk, folder, names):
        super().__init__(service, desk, folder, names=names, automatic=False)
        self.ann = names.index("Ann") + 1
        self.apply(c.Rename(entrant=self.ann, member=MEMBER))
        self.restart(KEY)

    def restart(self, key):
        """Let another desk go on with the event."""
        self.rounds = OnlineRounds(self.event, self.client, SITE, key)

    def play_round(self):
        self.publish()
        self.step()
        for table in (1, 2):
            self.play(table)
        self.step()

    def own_pseudonym(self, entrant):
        return event_pseudonym(self.event.snapshot().facts[0].command, entrant)


@pytest.fixture(scope="module", name="installation")
def one_installation(shared_installation):
    return shared_installation


def test_two_events_reach_fair_play_as_one_player(service, installation, tmp_path):
    """Ann's games of both events count together, those of Ben, who has no number, apart; a case finds Ann in both."""
    desk = EventDesk(service, installation, "season")
    folder = tmp_path / "events"
    folder.mkdir()
    spring = EventWithNumbers(service, desk, folder, ("Ann", "Ben", "Cy", "Dee"))
    summer = EventWithNumbers(service, desk, folder, ("Cy", "Ben", "Eve", "Ann"))
    for event in (spring, summer):
        event.play_round()
        assert event.rounds.remarks == []
    instance = installation.instance
    with closing(create_store(instance)) as numbers:
        process = FairPlay(open_queue(instance, None), Lexicons(instance), numbers, DEFAULT_FORMS, 11.7)
        assert process.take_games(service.clock()).games == 4
        players = [seat.player for seat in numbers.all_seats()]
    (ann,) = [player for player in {*players} if players.count(player) == 2]
    assert ann.endswith(f"/{person_pseudonym(KEY, MEMBER, 'Ann')}")
    assert len({*players}) == 7, "Ann, and three others in each event"
    for event, entrant in ((spring, 2), (summer, 2)):
        assert any(player.endswith(f"/{event.own_pseudonym(entrant)}") for player in players)
    found = [entrants_of_player(event.event.file.path, ann, KEY, since=0) for event in (spring, summer)]
    assert found == [{1}, {4}]
    assert all(not entrants_of_player(event.event.file.path, ann, None, since=0) for event in (spring, summer))
    assert scan_folder(instance.root, [MEMBER]) == {}, "the number stays in the files of the events"
    assert scan_folder(folder, [MEMBER]) != {}


def test_a_number_that_is_put_right_disturbs_no_game(service, installation, tmp_path):
    """A game keeps the pseudonyms of its draw, also for a desk that begins anew; the next round has the new ones."""
    event = EventWithNumbers(
        service, EventDesk(service, installation, "corrected"), tmp_path, ("Ann", "Ben", "Cy", "Dee")
    )
    event.publish()
    event.step()
    event.apply(c.Rename(entrant=event.ann, member="QX-4712"), c.Rename(entrant=2, member="B-2"))
    event.restart(KEY)
    event.step()
    for table in (1, 2):
        event.play(table)
    event.step()
    assert event.rounds.remarks == []
    assert all(pairing.is_complete for pairing in event.state.last_round.pairings)
    event.apply(f.Closed(round=1), c.Configure(rounds=2))
    event.play_round()
    assert event.rounds.remarks == []
    path = event.event.file.path
    for member in (MEMBER, "QX-4712"):
        assert entrants_of_player(path, f"1/{person_pseudonym(KEY, member, 'Ann')}", KEY, since=0) == {event.ann}


def test_a_desk_with_another_key_reads_the_results_all_the_same(service, installation, tmp_path):
    """The games of the round go on and are counted, and the director reads why the desk has no links to their seats."""
    event = EventWithNumbers(service, EventDesk(service, installation, "moved"), tmp_path, ("Ann", "Ben", "Cy", "Dee"))
    event.publish()
    event.step()
    table = event.state.last_round.of_entrant(event.ann).table
    browsers = {number: [event.browser(number, seat) for seat in (0, 1)] for number in (1, 2)}
    event.restart(bytes(32))
    event.step()
    (remark,) = event.rounds.remarks
    assert remark.startswith(f"round 1, table {table} cannot be opened: a game of other players")
    for number, seats in browsers.items():
        for mover, move in ((0, "-"), (1, "-"), (0, "resign")):
            seats[mover].take("/turns", turn=seats[mover].standing()["turn"], move=move)
        assert event.pairing(number).games == (None,)
    event.step()
    assert all(pairing.is_complete for pairing in event.state.last_round.pairings)


def test_the_key_is_the_installations_for_its_own_events(tmp_path, monkeypatch):
    """Files elsewhere have the key of this machine's desks; a key is made once, private, and a damaged one refused."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    instance.tournaments.mkdir()
    own = tmp_path / "state/ordws/players.key"
    assert players_key_path(instance.tournaments, instance) == instance.players_key
    assert players_key_path(instance.tournament("open"), instance) == instance.players_key
    assert players_key_path(tmp_path / "club.event", instance) == own
    assert own_key_path("players") == own
    assert open_key(own) == open_key(own)
    assert own.stat().st_mode & 0o777 == 0o400
    instance.players_key.write_bytes(b"short")
    with pytest.raises(Broken, match="5 bytes, not 32"):
        open_key(instance.players_key)
