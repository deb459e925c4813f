"""Tests of play links."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from ordws.errors import BadInput, Missing
from ordws.identity.play_links import MAX_LINKS, PlayLink, PlayLinks, play_address
from ordws.identity.register import Register

PEPPER = b"p" * 32


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "clients.db"
    Register.create(path, PEPPER).close()
    return path


@pytest.fixture
def links(path):
    with closing(PlayLinks.open(path, PEPPER)) as links:
        yield links


def test_a_link_is_a_prefix_and_256_bits(links):
    """A token has 43 url-safe characters behind its prefix, and stands behind # in the address of the page."""
    token = links.add(10, lambda count: b"\xff" * count)
    assert token == "ordws_play_" + "_" * 42 + "8"
    assert play_address("https://ordws.example/", token) == f"https://ordws.example/play#link={token}"


def test_only_its_whole_token_is_a_link(links):
    """Nothing but a token that was given is valid."""
    token = links.add(10)
    assert links.find(token)
    other = token[:-2] + ("AA" if token[-2:] != "AA" else "BA")
    for wrong in (
        "",
        "ordws_play_",
        token[:-1],
        token + "A",
        token.upper(),
        f" {token}",
        other,
        "ordws_play_" + "é" * 43,
    ):
        assert not links.find(wrong)


def test_a_withdrawal_ends_all_links_at_once_in_every_process(links, path):
    """Links that another process withdraws are not valid any more, and their number is told; a new one is."""
    tokens = [links.add(20), links.add(10)]
    assert [link.created for link in links.list()] == [10, 20]
    with closing(PlayLinks.open(path, PEPPER)) as other:
        assert other.find(tokens[0])
        assert (other.withdraw(), other.withdraw()) == (2, 0)
    assert [links.find(token) for token in tokens] == [None, None]
    assert links.find(links.add(30))


def test_the_register_holds_keyed_digests_alone(links, path):
    """Neither a token nor its secret stands in the file, and another pepper knows no link."""
    token = links.add(10)
    assert b"ordws_play_" not in path.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        ((digest, _),) = db.execute("select * from play_links").fetchall()
    assert (len(digest), token.encode()[11:] in digest) == (32, False)
    with closing(PlayLinks.open(path, b"q" * 32)) as other:
        assert not other.find(token)


def test_a_link_with_a_name_has_games_of_its_own_and_is_withdrawn_alone(links, path):
    """A named link has a number that is never given again, and its games a day; another name leaves it as it is."""
    plain, club = links.add(10), links.add(20, name="Tuesday club", games=40)
    assert (links.find(plain), links.find(club)) == (PlayLink(0, None, 0, 10), PlayLink(1, "Tuesday club", 40, 20))
    assert (links.games_of(1), links.games_of(0), links.games_of(2)) == (40, 0, 0)
    with closing(PlayLinks.open(path, PEPPER)) as other:
        assert (other.withdraw("Monday club"), other.withdraw("Tuesday club")) == (0, 1)
    assert (links.find(club), links.games_of(1), links.find(plain) is not None) == (None, 0, True)
    assert links.find(links.add(30, name="Tuesday club", games=8)).number == 2
    assert (links.withdraw(), links.list()) == (2, ())


def test_one_link_is_found_again_until_it_is_withdrawn(links, path):
    """The link of this machine is computed from its moment and the pepper, and another one is after a withdrawal."""
    links.add(5)
    assert links.find_local() is None
    token = links.add_local(10)
    with closing(PlayLinks.open(path, PEPPER)) as other:
        assert other.find_local() == token
    with closing(PlayLinks.open(path, b"q" * 32)) as other:
        assert other.find_local() is None
    links.withdraw()
    assert (links.find_local(), links.find(token)) == (None, None)
    assert links.add_local(20) == links.find_local() != token


def test_a_grant_that_does_not_hold_makes_no_link(links):
    """A name that is taken, empty or unprintable, or a number of games out of bounds, is refused with a reason."""
    links.add(10, name="club", games=1)
    for name, games, why in (
        ("club", 2, 'there is a play link "club" already'),
        ("", 2, "1 to 64 printable characters"),
        ("x" * 65, 2, "1 to 64 printable characters"),
        ("a\nb", 2, "1 to 64 printable characters"),
        ("other", 0, "1 to 500 games a day of its own, not 0"),
        ("other", 501, "1 to 500 games a day of its own, not 501"),
    ):
        with pytest.raises(BadInput, match=why):
            links.add(20, name=name, games=games)
    assert len(links.list()) == 1


def test_there_are_so_many_links_and_no_more(links):
    """A keeper who makes links without end is told to withdraw them."""
    for now in range(MAX_LINKS):
        links.add(now)
    with pytest.raises(BadInput, match="64 play links already"):
        links.add(MAX_LINKS)
    assert len(links.list()) == MAX_LINKS


def test_without_a_register_nothing_is_made(path):
    """Opening the links of a register that is not there makes none."""
    with pytest.raises(Missing):
        PlayLinks.open(path.with_name("none.db"), PEPPER)
    assert not path.with_name("none.db").exists()
