"""Finished boards: paired devices register the games they kept, and the director looks each board over.

The first request gets one verdict for all words of a board; a second one a verdict for each play that nobody checked.
Both are charged to the director's device, each as a game of it (docs/guard.md Decision 4).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.device_records import KeptGame, KeptRecord, StationReport
from ordws.api.devices import check_operator
from ordws.api.problems import Problem, budget_spent
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import GameField, Nothing, PathAndBody, check_printable
from ordws.api.services import Services
from ordws.api.verdicts import charged_question
from ordws.api.words import charge_and_judge, charge_and_judge_plays, identity_of
from ordws.errors import BadInput
from ordws.guard.charge import Question, Refused
from ordws.identity.register import Device, RegisteredClient
from ordws.records.audit import BoardPlay, FinalBoard, read_final_board
from ordws.records.finding import AuditFinding
from ordws.records.gcg import read_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.records.notation import write_board
from ordws.rules.ruleset import Challenge, published_word_lists
from ordws.rules.state import GameOver

_IS_WORD: Final = re.compile("[A-Z]{2,21}", re.ASCII)
_FREE_LENGTH: Final = 2
AGAIN: Final = "again-"
"""The prefix of the word rule under which words are charged again, as if they had not been asked before."""


class KeepBoard(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A finished game that the calling device has kept, and the label under which it asked about it."""

    game: GameField
    record: Annotated[str, Meta(max_length=14_000, description="The game record (GCG).")]
    checked: Annotated[
        list[Annotated[int, Meta(ge=1, le=300)]],
        Meta(max_length=300, description="The plays on the final board whose words were judged, by numbers from 1."),
    ] = []

    def __post_init__(self) -> None:
        check_printable(self.game)


class WhichBoard(Struct, forbid_unknown_fields=True, frozen=True):
    """The finished board to show."""

    id: str


class RegisteredBoard(Struct, frozen=True, omit_defaults=True):
    """A finished game that a device has registered."""

    id: str
    game: str
    words: int
    plays: int
    bound: Annotated[
        str | None, Meta(description="The game of an event whose result it is; left out where it is none.")
    ] = None


class BoardEntry(Struct, frozen=True, omit_defaults=True):
    """A finished game that a device of the club kept."""

    id: str
    table: str
    kept: TimeField
    rules: str
    players: list[str]
    words: int
    late_noes: Annotated[
        int | None,
        Meta(description="At a table station the plays that were found bad late; null for other games."),
    ] = None


class BoardList(Struct, frozen=True):
    """The finished games that devices of the club kept, the newest first."""

    boards: list[BoardEntry]


class PlayOnBoard(Struct, frozen=True):
    """A play whose tiles lie on a finished board."""

    move: str
    player: str
    score: int
    words: list[str]
    checked: Annotated[bool, Meta(description="Whether its words were judged during the game.")]


class ShownBoard(Struct, frozen=True, omit_defaults=True):
    """A finished board, its words, and what a verdict on them costs at most."""

    id: str
    rules: str
    players: list[str]
    position: Annotated[str, Meta(description="The rows of the board, in CGP.")]
    words: list[str]
    refused: Annotated[list[str], Meta(description="Those of its words that the published lists refuse.")]
    units: Annotated[int, Meta(description="The words that cost a unit if they are new to the device.")]
    core: Annotated[int, Meta(description="The words that count as core words.")]
    plays: list[PlayOnBoard]
    station: StationReport | None = None


class PlayVerdict(Struct, frozen=True):
    """The verdict on a play of a finished board that nobody checked."""

    move: str
    words: list[str]
    valid: bool


class PlayVerdicts(Struct, frozen=True):
    """The verdicts on the plays of a finished board that nobody checked, in their order."""

    plays: list[PlayVerdict]


class _Found(NamedTuple):
    """A finished game of a club, and the numbers of the plays on its board that were checked, from 1 on."""

    id: str
    final: FinalBoard
    checked: frozenset[int]
    station: StationReport | None = None

    @property
    def unchecked(self) -> list[BoardPlay]:
        return [play for number, play in enumerate(self.final.plays, start=1) if number not in self.checked]


def keep_board(services: Services, client: RegisteredClient, request: KeepBoard, now: int) -> Reply:
    """Register a finished game that the calling device has kept, once for a game label of it.

    The label is opened by it, if no question has opened it before, so that a device registers no more games than its
    budget of games a day.

    For the director of an operator's devices to look over. The record is of a game that is over, with legal plays;
    the same again gets the same reply. It is kept for `kept_games_days`, encrypted.
    """
    checked = sorted(set(request.checked))

    def verify() -> KeptRecord:
        final = read_board(request.record)
        if any(number > len(final.plays) for number in checked):
            raise Problem("bad-record", f'"checked" names a play that does not lie on the board, of {len(final.plays)}')
        return KeptRecord(request.record, checked, final.rules.id, [*final.players], len(final.words))

    known = keep_once(services, client, request.game, verify, now)
    if (known.kept.record, known.kept.checked) != (request.record, checked):
        raise Problem("board-kept", "a game is registered once; this label has another record")
    return registered_reply(known, request.game)


def keep_once(
    services: Services, client: RegisteredClient, label: str, verify: Callable[[], KeptRecord], now: int
) -> KeptGame:
    """Return the game that the calling device keeps under a label; where it keeps none, verify and keep one first."""
    check_operator(client)
    device = device_of(client)
    known = services.kept_games.find_label(client.id, device.id, label)
    if known is None:
        kept = verify()
        open_label(services, client, label, now)
        known = services.kept_games.keep(client.id, device.id, device.table, label, kept, now)
    return known


def registered_reply(known: KeptGame, label: str) -> Reply:
    """Return the reply to a device that has sent a finished game."""
    plays = len(read_board(known.kept.record).plays)
    return replies.private(RegisteredBoard(known.id, label, known.kept.words, plays, known.kept.bound))


def open_label(services: Services, client: RegisteredClient, label: str, now: int) -> None:
    """Open a game label of the calling device, if no question has; raise a Problem where it has no game left today."""
    edition = services.editions.current
    # A question without words opens the label, and counts one play of its game.
    opening = Question((), edition.number, label)
    outcome = services.gate.admit(identity_of(client, None), opening, edition.core, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)


def list_boards(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """List the finished games that devices of the club kept in the last fourteen days, the newest 100."""
    check_director(client)
    entries = [
        BoardEntry(
            game.id,
            game.table,
            replies.format_utc(game.at),
            game.kept.rules,
            game.kept.players,
            game.kept.words,
            None if game.kept.station is None else game.kept.station.late_noes,
        )
        for game in services.kept_games.list(client.id)
    ]
    return replies.private(BoardList(entries))


def show_board(services: Services, client: RegisteredClient, request: WhichBoard, now: int) -> Reply:
    """Show a finished board: of a game that a device kept, or that the service dealt to the club within a day.

    The `id` may also be that of a sealed game of the club that is over, until it expires; its plays count as checked
    where its rules check every play.
    """
    found, edition = _find(services, client, request.id, now), services.editions.current
    final, lists = found.final, published_word_lists(found.final.rules)
    charged, core = charged_question(edition, final.rules, Question(final.words, edition.number))
    # Under Dover bases of forms are charged beside the words.
    costly = {word for word in (*charged.words, *charged.bases) if len(word) > _FREE_LENGTH}
    in_core = {word for word in costly if word in core}
    refused = [word for word in final.words if lists.decide(word) is False]
    plays = [
        PlayOnBoard(play.move, final.players[play.player], play.score, [*play.words], number in found.checked)
        for number, play in enumerate(final.plays, start=1)
    ]
    shown = ShownBoard(
        found.id,
        final.rules.id,
        [*final.players],
        write_board(final.board),
        [*final.words],
        refused,
        len(costly) - len(in_core),
        len(in_core),
        plays,
        found.station,
    )
    return replies.private(shown)


def review_board(services: Services, client: RegisteredClient, request: PathAndBody[Nothing], now: int) -> Reply:
    """Judge all words of a finished board together, with one verdict.

    Each word that is not core and new to the director's device costs a unit, in a game of that device.
    """
    found = _find(services, client, request.path["id"], now)
    identity, edition = identity_of(client, None), services.editions.current
    question = Question(found.final.words, edition.number, _label("board", found.id))
    outcome = charge_and_judge(services, identity, question, edition, found.final.rules, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    return replies.verdict(outcome)


def review_plays(services: Services, client: RegisteredClient, request: PathAndBody[Nothing], now: int) -> Reply:
    """Judge each play of a finished board that nobody checked, with one verdict a play.

    Their words cost again what the verdict on the board did, in another game of the director's device.
    """
    found = _find(services, client, request.path["id"], now)
    plays = found.unchecked
    if not plays:
        return replies.private(PlayVerdicts([]))
    identity, edition = identity_of(client, None), services.editions.current
    words = tuple(dict.fromkeys([word for play in plays for word in play.words]))
    question = Question(words, edition.number, _label("plays", found.id), rule=AGAIN)
    asked = [play.words for play in plays]
    outcome = charge_and_judge_plays(services, identity, question, edition, found.final.rules, asked, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    verdicts = [PlayVerdict(play.move, [*play.words], valid) for play, valid in zip(plays, outcome, strict=True)]
    reply = replies.private(PlayVerdicts(verdicts))
    # As of one verdict, the length of the reply tells nothing.
    return reply._replace(body=reply.body.replace(b'"valid":true', b'"valid":true '))


def check_director(client: RegisteredClient) -> None:
    """Raise a Problem for a device that is not the director's."""
    if not device_of(client).is_director:
        raise Problem(
            "directors-only",
            'the director\'s own device looks over finished boards: pair one with "director" in POST /v1/devices',
        )


def device_of(client: RegisteredClient) -> Device:
    assert client.device is not None  # the action asks for a device
    return client.device


def _label(kind: str, board: str) -> str:
    # Labels of callers are printable and a no-break space is not, so that no caller can name this game.
    return f"{kind}\N{NO-BREAK SPACE}{board}"


def _find(services: Services, client: RegisteredClient, board: str, now: int) -> _Found:
    """Return a finished game of the director's club; raise a Problem where there is none."""
    check_director(client)
    if (kept := services.kept_games.find(client.id, board)) is not None:
        return _Found(board, read_board(kept.kept.record), frozenset(kept.kept.checked), kept.kept.station)
    dealt = services.games.find_opened_by(board, str(client.id), now)
    if dealt is None:
        raise Problem("not-found", "GET /v1/boards has the ids of the games that devices of the club kept")
    if not isinstance(dealt.state.phase, GameOver):
        raise Problem("game-not-over", "a board is looked over when its game is over")
    names = [name or "" for name in dealt.seat_names]
    final = read_final_board(to_gcg_record(dealt.game, names))
    if isinstance(final, AuditFinding):
        raise Problem("not-found", "no play lies on the board of this game")
    is_checked = final.rules.challenge in (Challenge.NONE, Challenge.VOID)
    return _Found(board, final, frozenset(range(1, len(final.plays) + 1) if is_checked else ()))


def read_board(text: str) -> FinalBoard:
    """Return the final board of a record; raise a Problem that names the line and kind of what is wrong."""
    try:
        final = read_final_board(read_gcg(text.encode()))
    except BadInput as err:
        raise Problem("bad-record", "it has no line of a game record (GCG)") from err
    if isinstance(final, AuditFinding):
        # The finding's sentence may repeat words, as this does not.
        raise Problem("bad-record", f"line {final.line}: {final.kind.value}; ordws replay says what is wrong")
    if not all(_IS_WORD.fullmatch(word) for word in final.words):
        raise Problem("bad-record", "a board has words of A to Z")
    return final
