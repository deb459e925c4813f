"""Tests of how requests are read, and of the problems of malformed ones."""

from __future__ import annotations

import pytest

from ordws.api.problems import Problem
from ordws.api.requests import JudgeWords, Nothing, WhichRules, WhoseQuota, read_body, read_query

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


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_a_body_of_another_content_type_is_refused(kind):
    """A body of another content type must be refused before it is read."""
    assert fault(read_body, JudgeWords, kind, b"{")[0] == "not-json"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "input data was truncated"),
        (b"{", "input data was truncated"),
        (b'{"words":["a"]} x', "JSON is malformed: trailing characters (byte 17)"),
        (b"[]", 'expected "object", got "array"'),
        (b"{}", 'object missing required field "words"'),
        (b'{"words":"a"}', 'expected "array", got "str" - at "$.words"'),
        (b'{"words":[]}', 'expected "array" of length >= 1 - at "$.words"'),
        (b'{"words":["a","b","c","d","e","f","g","h","i"]}', 'expected "array" of length <= 8 - at "$.words"'),
        (b'{"words":["a",7]}', 'expected "str", got "int" - at "$.words[1]"'),
        (b'{"words":["a"],"game":""}', 'expected "str" of length >= 1 - at "$.game"'),
        (b'{"words":["a"],"game":7}', 'expected "str | null", got "int" - at "$.game"'),
        (b'{"words":["a"],"player":"a\\u0000"}', 'expected printable characters - at "$.player"'),
        (b'{"words":["a"],"game":"a\\n"}', 'expected printable characters - at "$.game"'),
        (b'{"words":["\xff"]}', "the body is not UTF-8"),
        (
            b'{"words":["a"],"zzz":1}',
            'there is a field that is not known; known are "game", "player", "words", "rules"',
        ),
        (b'{"words":' + b"[" * 5_000, 'expected "str", got "array" - at "$.words[0]"'),
    ],
)
def test_a_problem_names_place_and_expected_content_only(body, detail):
    """A problem must say what was expected and where, and repeat nothing that was sent."""
    assert fault(read_body, JudgeWords, JSON, body) == ("bad-request", detail)


def test_a_label_has_at_most_64_characters():
    """A label may have up to 64 printable characters of any script."""
    read_body(JudgeWords, JSON, b'{"words":["a"],"game":"' + "ä".encode() * 64 + b'"}')
    body = b'{"words":["a"],"game":"' + b"x" * 65 + b'"}'
    assert fault(read_body, JudgeWords, JSON, body)[1] == 'expected "str" of length <= 64 - at "$.game"'


def test_a_query_is_read():
    """The parameters of a query are read as strictly as the fields of a body."""
    assert read_query(WhichRules, "") == WhichRules(rules="scrabble-i")
    assert read_query(WhichRules, "rules=dover") == WhichRules(rules="dover")
    assert read_query(WhoseQuota, "game=g%201&player=%C3%A4") == WhoseQuota(game="g 1", player="ä")


@pytest.mark.parametrize(
    ("kind", "query", "detail"),
    [
        (Nothing, "a=1", "there is a field that is not known; known are none"),
        (WhichRules, "rulez=dover", 'there is a field that is not known; known are "rules"'),
        (WhichRules, "rules=dover&rules=classic", "a parameter of the query is given twice"),
        (WhoseQuota, "game=", 'expected "str" of length >= 1 - at "$.game"'),
        (WhoseQuota, "game=%00", 'expected printable characters - at "$.game"'),
    ],
)
def test_an_unknown_or_repeated_query_parameter_is_refused(kind, query, detail):
    """A query with an unknown or repeated parameter must be refused."""
    assert fault(read_query, kind, query) == ("bad-request", detail)
