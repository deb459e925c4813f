"""Tests that test keys use a toy word set and touch nothing live."""

from __future__ import annotations

import msgspec
import pytest

from ordws.api import public_editions
from ordws.api.plays import JudgePlay
from ordws.api.requests import WordField


@pytest.fixture
def test_key(installation):
    return installation.register.add("try", "home", 0, test=True)


def test_every_published_answer_is_given(service, test_key):
    """Core words and toy words are acceptable; words of the reference alone, and all others, are not."""
    for words, verdict in (
        (public_editions.TOY_CORE, True),
        (public_editions.TOY_WORDS, True),
        (public_editions.TOY_REFERENCE, False),
        (("LOVERS", "EVENT"), False),
    ):
        for word in words:
            assert service.judge(word, key=test_key).json == {"valid": verdict}, word


def test_the_examples_of_the_reference_are_toy_words(service, test_key):
    """A question that is copied from the reference gets a yes with a test key."""
    [word] = msgspec.json.schema(WordField)["examples"]
    assert service.judge(word, key=test_key).json == {"valid": True}
    schema = msgspec.json.schema(JudgePlay)["$defs"]["JudgePlay"]["properties"]
    body = {name: schema[name]["examples"][0] for name in ("position", "move")}
    body["rack"] = schema["rack"]["anyOf"][0]["examples"][0]
    answer = service.http.post("/v1/plays", json=body, headers={"Authorization": f"Bearer {test_key}"})
    assert (answer.status_code, answer.json["valid"]) == (200, True), answer.json


def test_two_words_stand_for_failures(service, test_key):
    """Two words stand for a spent budget, with its Retry-After, and for a store that is down."""
    spent, down = service.judge("SPENT", key=test_key), service.judge("DOWN", key=test_key)
    assert (spent.status_code, spent.json["code"], spent.headers["Retry-After"]) == (429, "budget-spent", "60")
    assert (down.status_code, down.json["code"]) == (503, "store-down")
    assert service.judge("SPENT").json == {"valid": False}


def test_a_test_key_changes_no_live_meter(service, installation, test_key):
    """Whatever a test key asks, the live meters must stay the same byte for byte."""
    service.judge("LOVERS")
    before = service.services.gate.quota(_who(service), "g", 0)
    meters = installation.stored_meters()
    for _ in range(30):
        service.judge("STAINER", "ZZZ", key=test_key, game="g")
    assert service.judge("QUIZ", key=test_key, game="h").status_code == 200
    assert installation.stored_meters() == meters
    assert service.services.gate.quota(_who(service), "g", 0) == before


def test_a_live_key_is_not_judged_by_the_toy_set(service):
    """A live key must be judged by the edition, which does not have the toy words."""
    assert service.judge("STAINER").json == {"valid": False}


def _who(service):
    from ordws.api.words import identity_of

    return identity_of(service.services.register.identify(f"Bearer {service.key}", 0), None)
