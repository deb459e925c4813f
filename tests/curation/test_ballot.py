"""The reading of a ballot from texts, and the texts that are refused."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.curation.decision import Ballot, normalize_utc, read_ballot
from ordws.errors import BadBallot

GOOD = {
    "id": "a1",
    "family": "BASH",
    "curator": "ann",
    "vote": "in",
    "reason": "",
    "at": "2026-11-21T08:30:00Z",
}


def test_texts_make_a_ballot() -> None:
    """Words are folded, forms are sorted without duplicates, and the time is normalized."""
    texts = {**GOOD, "family": " bash", "reason": " heard it\r\nat home ", "at": "2026-11-21T08:30:00.000+00:00"}
    assert read_ballot(**texts, forms=["bashings", "Bashed", "BASHED"]) == Ballot(
        id="a1",
        family="BASH",
        curator="ann",
        vote="in",
        forms=("BASHED", "BASHINGS"),
        reason="heard it\nat home",
        at="2026-11-21T08:30:00Z",
    )


@each_row(
    ("column", "text", "fault"),
    [
        ("id", "", "id: not 1 to 100 printable characters, the first none of = + - @"),
        ("id", "i" * 101, "id: not 1 to 100 printable characters, the first none of = + - @"),
        ("id", "a\x001", "id: not 1 to 100 printable characters, the first none of = + - @"),
        ("curator", "  ", "curator: not 1 to 100 printable characters, the first none of = + - @"),
        ("curator", "=1+1", "curator: not 1 to 100 printable characters, the first none of = + - @"),
        ("curator", "an\nn", "curator: not 1 to 100 printable characters, the first none of = + - @"),
        ("family", "B", "family: not a word of 2 to 21 letters, A to Z with or without accents"),
        ("family", "BASH ING", "family: not a word of 2 to 21 letters, A to Z with or without accents"),
        ("vote", "IN", "vote: neither in, out nor doubt"),
        ("vote", "", "vote: neither in, out nor doubt"),
        ("reason", "r" * 4_001, "reason: more than 4000 characters, or control characters among them"),
        ("reason", "bell \x07", "reason: more than 4000 characters, or control characters among them"),
        ("reason", "half \ud800", "reason: more than 4000 characters, or control characters among them"),
        ("at", "2026-11-21T08:30:00", "at: not a time in UTC such as 2026-11-21T08:30:00Z"),
        ("at", "2026-11-21T08:30:00-05:00", "at: not a time in UTC such as 2026-11-21T08:30:00Z"),
        ("at", "yesterday", "at: not a time in UTC such as 2026-11-21T08:30:00Z"),
    ],
)
def test_an_invalid_text_is_refused_without_repeating_it(column: str, text: str, fault: str) -> None:
    """An error names the column and the expected content, and repeats nothing that could be a word."""
    with pytest.raises(BadBallot) as refused:
        read_ballot(**{**GOOD, column: text}, forms=[])
    assert str(refused.value) == fault


def test_a_form_that_is_no_word_is_refused() -> None:
    """A form must be a word."""
    with pytest.raises(BadBallot, match="forms: not a word of 2 to 21 letters"):
        read_ballot(**GOOD, forms=["BASH", "BASH'D"])


@each_row(
    ("text", "time"),
    [
        ("2026-11-21T08:30:00Z", "2026-11-21T08:30:00Z"),
        ("2026-11-21T08:30:00+00:00", "2026-11-21T08:30:00Z"),
        ("2026-11-21 08:30Z", "2026-11-21T08:30:00Z"),
        ("2026-11-21T08:30:00.25Z", "2026-11-21T08:30:00.250000Z"),
    ],
)
def test_a_time_is_written_in_utc_with_z(text: str, time: str) -> None:
    """A time is written in UTC, with Z."""
    assert normalize_utc(text) == time


@each_row("text", ["2026-11-21T08:30:00", "2026-11-21T08:30:00+02:00", "2026-11-21", "", "noon"])
def test_a_time_without_utc_is_refused(text: str) -> None:
    """A time without zone, a time in another zone, a date and a text are not times in UTC."""
    with pytest.raises(ValueError, match=r"time|isoformat"):
        normalize_utc(text)
