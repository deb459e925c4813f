"""Identities, which are charged, and the questions that they ask."""

from __future__ import annotations

from typing import NamedTuple


class Identity(NamedTuple):
    """The holder of budgets: a client, or a player of an operator, whose pseudonym has no control characters."""

    client: str
    since: int
    """The moment the client was registered."""
    player: str | None = None
    is_verified: bool = False
    units: int | None = None
    """The daily total that a keeper has set for an operator."""
    is_alarming: bool = False
    """Whether a detector is in alarm, so that the budgets of units and core words are reduced."""
    is_club_device: bool = False
    """Whether the player is a paired device of a verified operator, which does not count as a new player of the day."""
    first_seen: int | None = None
    """The moment a player was first seen; None for a client, and for a player whom the gate has yet to look up."""
    is_operator_alarming: bool = False
    """Whether a detector of the operator as a whole is in alarm, so that its totals are reduced."""
    is_guest: bool = False
    """Whether these are the guests of one sealed game, which `client` names; a game may spend what it holds."""
    limits: tuple[tuple[str, int], ...] = ()
    """The limits of the client's kind in place of those of the policy."""


class Question(NamedTuple):
    """Folded words asked together under one edition: in no game, in a game of the client's own, or in a sealed game."""

    words: tuple[str, ...]
    edition: int
    game: str | None = None
    turn: str | None = None
    """In a sealed game the turn, its move and its words: asked again by the same identity, it costs nothing.

    A sealed game is judged by the edition it began with, whatever edition its words were charged under elsewhere.
    """

    seat: int | None = None
    """In a sealed game the seat that asks: each seat has limits of its own, so that none uses up the others' share."""
    is_doubt: bool = False
    """Whether a seat doubts words by a challenge or a check of the OSPD, which is no play of its own."""

    is_check: bool = False
    """Whether this is a check of the players' reference: of a public list, its words are counted as core words."""

    is_own_list: bool = False
    """Whether the reference that is checked is the installation's own list, whose words have a budget of their own."""

    rule: str = ""
    """The word rule that judges the words, if it is not the regular one: under another it is another question."""

    bases: tuple[str, ...] = ()
    """Other words, outside the core list, on which the verdict may tell: each is charged as if it were asked."""
