"""Tests that no reply is larger than 64 KB, whatever is sent to whichever route."""

from __future__ import annotations

import json
from itertools import product

import pytest
from each_row import each_row
from paired_devices import make_director
from small_installation import NOON

from ordws.api.actions import ACTIONS
from ordws.api.device_records import PAGE_SIZE
from ordws.api.requests import MAX_BODY_BYTES
from ordws.guard.policy import Policy
from ordws.rules.options import OPTION_INFO, list_options
from ordws.rules.ruleset import RULE_SETS

LARGEST = 64 * 1024
PUBLIC = {"/", "/v1/two-letter-words", "/v1/disallowed-words", "/v1/rules", "/v1/rules/{id}"}
"""The routes of published lists, which have a size of their own; and the front page, which programs get as JSON."""

WIDE = "\N{GRINNING FACE}"
LONG_NAME = WIDE * 64
FULL = "/".join(["A" * 21] * 10)
CROSSED = f"{FULL}/{'1A' * 10}1/{FULL}"
"""A board on which eleven tiles form twelve words of 21 letters."""

ALL_OPTIONS = {option.name: option.value for option in list_options(RULE_SETS["scrabble-i"])} | {
    "rack_size": 12,
    "layout": ["'" * 21] * 21,
    "board": 21,
}
LONG_PLAY = {"position": CROSSED, "move": f"11A {'A.' * 10}A", "rules": "scrabble-i", "options": ALL_OPTIONS}
LARGE_GAME = {
    "seats": [{"player": LONG_NAME}] * 4,
    "rules": "scrabble-o",
    "options": {**ALL_OPTIONS, "layout": ["'" * 15] * 15, "board": 15},
}


def fill(start, part, end):
    """Return a body of the largest size that repeats a part, numbered where it has a place for that."""
    times = (MAX_BODY_BYTES - len(start) - len(end)) // (len(part % 0 if "%" in part else part) + 6)
    text = start + ",".join([part % number if "%" in part else part for number in range(times)]) + end
    return text.encode()[:MAX_BODY_BYTES] if len(text.encode()) > MAX_BODY_BYTES else text.encode()


REPEATED = [
    fill("{", '"unknown%d": 0', "}"),
    fill('{"options": {', '"unknown%d": 0', "}}"),
    fill('{"words": [', '"QUIZ"', "]}"),
    fill('{"words": [', '"%d"', "]}"),
    fill('{"seats": [', '{"player": "p%d"}', "]}"),
    fill('{"swaps": [', '"=H%d"', "]}"),
    fill('{"not_in_dictionary": [', '"%d"', "]}"),
    b"[" * MAX_BODY_BYTES,
    b"{" * MAX_BODY_BYTES,
    b'"' * MAX_BODY_BYTES,
    b"\xff" * MAX_BODY_BYTES,
    b"9" * MAX_BODY_BYTES,
]


def long_fields(route):
    """Yield bodies in which one field of a route, or one that it does not have, is as long as a body may be."""
    fields = {*ACTIONS[route].request_type.__struct_fields__, "unknown"}
    whole = {**LONG_PLAY, "seats": [{}, {}], "words": ["QUIZ"], "word": "QUIZ", "code": "A", "table": "t", "turn": 1}
    for name, value in product(sorted(fields), ("A" * 15_000, WIDE * 3_500, "/".join("A" * 7_000), "9" * 15_000)):
        yield json.dumps({**whole, name: value}, ensure_ascii=False).encode()[:MAX_BODY_BYTES]
    yield json.dumps(dict.fromkeys(fields, WIDE * (3_500 // len(fields))), ensure_ascii=False).encode()


def bad_plays():
    """Yield plays with a fault in each part, as long as the part may be, and with options that are all wrong."""
    for part, value in (
        ("position", "A" * 4_096),
        ("position", "/".join(["9" * 190] * 21)),
        ("position", f"{CROSSED} {'/'.join('AB' * 700)}"),
        ("move", "8D " + "A" * 253),
        ("move", " ".join(["=H8"] * 64)),
        ("rack", "a" * 21),
        ("rules", "x" * 9_000),
        ("options", dict.fromkeys(OPTION_INFO, "x" * 400)),
        ("options", {f"{number:02}{WIDE * 20}": 0 for number in range(len(OPTION_INFO))}),
        ("options", {"layout": ["x" * 600] * 21}),
        ("options", {"big_play": ",".join([f"{number}:1" for number in range(1_500)])}),
        ("options", {"stretch": {str(number): 1 for number in range(900)}}),
    ):
        yield {**LONG_PLAY, part: value}


@pytest.fixture(scope="module")
def installation(shared_installation):
    return shared_installation


def size(reply):
    return len(reply.data)


ROUTES = sorted({(method, path) for method, path in ACTIONS if path not in PUBLIC})


@each_row(("method", "path"), ROUTES)
def test_a_refusal_is_small(service, method, path):
    """What repeats, or is as long as it may be, must get a short reply on every route, with and without a key."""
    where = path.replace("{id}", "0" * 32)
    sizes = [size(service.http.open(where, method="PATCH"))]
    for body in (*REPEATED, *(long_fields((method, path)) if method == "POST" else ())):
        if method == "POST":
            sizes.append(size(service.post(body, path=where)))
        else:
            query = body[:4_000].decode("latin-1")
            headers = {"Authorization": f"Bearer {service.key}", "Seat-Token": "x" * 4_000, "Accept": "," * 4_000}
            sizes.append(size(service.http.get(where, query_string={"before": query, query: "x"}, headers=headers)))
    sizes.append(size(service.http.open(where, method=method, data=REPEATED[0], content_type="application/json")))
    sizes.append(size(service.http.get(f"{where}/{'x' * 9_000}")))
    assert max(sizes) < 2_048


@pytest.mark.parametrize("path", ["/v1/score", "/v1/plays"])
def test_a_bad_play_gets_a_small_refusal(service, path):
    """A play with a long fault in any part must get a short refusal."""
    replies = [service.post(play, path=path) for play in bad_plays()]
    assert {reply.status_code for reply in replies} <= {400, 422}
    assert max(map(size, replies)) < 2_048


@each_row("path", ["/v1/score", "/v1/plays"])
@each_row("rules", RULE_SETS)
def test_the_longest_receipt_fits(service, path, rules):
    """The receipt of the most and longest words that a play can form must fit, under every rule set."""
    reply = service.post({**LONG_PLAY, "rules": rules}, path=path)
    assert reply.status_code == 200, reply.data
    assert len(reply.json["words"]) == 12
    assert 16_000 < size(reply) < LARGEST // 2, "a turn of a game has a receipt, and the standing of the game besides"


def test_a_stored_reply_fits(service):
    """A reply that is sent again under its Idempotency-Key must be the same reply."""
    headers = {
        "Authorization": f"Bearer {service.key}",
        "Content-Type": "application/json",
        "Idempotency-Key": "k" * 255,
    }
    first, again = [service.http.post("/v1/plays", json=LONG_PLAY, headers=headers) for _ in range(2)]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.data == again.data


def test_the_largest_game_fits(serve):
    """A game of four seats with the longest names, and with every option set, must fit in each of its replies."""
    service = serve(Policy())
    key = {"Authorization": f"Bearer {service.key}"}
    opened = service.post(LARGE_GAME, path="/v1/games")
    assert opened.status_code == 201, opened.data
    path, token = f"/v1/games/{opened.json['game']}", opened.json["seats"][0]["token"]
    replies = [opened, service.http.get(path, headers={**key, "Seat-Token": token})]
    for move in ("-", "8H A", "-ABCDEFG", "challenge", "resign", "8D " + "A" * 200):
        body = {"seat": token, "turn": 1, "move": move}
        replies.append(service.post(body, path=f"{path}/turns"))
    assert replies[1].status_code == 200
    assert max(map(size, replies)) < LARGEST // 4


def test_quotas_homes_and_checks_fit(service, installation):
    """The budgets of an operator's player, and what is told of a word, must fit."""
    operator = installation.register.add("league", "operator", NOON)
    replies = [
        service.http.get(
            "/v1/quota",
            query_string={"player": LONG_NAME, "game": "g" * 64},
            headers={"Authorization": f"Bearer {operator}"},
        ),
        service.post({"words": ["A" * 21] * 8, "game": LONG_NAME}),
        service.post({"words": ["A" * 21] * 8, "rules": "scrabble-i", "score": 100_000}, path="/v1/ospd"),
    ]
    for word, rules, exclusion in product(("REUNOUTINGNESSLESSLYS", "BASHINGS", "A" * 21), RULE_SETS, (True, False)):
        body = {"word": word, "rules": rules, "by_exclusion": exclusion, "not_in_dictionary": ["BASH"] * 16}
        replies.append(service.post(body, path="/v1/home"))
    assert {reply.status_code for reply in replies} == {200}
    assert max(map(size, replies)) < 4_096


def test_all_devices_and_a_page_of_the_log_fit(service, installation):
    """A hundred devices with the longest names, and a full page of plays with the most words, must fit."""
    club = make_director(service, installation)
    (client,) = [each for each in installation.register.list() if each.name == "club"]
    devices = service.services.devices
    for number in range(100):
        code = devices.issue_code(client, LONG_NAME, NOON + 900 * number, logged=True)
        paired = devices.pair(code.text, NOON + 900 * number)
    words = [f"{'A' * 19}{first}{second}" for first, second in product("ABCDEFGHIJKLMNOPQRST", repeat=2)]
    for number in range(PAGE_SIZE + 1):
        service.services.judge_log.write(
            client.id, paired.client.device.id, LONG_NAME, words[number : number + 13], NOON
        )
    for path, count in (("/v1/devices", 100), ("/v1/devices/log", PAGE_SIZE)):
        reply = club.get(path)
        (listed,) = [value for value in reply.json.values() if isinstance(value, list)]
        assert len(listed) == count
        assert LARGEST // 4 < size(reply) < LARGEST


def test_a_value_that_is_none_of_a_list_is_not_repeated(service):
    """A refusal must name the field and where its values are, and not repeat what was sent, which may be a word."""
    reply = service.post({"word": "QUIZ", "edition": "ZZXQV\n"}, path="/v1/home")
    expected = '"edition": got a string of 6 characters, not all printable, expected "electronic" or "print"'
    assert reply.json["detail"] == expected
    assert b"ZZXQV" not in reply.data
