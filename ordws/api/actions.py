"""The table of all actions, read by the WSGI applications, the OpenAPI document and tests."""

from __future__ import annotations

from typing import Final

from ordws.api import (
    boards,
    devices,
    games,
    guest_games,
    home,
    ospd_check,
    plays,
    public,
    seats,
    stations,
    stream_tickets,
    words,
)
from ordws.api.action import Action, AuthenticatedAction, HttpMethod, PathTemplate, PublicAction
from ordws.api.problems import ProblemCode
from ordws.api.replies import (
    About,
    DisallowedWords,
    JudgedPlay,
    Quota,
    RuleSetOptions,
    RuleSets,
    Scored,
    State,
    TwoLetterWords,
    Verdict,
)
from ordws.api.requests import (
    CheckAtHome,
    CheckWords,
    FindWords,
    JudgePlay,
    JudgeWords,
    KeepBoard,
    NewDevice,
    Nothing,
    OpenGame,
    PairDevice,
    TakeTurn,
    WhichBoard,
    WhichEntries,
    WhichGame,
    WhichRules,
    WhichRuleSet,
    WhichTurns,
    WhoseQuota,
)
from ordws.api.seat_requests import MakePromise, OpenGuestGame, ReadInvitation, TakeSeat
from ordws.api.standing import ScoreSheet, Standing, TurnTaken
from ordws.api.station_events import SendStationGame

_HOME_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("bad-word", "unknown-rules", "unknown-option")

ACTIONS: Final[dict[tuple[HttpMethod, PathTemplate], Action]] = {
    ("GET", "/"): PublicAction(handler=public.enter, request_type=Nothing, reply_type=About),
    ("GET", "/healthz"): PublicAction(handler=public.be_up, request_type=Nothing, reply_type=State),
    ("GET", "/readyz"): PublicAction(
        handler=public.be_ready, request_type=Nothing, reply_type=State, problem_codes=("store-down",)
    ),
    ("GET", "/v1/two-letter-words"): PublicAction(
        handler=public.list_twos, request_type=WhichRules, reply_type=TwoLetterWords, problem_codes=("unknown-rules",)
    ),
    ("GET", "/v1/disallowed-words"): PublicAction(
        handler=public.list_disallowed,
        request_type=WhichRules,
        reply_type=DisallowedWords,
        problem_codes=("unknown-rules",),
    ),
    ("GET", "/v1/rules"): PublicAction(handler=public.list_rules, request_type=Nothing, reply_type=RuleSets),
    ("GET", "/v1/rules/{id}"): PublicAction(
        handler=public.show_rules, request_type=WhichRuleSet, reply_type=RuleSetOptions, problem_codes=("not-found",)
    ),
    ("GET", "/v1/quota"): AuthenticatedAction(
        handler=words.answer_quota,
        request_type=WhoseQuota,
        reply_type=Quota,
        problem_codes=("player-required",),
        auth="either",
    ),
    ("POST", "/v1/judge"): AuthenticatedAction(
        handler=words.answer_question,
        request_type=JudgeWords,
        reply_type=Verdict,
        problem_codes=("bad-word", "unknown-rules", "unknown-option", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/plays"): AuthenticatedAction(
        handler=plays.answer_play,
        request_type=JudgePlay,
        reply_type=JudgedPlay,
        problem_codes=(*plays.ILL_FORMED_CODES, "disallowed-word", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/score"): AuthenticatedAction(
        handler=plays.answer_score,
        request_type=JudgePlay,
        reply_type=Scored,
        problem_codes=plays.ILL_FORMED_CODES,
        auth="either",
    ),
    ("POST", "/v1/ospd"): AuthenticatedAction(
        handler=ospd_check.check_ospd,
        request_type=CheckWords,
        reply_type=ospd_check.Found,
        problem_codes=("bad-word", "unknown-rules", "check-not-allowed", "player-required", "budget-spent"),
        commits=True,
        auth="either",
    ),
    ("POST", "/v1/home"): PublicAction(
        handler=home.rule_at_home,
        request_type=CheckAtHome,
        reply_type=home.HomeRuling,
        problem_codes=_HOME_PROBLEMS,
        with_own_reference=AuthenticatedAction(
            handler=home.rule_by_own_reference,
            request_type=CheckAtHome,
            reply_type=home.HomeRuling,
            problem_codes=(*_HOME_PROBLEMS, "player-required", "budget-spent"),
            auth="either",
        ),
    ),
    ("POST", "/v1/pair"): PublicAction(
        handler=devices.pair_device,
        request_type=PairDevice,
        reply_type=devices.PairedFor,
        problem_codes=("bad-code", "too-many-guesses", "store-down", "cross-site"),
        same_site_only=True,
        takes_address=True,
    ),
    ("GET", "/v1/device"): AuthenticatedAction(
        handler=devices.show_device, request_type=Nothing, reply_type=devices.ThisDevice, auth="device"
    ),
    ("POST", "/v1/device/forget"): AuthenticatedAction(
        handler=devices.forget_device, request_type=Nothing, reply_type=devices.PairedFor, auth="device"
    ),
    ("POST", "/v1/device/key"): AuthenticatedAction(
        handler=stations.register_key,
        request_type=stations.RegisterKey,
        reply_type=stations.RegisteredKey,
        problem_codes=("bad-key", "key-registered"),
        auth="device",
    ),
    ("POST", "/v1/devices"): AuthenticatedAction(
        handler=devices.invite_device,
        request_type=NewDevice,
        reply_type=devices.PairingCode,
        problem_codes=("too-many-devices", "operators-only"),
        commits=True,
        status=201,
    ),
    ("GET", "/v1/devices"): AuthenticatedAction(
        handler=devices.list_devices, request_type=Nothing, reply_type=devices.DeviceList
    ),
    ("POST", "/v1/devices/{id}/revoke"): AuthenticatedAction(
        handler=devices.revoke_device,
        request_type=Nothing,
        reply_type=devices.DeviceEntry,
        problem_codes=("not-found",),
        commits=True,
    ),
    ("GET", "/v1/devices/log"): AuthenticatedAction(
        handler=devices.read_log,
        request_type=WhichEntries,
        reply_type=devices.LogEntries,
        problem_codes=("operators-only",),
    ),
    ("POST", "/v1/devices/log/find"): AuthenticatedAction(
        handler=devices.find_in_log,
        request_type=FindWords,
        reply_type=devices.LogEntries,
        problem_codes=("bad-word", "operators-only"),
    ),
    ("POST", "/v1/boards"): AuthenticatedAction(
        handler=boards.keep_board,
        request_type=KeepBoard,
        reply_type=boards.RegisteredBoard,
        problem_codes=("operators-only", "bad-record", "board-kept", "budget-spent"),
        auth="device",
        commits=True,
        status=201,
    ),
    ("POST", "/v1/stations/games"): AuthenticatedAction(
        handler=stations.keep_station_game,
        request_type=SendStationGame,
        reply_type=boards.RegisteredBoard,
        problem_codes=(
            "operators-only",
            "no-key",
            "bad-events",
            "bad-record",
            "unknown-rules",
            "unknown-option",
            "board-kept",
            "budget-spent",
        ),
        auth="device",
        commits=True,
        status=201,
        max_body_bytes=256 * 1024,
    ),
    ("GET", "/v1/boards"): AuthenticatedAction(
        handler=boards.list_boards,
        request_type=Nothing,
        reply_type=boards.BoardList,
        problem_codes=("directors-only",),
        auth="device",
    ),
    ("GET", "/v1/boards/{id}"): AuthenticatedAction(
        handler=boards.show_board,
        request_type=WhichBoard,
        reply_type=boards.ShownBoard,
        problem_codes=("directors-only", "not-found", "game-not-over"),
        auth="device",
    ),
    ("POST", "/v1/boards/{id}/review"): AuthenticatedAction(
        handler=boards.review_board,
        request_type=Nothing,
        reply_type=Verdict,
        problem_codes=("directors-only", "not-found", "game-not-over", "budget-spent"),
        auth="device",
        commits=True,
    ),
    ("POST", "/v1/boards/{id}/review-plays"): AuthenticatedAction(
        handler=boards.review_plays,
        request_type=Nothing,
        reply_type=boards.PlayVerdicts,
        problem_codes=("directors-only", "not-found", "game-not-over", "budget-spent"),
        auth="device",
        commits=True,
    ),
    ("GET", "/v1/guest-games"): PublicAction(
        handler=guest_games.show_guest_games,
        request_type=Nothing,
        reply_type=guest_games.GuestGamesToday,
        problem_codes=("store-down",),
    ),
    ("POST", "/v1/guest-games"): PublicAction(
        handler=guest_games.open_guest_game,
        request_type=OpenGuestGame,
        reply_type=guest_games.OpenedGuestGame,
        problem_codes=(*guest_games.OPEN_GUEST_PROBLEMS, "store-down", "cross-site"),
        same_site_only=True,
        takes_address=True,
        status=201,
    ),
    ("POST", "/v1/games"): AuthenticatedAction(
        handler=games.open_game,
        request_type=OpenGame,
        reply_type=games.OpenedGame,
        problem_codes=games.OPEN_PROBLEMS,
        scope="game",
        commits=True,
        status=201,
    ),
    ("GET", "/v1/games/{id}"): AuthenticatedAction(
        handler=games.show_game,
        request_type=WhichGame,
        reply_type=Standing,
        problem_codes=games.SHOW_PROBLEMS,
        scope="game",
        auth="seat",
        headers={"seat_token": "Seat-Token", "accept": "Accept"},
        other_media_types=("text/plain",),
    ),
    ("GET", "/v1/games/{id}/turns"): AuthenticatedAction(
        handler=games.show_turns,
        request_type=WhichTurns,
        reply_type=ScoreSheet,
        problem_codes=seats.SEAT_PROBLEMS,
        scope="game",
        auth="seat",
        headers={"seat_token": "Seat-Token"},
    ),
    ("POST", "/v1/games/{id}/turns"): AuthenticatedAction(
        handler=games.take_turn,
        request_type=TakeTurn,
        reply_type=TurnTaken,
        problem_codes=games.TURN_PROBLEMS,
        scope="game",
        auth="seat",
        commits=True,
    ),
    ("POST", "/v1/games/{id}/invitation"): PublicAction(
        handler=seats.read_invitation,
        request_type=ReadInvitation,
        reply_type=seats.Invitation,
        problem_codes=("bad-invitation", "store-down", "cross-site"),
        same_site_only=True,
    ),
    ("POST", "/v1/games/{id}/seat"): PublicAction(
        handler=seats.take_seat,
        request_type=TakeSeat,
        reply_type=seats.SeatTaken,
        problem_codes=(*seats.TAKE_SEAT_PROBLEMS, "store-down", "cross-site"),
        same_site_only=True,
        takes_address=True,
    ),
    ("POST", "/v1/games/{id}/oath"): AuthenticatedAction(
        handler=seats.take_oath,
        request_type=MakePromise,
        reply_type=Standing,
        problem_codes=(*seats.SEAT_PROBLEMS, "oath-changed"),
        scope="game",
        auth="seat",
    ),
    ("POST", "/v1/games/{id}/attestation"): AuthenticatedAction(
        handler=seats.attest,
        request_type=MakePromise,
        reply_type=Standing,
        problem_codes=(*seats.SEAT_PROBLEMS, "oath-changed", "game-not-over"),
        scope="game",
        auth="seat",
    ),
    ("POST", "/v1/games/{id}/stream-tickets"): AuthenticatedAction(
        handler=stream_tickets.give_ticket,
        request_type=Nothing,
        reply_type=stream_tickets.StreamTicketGiven,
        problem_codes=seats.SEAT_PROBLEMS,
        scope="game",
        auth="seat",
    ),
}
