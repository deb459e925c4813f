"""Who may ask."""

from __future__ import annotations

import pytest

from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.identity.key import write_key
from ordws.identity.register import Client, Register

PEPPER = b"p" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "clients.db"


@pytest.fixture
def register(path):
    register = Register.create(path, PEPPER)
    yield register
    register.close()


def test_a_key_is_its_clients(register):
    """The key that `add` returns identifies the client that was added."""
    register.add("club", "operator", 10)
    key = register.add("home", "home", 20)
    assert register.identify(f"Bearer {key}") == Client(2, "home", "home", 20, None, None)


def test_the_scheme_is_written_in_any_case(register):
    """The name of an authorization scheme is case-insensitive. (RFC 9110)"""
    key = register.add("home", "home", 10)
    assert register.identify(f"bearer {key}") is not None


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer ordws_live_", "Basic aG9tZTo=", "Bearer \xff\xfe"])
def test_what_is_no_key_identifies_nobody(register, header):
    """A missing, foreign or malformed header speaks for no client."""
    register.add("home", "home", 10)
    assert register.identify(header) is None


def test_an_unknown_key_identifies_nobody(register):
    """A well-formed key that was never given speaks for no client."""
    register.add("home", "home", 10)
    assert register.identify(f"Bearer {write_key(b'x' * 32)}") is None


def test_a_key_without_its_scheme_identifies_nobody(register):
    """A key is sent with Bearer in front."""
    key = register.add("home", "home", 10)
    assert register.identify(key) is None


def test_a_revoked_key_stops_at_once_in_other_processes(register, path):
    """What one connection revokes is unknown to another at its next question."""
    key = register.add("home", "home", 10)
    other = Register.open(path, PEPPER)
    assert other.identify(f"Bearer {key}") is not None
    register.revoke("home", 11)
    assert other.identify(f"Bearer {key}") is None
    other.close()


def test_keys_are_random(register):
    """Two clients have two keys."""
    assert register.add("a", "home", 10) != register.add("b", "home", 10)


def test_chance_makes_the_key(register):
    """The key carries the bytes that chance gave."""
    assert register.add("home", "home", 10, lambda length: bytes(length)) == write_key(bytes(32))


def test_no_key_is_kept(register, path):
    """Neither the key nor its secret part stands in the file, in no encoding of it."""
    secret = bytes(range(32))
    key = register.add("home", "home", 10, lambda _: secret)
    register.close()
    stored = path.read_bytes()
    assert b"home" in stored
    assert key.encode() not in stored
    assert key[11:].encode() not in stored
    assert secret not in stored


def test_another_pepper_knows_no_key(register, path):
    """A register that is copied without its pepper identifies nobody."""
    key = register.add("home", "home", 10)
    other = Register.open(path, b"q" * 32)
    assert other.identify(f"Bearer {key}") is None
    other.close()


def test_all_clients_are_listed(register):
    """The list has all clients with their dates, revoked ones too."""
    register.add("home", "home", 10)
    register.add("club", "operator", 20)
    register.verify("club", 30)
    register.revoke("home", 40)
    assert register.list() == (Client(1, "home", "home", 10, 40, None), Client(2, "club", "operator", 20, None, 30))


def test_the_first_date_stays(register):
    """To revoke or verify again changes nothing."""
    register.add("home", "home", 10)
    register.revoke("home", 20)
    register.revoke("home", 30)
    register.verify("home", 40)
    register.verify("home", 50)
    assert register.list() == (Client(1, "home", "home", 10, 20, 40),)


def test_a_name_is_given_once(register):
    """A second client of a name is refused, also after the first was revoked."""
    register.add("home", "home", 10)
    register.revoke("home", 20)
    with pytest.raises(BadInput, match='there is a client "home" already'):
        register.add("home", "home", 30)
    assert len(register.list()) == 1


@pytest.mark.parametrize("name", ["", "x" * 65, "a\nb", "a\x00"])
def test_a_name_can_be_printed(register, name):
    """A name has 1 to 64 printable characters."""
    with pytest.raises(BadInput, match="a client name has 1 to 64 printable characters"):
        register.add(name, "home", 10)


@pytest.mark.parametrize("verb", ["revoke", "verify"])
def test_an_unknown_name_is_said(register, verb):
    """To revoke or verify somebody who is not registered is an error that names him."""
    with pytest.raises(BadInput, match='there is no client "nobody"'):
        getattr(register, verb)("nobody", 10)


def test_a_register_is_kept_when_it_is_made_again(register, path):
    """`create` over a register leaves its clients."""
    key = register.add("home", "home", 10)
    again = Register.create(path, PEPPER)
    assert again.identify(f"Bearer {key}") is not None
    again.close()


def test_the_file_is_its_owners_alone(register, path):
    """Nobody else reads the register."""
    register.add("home", "home", 10)
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


def test_a_missing_register_is_said(path):
    """To open a register that is not there says what to do."""
    with pytest.raises(Missing, match="no register of clients at"):
        Register.open(path, PEPPER)


def test_a_short_pepper_is_refused(path):
    """A pepper has 32 bytes."""
    with pytest.raises(Broken, match="the pepper has 31 bytes, 32 were expected"):
        Register.create(path, b"p" * 31)


def test_a_register_that_is_gone_identifies_nobody_and_comes_back(register, path):
    """While the file is away every question fails; when it is back, the same key is known again."""
    key = register.add("home", "home", 10)
    path.rename(path.with_name("away"))
    with pytest.raises(StoreDown):
        register.identify(f"Bearer {key}")
    with pytest.raises(StoreDown):
        register.check()
    path.with_name("away").rename(path)
    register.check()
    assert register.identify(f"Bearer {key}") is not None
