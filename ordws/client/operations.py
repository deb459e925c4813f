"""All requests, built from typed arguments; the service supplies the default of an argument that is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from ordws.client import event_replies, game_replies, replies
from ordws.client.wire import Request, check_idempotency_key, check_visible_ascii

T = TypeVar("T")

_encode: Final = msgspec.json.Encoder().encode


class _JudgeWords(Struct, omit_defaults=True):
    words: Sequence[str]
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    game: str | None = None
    player: str | None = None


class _Play(Struct, omit_defaults=True):
    position: str
    move: str
    rules: str | None = None
    rack: str | None = None
    options: Mapping[str, Any] | None = None
    game: str | None = None
    player: str | None = None


class _CheckWords(Struct, omit_defaults=True):
    words: Sequence[str]
    rules: str | None = None
    score: int | None = None
    player: str | None = None


class _CheckAtHome(Struct, omit_defaults=True):
    word: str
    base_in_dictionary: str | None = None
    word_in_dictionary: bool | None = None
    base_has_main_entry: bool | None = None
    not_in_dictionary: Sequence[str] = ()
    rules: str | None = None
    edition: str | None = None
    by_exclusion: bool = False
    options: Mapping[str, Any] | None = None
    labelled_offensive: bool | None = None
    player: str | None = None


class _Seat(Struct, omit_defaults=True):
    player: str | None = None


class _OpenGame(Struct, omit_defaults=True):
    seats: Sequence[_Seat]
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    clock: int | None = None
    invitations: bool = False


class _SeatOfEntrant(Struct):
    player: str
    name: str


class _OpenEventGame(Struct, omit_defaults=True, kw_only=True):
    event: str
    title: str
    round: int
    table: int
    game: int
    draw: int
    seats: Sequence[_SeatOfEntrant]
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    clock: int | None = None


class _BindStation(Struct, omit_defaults=True, kw_only=True):
    event: str
    title: str
    round: int
    table: int
    game: int
    draw: int
    device: str
    players: Sequence[str]
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    clock: int | None = None


class _FindEventGames(Struct):
    games: Sequence[str]


class _MakePromise(Struct):
    version: int


class _TakeTurn(Struct, omit_defaults=True):
    seat: str
    turn: int
    move: str
    swaps: Sequence[str] = ()
    words: Sequence[str] | None = None
    word: str | None = None
    nonce: str | None = None
    held: int = 0


class _NewDevice(Struct, omit_defaults=True):
    table: str
    log: bool = False
    director: bool = False
    address: str | None = None


class _CallOff(Struct, omit_defaults=True):
    begun: bool = False


class _FindWords(Struct, omit_defaults=True):
    words: Sequence[str]
    before: str | None = None


def to_word_list(words: str | Iterable[str]) -> list[str]:
    """Return the words as a list; a string is one word, never its letters."""
    return [words] if isinstance(words, str) else list(words)


def about() -> Request[replies.About]:
    return Request("GET", "/", replies.About)


def healthy() -> Request[replies.State]:
    return Request("GET", "/healthz", replies.State)


def ready() -> Request[replies.State]:
    return Request("GET", "/readyz", replies.State)


def two_letter_words(rules: str | None = None) -> Request[replies.WordList]:
    return _get("/v1/two-letter-words", replies.WordList, rules=rules)


def disallowed_words(rules: str | None = None) -> Request[replies.WordList]:
    return _get("/v1/disallowed-words", replies.WordList, rules=rules)


def rules() -> Request[replies.RuleSets]:
    return Request("GET", "/v1/rules", replies.RuleSets)


def rule_set(id: str) -> Request[replies.RuleSet]:
    return Request("GET", f"/v1/rules/{quote(id, safe='')}", replies.RuleSet)


def quota(game: str | None = None, player: str | None = None) -> Request[replies.Quota]:
    return _get("/v1/quota", replies.Quota, game=game, player=player)


def judge(
    words: str | Iterable[str],
    *,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str | None = None,
    player: str | None = None,
    key: str | None = None,
) -> Request[replies.Verdict]:
    """Build a request for one verdict.

    It needs an idempotency key only in a game, where every question counts as a play; outside a game a word asked again
    within the day costs nothing.
    """
    body = _encode(_JudgeWords(to_word_list(words), rules, options, game, player))
    return Request("POST", "/v1/judge", replies.Verdict, body, (), game is not None, check_idempotency_key(key))


def play(
    position: str,
    move: str,
    *,
    rules: str | None = None,
    rack: str | None = None,
    options: Mapping[str, Any] | None = None,
    game: str | None = None,
    player: str | None = None,
    key: str | None = None,
) -> Request[replies.JudgedPlay]:
    body = _encode(_Play(position, move, rules, rack, options, game, player))
    return Request("POST", "/v1/plays", replies.JudgedPlay, body, (), game is not None, check_idempotency_key(key))


def score(
    position: str,
    move: str,
    *,
    rules: str | None = None,
    rack: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Request[replies.Scored]:
    return Request("POST", "/v1/score", replies.Scored, _encode(_Play(position, move, rules, rack, options)))


def ospd(
    words: str | Iterable[str],
    *,
    rules: str | None = None,
    score: int | None = None,
    player: str | None = None,
    key: str | None = None,
) -> Request[replies.Found]:
    body = _encode(_CheckWords(to_word_list(words), rules, score, player))
    return Request("POST", "/v1/ospd", replies.Found, body, key=check_idempotency_key(key))


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
    fields = _CheckAtHome(
        word,
        base_in_dictionary,
        word_in_dictionary,
        base_has_main_entry,
        tuple(to_word_list(not_in_dictionary)),
        rules,
        edition,
        by_exclusion,
        options,
        labelled_offensive,
        player,
    )
    return Request("POST", "/v1/home", replies.HomeRuling, _encode(fields))


def open_game(
    players: Iterable[str | None],
    *,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    clock: int | None = None,
    invitations: bool = False,
    key: str | None = None,
) -> Request[game_replies.OpenedGame]:
    body = _encode(_OpenGame([_Seat(player) for player in players], rules, options, clock, invitations))
    return Request("POST", "/v1/games", game_replies.OpenedGame, body, (), True, check_idempotency_key(key))


def standing(game: str, token: str) -> Request[game_replies.Standing]:
    return Request("GET", _game(game), game_replies.Standing, headers=(_seat(token),))


def turns(game: str, token: str) -> Request[game_replies.Turns]:
    return Request("GET", f"{_game(game)}/turns", game_replies.Turns, headers=(_seat(token),))


def record(game: str, token: str) -> Request[str]:
    return Request("GET", _game(game), str, headers=(_seat(token), ("Accept", "text/plain")))


def take_turn(
    game: str,
    token: str,
    turn: int,
    move: str,
    *,
    swaps: Iterable[str] = (),
    words: Iterable[str] | None = None,
    word: str | None = None,
    nonce: str | None = None,
    held: int = 0,
) -> Request[game_replies.Turn]:
    """Build a request that makes a move; `nonce` came with the stream, `held` ms before the move was sent.

    It needs no idempotency key: a turn takes one move, and the same move sent again gets the same answer.
    """
    challenged = None if words is None else to_word_list(words)
    body = _encode(_TakeTurn(token, turn, move, tuple(to_word_list(swaps)), challenged, word, nonce, held))
    return Request("POST", f"{_game(game)}/turns", game_replies.Turn, body)


def take_oath(game: str, token: str, version: int) -> Request[game_replies.Standing]:
    body = _encode(_MakePromise(version))
    return Request("POST", f"{_game(game)}/oath", game_replies.Standing, body, (_seat(token),))


def attest(game: str, token: str, version: int) -> Request[game_replies.Standing]:
    body = _encode(_MakePromise(version))
    return Request("POST", f"{_game(game)}/attestation", game_replies.Standing, body, (_seat(token),))


def stream_ticket(game: str, token: str) -> Request[game_replies.StreamTicketGiven]:
    return Request("POST", f"{_game(game)}/stream-tickets", game_replies.StreamTicketGiven, b"{}", (_seat(token),))


def open_event_game(table: event_replies.TableOfEvent) -> Request[event_replies.OpenedEventGame]:
    """Build a request that opens the game of a table; it needs no key, since the place in the event makes the id."""
    shape = msgspec.structs.asdict(table)
    seats = [_SeatOfEntrant(player, name) for player, name in shape.pop("players")]
    body = _encode(_OpenEventGame(seats=seats, **shape))
    return Request("POST", "/v1/tournament/games", event_replies.OpenedEventGame, body)


def bind_station(table: event_replies.TableOfEvent, device: str) -> Request[event_replies.StationBound]:
    shape = msgspec.structs.asdict(table)
    players = [name for _, name in shape.pop("players")]
    body = _encode(_BindStation(device=device, players=players, **shape))
    return Request("POST", "/v1/tournament/stations", event_replies.StationBound, body)


def event_games(games: Iterable[str]) -> Request[event_replies.EventGames]:
    body = _encode(_FindEventGames(to_word_list(games)))
    return Request("POST", "/v1/tournament/games/find", event_replies.EventGames, body)


def call_off(game: str, *, begun: bool = False) -> Request[event_replies.EventGame]:
    path = f"/v1/tournament/games/{quote(game, safe='')}/call-off"
    return Request("POST", path, event_replies.EventGame, _encode(_CallOff(begun)))


def invite_device(
    table: str, *, log: bool = False, director: bool = False, address: str | None = None, key: str | None = None
) -> Request[replies.PairingCode]:
    body = _encode(_NewDevice(table, log, director, address))
    return Request("POST", "/v1/devices", replies.PairingCode, body, (), True, check_idempotency_key(key))


def devices() -> Request[replies.Devices]:
    return Request("GET", "/v1/devices", replies.Devices)


def revoke_device(id: int, *, key: str | None = None) -> Request[replies.Device]:
    """Build a request that ends a pairing; it needs an idempotency key, since a device is not found a second time."""
    path = f"/v1/devices/{quote(str(id), safe='')}/revoke"
    return Request("POST", path, replies.Device, b"{}", (), True, check_idempotency_key(key))


def device_log(before: str | None = None) -> Request[replies.LogPage]:
    return _get("/v1/devices/log", replies.LogPage, before=before)


def find_in_device_log(words: str | Iterable[str], *, before: str | None = None) -> Request[replies.LogPage]:
    body = _encode(_FindWords(to_word_list(words), before))
    return Request("POST", "/v1/devices/log/find", replies.LogPage, body)


def _get(path: str, reply_type: type[T], **parameters: str | None) -> Request[T]:
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return Request("GET", f"{path}?{query}" if query else path, reply_type)


def _game(id: str) -> str:
    # A slash in an id must not lead to another path.
    return f"/v1/games/{quote(id, safe='')}"


def _seat(token: str) -> tuple[str, str]:
    return "Seat-Token", check_visible_ascii(token, "seat token")
