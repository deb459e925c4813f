"""Questions, and what they are charged: identities, meters, marks and shares. Nothing here knows the word set."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.guard.policy import SHARE_DIVISOR, SHARE_STEPS

BudgetName: TypeAlias = Literal[
    "core",
    "units",
    "outside",
    "games",
    "reference",
    "game",
    "plays",
    "invalid",
    "seat",
    "seat-invalid",
    "operator",
    "operator-core",
    "operator-reference",
    "players",
    "world",
    "world-core",
    "share",
    "share-core",
    "guests",
    "guests-core",
    "game-core",
]
"""The name of a budget.

Of an identity, a day: `core` words, `units` in all, units `outside` games, `games`, and words checked in an
installation's own players' `reference`. Of a game: units (`game`), `plays`, and `invalid` plays, which have a word that
is not acceptable. Of a seat in a sealed game: units (`seat`) and invalid plays (`seat-invalid`). Of an operator, a day:
units of all its players (`operator`), core words new to it (`operator-core`), words that they checked in such a
reference (`operator-reference`), and new `players`. Of all unverified
callers together, a day: units (`world`) and core words (`world-core`), of which each client has a `share` and a
`share-core`. Of all guests together, a day: units (`guests`) and core words (`guests-core`) that their games hold; of a
guests' game: core words (`game-core`).
"""

FINGERPRINT_BYTES: Final = 4
WORLD: Final = "world"
"""The owner of the meters that many clients share, with which their names begin."""

GUESTS: Final = "guests"
"""The owner of the meters of all guests; those of one game have the game's key after it, as players have theirs."""


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


class Meter(NamedTuple):
    """A counter that ends. Its limit comes from the policy and is never stored."""

    # "identity/day/budget": the meters of one identity stand side by side in a store, and are written together.
    name: str
    limit: int
    ends: int


class Mark(NamedTuple):
    """A record of something that counts once: a word asked, a game opened. A new mark adds 1 to the meters it feeds."""

    key: bytes
    ends: int
    feeds: tuple[str, ...] = ()
    fingerprint: bytes = b""
    """The bytes that a new mark leaves in the fingerprint meter of its charge."""
    edition: int = 0
    """The edition that a word is charged under, which the store keeps; 0 for what has none."""
    is_pinned: bool = False
    """Whether a running mark of another edition does not count: it is charged anew, and replaced by this one."""
    opens: tuple[str, ...] = ()
    """The meters that begin with a new mark, if they do not run yet: who forgets them has to forget the mark."""


class ClientShare(NamedTuple):
    """A limit on what one client may take of a meter that many draw on. It is refused like a meter.

    A charge may not bring `meter` beyond a part of what the others have left: the limit of `of`, less what was spent of
    it, not counting what `meter` says the client spent, divided by `divisor`; or beyond `least`, if that is more. Of a
    part what the others spent is rounded down to twentieths of the limit of `of`, so that they cannot be watched.
    """

    name: str
    """The name that a refusal gives."""
    meter: str
    of: str
    least: int
    divisor: int = SHARE_DIVISOR

    def limit(self, of_limit: int, of_spent: int, spent: int) -> int:
        """Return the limit of `meter`, given the limit of `of` and what is spent of both before the charge."""
        # A client that was verified for a part of the day has spent more than it drew on the shared meter.
        others = max(0, of_spent - spent)
        if self.divisor > 1:
            others -= others % max(1, of_limit // SHARE_STEPS)
        return max(self.least, (of_limit - others) // self.divisor)


class Charge(NamedTuple):
    """The cost of one question, which is written whole or not at all.

    Its marks and meters are those of one client and its players and games, except for meters of all callers (`WORLD`).
    """

    meters: tuple[Meter, ...]
    amounts: dict[str, int]
    """What is charged to meters whatever the marks are. A negative amount gives back what a running meter has."""
    marks: tuple[Mark, ...]
    fingerprint_meter: str = ""
    """The meter that keeps the fingerprints of new marks."""
    shares: tuple[ClientShare, ...] = ()
    """Limits that are computed in the store's transaction; their meters are among `meters`."""
    long_kept: tuple[str, ...] = ()
    """The names of meters that are kept for 400 days, for the report, the trace and the cap."""
    expected: tuple[Meter, ...] = ()
    """The meters that the identity's next questions are likely to raise."""


class Question(NamedTuple):
    """Folded words asked together under one edition: in no game, in a game of the client's own, or in a sealed game."""

    words: tuple[str, ...]
    edition: int
    game: str | None = None
    turn: str | None = None
    """In a sealed game the turn and its move: the same turn asked again is the same question.

    A sealed game is judged by the edition it began with, whatever edition its words were charged under elsewhere.
    """

    seat: int | None = None
    """In a sealed game the seat that asks: each seat has limits of its own, so that none uses up the others' share."""
    is_doubt: bool = False
    """Whether this is a challenge, a check of the OSPD, or a question at the table of a verified club.

    Those concern doubtful words alone, so they are no evidence of mining.
    """

    is_check: bool = False
    """Whether this is a check of the players' reference: of a public list, its words are counted as core words."""

    is_own_list: bool = False
    """Whether the reference that is checked is the installation's own list, whose words have a budget of their own."""

    rule: str = ""
    """The word rule that judges the words, if it is not the regular one: under another it is another question."""

    bases: tuple[str, ...] = ()
    """Other words, outside the core list, on which the verdict may tell: each is charged as if it were asked."""

    @property
    def is_sealed(self) -> bool:
        return self.turn is not None


class ClientMeters(NamedTuple):
    """The meters of a client as a whole, a day: a home client's own, and for an operator those of all its players."""

    units: Meter
    core: Meter
    games: Meter

    @property
    def names(self) -> tuple[str, ...]:
        return self.units.name, self.core.name, self.games.name


class PricedWord(NamedTuple):
    """A word of three letters or more in a question, and the keys of its marks."""

    word: str
    mark: bytes
    client_mark: bytes | None
    """The mark of the word for an operator as a whole; None for a home client, and for a check of the reference."""
    is_core: bool
    is_base: bool = False
    """Whether it was not asked, but is charged with a word that was."""


class PricedQuestion(NamedTuple):
    """A question with its charge."""

    key: str
    """The key of the identity, with which the names of its meters begin."""
    charge: Charge
    words: tuple[PricedWord, ...]
    own_meters: ClientMeters
    client_meters: ClientMeters
    """For a home client the same as `own_meters`."""


def detector_prefix(name: str) -> str:
    """Return the prefix of the names of an identity's detector sums, given the prefix of its meters."""
    # "sign" is what stored rows say, so it stays although the code says detector.
    return f"{name}/sign/"


def owner_key(meter_name: str) -> str:
    """Return the key of the identity that a meter or a detector sum belongs to."""
    return meter_name.partition("/")[0]


def client_part(name: str) -> str:
    """Return the key of the client that a meter, a detector sum or an identity key belongs to, or `WORLD`."""
    return owner_key(name).partition(".")[0]
