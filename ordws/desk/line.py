"""The line at the top of the desk: what a director types, as a deed with its fields. Pure.

`3 412:398/13 371:380/13` is a result of table 3; a player's name may stand for the table, and then that player's side
comes first, as it does after `3b`. Of a game that ended as usual `3 412 98/13 371` is enough. Every other line begins
with a word of `WORDS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from ordws.desk.deeds import SETTINGS, SWITCHES
from ordws.desk.fields import read_row
from ordws.errors import BadInput
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS, UnplayedTiles
from ordws.tournament.names import find_entrant
from ordws.tournament.state import PairingState, RoundState, TournamentState

_SIDE: Final = r"([+-]?\d+)(?:\s*:\s*|\s+)([+-]?\d+)\s*/\s*(\d+)"
_SIDES: Final = re.compile(rf"(?P<place>.*?)\s+{_SIDE}\s+{_SIDE}(?P<rest>\s.*)?", re.ASCII)
_SHORT_SIDE: Final = r"(\d+)(?:(?:\s*:\s*|\s+)(\d+))?"
_SHORT: Final = re.compile(rf"(?P<place>.*?)\s+{_SHORT_SIDE}\s*/\s*(\d+)\s+{_SHORT_SIDE}", re.ASCII)
"""The first side with its turns, the other without; each with its points, or without where they are its score."""
_GAP: Final = r"(?:\s*[:/,]\s*|\s+)"
_SIX: Final = re.compile(rf"(?P<place>.*?){_GAP}" + _GAP.join([r"([+-]?\d+)"] * 6) + r"(?P<rest>\s+\D.*)?", re.ASCII)
"""A side's score, points and turns, and the other's, with any sign between them: a number pad types them fastest."""
_FORFEIT: Final = re.compile(r"(?P<place>.*?)\s+forfeit(?:ed|s)?(?:\s+by)?\s+(?P<side>\S.*?)(?P<rest>\s+because\s.*)?")
_PLACE: Final = re.compile(
    r"(?:r(?:ound\s*)?(?P<round>\d+)\s+)?(?:t(?:able\s*)?)?(?P<table>\d+)(?:\.(?P<game>[12]))?(?P<turned>b)?"
)
_REMARK: Final = re.compile(r"\s*(?P<what>resigned|time)(?:\s+by)?\s+(?P<side>\S.*?)\s*")
_CARD: Final = re.compile(r"\S*#code=(\S+)|([0-9A-Za-z]{4}(?:-[0-9A-Za-z]{4}){2})|(?=\D*\d)([0-9A-Za-z]{12})", re.ASCII)
"""A scanned address, or a code as it is printed, or one without its signs, which is told from a name by a digit."""

_BINDING: Final = re.compile(r"(?P<place>.+?)\s+(?:station\s+(?P<device>.+)|game\s+(?P<game>[0-9a-f]{32}))", re.ASCII)

_PARTS: Final = tuple(
    f"the {side} player's {part}" for side in ("first", "second") for part in ("score", "points", "turns")
)
"""What a result consists of, in the order in which it is typed."""
_LONGEST_LINE: Final = 4_000
"""The characters of a line: two names, a reason, and room for more."""

_ROWS: Final = ("enter", "rename")
"""The words before a row, in which a tab stands between name and club."""

_RESULT_HINT: Final = "a result is TABLE SCORE:POINTS/TURNS SCORE:POINTS/TURNS, such as 3 412:398/13 371:380/13"


class LineDeed(NamedTuple):
    """A deed by the name under which the desk carries it out, and its fields as a form would send them."""

    name: str
    fields: dict[str, str]


def parse_line(state: TournamentState, text: str) -> LineDeed:
    """Return what a line asks for; raise BadInput, which says what is wrong or missing."""
    if len(text) > _LONGEST_LINE:
        raise BadInput(f"the line has {len(text):,} characters, and {_LONGEST_LINE:,} are the most")
    # The key that leads into the line is easily typed into it, too.
    text = text.strip().removeprefix("/").strip()
    if text.partition(" ")[0].casefold() not in _ROWS:
        # The expressions would try each space of a long gap, and anew for each word before it.
        text = " ".join(text.split())
    word, _, rest = text.partition(" ")
    if reader := WORDS.get(word.casefold()):
        return reader(state, rest.strip())
    if card := _CARD.fullmatch(text):
        return LineDeed("scan", {"code": unquote(card[1] or card[2] or card[3])})
    return _read_result(state, text)


def _read_result(state: TournamentState, text: str) -> LineDeed:
    text, reason = _split_reason(text)
    if match := _SIDES.fullmatch(text) or _SIX.fullmatch(text):
        pairing, fields, is_turned = _read_place(state, match["place"])
        sides = [f"{match[first]}:{match[first + 1]}/{match[first + 2]}" for first in (2, 5)]
        fields |= dict(zip(("second", "first") if is_turned else ("first", "second"), sides, strict=True))
        if rest := (match["rest"] or "").strip():
            remark = _REMARK.fullmatch(rest)
            if remark is None:
                raise BadInput(f'"{rest}" is not understood after a result', hint="resigned NAME, or time NAME")
            fields["resigned" if remark["what"] == "resigned" else "time_up"] = _side(state, pairing, remark["side"])
    elif match := _SHORT.fullmatch(text):
        pairing, fields, is_turned = _read_place(state, match["place"])
        fields |= _complete(state, [each or "" for each in match.groups()[1:]], fields["game"], is_turned)
    elif match := _FORFEIT.fullmatch(text):
        pairing, fields, _ = _read_place(state, match["place"])
        fields["forfeit"] = _side(state, pairing, match["side"])
    else:
        has_figures = any(each.isdigit() for each in text)
        raise BadInput(describe_unread(text), hint=_RESULT_HINT if has_figures else "what can be typed is listed by: ?")
    if reason:
        return LineDeed("correct", {**fields, "reason": reason})
    return LineDeed("result", fields)


def _complete(state: TournamentState, figures: Sequence[str], game: str, is_turned: bool) -> dict[str, str]:
    """Return both sides of a result, typed as one side's score, points and turns, and the other's score and points.

    Points that are missing are the score, or the score and what unplayed tiles took; of points below it the last two
    digits are enough. Whoever gained at the end went out, and from that follow the turns of the other.
    """
    scores, turns = [int(figures[0]), int(figures[3])], int(figures[2])
    points = [_read_points(*each) for each in zip(scores, (figures[1], figures[4]), strict=True)]
    gains = [score - made for score, made in zip(scores, points, strict=True)]
    out = [place for place, gain in enumerate(gains) if gain > 0]
    if len(out) != 1:
        raise BadInput(
            "who went out does not follow: one side's score is above its points, and only one's",
            hint=f"or type all figures: {_RESULT_HINT}",
        )
    other = 1 - out[0]
    rules = with_options(RULE_SETS[state.event.rules], dict([each.split("=", 1) for each in state.event.options]))
    if rules.unplayed_tiles is UnplayedTiles.TRANSFER and not gains[other]:
        points[other] += gains[out[0]]
    # The side that is typed first began the game, unless it is named second or this is the pairing's other game.
    is_beginner_typed_first = is_turned == (game == "2")
    is_out_beginner = (out[0] == 0) == is_beginner_typed_first
    others_turns = turns if not is_out_beginner else turns - 1 if out[0] == 0 else turns + 1
    sides = [f"{scores[0]}:{points[0]}/{turns}", f"{scores[1]}:{points[1]}/{others_turns}"]
    return dict(zip(("second", "first") if is_turned else ("first", "second"), sides, strict=True))


def _read_points(score: int, text: str) -> int:
    if not text:
        return score
    return score - (score - int(text)) % 100 if len(text) <= 2 else int(text)


def describe_unread(text: str) -> str:
    """Return what keeps a text from being a result: the first part that is missing, or all of it."""
    if re.fullmatch(rf"{_SIDE}\s+{_SIDE}", text):
        return f'"{text}" lacks the table, or a player'
    head, *numbers = re.split(r"(?<![\w#.])([+-]?\d+)(?![\w.])", text)
    figures, between = numbers[::2], numbers[1:-1:2]
    # Where no table or name stands in front, the first number is the table.
    if re.fullmatch(r"(r(ound)?\s*\d*\s*)?", head, re.IGNORECASE):
        figures = figures[1:]
    if not 0 < len(figures) < len(_PARTS) or any(set(each) - set(" :/,") for each in [*between, *numbers[-1:]]):
        return f'"{text}" is not understood'
    return f'"{text}" lacks {_PARTS[len(figures)]}'


def _read_place(state: TournamentState, text: str) -> tuple[PairingState, dict[str, str], bool]:
    """Return the pairing that a text names, by table or player, the fields that name it, and whether by the second."""
    match = _PLACE.fullmatch(text.strip().casefold())
    number = int(match["round"]) if match and match["round"] else 0
    played = state.find_round(number) if number else state.last_round
    if played is None:
        raise BadInput(f"round {number} is not published" if number else "no round is published yet")
    if match:
        pairing = played.at_table(int(match["table"]))
        if pairing is None:
            raise BadInput(f"round {played.number} has tables 1 to {len(played.pairings)}, and no {match['table']}")
        is_turned, game = bool(match["turned"]), match["game"] or "1"
    else:
        pairing, is_turned = _table_of_player(state, played, text)
        game = "1"
    fields = {"round": str(played.number), "table": str(pairing.table), "game": game}
    return pairing, fields, is_turned


def _table_of_player(state: TournamentState, played: RoundState, text: str) -> tuple[PairingState, bool]:
    among = [each for pairing in played.pairings for each in pairing.entrants]
    entrant = find_entrant(state, text, among)
    pairing = played.of_entrant(entrant.number)
    assert pairing is not None
    return pairing, entrant.number == pairing.second


def _side(state: TournamentState, pairing: PairingState, text: str) -> str:
    """Return "first", "second" or "both" for that word or for a player's name."""
    if text in ("first", "second", "both"):
        return text
    return "first" if find_entrant(state, text, pairing.entrants).number == pairing.first else "second"


def _split_reason(text: str) -> tuple[str, str]:
    before, _, reason = text.partition(" because ")
    return before.strip(), reason.strip()


def _of_player(name: str) -> Callable[[TournamentState, str], LineDeed]:
    """Return the reader of a line with a player's name and, after "because", a reason."""

    def read(state: TournamentState, rest: str) -> LineDeed:
        text, reason = _split_reason(rest)
        if not text:
            raise BadInput("whose? type the beginning of a name")
        if name in ("check-in", "agree") and text.casefold() == "all":
            return LineDeed(name, {"all": "yes"})
        return LineDeed(name, {"entrant": str(find_entrant(state, text).number), "reason": reason})

    return read


def _of_pair(constraint: str) -> Callable[[TournamentState, str], LineDeed]:
    def read(state: TournamentState, rest: str) -> LineDeed:
        text, reason = _split_reason(rest)
        is_once = text.endswith(" once")
        names = [each for each in text.removesuffix(" once").split(",") if each.strip()]
        if len(names) != 2:
            raise BadInput("which two? type both names, with a comma between them")
        a, b = (str(find_entrant(state, each).number) for each in names)
        if constraint == "free":
            return LineDeed("free", {"a": a, "b": b})
        fields = {"a": a, "b": b, "kind": constraint, "reason": reason}
        # A pair that has met would meet again in every draft, were it put together for good.
        if is_once or constraint == "together":
            fields["round"] = str(state.next_round)
        return LineDeed("constrain", fields)

    return read


def _of_round(name: str) -> Callable[[TournamentState, str], LineDeed]:
    """Return the reader of a line about the last round."""

    def read(state: TournamentState, _: str) -> LineDeed:
        return LineDeed(name, {"round": str(state.last_round.number if state.last_round else 0)})

    return read


def _correct(state: TournamentState, rest: str) -> LineDeed:
    deed = _read_result(state, rest)
    if deed.name == "result":
        raise BadInput("the reason of the correction is missing", hint="correct 3 412:398/13 371:380/13 because REASON")
    return deed


def _confirm(state: TournamentState, rest: str) -> LineDeed:
    """Read a table or a player, the figures where they are named, and the reason."""
    place, reason = _split_reason(rest)
    if _SIDES.fullmatch(place) or _SIX.fullmatch(place):
        return LineDeed("confirm", {**_read_result(state, place).fields, "reason": reason})
    _, fields, _ = _read_place(state, place)
    return LineDeed("confirm", {**fields, "reason": reason})


def _void(state: TournamentState, rest: str) -> LineDeed:
    """Read the tables that had begun, which have met without a result, and the reason."""
    began, reason = _split_reason(f" {rest}")
    number = state.last_round.number if state.last_round else 0
    return LineDeed("void", {"round": str(number), "began": began, "reason": reason})


def _undo(_: TournamentState, rest: str) -> LineDeed:
    return LineDeed("undo", {"number": rest})


def _rename(state: TournamentState, rest: str) -> LineDeed:
    """Read a name, a comma, and a row as `enter` takes it; what the row leaves out stays."""
    before, _, row = rest.partition(",")
    entrant = find_entrant(state, before)
    name, club, is_minor, member = read_row(row)
    if not name:
        raise BadInput(
            "what is the right name? type it after a comma", hint="rename An Lee, Ann Lee; CLUB; member 4711"
        )
    fields = {"name": name, "club": club or entrant.club, "member": member or entrant.member}
    is_minor = is_minor or entrant.minor
    return LineDeed("rename", {"entrant": str(entrant.number), **fields, **({"minor": "yes"} if is_minor else {})})


def _bind(state: TournamentState, rest: str) -> LineDeed:
    match = _BINDING.fullmatch(rest)
    if match is None:
        hint = "bind 3 station Table 3, or bind 4 game ID, whose id has 32 digits and letters a to f"
        raise BadInput("a game is played at a station, or is a sealed game", hint=hint)
    _, fields, _ = _read_place(state, match["place"])
    return LineDeed("bind", {**fields, "device": match["device"] or "", "sealed_game": match["game"] or ""})


def _set(state: TournamentState, rest: str) -> LineDeed:
    name, _, value = rest.partition(" ")
    name, value = name.replace("-", "_"), value.strip()
    if name not in SETTINGS:
        raise BadInput(f'there is no setting "{name}"', hint=f"the settings are {', '.join(SETTINGS)}")
    if name in SWITCHES and value not in ("on", "off"):
        raise BadInput(f'the setting {name} is "{value}": expected on or off')
    # A form leaves out the boxes that are not ticked.
    ticked = {each for each in SWITCHES if getattr(state.settings, each)} - {name}
    fields = dict.fromkeys(ticked, "yes") | ({name: "yes" if name in SWITCHES else value} if value != "off" else {})
    return LineDeed("configure", fields)


def _own(_: TournamentState, rest: str) -> LineDeed:
    if not rest:
        raise BadInput("whose? type the name of an operator", hint="owner league")
    return LineDeed("owner", {"operator": rest})


def _direct(_: TournamentState, rest: str) -> LineDeed:
    return LineDeed("directors", {"operators": rest})


def _open(name: str) -> Callable[[TournamentState, str], LineDeed]:
    return lambda _state, _rest: LineDeed(name, {})


def _enter(_: TournamentState, rest: str) -> LineDeed:
    if not rest:
        raise BadInput("whom? type the whole name")
    return LineDeed("enter", {"names": rest})


WORDS: Final[dict[str, Callable[[TournamentState, str], LineDeed]]] = {
    "enter": _enter,
    "in": _of_player("check-in"),
    "out": _of_player("check-out"),
    "withdraw": _of_player("withdraw"),
    "return": _of_player("return"),
    "late": _of_player("late"),
    "who": _of_player("who"),
    "rename": _rename,
    "agree": _of_player("agree"),
    "erase": _of_player("erase"),
    "forbid": _of_pair("forbid"),
    "together": _of_pair("together"),
    "free": _of_pair("free"),
    "correct": _correct,
    "confirm": _confirm,
    "draft": _of_round("draft"),
    "publish": _of_round("publish"),
    "close": _of_round("close"),
    "void": _void,
    "finish": _of_round("finish"),
    "undo": _undo,
    "bind": _bind,
    "set": _set,
    "owner": _own,
    "directors": _direct,
    "standings": _open("standings"),
    "help": _open("help"),
    "?": _open("help"),
}
"""The first word of a line, and the reader of the rest."""

LINES: Final = (
    (
        "3 412:398/13 371:380/13",
        "the result of table 3: score, points of the turns / number of turns, who goes first in front",
    ),
    ("3 412 398 13 371 380 13", "the same"),
    (
        "3 412 98/13 371",
        "the same where the game ended as usual and the first player went out with 398 points in 13 turns",
    ),
    ("3 412/13 371 59", "the same where the second player went out, with 359 points"),
    ("lee 371 380/13 412 398/13", "by a player's name, whose side then comes first; 3b stands for the second player"),
    ("3.2 412:398/13 371:380/13", "the second game of table 3, first and second as in the pairing"),
    ("3 forfeit lee", "Lee did not come; both if nobody did"),
    ("... resigned lee", "after the figures: Lee gave up during the game; time lee if the time was used up"),
    ("r2 3 412:398/13 371:380/13 because ...", "corrects the result of table 3 in round 2"),
    ("draft, publish, close, finish", "the round; void because ... takes the last one back"),
    ("in ann, in all, out ann", "checked in and not; a card that is scanned into the line checks its player in"),
    ("enter Ann Lee", "a new player; late ann gives somebody late the game of who has the bye"),
    ("rename an lee, Ann Lee", "puts a name right"),
    ("withdraw ann because ...", "and return ann"),
    ("forbid ann, ben because ...", "never paired; together pairs them in the next draft; free ann, ben ends both"),
    ("who ann", "where Ann plays"),
    ("standings", "where everybody stands"),
    ("undo", "takes the last thing back"),
)
"""Lines as a director types them, and what they do: what `help` shows. docs/tournaments.md 14 has all of them."""
