"""The price of a question: a pure function of policy, register facts, question, core list and time.

Which words are charged is said in `ordws/api/verdicts.py`, and what they cost here alone. Prices follow from public
lists: nothing here knows the word set or a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from ordws.guard.charge import (
    BASE,
    CHECK,
    CHECKS,
    CLIENT_CORE,
    CORE,
    CORE_WORD,
    DRAWN_CORE,
    DRAWN_UNITS,
    FINGERPRINT_BYTES,
    GAMES,
    GUESTS,
    HELD_CORE,
    HELD_UNITS,
    ID_BYTES,
    LINK,
    NOBODY,
    OPENED,
    OPENING,
    OUTSIDE,
    OWN_CHECK,
    PLAYER,
    PLAYERS,
    PLAYS,
    SEAT_PLAYS,
    SEAT_UNITS,
    SEATS,
    UNIT,
    UNITS,
    VISITORS,
    WORLD,
    Amount,
    BudgetName,
    Charge,
    ClientShare,
    Identity,
    Mark,
    MeterOwner,
    Question,
    RecordRef,
    day_key,
    game_key,
    game_marks,
    guests_subject,
    word_marks,
)
from ordws.guard.policy import DAY, VISITOR_SHARE_DIVISOR, Policy

_CACHE_SIZE: Final = 2_048
GUESTS_NAME: Final = "guests"
"""The name of all guests together for keepers, in the place of a client's."""
VISITORS_NAME: Final = "visitors"
"""The same of all visitors together."""
_NAMES: Final = {GUESTS_NAME: GUESTS, VISITORS_NAME: VISITORS}


class QuestionTerms(NamedTuple):
    """The records and limits that all questions of an identity on one day share, outside games or in one game."""

    subject: MeterOwner
    client: MeterOwner
    """The client as a whole; of a home client the same as `subject`."""
    records: tuple[RecordRef, ...]
    amounts: tuple[Amount, ...]
    marks: bytes
    """What the keys of the marks of words begin with."""
    client_marks: bytes | None
    """The same of the marks of core words that an operator as a whole has; None for others."""
    game: int | None
    """The record of the game."""
    own: int | None
    """The record of the subject's day; None for guests, whose game has all there is."""
    whole: int | None
    """The record of the day of an operator as a whole; None for others."""
    total: int
    """The units of an operator as a whole."""
    day: int
    amounts_of: dict[int, tuple[Amount, ...]]
    """The amounts that a question may raise, by the set of classes of its marks: filled as questions come."""

    def amounts_for(self, marks: Sequence[Mark], *, opens: bool) -> tuple[Amount, ...]:
        """Return the amounts that these marks, or a game that begins, may raise, in the order of refusals."""
        classes = opens << OPENING
        for mark in marks:
            classes |= 1 << mark.kind
        found = self.amounts_of.get(classes)
        if found is None:
            found = self.amounts_of[classes] = tuple(
                [
                    amount
                    for amount in self.amounts
                    if amount.flat or any(classes >> kind & 1 for kind in amount.counted or amount.classes)
                ]
            )
        return found


class Pricing:
    """The prices under one policy, and the keys of records and marks under one meter key."""

    def __init__(self, policy: Policy, key: bytes) -> None:
        self.policy = policy
        self._keyed = blake2b(key=key, digest_size=16)
        self._policy_with = lru_cache(maxsize=None)(policy.with_limits)
        self._terms = lru_cache(maxsize=_CACHE_SIZE)(self._make_terms)
        self._id = lru_cache(maxsize=_CACHE_SIZE)(lambda *parts: self._hash("\x1f".join(parts).encode())[:ID_BYTES])

    def _hash(self, data: bytes) -> bytes:
        """Return a keyed hash: a stolen store tells neither words nor players."""
        # Copying the keyed state takes a fifth less time than making a new one.
        copy = self._keyed.copy()
        copy.update(data)
        return copy.digest()

    def client_id(self, client: str) -> bytes:
        """Return the keyed hash of a client, or what stands in its place for all guests, or visitors, together."""
        return _NAMES.get(client) or self._id("client", client)

    def subject(self, identity: Identity) -> MeterOwner:
        """Return whose records an identity has: a client's, its player's, or those of a game of guests."""
        if identity.is_guest:
            return GUESTS + self._id("guest", identity.client)
        player = NOBODY if identity.player is None else self._id("player", identity.client, identity.player)
        return self.client_id(identity.client) + player

    def fingerprint(self, subject: MeterOwner, word: str) -> bytes:
        """Return what is kept of a word that somebody was charged for, the same for every rule, day and edition."""
        return self._hash(subject + word.encode())[ID_BYTES : ID_BYTES + FINGERPRINT_BYTES]

    def terms(self, identity: Identity, question: Question, now: int, cap: int, halvings: int = 0) -> QuestionTerms:
        """Return what an identity may spend by a question of this kind, given today's cap of unverified callers."""
        policy = self._policy_with(identity.limits)
        games = policy.games_a_day
        total = policy.operator_units_a_day if identity.units is None else identity.units
        if not identity.is_verified and not identity.is_guest:
            since = identity.since if identity.first_seen is None else identity.first_seen
            games = policy.games_a_day_at_age(now - since)
            if identity.player is not None:
                total = policy.units_a_day_at_age(total, now - identity.since)
        is_sealed = question.is_sealed
        return self._terms(
            identity,
            games,
            total,
            question.game,
            is_sealed,
            question.seat,
            question.is_doubt,
            now // DAY,
            cap,
            halvings,
        )

    def price(
        self,
        identity: Identity,
        question: Question,
        core: Container[str],
        now: int,
        *,
        cap: int,
        is_new: bool = False,
        halvings: int = 0,
    ) -> tuple[Charge, QuestionTerms]:
        """Return the charge for a question. Two-letter words are published, so they are free.

        `cap` is the number of units of all unverified callers today, `is_new` whether a player was never seen before,
        and `halvings` how often the limits of this day were halved (`ordws.guard.stores.host_files`).
        """
        terms = self.terms(identity, question, now, cap, halvings)
        marks = self._marks(terms, question, core)
        if is_new:
            marks.append(self._player_mark(terms.subject, terms.client, terms.day))
        once, opening = None, terms.game
        if question.turn is not None:
            once, opening = self._turn_mark(terms, question.turn), None
        charge = Charge(
            terms.records,
            terms.amounts_for(marks, opens=opening is not None),
            tuple(marks),
            once,
            opening,
            needs=terms.game if identity.is_guest else None,
        )
        return charge, terms

    def opening_charge(
        self, seats: Sequence[tuple[Identity, bool]], game: str, now: int, *, halvings: int = 0
    ) -> Charge:
        """Return the charge for opening a sealed game: one game of each identity, who are all of one client.

        Each comes with whether its player is new. The same game opened again costs nothing.
        """
        day, client = now // DAY, self.client_id(seats[0][0].client)
        whole, sealed = client + NOBODY, self._id("sealed", game)
        records = [
            RecordRef(game_key(client, sealed), (day + 2) * DAY),
            RecordRef(day_key(whole, day), (day + 1) * DAY),
        ]
        marks, amounts = [], []
        for kind, (identity, is_new) in zip(SEATS, dict(seats).items(), strict=False):
            terms = self.terms(identity, Question((), 0), now, 0, halvings)
            own = 1
            if identity.player is not None:
                own = len(records)
                records.append(RecordRef(day_key(terms.subject, day), (day + 1) * DAY))
                amounts.append(Amount(1, GAMES, (kind,)))
            limit = next(each.limit for each in terms.amounts if each.budget == "games")
            amounts.append(Amount(own, GAMES, (kind,), "games", limit))
            if is_new:
                amounts += [each._replace(record=1) for each in terms.amounts if each.budget == "players"]
                marks.append(self._player_mark(terms.subject, whole, day))
            marks.append(Mark(game_marks(client, sealed) + self._hash(b"seat" + terms.subject)[:ID_BYTES], kind))
        # One amount counts the new players of all seats.
        return Charge(tuple(records), tuple(dict.fromkeys(amounts)), tuple(marks), opening=0)

    def allowances(self, terms: QuestionTerms) -> Iterator[tuple[BudgetName, RecordRef, Amount]]:
        """Yield the budgets that an identity is shown, each with its record and its limit."""
        shown: set[BudgetName] = {"world"}
        # Those of a game come last.
        for amount in sorted(terms.amounts, key=lambda amount: amount.record == terms.game):
            if amount.budget is not None and amount.budget not in shown:
                shown.add(amount.budget)
                yield amount.budget, terms.records[amount.record], amount

    def _marks(self, terms: QuestionTerms, question: Question, core: Container[str]) -> list[Mark]:
        """Return the marks of the words of a question, which make each count once a day for whoever asks it."""
        subject, edition, rule = terms.subject, question.edition, question.rule
        # Kinds never stand for each other, or a check would let the judge be asked for free.
        kind = ""
        if question.is_check:
            kind = "own-check" if question.is_own_list else "check"
        suffix = f"\x1f{kind}\x1f{rule}".encode() if kind or rule else b""
        marks: list[Mark] = []
        is_sealed, bases = question.is_sealed, question.bases
        # Each word once, and as a base only where it is not asked as well.
        places = dict.fromkeys(question.words, UNIT)
        if bases:
            places = dict.fromkeys(bases, BASE) | places
        for word, place in places.items():
            if len(word) < 3:
                continue
            digest = self._hash(subject + word.encode())
            key = terms.marks + (self._hash(digest + suffix) if suffix else digest)[:ID_BYTES]
            if kind:
                marks.append(Mark(key, OWN_CHECK, word, edition) if question.is_own_list else Mark(key, CHECK, word))
            elif word not in core:
                # A base is pinned also where it is asked along with its form, or the form would tell of its edition.
                fingerprint = digest[ID_BYTES : ID_BYTES + FINGERPRINT_BYTES]
                marks.append(Mark(key, place, word, edition, fingerprint, is_sealed or word in bases))
            else:
                marks.append(Mark(key, CORE_WORD, word, edition, is_pinned=is_sealed))
                if terms.client_marks is not None:
                    shared = self._hash(terms.client + word.encode() + suffix)[:ID_BYTES]
                    marks.append(Mark(terms.client_marks + shared, CLIENT_CORE))
        return marks

    def _turn_mark(self, terms: QuestionTerms, turn: str) -> bytes:
        """Return the key of the mark of a turn and its move, for whoever is charged for it."""
        assert terms.game is not None
        client, game = terms.subject[:ID_BYTES], terms.records[terms.game].key[-ID_BYTES:]
        return game_marks(client, game) + self._hash(terms.subject + b"turn\x1f" + turn.encode())[:ID_BYTES]

    def _player_mark(self, player: MeterOwner, client: MeterOwner, day: int) -> Mark:
        return Mark(word_marks(client, day) + self._hash(b"player" + player)[:ID_BYTES], PLAYER)

    def _make_terms(
        self,
        identity: Identity,
        games: int,
        total: int,
        game: str | None,
        is_sealed: bool,
        seat: int | None,
        is_doubt: bool,
        day: int,
        cap: int,
        halvings: int,
    ) -> QuestionTerms:
        subject = self.subject(identity)
        client = subject[:ID_BYTES] + NOBODY
        if identity.is_guest:
            return self._guest_terms(identity, subject, seat, is_doubt, day)
        policy = self._policy_with(identity.limits)
        left = _reducer(policy, is_alarming=identity.is_alarming, halvings=halvings)
        records: list[RecordRef] = []
        amounts: list[Amount] = []
        if game is not None:
            # All seats of a sealed game are of the client that opened it; a label belongs to whoever gave it.
            id = self._id("sealed", game) if is_sealed else self._hash(subject + b"label" + game.encode())[:ID_BYTES]
            records.append(RecordRef(game_key(client[:ID_BYTES], id), (day + 2) * DAY))
            amounts += _game_amounts(policy, seat, is_alarming=identity.is_alarming, is_doubt=is_doubt)
        midnight, own, is_player = (day + 1) * DAY, len(records), identity.player is not None
        whole = own + is_player
        records.append(RecordRef(day_key(subject, day), midnight))
        if is_player:
            records.append(RecordRef(day_key(client, day), midnight))
        amounts += _caller_amounts(policy, own, games, left, is_outside=game is None)
        if is_player:
            amounts += _operator_amounts(policy, whole, identity, total, halvings)
        if not identity.is_verified:
            records.append(RecordRef(day_key(WORLD + NOBODY, day), midnight))
            amounts += self._world_amounts(whole, len(records) - 1, cap, halvings)
        return QuestionTerms(
            subject,
            client,
            tuple(records),
            tuple(amounts),
            word_marks(subject, day),
            word_marks(client, day) if is_player else None,
            0 if game is not None else None,
            own,
            whole if is_player else None,
            total,
            day,
            {},
        )

    def _world_amounts(self, whole: int, world: int, cap: int, halvings: int) -> Iterator[Amount]:
        """Yield the share of a client in what all unverified callers may spend, and then the whole of it."""
        policy, left = self.policy, _reducer(self.policy, halvings=halvings)
        units, core = left(cap), left(policy.world_core_cap(cap))
        of_units = ClientShare(world, UNITS, units, policy.least_share)
        of_core = ClientShare(world, CORE, core, policy.least_core_share)
        # What is left to share is read before it is drawn on.
        yield Amount(whole, DRAWN_UNITS, (UNIT, BASE), "world", share=of_units)
        yield Amount(whole, DRAWN_CORE, (CORE_WORD,), "world", share=of_core)
        yield Amount(world, UNITS, (UNIT, BASE), "world", units)
        yield Amount(world, CORE, (CORE_WORD,), "world", core)

    def _guest_terms(
        self, identity: Identity, subject: MeterOwner, seat: int | None, is_doubt: bool, day: int
    ) -> QuestionTerms:
        """Return what the guests of a game may spend: what it holds (`ordws.guard.guests`)."""
        policy, game = self.policy, subject[ID_BYTES:]
        left = _reducer(policy, is_alarming=identity.is_alarming)
        amounts = _game_amounts(policy, seat, is_alarming=identity.is_alarming, is_doubt=is_doubt)
        # The game holds all that it may spend, so bases are units of it too, but of no seat.
        amounts[0] = amounts[0]._replace(classes=(UNIT, BASE))
        amounts.append(Amount(0, CORE, (CORE_WORD,), "game", left(policy.core_a_guest_game)))
        record = RecordRef(game_key(GUESTS, game), (day + 2) * DAY)
        marks = game_marks(GUESTS, game)
        return QuestionTerms(subject, subject, (record,), tuple(amounts), marks, None, 0, None, None, 0, day, {})

    def guests_limits(self, own_games: int | None = None, halvings: int = 0) -> tuple[int, int]:
        """Return the units and core words a day of a play link with games of its own, or else of all other guests."""
        policy, left = self.policy, _reducer(self.policy, halvings=halvings)
        if own_games is None:
            return left(policy.guest_units_a_day), left(policy.guest_core_a_day)
        return left(own_games * policy.units_a_game), left(own_games * policy.core_a_guest_game)

    def holding_charge(
        self,
        game: bytes,
        expires: int,
        now: int,
        *,
        link: int = 0,
        own_games: int | None = None,
        address: bytes | None = None,
        halvings: int = 0,
    ) -> Charge:
        """Return the charge that holds what a game of guests may spend, on this day and on the next.

        A game that holds it already keeps it until `expires`, if that is later. `link` is the number of a play link
        with games of its own, and `own_games` how many it has a day. `address` is the keyed hash of the address that
        opens the game, whose games of the day it counts.
        """
        policy, day, most = self.policy, now // DAY, self.guests_limits(own_games, halvings)
        records = [RecordRef(game_key(GUESTS, game), expires)]
        held = ((OPENED, day), (HELD_UNITS, policy.units_a_game), (HELD_CORE, policy.core_a_guest_game), (LINK, link))
        amounts = [Amount(0, field, (OPENING,), each=amount) for field, amount in held]
        if address is not None:
            records.append(RecordRef(day_key(GUESTS + address, day), (day + 1) * DAY))
            amounts.append(Amount(1, GAMES, (OPENING,), "address", policy.guest_games_an_address))
        for each in (day, day + 1):
            at = len(records)
            records.append(RecordRef(day_key(guests_subject(link), each), (each + 1) * DAY))
            amounts.append(Amount(at, UNITS, (OPENING,), "guests", most[0], each=policy.units_a_game))
            amounts.append(Amount(at, CORE, (OPENING,), "guests", most[1], each=policy.core_a_guest_game))
        return Charge(tuple(records), tuple(amounts), opening=0, extends=True)

    def returning_charge(self, game: bytes, counts: Sequence[int], now: int) -> Charge:
        """Return the charge with which a game of guests that is over gives back what it did not spend.

        `counts` are those of the game's record. What the game may still spend is charged to it in the same moment, so
        that the charge is refused where more was spent meanwhile, and the game is closed, so that it happens once.
        Nothing is spent on the day after if the game is over on its first day.
        """
        day, opened, spent = now // DAY, counts[OPENED], (counts[UNITS], counts[CORE])
        # A keeper may have changed the policy since the game was opened.
        held = (counts[HELD_UNITS], counts[HELD_CORE])
        records = [RecordRef(game_key(GUESTS, game), (opened + 2) * DAY)]
        amounts = [
            Amount(0, field, (), "game", most, flat=max(0, most - used))
            for field, most, used in zip((UNITS, CORE), held, spent, strict=True)
        ]
        for each in range(day, opened + 2):
            at = len(records)
            records.append(RecordRef(day_key(guests_subject(counts[LINK]), each), (each + 1) * DAY))
            for field, most, used in zip((UNITS, CORE), held, spent, strict=True):
                amounts.append(Amount(at, field, flat=-(most - used if each == day else most)))
        return Charge(tuple(records), tuple(amounts), closes=0)

    def visitor_charge(
        self, words: Sequence[str], core: Container[str], edition: int, address: bytes, now: int, *, halvings: int = 0
    ) -> Charge:
        """Return the charge for what a visitor asks: each asking costs, or a free one would tell what others asked.

        `address` is the keyed hash of the visitor's address. Marks are set for the trail alone.
        """
        policy, day, left = self.policy, now // DAY, _reducer(self.policy, halvings=halvings)
        everybody = VISITORS + NOBODY
        records = [RecordRef(day_key(subject, day), (day + 1) * DAY) for subject in (VISITORS + address, everybody)]
        paid = [word for word in words if len(word) > 2]
        units = [word for word in paid if word not in core]
        amounts = []
        for field, count, most in (
            (UNITS, len(units), left(policy.visitor_units_a_day)),
            (CORE, len(paid) - len(units), left(policy.visitor_core_a_day)),
        ):
            amounts.append(Amount(0, field, (), "address", most // VISITOR_SHARE_DIVISOR, flat=count))
            amounts.append(Amount(1, field, (), "visitors", most, flat=count))
        marks = []
        for word in units:
            digest = self._hash(everybody + word.encode())
            key = word_marks(everybody, day) + digest[:ID_BYTES]
            marks.append(Mark(key, UNIT, word, edition, digest[ID_BYTES : ID_BYTES + FINGERPRINT_BYTES]))
        return Charge(tuple(records), tuple(amounts), tuple(marks))


def _game_amounts(policy: Policy, seat: int | None, *, is_alarming: bool, is_doubt: bool) -> list[Amount]:
    """Return the amounts of a game, the record of which comes first."""
    left = _reducer(policy, is_alarming=is_alarming)
    amounts = [Amount(0, UNITS, (UNIT,), "game", left(policy.units_a_game))]
    if seat is not None:
        amounts.append(Amount(0, SEAT_UNITS + seat, (UNIT,), "game", left(policy.units_a_seat)))
    amounts.append(Amount(0, PLAYS, (), "plays", policy.plays_a_game, flat=1))
    if seat is not None and not is_doubt:
        amounts.append(Amount(0, SEAT_PLAYS + seat, (), "plays", policy.plays_a_seat, flat=1))
    return amounts


def _caller_amounts(
    policy: Policy, own: int, games: int, left: Callable[[int], int], *, is_outside: bool
) -> Iterator[Amount]:
    """Yield the amounts of an identity's day."""
    yield Amount(own, CORE, (CORE_WORD, CHECK), "core", left(policy.core_a_day(games)))
    # A base is a unit of the day and none of the game.
    yield Amount(own, UNITS, (UNIT, BASE), "units", left(policy.units_a_day_with(games)))
    outside = (UNIT, BASE) if is_outside else ()
    yield Amount(own, OUTSIDE, outside, "outside", left(policy.outside_a_day))
    yield Amount(own, GAMES, (OPENING,), "games", games)
    yield Amount(own, CHECKS, (OWN_CHECK,), "reference", left(policy.reference_a_day))


def _operator_amounts(policy: Policy, whole: int, identity: Identity, total: int, halvings: int) -> Iterator[Amount]:
    """Yield the amounts of the day of an operator as a whole."""
    left = _reducer(policy, is_alarming=identity.is_operator_alarming, halvings=halvings)
    units, core = left(total), left(policy.operator_core_a_day(total))
    yield Amount(whole, UNITS, (UNIT, BASE), "operator", units)
    # Refused as if none of the words were known to the operator, or this would tell which ones are.
    yield Amount(whole, CORE, (CLIENT_CORE,), "operator", core, counted=(CORE_WORD,))
    yield Amount(whole, CHECKS, (OWN_CHECK,), "operator-reference", units * policy.operator_reference_percent // 100)
    yield Amount(whole, GAMES, (OPENING,))
    players = policy.verified_new_players_a_day(total) if identity.is_verified else policy.new_players_a_day
    # A device of a verified operator is not counted: the operator's daily totals bound all of them.
    yield Amount(whole, PLAYERS, () if identity.is_club_device else (PLAYER,), "players", players)


def _reducer(policy: Policy, *, is_alarming: bool = False, halvings: int = 0) -> Callable[[int], int]:
    """Return a function of what is left of a limit in an alarm, and after power cuts."""

    def left(limit: int) -> int:
        limit = policy.tightened_limit(limit) if is_alarming else limit
        # Rounded up, so that nobody is shut out; negated twice, because >> rounds down.
        return -(-limit >> halvings)

    return left
