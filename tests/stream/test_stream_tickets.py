"""Stream tickets and nonces: what was signed is read, and nothing else is."""

from __future__ import annotations

import string

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import Broken
from ordws.stream.tickets import TICKET_SECONDS, StreamSigner, StreamTicket

NOW = 1_795_262_400
SIGNER = StreamSigner(b"s" * 32)
GAME = "0123456789abcdef" * 2
TICKET = StreamTicket(GAME, 1, 0, NOW + TICKET_SECONDS, "https://judge.example.org")

games = st.text("0123456789abcdef", min_size=32, max_size=32)
seats = st.integers(0, 3)
tickets = st.builds(
    StreamTicket,
    games,
    seats,
    st.integers(0, 999_999_999),
    st.integers(NOW + 1, 99_999_999_999),
    st.text(string.ascii_letters + string.digits + ":/.-[]", max_size=200),
)


@given(tickets)
def test_a_signed_ticket_is_read(ticket):
    """A ticket is read as it was signed, and has only characters that a cookie may hold."""
    text = SIGNER.sign_ticket(ticket)
    assert SIGNER.read_ticket(text, NOW) == ticket
    assert set(text) <= set(string.ascii_letters + string.digits + "-_.")


def test_a_ticket_expires():
    """A ticket is good until its last second, and no longer."""
    text = SIGNER.sign_ticket(TICKET)
    assert SIGNER.read_ticket(text, NOW + TICKET_SECONDS - 1) == TICKET
    assert SIGNER.read_ticket(text, NOW + TICKET_SECONDS) is None


@given(tickets, st.data())
def test_a_changed_ticket_is_not_read(ticket, data):
    """A ticket with any character changed is none, and so is one that another key signed."""
    text = SIGNER.sign_ticket(ticket)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from(string.ascii_letters + string.digits + "-_. \né"))
    changed = text[:place] + other + text[place + 1 :]
    # The last character of a MAC has bits that count for nothing, so the texts are compared as they are.
    assert (SIGNER.read_ticket(changed, NOW) is None) is (changed != text)
    assert StreamSigner(b"t" * 32).read_ticket(text, NOW) is None


@each_row("text", ["", "ordws_ticket_", f"ordws_seat_{GAME}", f"ordws_ticket_{GAME}00000000.{'A' * 43}"])
def test_other_texts_are_no_tickets(text):
    assert SIGNER.read_ticket(text, NOW) is None


@given(games, seats, st.integers(0, 500), st.integers(0, 10**14))
def test_a_nonce_is_bound_to_game_seat_and_row(game, seat, row, moment):
    """A nonce gives its moment for its own game, seat and row alone."""
    nonce = SIGNER.sign_nonce(game, seat, row, moment)
    assert SIGNER.read_nonce(nonce, game, seat, row) == moment
    assert SIGNER.read_nonce(nonce, game[::-1] + "0", seat, row) is None
    assert SIGNER.read_nonce(nonce, game, seat + 1, row) is None
    assert SIGNER.read_nonce(nonce, game, seat, row + 1) is None
    assert StreamSigner(b"t" * 32).read_nonce(nonce, game, seat, row) is None


def test_the_moment_of_a_nonce_cannot_be_changed():
    nonce = SIGNER.sign_nonce(GAME, 0, 4, 1_795_262_400_000)
    moment, _, mac = nonce.partition(".")
    assert SIGNER.read_nonce(f"{int(moment) + 1}.{mac}", GAME, 0, 4) is None
    assert SIGNER.read_nonce(f"0{nonce}", GAME, 0, 4) is None
    assert SIGNER.read_nonce("", GAME, 0, 4) is None


def test_a_key_of_another_length_is_refused():
    with pytest.raises(Broken, match="the stream key has 31 bytes"):
        StreamSigner(b"s" * 31)
