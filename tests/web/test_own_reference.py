"""An installation with its own players' reference: checks need a caller, and have their own budget (Decision 13)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from paired_devices import make_director
from small_installation import NOON, FakeClock, FixedEdition, InProcessService

from ordws.api.services import Housekeeping
from ordws.guard.policy import Policy
from ordws.lexicon.edition import WordSet

OWN = ("BASHINGS", "HAET", "LETTER", "LET", "PLAY")
"""The installation's own list: HAET is in no other, and the open list has CAT beside them."""


@pytest.fixture
def serve(installation):
    """Return a function that starts a service over the own list, and ends it after the test."""
    running = []

    def serve(policy=None, **changes):
        services = installation.services(policy)
        own = WordSet(frozenset(word.encode() for word in OWN))
        own_edition = {"reference": own, "has_own_reference": True, "reference_name": "OSPD 7", **changes}
        editions = FixedEdition(replace(services.editions.current, **own_edition))
        housekeeping = Housekeeping(editions, services.gate)
        services = replace(services, editions=editions, housekeeping=housekeeping)
        running.append(InProcessService(services, installation.key, FakeClock()))
        return running[-1]

    yield serve
    for service in running:
        service.services.register.close()


def check(service, *words, path="/v1/ospd", **fields):
    return service.post({"words": [*words], **fields} if path == "/v1/ospd" else fields, None, path)


def test_the_check_reads_the_own_list(serve):
    """`/v1/ospd` answers from the installation's own list, and charges a budget of its own and no other."""
    service = serve()
    before = service.quota()
    assert before["reference"] == 60
    assert check(service, "HAET").json == {"found": True}
    assert check(service, "CAT", "HAET").json == {"found": False}
    assert check(service, "AA").json == {"found": False}
    assert service.quota() == before | {"reference": 58}


def test_the_check_at_home_reads_the_own_list(serve):
    """`/v1/home` rules by the own list, names it, and draws on the same budget; a repeat is free."""
    service = serve()
    for _ in range(2):
        ruling = service.post({"word": "bashings", "base_in_dictionary": "bash"}, None, "/v1/home").json
        assert (ruling["acceptable"], ruling["reference"]) == (True, "OSPD 7")
    ruling = service.post({"word": "cats", "rules": "classic"}, None, "/v1/home").json
    assert ruling["acceptable"] is False
    assert service.quota()["reference"] == 58
    assert check(service, "BASHINGS").json == {"found": True}
    assert service.quota()["reference"] == 58


def test_the_own_list_needs_a_key_or_a_paired_device(serve):
    """Nobody without a key or a paired device is told of the own list."""
    service = serve()
    for path, body in (("/v1/ospd", {"words": ["HAET"]}), ("/v1/home", {"word": "HAET"})):
        reply = service.http.post(path, json=body)
        assert (reply.status_code, reply.json["code"]) == (401, "unauthorized")


def test_a_paired_device_has_a_budget_of_its_own(serve, installation):
    """Each paired device is a player, with its own words a day."""
    service = serve(Policy(reference_a_day=1))
    director = make_director(service, installation)
    tablets = [director.pairs(table) for table in ("Table 1", "Table 2")]
    for tablet in tablets:
        assert tablet.post("/v1/home", {"word": "haet", "rules": "classic"}).json["acceptable"] is True
        refused = tablet.post("/v1/ospd", {"words": ["LET"]})
        assert (refused.status_code, refused.json["code"], refused.json["budget"]) == (429, "budget-spent", "reference")


def test_an_operator_names_a_player(serve, installation):
    """An operator's key asks for a player, whose budget it is."""
    service = serve()
    service.key = installation.register.add("many", "operator", 0)
    body = {"word": "haet", "rules": "classic"}
    assert service.post(body, None, "/v1/home").json["code"] == "player-required"
    assert service.post({**body, "player": "ann"}, None, "/v1/home").json["acceptable"] is True


def test_all_players_of_an_operator_have_a_budget_together(serve, installation):
    """However many players an operator asks for, they read no more of the own list in a day than its total allows."""
    service = serve(Policy(operator_units_a_day=10))
    service.key = installation.register.add("many", "operator", 0)
    read = [check(service, "HAET", "LET", player=player).status_code for player in ("ann", "bob", "cid")]
    assert read == [200, 200, 429]
    assert check(service, "HAET", "LET", player="ann").status_code == 200
    refused = check(service, "XAA", player="ann")
    assert (refused.status_code, refused.json["budget"]) == (429, "operator-reference")
    assert service.quota("?player=ann") | {"reference": 58, "operator-reference": 0} == service.quota("?player=ann")


@pytest.mark.parametrize("words", [("HAET", "CAT"), ("CAT", "HAET"), ("HAET", "LETTER")])
def test_a_spent_budget_tells_nothing(serve, words):
    """After so many words a day nothing is looked up any more, and the refusal does not depend on the list."""
    service = serve(Policy(reference_a_day=3))
    check(service, "XAA", "XAB")
    refused = check(service, *words)
    assert (refused.status_code, refused.json["budget"]) == (429, "reference")
    assert service.quota()["reference"] == 1


def test_words_checked_in_the_open_list_are_charged_anew(serve):
    """What was checked in the open list before the own one came is no free check of the own list."""
    service = serve(has_own_reference=False, reference_name="the open players' list")
    check(service, "HAET")
    assert "reference" not in service.quota()
    own = serve()
    check(own, "HAET")
    assert own.quota()["reference"] == 59
    assert own.services.editions.current.created.timestamp() < NOON


def test_a_repeat_after_an_update_is_answered_as_it_was(serve, monkeypatch):
    """Until midnight a checked word is free and answered from the edition of its charge, which tells no change."""
    service = serve()
    assert check(service, "HAET").json == {"found": True}
    editions = service.services.editions
    earlier, changed = editions.current, WordSet(frozenset({b"LETTER", b"ZA"}))
    editions.current = replace(earlier, number=earlier.number + 1, reference=changed)
    numbers = {each.number: each for each in (earlier, editions.current)}
    monkeypatch.setattr(editions, "find", numbers.get)
    assert check(service, "HAET").json == {"found": True}
    assert service.quota()["reference"] == 59
    assert check(service, "PLAY").json == {"found": False}
