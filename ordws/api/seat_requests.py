"""The JSON shapes of requests for the seats of a sealed game."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ordws.api.requests import OPTIONS, ClockField, OptionValue, PlayerField, RulesField, check_printable
from ordws.rules.rulesets import DEFAULT_RULES_ID

_PLAY_LINK: Final = Meta(max_length=64, description="`ordws_play_...`, from the play link.")
_INVITATION: Final = Meta(max_length=64, description="`ordws_invite_...`, from the link of the invitation.")


class ReadInvitation(Struct, forbid_unknown_fields=True, frozen=True):
    """An invitation to look at."""

    invitation: Annotated[str, _INVITATION]


class TakeSeat(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An invitation to a seat, or the recovery code of a seat: one of the two."""

    invitation: Annotated[str, _INVITATION] | None = None
    recovery: (
        Annotated[
            str,
            Meta(
                max_length=32,
                description="In either case, with or without hyphens.",
                examples=["7K2Q-M4ZX-0RTB"],
            ),
        ]
        | None
    ) = None
    name: Annotated[PlayerField | None, Meta(description="The player's name, with an invitation.")] = None
    again: Annotated[
        bool,
        Meta(
            description="Whether the seat is taken over from the browser that took it by this invitation before, which"
            " is possible until its player has sworn: after a reply that was lost."
        ),
    ] = False

    def __post_init__(self) -> None:
        check_printable(self.name)


class ReadPlayLink(Struct, forbid_unknown_fields=True, frozen=True):
    """A play link to look at."""

    link: Annotated[str, _PLAY_LINK]


class OpenGuestGame(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A game to play with friends, opened by a play link and without a key."""

    link: Annotated[str, _PLAY_LINK]
    name: Annotated[PlayerField, Meta(description="The name of the player who opens the game.")]
    seats: Annotated[int, Meta(ge=2, le=4, description="The number of players.")] = 2
    first: Annotated[
        Literal["me", "other", "chance"],
        Meta(description="Whether the player who opens the game moves first, last, or as chance has it."),
    ] = "chance"
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None

    def __post_init__(self) -> None:
        check_printable(self.name)


class OpenPractice(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A game against the program. Everything has a default."""

    strength: Annotated[Literal["easy", "club", "strong"], Meta(description="How well the program plays.")] = "club"
    name: Annotated[PlayerField, Meta(description="The player's name.")] = "Player"
    first: Annotated[Literal["me", "other", "chance"], Meta(description="Who moves first.")] = "chance"
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None

    @property
    def clock(self) -> int:
        """Practice is untimed."""
        return 0

    def __post_init__(self) -> None:
        check_printable(self.name)


class MakePromise(Struct, forbid_unknown_fields=True, frozen=True):
    """The version of the words that the player was shown."""

    version: Annotated[int, Meta(ge=1, le=1_000)]


class WhichTurns(Struct, forbid_unknown_fields=True, frozen=True):
    """The sealed game whose turns are shown, and the seat that may see them."""

    id: str
    seat_token: Annotated[
        str, Meta(description="The token that `POST /v1/games` gave for the seat; left out with a seat's cookie.")
    ] = ""
