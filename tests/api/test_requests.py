"""Tests of how requests are read, and of the problems of malformed ones."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.api.problems import Problem
from ordws.api.public import WhichRules
from ordws.api.requests import Nothing, read_body, read_query
from ordws.api.words import JudgeWords, WhoseQuota

JSON = "application/json"


def fault(read, *arguments):
    with pytest.raises(Problem) as raised:
        read(*arguments)
    return raised.value.code, raised.value.detail


def test_a_question_is_read():
    """A body gives words, rules, game and player, and fields that are left out get their defaults."""
    assert read_body(JudgeWords, JSON, b'{"words":["QUIZ"]}') == JudgeWords(words=["QUIZ"], rules="scrabble-i")
    body = b'{"player":"ann","game":"g 1","rules":"dover","words":["a","b"]}'
    assert read_body(JudgeWords, "Application/JSON; charset=utf-8", body) == JudgeWords(
        words=["a", "b"], rules="dover", game="g 1", player="ann"
    )


@each_row("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_a_body_of_another_content_type_is_refused(kind):
    """A body of another content type must be refused before it is read."""
    assert fault(read_body, JudgeWords, kind, b"{")[0] == "not-json"


@each_row(
    ("body", "detail"),
    [
        (b"", 'body: empty, expected an object with "words"'),
        (b" \n", 'body: empty, expected an object with "words"'),
        (b'{"words":["\xff"]}', "body: not UTF-8, expected JSON in UTF-8"),
        (b'{"words":' + b"[" * 5_000, 'body: nested too deeply, expected an object with "words"'),
        (b'{"words":["a"],"game":1e999}', 'body: not JSON, number out of range, expected an object with "words"'),
        (
            b'{"words":["a"],"' + b"z" * 33 + b'":1}',
            'a name of 33 characters: no such field, expected "game", "player"',
        ),
    ],
)
def test_a_problem_names_place_and_expected_content_only(body, detail):
    """A problem says what was sent and what was expected; tests/vectors/requests has the readable ones."""
    code, found = fault(read_body, JudgeWords, JSON, body)
    assert code == "bad-request"
    assert found.startswith(detail)


def test_a_label_has_at_most_64_characters():
    """A label may have up to 64 printable characters of any script."""
    read_body(JudgeWords, JSON, b'{"words":["a"],"game":"' + "ä".encode() * 64 + b'"}')
    body = b'{"words":["a"],"game":"' + b"x" * 65 + b'"}'
    expected = '"game": got a string of 65 characters, expected a string of 1 to 64 printable characters'
    assert fault(read_body, JudgeWords, JSON, body)[1] == expected


def test_a_query_is_read():
    """The parameters of a query are read as strictly as the fields of a body."""
    assert read_query(WhichRules, "") == WhichRules(rules="scrabble-i")
    assert read_query(WhichRules, "rules=dover") == WhichRules(rules="dover")
    assert read_query(WhoseQuota, "game=g%201&player=%C3%A4") == WhoseQuota(game="g 1", player="ä")


@each_row(
    ("kind", "query", "detail"),
    [
        (Nothing, "a=1", '"a": no such parameter, expected none'),
        (WhichRules, "rulez=dover", '"rulez": no such parameter, expected "rules"'),
        (WhichRules, "rules=dover&rules=classic", '"rules": given 2 times, expected once'),
        (WhichRules, "a&" * 100 + "a", "query: more than 100 parameters"),
        (WhoseQuota, "game=", '"game": got an empty string, expected a string of 1 to 64 printable characters'),
        (
            WhoseQuota,
            "game=%00",
            '"game": got a string of 1 character, not all printable, expected a string of 1 to 64 printable characters',
        ),
    ],
)
def test_an_unknown_or_repeated_query_parameter_is_refused(kind, query, detail):
    """A query with an unknown or repeated parameter must be refused."""
    assert fault(read_query, kind, query) == ("bad-request", detail)
