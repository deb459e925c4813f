"""The JSON shapes of requests for the seats of a sealed game."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api.requests import PlayerField, check_printable

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


class MakePromise(Struct, forbid_unknown_fields=True, frozen=True):
    """The version of the words that the player was shown."""

    version: Annotated[int, Meta(ge=1, le=1_000)]
