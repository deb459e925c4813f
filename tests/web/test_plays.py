"""Tests of plays over HTTP: judged, scored, explained, and refused at no cost."""

from __future__ import annotations

import json

from each_row import each_row

from ordws.api.plays import ILL_FORMED_CODES as ILL_FORMED_CODES
from ordws.api.problems import PROBLEMS
from ordws.rules.fault import Fault

EMPTY_15 = "/".join(["15"] * 15)
EMPTY_21 = "/".join(["21"] * 21)


def position(*rows: str, side: int = 15) -> str:
    """Return a CGP with the given rows, each written as `8:7HEAT4`."""
    drawn = dict(row.split(":") for row in rows)
    return "/".join([drawn.get(str(number), str(side)) for number in range(1, side + 1)])


HEAT = position("9:5HEAT6")
FISH = position("8:7FiSH4")
EVENT = position("11:13EVENT3", side=21)
ACTION = position("8:4ACTION5")


def play(service, move, on, rules="scrabble-o", path="/v1/plays", **fields):
    return service.post({"rules": rules, "position": on, "move": move, **fields}, path=path)


def test_a_play_gets_one_verdict_with_its_score_explained(service):
    """A reply must have the verdict and the score, and its receipt each letter's value, its premium and the bonus."""
    reply = play(service, "9D RE", HEAT)
    assert reply.status_code == 200
    assert reply.data.startswith(b'{"valid":true ,"score":29,"words":["REHEAT"],"receipt":{')
    receipt = reply.json["receipt"]
    (line,) = receipt["lines"]
    assert (line["word"], line["score"], line["factor"], line["premiums"]) == ("REHEAT", 9, 1, [])
    assert line["letters"][0] == {
        "letter": "R",
        "square": "D9",
        "new": True,
        "face": 1,
        "value": 1,
        "premium": 1,
        "points": 1,
    }
    assert [each["points"] for each in line["letters"]] == [1, 1, 4, 1, 1, 1]
    assert receipt["bonus"] == {"points": 20, "reason": "stretch", "tiles": 2, "stretched": "HEAT"}
    assert receipt["score"] == 29


def test_good_and_bad_plays_get_replies_of_one_length(service):
    """Two plays of the same letters on the same squares, one good and one bad, must get the same length and headers."""
    good, bad = play(service, "8H LOVER", EMPTY_15), play(service, "8H REVOL", EMPTY_15)
    assert (good.json["valid"], bad.json["valid"]) == (True, False)
    assert (len(good.data), good.headers["Content-Length"]) == (len(bad.data), bad.headers["Content-Length"])
    assert (bad.json["score"], bad.json["words"]) == (28, ["REVOL"])


def test_all_words_of_a_play_have_to_be_acceptable(service):
    """A play whose main word is good must be unacceptable where a cross-word is not."""
    on = position("8:7BASH4")
    assert play(service, "9H CAT", on).json == {
        "valid": False,
        "score": 17,
        "words": ["CAT", "BC", "AA", "ST"],
        "receipt": play(service, "9H CAT", on, path="/v1/score").json["receipt"],
    }


def test_two_letter_words_are_decided_by_the_list_of_the_rule_set(service):
    """Two-letter words must be decided by the list that the rule set or its options name, and others by the edition."""
    on = position("7:5AT8")
    reply = play(service, "6F ZA", on, "classic").json
    assert (reply["words"], reply["valid"]) == (["ZA", "ZA", "AT"], True)
    assert play(service, "6F ZA", on, "classic", options={"two_letter_words": "72"}).json["valid"] is False


def test_an_option_changes_the_score(service):
    """Options must change the score: QUESTION over two triple word squares, with premiums added or multiplied."""
    added = play(service, "8A QUESTION", EMPTY_15, "dover", options={"board": 15, "premium": "add"})
    multiplied = play(service, "8A QUESTION", EMPTY_15, "dover", options={"board": "15"})
    assert (added.json["score"], multiplied.json["score"]) == (170, 188)
    for table in ("8:100", {"8": 100}):
        bonus = play(service, "8A QUESTION", EMPTY_15, "dover", options={"board": 15, "big_play": table})
        assert bonus.json["score"] == 108 + 100
    assert play(service, "8A QUESTION", EMPTY_15, "dover", options={"board": 15, "big_play": None}).json["score"] == 108
    drawn = [mark * 15 for mark in "......." + "-" + "......."]
    assert play(service, "8H LOVER", EMPTY_15, options={"layout": drawn}).json["score"] == 8 * 10 + 10
    capped = play(service, "8H ZAX", EMPTY_15, options={"small_word_cap": True})
    assert (capped.json["score"], capped.json["valid"]) == (14, True)


def test_a_swap_comes_first_and_the_letter_counts(service):
    """FiSH stretched to FiSHERY scores 1 point more with a real I in the blank's place (docs/rules.md 5.5)."""
    assert play(service, "8L ERY", FISH).json["score"] == 56
    swapped = play(service, "=I8 8L ERY", FISH, rack="IERYAAA")
    assert (swapped.json["score"], swapped.json["words"], swapped.json["valid"]) == (57, ["FISHERY"], True)


def test_the_rack_of_the_position_is_the_default(service):
    """Without a rack in the request, the first rack of the CGP must be used."""
    assert play(service, "9D RE", f"{HEAT} AERXX/BCD 12/0 0").status_code == 200
    assert play(service, "9D RE", f"{HEAT} AEXX/RE 12/0 0").json["code"] == "not-on-rack"
    assert play(service, "9D RE", f"{HEAT} AEXX/RE 12/0 0", rack="RE").status_code == 200


ILL_FORMED = [
    ("bad-position", "9D RE", EMPTY_15[:-3], {}),
    ("bad-position", "9D RE", HEAT.replace("HEAT", "HE4T"), {}),
    ("bad-position", "9D RE", HEAT, {"rules": "scrabble-i"}),
    ("bad-position", "9D RE", f"{HEAT} ab/ 0/0 0", {}),
    ("bad-move", "9D", HEAT, {}),
    ("bad-move", "9D R3", HEAT, {}),
    ("bad-move", "-ABC", HEAT, {}),
    ("bad-move", "-", HEAT, {}),
    ("bad-move", "=D9 =D9 9D RE", HEAT, {}),
    ("unknown-rules", "9D RE", HEAT, {"rules": "scrabble-x"}),
    ("unknown-option", "9D RE", HEAT, {"options": {"premiums": "add"}}),
    ("unknown-option", "9D RE", HEAT, {"options": {"premium": "sum"}}),
    ("bad-rack", "9D RE", HEAT, {"rack": "re"}),
    ("swap-not-allowed", "=I8 8L ERY", FISH, {"rules": "classic"}),
    ("no-such-blank", "=H8 8L ERY", FISH, {}),
    ("no-such-blank", "=A1 8L ERY", FISH, {}),
    ("no-such-blank", "=U21 8L ERY", FISH, {}),
    ("not-on-rack", "=I8 8L ERY", FISH, {"rack": "ERY?"}),
    ("off-board", "9P RE", HEAT, {}),
    ("off-board", "9J XXXXXXX", HEAT, {}),
    ("square-taken", "9D REX", HEAT, {}),
    ("no-new-tile", "9F ....", HEAT, {}),
    ("gap", "9C R.", HEAT, {}),
    ("misses-centre", "9D RE", EMPTY_15, {}),
    ("not-connected", "1A RE", HEAT, {}),
    ("not-on-rack", "9D RE", HEAT, {"rack": "RAT"}),
    ("not-on-rack", "9D Re", HEAT, {"rack": "RE"}),
    ("too-many-tiles", "8H QUESTION", EMPTY_15, {}),
    ("no-word-formed", "8H A", EMPTY_15, {}),
    ("main-word-too-short", "7H OS", position("8:8O6"), {}),
    ("main-word-too-short", "K8 SO", ACTION, {}),
    ("only-two-letter-words", "11K AT", EMPTY_21, {"rules": "dover"}),
    ("main-word-in-wings", "T12 EN", EVENT.replace("13EVENT3", "16EVENT"), {"rules": "scrabble-i"}),
    ("no-tile-on-inner-board", "11S FUL", EVENT, {"rules": "dover"}),
    ("disallowed-word", "11J ZAG", EMPTY_21, {"rules": "dover"}),
]


@each_row(("code", "move", "on", "fields"), ILL_FORMED)
def test_a_play_that_does_not_fit_costs_nothing(service, code, move, on, fields):
    """An illegal play must get one of a closed list of codes, without a charge or a look-up."""
    before = service.quota()
    reply = play(service, move, on, **fields)
    assert (reply.status_code, reply.json["code"]) == (422, code)
    assert (reply.json["title"], reply.content_type) == (PROBLEMS[code][1], "application/problem+json")
    assert service.quota() == before


def test_every_declared_code_of_a_play_is_tested():
    """Every code that the operation declares for plays must be tested."""
    tried = {code for code, *_ in ILL_FORMED}
    assert tried == {*ILL_FORMED_CODES, "disallowed-word"}
    assert {fault.value for fault in Fault} >= tried - {
        "bad-position",
        "bad-move",
        "unknown-rules",
        "unknown-option",
        "bad-rack",
    }


def test_a_play_is_charged_before_the_look_up(service):
    """A word outside the core list costs a unit once, and a core word costs none."""
    before = service.quota()
    play(service, "9D RE", HEAT)
    assert (service.quota()["outside"], service.quota()["units"]) == (before["outside"] - 1, before["units"] - 1)
    play(service, "9D RE", HEAT)
    play(service, "8G CAT", EMPTY_15)
    assert service.quota()["outside"] == before["outside"] - 1
    assert service.quota()["core"] == before["core"] - 1


def test_a_play_in_a_game_is_charged_to_the_game(service):
    """A play with a game's label must be charged to the game's budget."""
    play(service, "9D RE", HEAT, game="table 4")
    assert service.quota("?game=table%204")["game"] == 27
    assert service.quota()["outside"] == 20


def test_without_a_budget_no_play_is_judged(service):
    """A play that the budget does not allow must be refused whole, with the time to wait."""
    for letter in "ABCDFGIJKLMNOPQUVWXY":
        play(service, f"9D {letter}Q", HEAT)
    refused = play(service, "9D RE", HEAT)
    assert (refused.status_code, refused.json["code"]) == (429, "budget-spent")
    assert int(refused.headers["Retry-After"]) > 0


def test_a_score_needs_no_verdict_and_costs_nothing(service):
    """A score must have a receipt and no verdict, cost nothing, and ignore disallowed words."""
    before = service.quota()
    scored = play(service, "11J ZAG", EMPTY_21, "dover", path="/v1/score")
    assert scored.status_code == 200
    assert {name: scored.json[name] for name in ("score", "words")} == {"score": 26, "words": ["ZAG"]}
    assert list(scored.json) == ["score", "words", "receipt"]
    assert service.quota() == before


def test_a_player_of_an_operator_is_named(service, installation):
    """An operator's play needs a player, and a score needs none."""
    key = installation.register.add("club", "operator", 0)
    body = {"rules": "scrabble-o", "position": HEAT, "move": "9D RE"}
    assert service.post(body, key, "/v1/plays").json["code"] == "player-required"
    assert service.post({**body, "player": "ann"}, key, "/v1/plays").json["valid"] is True
    assert service.post(body, key, "/v1/score").status_code == 200


def test_rule_sets_are_public(service):
    """Rule sets need no key and show every option with its value, its possible values and its meaning."""
    listed = service.http.get("/v1/rules")
    assert [each["id"] for each in listed.json["rules"]] == [
        "classic",
        "scrabble-i-classic",
        "scrabble-o",
        "scrabble-i",
        "dover",
    ]
    assert "max-age" in listed.headers["Cache-Control"]
    shown = service.http.get("/v1/rules/dover").json
    assert (shown["id"], shown["title"]) == ("dover", "Scrabble II as played in the Dover club")
    options = {each["name"]: each for each in shown["options"]}
    assert options["rack_size"]["value"] == "8"
    assert options["premium"] == {
        "name": "premium",
        "value": "multiply",
        "values": "add | multiply",
        "says": "the rule by which several word squares under one word combine (docs/rules.md 4.2)",
    }


def test_an_unknown_rule_set_gets_404(service):
    """An unknown rule set must get 404 with the list of those that exist, and other methods than GET 405."""
    reply = service.http.get("/v1/rules/scrabble-x")
    assert (reply.status_code, reply.json["code"]) == (404, "not-found")
    assert "scrabble-o" in reply.json["detail"]
    assert service.http.get("/v1/rules/dover?id=classic").json["code"] == "bad-request"


def test_the_published_example_is_answered(service):
    """The example of the OpenAPI document must be accepted as it stands."""
    shape = service.http.get("/openapi.json").json["components"]["schemas"]["JudgePlay"]["properties"]

    def example(of):
        return of["examples"][0] if "examples" in of else example(of["anyOf"][0])

    fields = {name: example(shape[name]) for name in ("position", "move", "rack", "options")}
    reply = service.post(fields, path="/v1/plays")
    assert (reply.status_code, reply.json["words"], reply.json["score"]) == (200, ["FISHING"], 55)


def test_options_of_a_request_are_not_kept(service):
    """Options of a request must not be kept: the cached lists depend on two options alone."""
    from ordws.rules.ruleset import _PUBLISHED_LISTS

    known = dict(_PUBLISHED_LISTS)
    for seconds in range(40):
        play(service, "9D RE", HEAT, options={"clock_seconds": seconds})
    assert known == _PUBLISHED_LISTS


def test_disallowed_words_are_public(service):
    """Dover's disallowed words must be public, and the other rule sets have none."""
    struck = service.http.get("/v1/disallowed-words?rules=dover").json["words"]
    assert {"ZAG", "QI", "QOPH", "ALEPH", "ZZZ"} <= set(struck)
    assert service.http.get("/v1/disallowed-words").json == {"rules": "scrabble-i", "words": []}


def test_no_word_of_a_play_is_logged(service):
    """A log line must have the route and the status, and nothing of the play."""
    play(service, "8H LOVER", EMPTY_15)
    play(service, "9P LOVER", EMPTY_15)
    assert "LOVER" not in json.dumps([list(map(str, line)) for line in service.lines])
