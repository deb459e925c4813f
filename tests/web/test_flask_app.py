"""Tests of the service over WSGI: routes, problems, headers, and secrecy."""

from __future__ import annotations

import json
import shutil

import pytest
from each_row import each_row

from ordws.api.actions import ACTIONS
from ordws.api.services import create_meters
from ordws.errors import BadInput
from ordws.identity.register import write_key
from ordws.web.pages import site
from ordws.web.serving import create_app

PROBLEM = {"type", "title", "status", "detail", "instance", "code"}


def problem(reply, *also):
    """Return status and code of a reply, after checking the shape of its problem document."""
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.headers["Cache-Control"] == "no-store"
    body = json.loads(reply.data)
    assert set(body) == PROBLEM | set(also)
    assert body["status"] == reply.status_code
    assert body["type"] == f"urn:ordws:problem:{body['code']}"
    assert body["instance"] == f"urn:ordws:request:{reply.headers['X-Request-Id']}"
    return body["status"], body["code"]


def test_yes_and_no_have_the_same_length_and_headers(service):
    """Yes and no must have the same length and the same headers."""
    yes, no = service.judge("LOVERS", "quiz"), service.judge("LOVERS", "MISFEED")
    assert (yes.data, no.data) == (b'{"valid":true }', b'{"valid":false}')
    for reply in (yes, no):
        headers = dict(reply.headers)
        assert headers.pop("X-Request-Id").startswith("id-")
        assert headers == {
            "Content-Type": "application/json",
            "Cache-Control": "no-store",
            "Content-Length": "15",
            "X-Content-Type-Options": "nosniff",
        }


def test_verdicts_are_not_compressed_or_tagged(service):
    """A verdict must be sent uncompressed and without an ETag, whatever the client accepts."""
    reply = service.http.post(
        "/v1/judge",
        json={"words": ["LOVERS"]},
        headers={"Authorization": f"Bearer {service.key}", "Accept-Encoding": "gzip, br", "If-None-Match": "*"},
    )
    assert (reply.status_code, reply.data) == (200, b'{"valid":true }')
    assert not {"Content-Encoding", "ETag", "Last-Modified", "Vary", "Set-Cookie"} & set(reply.headers.keys())


def test_the_service_has_exactly_these_routes(service):
    """The service must have exactly these routes and methods: a word can only be asked for."""
    pages = {(rule.rule, *sorted(rule.methods)) for rule in service.app.url_map.iter_rules()}
    surface = pages | {(path, method, *["HEAD"] * (method == "GET")) for method, path in ACTIONS}
    assert surface == {
        ("/", "GET", "HEAD"),
        ("/healthz", "GET", "HEAD"),
        ("/openapi.json", "GET", "HEAD"),
        ("/readyz", "GET", "HEAD"),
        ("/v1/boards", "GET", "HEAD"),
        ("/v1/boards", "POST"),
        ("/v1/boards/{id}", "GET", "HEAD"),
        ("/v1/boards/{id}/review", "POST"),
        ("/v1/boards/{id}/review-plays", "POST"),
        ("/v1/device", "GET", "HEAD"),
        ("/v1/device/forget", "POST"),
        ("/v1/devices", "GET", "HEAD"),
        ("/v1/devices", "POST"),
        ("/v1/devices/{id}/revoke", "POST"),
        ("/v1/devices/log", "GET", "HEAD"),
        ("/v1/devices/log/find", "POST"),
        ("/v1/disallowed-words", "GET", "HEAD"),
        ("/v1/games", "POST"),
        ("/v1/games/{id}", "GET", "HEAD"),
        ("/v1/games/{id}/attestation", "POST"),
        ("/v1/games/{id}/invitation", "POST"),
        ("/v1/games/{id}/oath", "POST"),
        ("/v1/games/{id}/rematch", "POST"),
        ("/v1/games/{id}/review", "POST"),
        ("/v1/practice", "GET", "HEAD"),
        ("/v1/practice", "POST"),
        ("/v1/practice/due", "POST"),
        ("/v1/practice/records", "POST"),
        ("/v1/practice/reviews", "POST"),
        ("/v1/games/{id}/seat", "POST"),
        ("/v1/games/{id}/turns", "POST"),
        ("/v1/device/key", "POST"),
        ("/v1/play-link", "POST"),
        ("/v1/guest-games", "POST"),
        ("/v1/visitors", "GET", "HEAD"),
        ("/v1/visitors", "POST"),
        ("/v1/games/{id}/call-off", "POST"),
        ("/v1/stations/games", "POST"),
        ("/v1/stations/games", "GET", "HEAD"),
        ("/v1/tournament/games", "POST"),
        ("/v1/tournament/games/{id}/call-off", "POST"),
        ("/v1/tournament/games/find", "POST"),
        ("/v1/tournament/stations", "POST"),
        ("/v1/games/{id}/stream-tickets", "POST"),
        ("/v1/games/{id}/turns", "GET", "HEAD"),
        ("/play/<game>", "GET", "HEAD"),
        ("/v1/home", "POST"),
        ("/v1/judge", "POST"),
        ("/v1/ospd", "POST"),
        ("/v1/pair", "POST"),
        ("/v1/plays", "POST"),
        ("/v1/quota", "GET", "HEAD"),
        ("/v1/rules", "GET", "HEAD"),
        ("/v1/rules/{id}", "GET", "HEAD"),
        ("/v1/score", "POST"),
        ("/v1/two-letter-words", "GET", "HEAD"),
        *((path, "GET", "HEAD") for path in site.PATHS),
    }


UNKNOWN_KEY = f"Bearer {write_key(bytes(32))}"


@each_row("header", [None, "", "Bearer", "Bearer x", "Basic eDp5", UNKNOWN_KEY, UNKNOWN_KEY[:-1]])
def test_a_wrong_key_is_told_from_a_missing_one(service, header):
    """A key that is missing, incomplete or unknown gets one code, and its own sentence, which repeats none of it."""
    headers = {} if header is None else {"Authorization": header}
    reply = service.http.post("/v1/judge", json={"words": ["LOVERS"]}, headers=headers)
    assert problem(reply) == (401, "unauthorized")
    assert reply.headers["WWW-Authenticate"] == "Bearer"
    match header:
        case None | "":
            expected = 'Authorization: missing, expected "Bearer " and a client key'
        case "Basic eDp5":
            expected = 'Authorization: got something else, expected "Bearer " and a client key'
        case _ if header == UNKNOWN_KEY:
            expected = "Authorization: the key is unknown, revoked or expired; ask whoever runs the service for one"
        case _:
            expected = (
                "Authorization: got an incomplete or mistyped key, expected all of ordws_live_... as it was shown"
            )
    assert reply.json["detail"] == expected


def test_a_revoked_key_is_an_unknown_key(service, installation):
    """A revoked key must stop at once, and look like a key that was never given."""
    unknown = service.judge("LOVERS", key=write_key(bytes(32)))
    installation.register.revoke("home", 1)
    revoked = service.judge("LOVERS")
    assert problem(revoked) == (401, "unauthorized")
    assert revoked.data.replace(b"id-2", b"id-1") == unknown.data


def test_the_key_is_checked_before_the_body(service):
    """A caller without a key must learn nothing about the shape of a body."""
    assert problem(service.post(b"{", key="x")) == (401, "unauthorized")


@each_row(
    ("body", "expected"),
    [
        (b"{", (400, "bad-request")),
        ({"words": []}, (400, "bad-request")),
        ({"words": ["A"] * 9}, (400, "bad-request")),
        ({"words": ["CAT"], "word": "CAT"}, (400, "bad-request")),
        ({"words": ["CAT"], "game": "\u0007"}, (400, "bad-request")),
        ({"words": ["C4T"]}, (400, "bad-word")),
        ({"words": ["CAT"], "rules": "scrabble-x"}, (422, "unknown-rules")),
    ],
)
def test_a_malformed_request_is_refused_without_charge(service, body, expected):
    """Each malformed request has its code, and nothing is charged."""
    assert problem(service.post(body)) == expected
    assert service.quota() == {"core": 540, "units": 356, "outside": 20, "games": 12}


def test_a_question_without_content_length_is_refused(service):
    """A question without a Content-Length must be refused, whatever its body."""
    reply = service.http.post("/v1/judge", headers={"Authorization": f"Bearer {service.key}"})
    assert problem(reply) == (411, "length-required")


def test_a_refusal_does_not_repeat_what_was_sent(service):
    """A problem must not repeat words, unknown fields, rule sets or paths of the caller."""
    replies = [
        service.post({"words": ["ZZXQV5"]}),
        service.post({"words": ["CAT"], "ZZXQV": 1}),
        service.post({"words": ["CAT"], "rules": "ZZXQV"}),
        service.http.get("/ZZXQV?ZZXQV=1"),
        service.http.get("/v1/two-letter-words?ZZXQV=1"),
        service.http.get("/v1/two-letter-words?rules=ZZXQV"),
        service.http.open("/v1/judge", method="ZZXQV"),
    ]
    assert [reply.status_code for reply in replies] == [400, 400, 422, 404, 400, 422, 405]
    for reply in replies:
        assert b"ZZXQV" not in reply.data
        assert "ZZXQV" not in str(reply.headers)
    assert "ZZXQV" not in str(service.lines)


def test_an_operator_names_a_player(service, installation):
    """An operator's question without a player must be refused, and each player has separate budgets."""
    key = installation.register.add("club", "operator", 1)
    quota = service.http.get("/v1/quota", headers={"Authorization": f"Bearer {key}"})
    for reply in (service.judge("QUIZ", key=key), quota):
        assert problem(reply) == (422, "player-required")
    assert service.judge("QUIZ", key=key, player="ann").data == b'{"valid":true }'
    assert service.quota("?player=ann", key)["units"] == 75
    assert service.quota("?player=bob", key)["units"] == 76


def test_a_spent_budget_gets_429_with_its_name_and_wait(service, clock):
    """A spent budget gets 429 with its name and the time until it is full again, for yes and no alike."""
    for n in range(20):
        assert service.judge(f"{chr(65 + n)}QQ").status_code == 200
    replies = [service.judge("LOVERS"), service.judge("MISFEED")]
    for reply in replies:
        assert problem(reply, "budget") == (429, "budget-spent")
        assert reply.headers["Retry-After"] == "43200"
        assert reply.json["budget"] == "outside"
    assert len(replies[0].data) == len(replies[1].data)
    assert service.judge("CAT", "AB").data == b'{"valid":true }'
    assert service.judge("LOVERS", game="g").data == b'{"valid":true }'
    clock.now += 43_200
    assert service.judge("LOVERS").data == b'{"valid":true }'


def test_a_missing_store_gets_503_with_retry_after(service, installation):
    """A missing store gets 503 with Retry-After, and when it is back the meters are as they were."""
    service.judge("QUIZ")
    for path in (installation.instance.meters, installation.instance.clients):
        path.rename(path.with_suffix(".away"))
        for reply in (service.judge("LOVERS"), service.http.get("/readyz")):
            assert problem(reply) == (503, "store-down")
            assert reply.headers["Retry-After"] == "2"
        assert service.http.get("/healthz").status_code == 200
        path.with_suffix(".away").rename(path)
    assert service.http.get("/readyz").json == {"status": "ready"}
    assert service.judge("LOVERS").data == b'{"valid":true }'
    assert service.quota()["units"] == 354


@each_row("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"])
def test_a_question_can_only_be_posted(service, method):
    """A question can only be sent by POST, because a word in a path or a query would be logged somewhere."""
    reply = service.http.open("/v1/judge", method=method, content_type="application/json", data=b"{}")
    assert (reply.status_code, reply.headers["Allow"]) == (405, "POST")
    if method != "HEAD":
        assert problem(reply) == (405, "method-not-allowed")


@each_row("path", ["/v1/judge/", "/v1//judge", "/v1/words/CAT", "/docs/", "/docs/../docs", "/docs/index.html", "/%00"])
def test_a_path_has_one_spelling(service, path):
    """A path has one spelling: there are no redirects and no folders."""
    assert problem(service.http.get(path)) == (404, "not-found")


@each_row(
    ("method", "path", "status", "title"),
    [
        ("GET", "/judges", 404, "There is no page here"),
        ("GET", "/v1/words/ZZXQV", 404, "There is no page here"),
        ("HEAD", "/judges", 404, ""),
        ("GET", "/v1/judge", 405, "This address is for programs"),
    ],
)
def test_a_wrong_address_in_a_browser_gets_a_page(service, method, path, status, title):
    """A browser gets a page at a wrong address, with links to go on, and nothing of the address; programs get JSON."""
    reply = service.http.open(path, method=method, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (reply.status_code, reply.content_type) == (status, "text/html; charset=utf-8")
    assert (reply.headers["Cache-Control"], reply.headers["Vary"]) == ("no-store", "Accept")
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    assert reply.headers.get("Allow") == ("POST" if status == 405 else None)
    if method == "GET":
        assert f"<h1>{title}</h1>".encode() in reply.data
        assert b'href="/judge"' in reply.data
    assert b"ZZXQV" not in reply.data
    program = service.http.get(path, headers={"Accept": "application/json"})
    assert (program.status_code, program.content_type) == (status, "application/problem+json")
    assert program.headers["Vary"] == "Accept"


def test_a_malformed_host_is_a_problem_too(service):
    """Requests that Flask itself refuses must get a problem document too."""
    reply = service.http.get("/healthz", headers={"Host": "x" * 300})
    assert problem(reply) == (400, "bad-request")


def test_the_two_letter_words_are_public(service):
    """The two-letter words of each rule set need no key and may be cached for a day."""
    reply = service.http.get("/v1/two-letter-words")
    assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "public, max-age=86400")
    assert reply.json["rules"] == "scrabble-i"
    assert (len(reply.json["words"]), reply.json["words"][:3]) == (72, ["AB", "AD", "AG"])
    assert len(service.http.get("/v1/two-letter-words?rules=dover").json["words"]) == 70
    assert problem(service.http.get("/v1/two-letter-words?rules=none")) == (422, "unknown-rules")


def test_the_front_page_names_edition_and_documentation(service):
    """The front page names the service, its edition and its documentation."""
    assert service.http.get("/").json == {
        "service": "ordws",
        "edition": "ORDWS 2026",
        "reference": "/docs",
        "openapi": "/openapi.json",
    }


def test_replies_are_equal_until_a_verdict_on_the_differing_word(installation, serve):
    """With two lists that differ in one word all bytes are equal until a verdict on it (docs/guard.md Decision 7)."""
    traffic = [
        ("LOVERS",),
        ("MISFEED", "QUIZ"),
        ("CAT", "BOARD"),
        ("AB",),
        ("zz top",),
        *((f"{chr(65 + n)}QQ",) for n in range(20)),
        ("MISFEED",),
    ]
    transcripts = []
    for number, words in ((2, installation.words), (3, (*installation.words, "FLUTIST"))):
        installation.deliver(*words, number=number)
        shutil.rmtree(installation.instance.meters)
        create_meters(installation.instance)
        service = serve()
        replies = [service.judge(*words, game=game) for words in traffic for game in (None, "g")]
        transcripts.append([(reply.status, reply.data, list(reply.headers)) for reply in replies])
        last = service.judge("FLUTIST", game="h")
        assert last.data == (b'{"valid":true }' if number == 3 else b'{"valid":false}')
        service.services.gate.store.close()
    assert transcripts[0] == transcripts[1]
    assert {status[:3] for status, _, _ in transcripts[0]} == {"200", "400", "429"}


def test_an_exception_in_a_view_is_a_problem_without_its_values(service, monkeypatch):
    """An unexpected exception must become a problem without its values."""

    def mistaken(*_):
        raise KeyError("ZZXQV")

    monkeypatch.setattr("ordws.api.words.charge_and_judge", mistaken)
    reply = service.judge("LOVERS")
    assert problem(reply) == (500, "internal-error")
    assert b"ZZXQV" not in reply.data
    assert service.lines[-1].fault.startswith("KeyError at ")
    assert "ZZXQV" not in str(service.lines[-1])


def test_debug_mode_is_refused(installation, monkeypatch):
    """Debug mode must be refused, because a debugger shows values to whoever causes an error."""
    monkeypatch.setenv("FLASK_DEBUG", "1")
    with pytest.raises(BadInput, match="does not run in debug mode"):
        create_app(installation.services())
