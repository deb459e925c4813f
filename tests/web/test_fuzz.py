"""Fuzz tests of the service by its own OpenAPI document."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_installation import FakeClock, InProcessService

from ordws.fold import find_fold
from ordws.guard.policy import DAY

CORE = {"BOARD", "CAT", "GAME", "LETTER", "PLAY", "TABLE", "TILE", "WORD"}
PROBLEM = "application/problem+json"
FUZZ = settings(max_examples=settings.default.max_examples // 10, suppress_health_check=list(HealthCheck))
BRIEFLY = settings(FUZZ, max_examples=max(1, settings.default.max_examples // 20))
"""The settings for operations without a body, of which there are few variants."""


@pytest.fixture(scope="module")
def fuzzed(shared_installation):
    """A service on whose clock days pass between requests, so that none of them finds its budgets spent.

    The program that people practise with is always there.
    """
    clock = FakeClock()
    service = InProcessService(shared_installation.services(), shared_installation.key, clock)

    def let_days_pass():
        clock.now += 2 * DAY
        service.services.practice_register.note_program(clock.now)

    service.let_days_pass = let_days_pass
    return service


def spent(service):
    """Return the units that were charged today."""
    reply = service.http.get("/v1/quota", headers={"Authorization": f"Bearer {service.key}"})
    (units,) = [budget for budget in reply.json["budgets"] if budget["budget"] == "units"]
    return units["limit"] - units["left"]


def non_core_words(texts):
    """Return the words of a body that are outside the core list and cost a unit each."""
    return {word for text in texts if len(word := find_fold(text)) > 2 and word not in CORE}


def test_any_request_gets_a_documented_reply(fuzzed):
    """Every reply must be as documented, never a 500 or HTML, and never a verdict without its charge."""
    from documented_operations import checks_of, modes_of

    def send(case):
        fuzzed.let_days_pass()
        response = case.call(headers={"Authorization": f"Bearer {fuzzed.key}"})
        assert response.headers["content-type"][0] in ("application/json", PROBLEM)
        case.validate_response(response, checks=checks_of(case))
        assert spent(fuzzed) == len(verdict_words(case.path, response))

    for operation, mode in modes_of(fuzzed.app.wsgi_app):
        fuzz = FUZZ if operation.body else BRIEFLY
        try:
            fuzz(given(operation.as_strategy(generation_mode=mode))(lambda case: send(case)))()
        except BaseException as err:
            err.add_note(f"{operation.label}, {mode.value}")
            raise


def verdict_words(path, response):
    """Return the words outside the core list that a reply gives a verdict on."""
    if response.status_code != 200:
        return set()
    match path:
        case "/v1/judge":
            return non_core_words(json.loads(response.request.body)["words"])
        case "/v1/plays":
            return non_core_words(response.json()["words"])
        case _:
            return set()


WORDS = st.sampled_from(["QUIZ", "zag", "Lovers", "CAT", "AB", "c4t", "É", "élan", ""]) | st.text(max_size=4)
FIELDS = st.fixed_dictionaries(
    {"words": st.lists(WORDS, max_size=9)},
    optional={"rules": st.sampled_from(["dover", "none"]), "game": st.text(max_size=3), "player": st.text(max_size=3)},
)
BODIES = FIELDS.map(lambda fields: json.dumps(fields).encode()) | st.binary(max_size=40) | st.text().map(str.encode)


@FUZZ
@given(BODIES)
def test_any_body_gets_a_charged_verdict_or_a_problem(fuzzed, body):
    """Whatever bytes a body has, the reply must be a charged verdict or a problem."""
    fuzzed.let_days_pass()
    reply, told = fuzzed.post(body), set()
    if reply.status_code == 200:
        assert reply.data in (b'{"valid":true }', b'{"valid":false}')
        told = non_core_words(json.loads(body)["words"])
    else:
        assert (reply.status_code, reply.content_type) in ((400, PROBLEM), (411, PROBLEM), (422, PROBLEM))
    assert spent(fuzzed) == len(told)
