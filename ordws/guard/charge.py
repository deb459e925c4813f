"""Questions, what they cost, and the store that writes it: identities, charges, records, marks, and the protocol.

A charge is the cost of a question as a store applies it: records to raise, marks to set, and the limits in between. It
knows no store, and a store knows no budgets: `settle` is all the arithmetic that both need. It is written a second time
in Lua (`stores/lua_scripts.py`), and one contract suite runs over both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from struct import Struct
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from ordws.guard.policy import SHARE_DIVISOR, SHARE_STEPS

BudgetName: TypeAlias = Literal[
    "core",
    "units",
    "outside",
    "games",
    "reference",
    "game",
    "plays",
    "operator",
    "operator-reference",
    "players",
    "world",
    "guests",
    "visitors",
    "address",
]
"""The name of a budget, which a refusal gives.

Of an identity, a day: `core` words, `units` in all, units `outside` games, `games`, and words checked in an
installation's own players' `reference`. Of a game: what it may spend (`game`), and `plays`; in a sealed game a seat has
a part of both. Of an operator, a day: units and core words of all its players (`operator`), words that they checked in
such a reference (`operator-reference`), and new `players`. Of all unverified callers together, a day: `world`, of which
each client has a share. Of all guests, or of one play link: `guests`; of all visitors together: `visitors`. Of one
`address`: the games that guests open there, and the share of the visitors there.
"""

ID_BYTES: Final = 8
"""The length of the keyed hash of a client, player, game or word. Of ten million, two are the same in 1 of 400,000."""

NOBODY: Final = bytes(ID_BYTES)
"""In place of a player: the client as a whole."""

WORLD: Final = b"world".ljust(ID_BYTES, b"\0")
"""In place of a client: all unverified callers together."""

GUESTS: Final = b"guests".ljust(ID_BYTES, b"\0")
"""In place of a client: all guests together, each of whose games stands for a player."""

VISITORS: Final = b"visitors"
"""In place of a client: all visitors together; a hash of each address stands for a player."""

MeterOwner: TypeAlias = bytes
"""A client and its player, or `NOBODY`: 16 bytes."""

UNITS: Final = 0
"""The units of a record of either kind."""
CORE: Final = 1
"""The core words of a record of either kind; of an operator those new to it, whichever player asked."""

OUTSIDE, GAMES, CHECKS, PLAYERS, DRAWN_UNITS, DRAWN_CORE = range(2, 8)
"""Further counts of a subject's day: units outside games, games opened, words checked in an own reference, new players,
and what an unverified client has drawn on the record of `WORLD`."""

PLAYS: Final = 2
SEAT_UNITS: Final = 3
"""The first of the counts of units of a game's four seats; those of their plays follow."""
SEAT_PLAYS: Final = 7
OPENED, HELD_UNITS, HELD_CORE, LINK = range(11, 15)
"""The day on which a game of guests was opened, what it holds of units and core words, and the number of the play link
whose games of its own it is one of; 0 where it holds them of what all guests share."""

FIELDS: Final = 15
NO_LIMIT: Final = 1 << 32

UNIT, BASE, CORE_WORD, CLIENT_CORE, CHECK, OWN_CHECK, OPENING, PLAYER = range(8)
"""The classes of what counts once: a new mark of a word outside the core list, of a base, of a core word, of a core
word that is new to an operator, of a word checked in the public reference, or in an own one; a game that begins; a new
player."""
SEATS: Final = (8, 9, 10, 11)
"""The classes of the players who open a sealed game together."""
CLASSES: Final = 12

_RECORD: Final = Struct(f"<II{FIELDS}I")
_MARK: Final = Struct("<I4s")
FINGERPRINT_BYTES: Final = 4
NO_FINGERPRINT: Final = bytes(FINGERPRINT_BYTES)


class Mark(NamedTuple):
    """A record of something that counts once: a new mark adds what its class costs."""

    key: bytes
    kind: int
    """Its class."""
    word: str = ""
    """The word, which is never stored."""
    edition: int = 0
    """The edition that a word is charged under; 0 for what has none."""
    fingerprint: bytes = NO_FINGERPRINT
    is_pinned: bool = False
    """Whether a mark of another edition does not count: the word is charged anew, and the mark replaced."""


class ClientShare(NamedTuple):
    """A limit on what one client takes of a record that many draw on.

    It is what the others have left, divided: the whole, less what is spent of it, not counting what this client spent;
    or `least`, if that is more. What the others spent is rounded down to twentieths of the whole, so that nobody can
    watch them.
    """

    record: int
    field: int
    whole: int
    least: int

    def limit(self, spent_together: int, spent: int) -> int:
        """Return the limit, given what is spent of the whole and what this client spent."""
        # A client that was verified for a part of the day has spent more than it drew on the shared record.
        others = max(0, spent_together - spent)
        others -= others % max(1, self.whole // SHARE_STEPS)
        return max(self.least, (self.whole - others) // SHARE_DIVISOR)


class Amount(NamedTuple):
    """An amount that a charge adds to one count of one of its records, and how far that may rise."""

    record: int
    field: int
    classes: tuple[int, ...] = ()
    """The classes of which each new mark adds 1."""
    budget: BudgetName | None = None
    """The budget that refuses; None for a count that only counts."""
    limit: int = NO_LIMIT
    flat: int = 0
    """What is added whatever the marks are; a negative amount gives back."""
    each: int = 1
    """What a new mark adds."""
    counted: tuple[int, ...] | None = None
    """The classes that are held against the limit, where these are not those that are added."""
    share: ClientShare | None = None


class RecordRef(NamedTuple):
    """A record of a charge: its key, and the end that it gets if it begins."""

    key: bytes
    ends: int


class Charge(NamedTuple):
    """The cost of one question or act, which is written whole or not at all.

    Its records and marks are those of one client, its players and games, except for the record of `WORLD`.
    """

    records: tuple[RecordRef, ...]
    amounts: tuple[Amount, ...]
    marks: tuple[Mark, ...] = ()
    once: bytes | None = None
    """The key of a mark under which nothing is charged if it is there and the first record, that of its game, runs."""
    opening: int | None = None
    """The record of a game: if it does not run it begins, and counts as an `OPENING`."""
    extends: bool = False
    """Whether the opening record, if it runs, gets the given end where that is later."""
    needs: int | None = None
    """The record of a game that has to run, or the charge is refused."""
    closes: int | None = None
    """The record of a game that has to be there and is closed by this charge, so that it happens once."""

    @property
    def acts(self) -> bool:
        """True for a charge that is written even if no mark is new and nothing flat is added."""
        return self.once is not None or self.opening is not None or self.closes is not None


class MeterRecord(NamedTuple):
    """The counts of a subject's day or of a game."""

    ends: int
    is_closed: bool
    counts: list[int]

    def runs(self, now: int) -> bool:
        return self.ends > now and not self.is_closed

    def pack(self) -> bytes:
        return _RECORD.pack(self.ends, self.is_closed, *self.counts)

    @classmethod
    def unpack(cls, data: bytes) -> MeterRecord:
        ends, is_closed, *counts = _RECORD.unpack(data)
        return cls(ends, bool(is_closed), counts)


_NO_EDITIONS: Final[Mapping[str, int]] = MappingProxyType({})


class Refused(NamedTuple):
    """A refusal: a budget has no room for the question, and asking again before it begins anew is of no use."""

    budget: BudgetName | Literal["closed"]
    retry_after_seconds: int


class Admitted(NamedTuple):
    """A charge that was written."""

    records: tuple[list[int], ...] = ()
    """The counts of its records after it; none where nothing was charged."""
    new: tuple[int, ...] = ()
    """The number of new marks by class."""
    editions: Mapping[str, int] = _NO_EDITIONS
    """The editions of the words that were charged under another edition than this charge's, by word."""


def settle(amounts: Sequence[Amount], records: Sequence[list[int]], new: Sequence[int]) -> Amount | None:
    """Add what new marks cost to the counts of records; return the amount that has no room, or None.

    After a refusal the counts are of no use.
    """
    for amount in amounts:
        record, field, classes, _, limit, added, each, counted, share = amount
        for kind in classes:
            added += each * new[kind]
        counts = records[record]
        spent = counts[field]
        held = added if counted is None else sum([new[kind] for kind in counted])
        if held > 0:
            if share is not None:
                limit = min(limit, share.limit(records[share.record][share.field], spent))
            if spent + held > limit:
                return amount
        if added > 0:
            counts[field] = spent + added
        elif added:
            counts[field] = max(0, spent + added)
    return None


def day_key(subject: MeterOwner, day: int) -> bytes:
    """Return the key of the record of a subject's UTC day. Days come first, so that they are swept together."""
    return b"d" + day.to_bytes(4, "big") + subject


def guests_subject(link: int) -> MeterOwner:
    """Return whose record of the day counts the games of the play link with a number, or with 0 of all other guests."""
    return GUESTS + (b"link" + link.to_bytes(4, "big") if link else NOBODY)


def game_key(client: bytes, game: bytes) -> bytes:
    """Return the key of the record of a game."""
    return b"g" + client + game


def word_marks(subject: MeterOwner, day: int) -> bytes:
    """Return what the keys of all marks of a subject's UTC day begin with."""
    return b"m" + day.to_bytes(4, "big") + subject


def game_marks(client: bytes, game: bytes) -> bytes:
    """Return what the keys of all marks of a game begin with, which last as long as it does."""
    return b"t" + client + game


def owner(key: bytes) -> bytes:
    """Return the client of a record or mark, by its key."""
    return key[5 : 5 + ID_BYTES] if key[:1] in b"dm" else key[1 : 1 + ID_BYTES]


def has_history(subject: MeterOwner) -> bool:
    """Return whether the days of a subject are kept: not those of an address, nor what all guests hold together."""
    client = subject[:ID_BYTES]
    return client != GUESTS and (client != VISITORS or subject.endswith(NOBODY))


def pack_mark(mark: Mark) -> bytes:
    """Return what is stored of a mark: the edition and the fingerprint."""
    return _MARK.pack(mark.edition, mark.fingerprint)


def unpack_mark(data: bytes) -> tuple[int, bytes]:
    """Return the edition and the fingerprint of a mark."""
    edition, fingerprint = _MARK.unpack(data)
    return edition, fingerprint


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

    @property
    def is_sealed(self) -> bool:
        return self.turn is not None


CLOCK_WENT_BACK: Final = "the clock stands more than a day before a time at which questions were admitted"
"""The error where budgets of the clock's day may have been deleted already."""


class Lasting(NamedTuple):
    """The facts about a subject that outlast its days."""

    first_seen: int | None = None
    alarm: str = ""
    """The detector that came to an alarm last."""
    alarm_until: int = 0
    calmed: int = 0
    """The load of a day up to which a keeper has ended an alarm."""
    calmed_until: int = 0


class DayHistory(NamedTuple):
    """The charges of a subject on a UTC day, or of a game of guests on the day on which it was opened."""

    subject: MeterOwner
    day: int
    units: int
    core: int
    fingerprints: bytes
    """Four bytes for each word outside the core list."""


class MeterStore(Protocol):
    """A store of records and marks.

    Each method is atomic and exact across threads, processes and hosts, or raises StoreDown.
    """

    def apply(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a count would pass its limit."""

    def read(self, keys: Sequence[bytes]) -> list[MeterRecord | None]:
        """Return records as they stand, running or ended; None for one that is not there."""

    def day_records(self, client: bytes, day: int) -> dict[MeterOwner, MeterRecord]:
        """Return the records of a client's UTC day: of the client as a whole, and of its players."""

    def guest_games(self) -> dict[bytes, MeterRecord]:
        """Return the records of guests' games by the games' keyed hashes."""

    def find_lasting(self, subject: MeterOwner) -> Lasting:
        """Return what is kept of a subject."""

    def update_lasting(self, subject: MeterOwner, **changes: int | str) -> None:
        """Change fields of what is kept of a subject; on disk when it returns."""

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        """Return all subjects in alarm."""

    def collect(self, now: int) -> None:
        """Bring the history up to date from the days at hand, and delete what is older than 400 days."""

    def history(self, client: bytes) -> Iterator[DayHistory]:
        """Yield what a client and its players were charged, by subject and day, as it was collected last."""

    def address_key(self, now: int) -> bytes:
        """Return the random key of this UTC day for hashes of addresses, and erase that of the day before."""

    def halvings(self, now: int) -> int:
        """Return how often the limits of this UTC day were halved, because the machine lost its power."""

    def closed_until(self) -> int:
        """Return the moment until which everything is refused; 0 where nothing is."""

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if nothing can be written."""

    def close(self) -> None:
        """Close the files or the connection; the next call opens them again."""

    def sweep(self, now: int) -> int:
        """Delete the records that ended 26 hours ago and the marks of older days, and return how many those were."""
