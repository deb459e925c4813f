"""Tests that the OpenAPI document describes the service."""

from __future__ import annotations

import json
from inspect import cleandoc

import pytest

from ordws.api.actions import ACTIONS
from ordws.api.problems import PROBLEMS
from ordws.rules.ruleset import RULE_SETS
from ordws.web.openapi import document

OF_GAMES = {"game-over", "not-your-turn", "exchange-not-allowed", "bag-too-low"}
"""The codes that occur in sealed games alone."""


@pytest.fixture(scope="module")
def api():
    return json.loads(document())


def test_the_document_is_valid_openapi(api):
    """The document must be valid OpenAPI 3.1."""
    from openapi_spec_validator import validate  # half a second, which every process of the suite would take

    validate(api)
    assert api["openapi"] == "3.1.0"


def test_every_action_is_described(api):
    """The document must describe every action of the table with a summary, and nothing else."""
    described = {(method.upper(), path) for path, methods in api["paths"].items() for method in methods}
    assert described == set(ACTIONS)
    summaries = [operation["summary"] for methods in api["paths"].values() for operation in methods.values()]
    assert all(len(summary) > 10 and summary.endswith(".") for summary in summaries)


def test_a_description_says_what_the_summary_leaves_out(api):
    """What stands below the first line of a handler's docstring must describe its operation, without that line."""
    operations = [operation for methods in api["paths"].values() for operation in methods.values()]
    assert all(operation["summary"] not in operation["description"] for operation in operations)
    judge = api["paths"]["/v1/judge"]["post"]["description"]
    assert judge == cleandoc(ACTIONS["POST", "/v1/judge"].handler.__doc__.partition("\n")[2])
    assert judge


def test_every_problem_but_405_is_declared(api):
    """Every code must be declared by the operations that may answer it, except 405 and a code of the stream process."""
    declared = set()
    for methods in api["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                if not status.startswith("2"):
                    codes = response["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]["code"]
                    assert {PROBLEMS[code][0] for code in codes["enum"]} == {int(status)}
                    declared |= set(codes["enum"])
    assert declared == set(PROBLEMS) - {"method-not-allowed", "bad-ticket"}


def test_game_codes_are_declared_by_sealed_games_alone(api):
    """Codes about whose turn it is, or the bag, must be declared by sealed games alone."""
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            codes, is_move = json.dumps(operation["responses"]), "turns" in path and method == "post"
            assert {code for code in OF_GAMES if f'"{code}"' in codes} == (OF_GAMES if is_move else set())


def test_a_seat_token_comes_in_a_header(api):
    """A seat token must come in a header, because an address would be logged on its way."""
    operation = api["paths"]["/v1/games/{id}"]["get"]
    assert [(each["name"], each["in"], each["required"]) for each in operation["parameters"]] == [
        ("id", "path", True),
        ("Seat-Token", "header", False),
    ]
    assert set(operation["responses"]["200"]["content"]) == {"application/json", "text/plain"}
    assert "201" in api["paths"]["/v1/games"]["post"]["responses"]


def test_the_schema_of_a_question_has_its_limits(api):
    """The schema of a question must have one to eight words, the rule sets, and labels of 1 to 64 characters alone."""
    shape = api["components"]["schemas"]["JudgeWords"]
    assert (shape["properties"]["words"]["minItems"], shape["properties"]["words"]["maxItems"]) == (1, 8)
    assert shape["properties"]["rules"]["enum"] == [*RULE_SETS]
    assert shape["properties"]["game"]["anyOf"][0]["maxLength"] == 64
    assert (shape["required"], shape["additionalProperties"]) == (["words"], False)


def test_questions_and_quotas_need_a_key(api):
    """Questions and quotas need a key, and public actions need none; the check at home only where it is charged."""
    assert {} in api["paths"]["/v1/home"]["post"]["security"]
    secured = {
        path
        for path, methods in api["paths"].items()
        if any(each["security"] and {} not in each["security"] for each in methods.values())
    }
    assert secured == {
        "/v1/judge",
        "/v1/plays",
        "/v1/quota",
        "/v1/score",
        "/v1/games",
        "/v1/games/{id}",
        "/v1/games/{id}/call-off",
        "/v1/games/{id}/turns",
        "/v1/games/{id}/stream-tickets",
        "/v1/games/{id}/oath",
        "/v1/games/{id}/attestation",
        "/v1/games/{id}/rematch",
        "/v1/games/{id}/review",
        "/v1/ospd",
        "/v1/device",
        "/v1/device/forget",
        "/v1/device/key",
        "/v1/devices",
        "/v1/devices/{id}/revoke",
        "/v1/devices/log",
        "/v1/devices/log/find",
        "/v1/boards",
        "/v1/boards/{id}",
        "/v1/boards/{id}/review",
        "/v1/boards/{id}/review-plays",
        "/v1/stations/games",
        "/v1/tournament/games",
        "/v1/tournament/games/find",
        "/v1/tournament/games/{id}/call-off",
        "/v1/tournament/stations",
    }


def test_a_cookie_is_accepted_for_judge_and_score_sheet_alone(api):
    """A device's cookie must be accepted for the actions of a word judge and a score sheet alone."""
    cookie, key = {"pairedDevice": []}, {"clientKey": []}
    security = {
        (method, path): operation["security"]
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    }
    assert {asked for asked, by in security.items() if by == [key, cookie]} == {
        ("post", "/v1/judge"),
        ("post", "/v1/plays"),
        ("post", "/v1/score"),
        ("post", "/v1/ospd"),
        ("get", "/v1/quota"),
    }
    assert {asked for asked, by in security.items() if by == [cookie]} == {
        ("get", "/v1/device"),
        ("post", "/v1/device/forget"),
        ("post", "/v1/device/key"),
        ("post", "/v1/stations/games"),
        ("get", "/v1/stations/games"),
        ("post", "/v1/boards"),
        ("get", "/v1/boards"),
        ("get", "/v1/boards/{id}"),
        ("post", "/v1/boards/{id}/review"),
        ("post", "/v1/boards/{id}/review-plays"),
    }
    scheme = api["components"]["securitySchemes"]["pairedDevice"]
    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "cookie", "ordws_device")


def test_the_service_serves_the_document(service):
    """The service must serve this document."""
    reply = service.http.get("/openapi.json")
    assert (reply.status_code, reply.data) == (200, document())
