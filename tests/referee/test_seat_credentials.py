"""Tests of invitations, seat cookies and recovery codes as texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ordws.referee.seat_credentials import SeatCookie, SeatCredentials
from ordws.typed_codes import read_code

OURS, OTHERS = SeatCredentials(bytes(32)), SeatCredentials(bytes(31) + b"\1")
GAMES = st.text("0123456789abcdef", min_size=32, max_size=32)
SEATS = st.integers(0, 3)


@given(GAMES, GAMES, SEATS)
def test_an_invitation_is_read_for_its_game_alone(game, other, seat):
    """An invitation gives its seat in its game, and none in another one or under another key."""
    invitation = OURS.write_invitation(game, seat)
    assert (OURS.read_invitation(game, invitation), OTHERS.read_invitation(game, invitation)) == (seat, None)
    assert game == other or OURS.read_invitation(other, invitation) is None


@given(GAMES, SEATS, st.integers(1, 99), st.integers(1, 99))
def test_a_cookie_is_read_for_its_game_alone(game, seat, generation, later):
    """A cookie gives its seat and generation; of two that differ none, and of a valid and a forged one the valid."""
    cookie = SeatCookie(game, seat, generation)
    text = OURS.write_cookie(cookie)
    assert OURS.read_cookies(game, [text]) == OURS.read_cookies(game, [f"{text}0", text, "x", text]) == cookie
    assert OTHERS.read_cookies(game, [text]) is OURS.read_cookies(game, []) is None
    both = OURS.read_cookies(game, [text, OURS.write_cookie(cookie._replace(generation=later))])
    assert both == (cookie if later == generation else None)


@given(GAMES, SEATS, st.integers(1, 99), st.sampled_from(["", "-", " ", "\N{EN DASH}"]))
def test_a_recovery_code_is_read_however_it_is_written(game, seat, invited, separator):
    """A code has 60 bits, and is read in either case, in groups or not, and with its letters misread."""
    code = OURS.write_recovery_code(game, seat, invited)
    assert [len(group) for group in code.split("-")] == [4, 4, 4]
    written = code.replace("-", separator).lower().replace("0", "o").replace("1", "l")
    assert read_code(written) == code
    assert OURS.is_recovery_code(code, game, seat, invited)
    assert not OURS.is_recovery_code(code, game, seat, invited + 1)
    assert not OTHERS.is_recovery_code(code, game, seat, invited)


@given(st.text())
def test_any_other_text_is_no_credential(text):
    """A text that nobody wrote as a credential is none, and no error."""
    assert OURS.read_invitation("0" * 32, text) is None
    assert OURS.read_cookies("0" * 32, [text]) is None
    code = read_code(text)
    assert code is None or len(code) == 14
