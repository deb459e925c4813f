"""The kinds of clients; a row of `CLIENT_KINDS` is all that makes one."""

from __future__ import annotations

from typing import Final, NamedTuple


class ClientKind(NamedTuple):
    """A kind of client: for whom it asks, how many devices it pairs, and the budgets of its own."""

    title: str
    """Its name in the table of what each kind of caller may have answered on a day."""
    names_players: bool
    """Whether it asks for players, each by a pseudonym, and directs their devices; otherwise it is one caller itself,
    and its devices are those of a household."""
    most_devices: int
    """The number of paired devices and live codes that it may have together."""
    limits: tuple[tuple[str, int], ...] = ()
    """The limits that hold for it in place of those of the installation's policy, by their names there."""


CLIENT_KINDS: Final = {
    "home": ClientKind("home client", names_players=False, most_devices=3),
    "operator": ClientKind("operator", names_players=True, most_devices=100),
}
"""The kinds, by the names that keepers and the register use."""
