"""All requests, built from typed arguments; the service supplies the default of an argument that is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from ordws.client import replies
from ordws.client.wire import Request, check_idempotency_key, check_visible_ascii

T = TypeVar("T")

_encode: Final = msgspec.json.Encoder().encode


class TableOfEvent(Struct, frozen=True, kw_only=True):
    """A game of an event by its place, with its players in the order of play, and its rules.

    `event` is the id of the event, and `title` its name for players. `players` are pairs of the pseudonym that is
    charged and of the name that is shown. `game` is the first or second game of the round, and `draw` counts how often
    the round was drawn.
    """

    event: str
    title: str
    round: int
    table: int
    players: Sequence[tuple[str, str]]
    game: int = 1
    draw: int = 1
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    clock: int | None = None


def to_word_list(words: str | Iterable[str]) -> list[str]:
    """Return the words as a list; a string is one word, never its letters."""
    return [words] if isinstance(words, str) else list(words)


def about() -> Request[replies.About]:
    """Return the name of the service and its current edition; needs no key."""
    return Request("GET", "/", replies.About)


def two_letter_words(rules: str | None = None) -> Request[list[str]]:
    """Return the two-letter words of a rule set; needs no key."""
    return _get("/v1/two-letter-words", replies.WordList, rules=rules).picking(attrgetter("words"))


def disallowed_words(rules: str | None = None) -> Request[list[str]]:
    """Return the words that a rule set disallows; needs no key."""
    return _get("/v1/disallowed-words", replies.WordList, rules=rules).picking(attrgetter("words"))


def rules() -> Request[list[replies.RuleSetEntry]]:
    """Return all rule sets; needs no key."""
    return _get("/v1/rules", replies.RuleSets).picking(attrgetter("rules"))


def rule_set(id: str) -> Request[replies.RuleSet]:
    """Return a rule set with all its options; needs no key."""
    return Request("GET", f"/v1/rules/{quote(id, safe='')}", replies.RuleSet)


def quota(*, game: str | None = None, player: str | None = None) -> Request[dict[str, replies.Budget]]:
    """Return each budget by its name, with the budgets of a game if one is named."""
    asked = _get("/v1/quota", replies.Quota, game=game, player=player)
    return asked.picking(lambda quota: {budget.budget: budget for budget in quota.budgets})


def judge(
    words: str | Iterable[str],
    *,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str | None = None,
    player: str | None = None,
    idempotency_key: str | None = None,
) -> Request[replies.Verdict]:
    """Return one verdict for one to eight words: true only if all are acceptable."""
    body = _body(words=to_word_list(words), rules=rules, options=options, game=game, player=player)
    # Only in a game does every question count, as a play; outside of one a word asked again that day costs nothing.
    return _post("/v1/judge", replies.Verdict, body, idempotency_key, counts_twice=game is not None)


def play(
    position: str,
    move: str,
    *,
    rules: str | None = None,
    rack: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str | None = None,
    player: str | None = None,
    idempotency_key: str | None = None,
) -> Request[replies.JudgedPlay]:
    """Return the verdict and the receipt of a play, as `"8D STAiNER"`, on a position in CGP.

    Raises IllFormedPlay if the play does not fit.
    """
    body = _body(position=position, move=move, rules=rules, rack=rack, options=options, game=game, player=player)
    return _post("/v1/plays", replies.JudgedPlay, body, idempotency_key, counts_twice=game is not None)


def score(
    position: str,
    move: str,
    *,
    rules: str | None = None,
    rack: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Request[replies.Scored]:
    """Return the receipt of a play: no word is looked up, and nothing is charged."""
    body = _body(position=position, move=move, rules=rules, rack=rack, options=options)
    return _post("/v1/score", replies.Scored, body)


def ospd(
    words: str | Iterable[str],
    *,
    rules: str | None = None,
    score: int | None = None,
    player: str | None = None,
    idempotency_key: str | None = None,
) -> Request[replies.Found]:
    """Look words up in the players' reference; with a rule set, return also what a no deducts."""
    body = _body(words=to_word_list(words), rules=rules, score=score, player=player)
    return _post("/v1/ospd", replies.Found, body, idempotency_key)


def home(
    word: str,
    *,
    base_in_dictionary: str | None = None,
    word_in_dictionary: bool | None = None,
    base_has_main_entry: bool | None = None,
    not_in_dictionary: Iterable[str] = (),
    rules: str | None = None,
    edition: str | None = None,
    by_exclusion: bool = False,
    options: Mapping[str, Any] | None = None,
    labelled_offensive: bool | None = None,
    player: str | None = None,
) -> Request[replies.HomeRuling]:
    """Return the two-book check of a word at home, as far as the look-ups in the player's dictionary decide it.

    Needs no key, unless the service has its own players' reference; then an operator names a player.
    """
    body = _body(
        word=word,
        base_in_dictionary=base_in_dictionary,
        word_in_dictionary=word_in_dictionary,
        base_has_main_entry=base_has_main_entry,
        not_in_dictionary=to_word_list(not_in_dictionary) or None,
        rules=rules,
        edition=edition,
        by_exclusion=by_exclusion or None,
        options=options,
        labelled_offensive=labelled_offensive,
        player=player,
    )
    return _post("/v1/home", replies.HomeRuling, body)


def open_game(
    players: Iterable[str | None],
    *,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    clock: int | None = None,
    invitations: bool = False,
    idempotency_key: str | None = None,
) -> Request[replies.OpenedGame]:
    """Open a game that the service deals, with a seat for each of two to four players; a name may be None.

    With invitations each seat can be taken in a browser, and the game begins when all players have taken the oath.
    """
    seats = [{} if player is None else {"player": player} for player in players]
    body = _body(seats=seats, rules=rules, options=options, clock=clock, invitations=invitations or None)
    return _post("/v1/games", replies.OpenedGame, body, idempotency_key, counts_twice=True)


def standing(game: str, token: str) -> Request[replies.Standing]:
    """Return the state of a game, as the seat of this token may see it."""
    return Request("GET", _game(game), replies.Standing, headers=(_seat(token),))


def turns(game: str, token: str) -> Request[list[replies.TurnEntry]]:
    """Return all turns of a game, as the seat of this token may see them."""
    shown: Request[replies.Turns] = Request("GET", f"{_game(game)}/turns", replies.Turns, headers=(_seat(token),))
    return shown.picking(attrgetter("turns"))


def record(game: str, token: str) -> Request[str]:
    """Return the record of a finished game as GCG."""
    return Request("GET", _game(game), str, headers=(_seat(token), ("Accept", "text/plain")))


def take_turn(
    game: str,
    token: str,
    turn: int,
    move: str,
    *,
    swaps: Iterable[str] = (),
    words: str | Iterable[str] | None = None,
    word: str | None = None,
    nonce: str | None = None,
    held: int = 0,
) -> Request[replies.Turn]:
    """Make a move for a turn, and return what happened; the same move sent again gets the same answer.

    `nonce` came with the stream, `held` ms before the move was sent.
    """
    body = _body(
        seat=token,
        turn=turn,
        move=move,
        swaps=to_word_list(swaps) or None,
        words=None if words is None else to_word_list(words),
        word=word,
        nonce=nonce,
        held=held or None,
    )
    return _post(f"{_game(game)}/turns", replies.Turn, body)


def take_oath(game: str, token: str, version: int) -> Request[replies.Standing]:
    """Take the oath of a game with invitations, in the wording of this version; a repeat changes nothing."""
    return Request("POST", f"{_game(game)}/oath", replies.Standing, _body(version=version), (_seat(token),))


def attest(game: str, token: str, version: int) -> Request[replies.Standing]:
    """Attest the finished game, in the wording of this version; a repeat changes nothing."""
    return Request("POST", f"{_game(game)}/attestation", replies.Standing, _body(version=version), (_seat(token),))


def call_off_unplayed(game: str, token: str) -> Request[replies.Standing]:
    """Call the game off before a play is made; a repeat changes nothing."""
    return Request("POST", f"{_game(game)}/call-off", replies.Standing, b"{}", (_seat(token),))


def stream_ticket(game: str, token: str) -> Request[replies.StreamTicketGiven]:
    """Return a ticket that opens the stream of a seat, once."""
    return Request("POST", f"{_game(game)}/stream-tickets", replies.StreamTicketGiven, b"{}", (_seat(token),))


def open_event_game(table: TableOfEvent) -> Request[replies.OpenedEventGame]:
    """Open the sealed game of a table of an event, or return the one that is there; needs the scope tournament."""
    fields = msgspec.structs.asdict(table)
    seats = [{"player": player, "name": name} for player, name in fields.pop("players")]
    return _post("/v1/tournament/games", replies.OpenedEventGame, _body(seats=seats, **fields))


def bind_station(table: TableOfEvent, device: str) -> Request[replies.StationBound]:
    """Let the device that is paired for a table play a game of an event."""
    fields = msgspec.structs.asdict(table)
    players = [name for _, name in fields.pop("players")]
    return _post("/v1/tournament/stations", replies.StationBound, _body(device=device, players=players, **fields))


def event_games(games: Iterable[str], *, event_over: bool = False) -> Request[list[replies.EventGame]]:
    """Return how up to 100 games of events stand, in this order; `event_over` lets those that are over be reviewed."""
    body = _body(games=to_word_list(games), event_over=event_over or None)
    return _post("/v1/tournament/games/find", replies.EventGames, body).picking(attrgetter("games"))


def event_operator() -> Request[str]:
    """Return the name of the operator whose key this is, if it may open and read the games of events."""
    # Nothing is looked up: an unknown game is told to whoever may ask for games of events at all.
    body = _body(games=["0" * 32])
    return _post("/v1/tournament/games/find", replies.EventGames, body).picking(attrgetter("operator"))


def call_off(game: str, *, begun: bool = False) -> Request[replies.EventGame]:
    """Keep a game of an event from beginning any more, or with `begun` from going on, and return how it stands."""
    path = f"/v1/tournament/games/{quote(game, safe='')}/call-off"
    return _post(path, replies.EventGame, _body(begun=begun or None))


def _get(path: str, reply_type: type[T], **parameters: str | None) -> Request[T]:
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return Request("GET", f"{path}?{query}" if query else path, reply_type)


def _post(
    path: str, reply_type: type[T], body: bytes, idempotency_key: str | None = None, *, counts_twice: bool = False
) -> Request[T]:
    """Return a request with a body; `counts_twice` where it would count or create something twice if sent twice."""
    return Request("POST", path, reply_type, body, (), counts_twice, check_idempotency_key(idempotency_key))


def _body(**fields: Any) -> bytes:
    return _encode({name: value for name, value in fields.items() if value is not None})


def _game(id: str) -> str:
    # A slash in an id must not lead to another path.
    return f"/v1/games/{quote(id, safe='')}"


def _seat(token: str) -> tuple[str, str]:
    return "Seat-Token", check_visible_ascii(token, "seat token")
