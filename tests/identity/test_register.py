"""Tests of the register of clients and their keys."""

from __future__ import annotations

import subprocess
import sys
from subprocess import PIPE
from time import monotonic

import pytest
from each_row import each_row

from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.identity.register import KeyInfo, Register, RegisteredClient, write_key

PEPPER = b"p" * 32
NOW = 1_000
PATIENCE = 60
"""Seconds."""
BOTH = frozenset({"judge", "game"})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "clients.db"


@pytest.fixture
def register(path):
    register = Register.create(path, PEPPER)
    yield register
    register.close()


def test_a_key_identifies_its_client(register):
    """The key that `add` returns must identify the client that was added."""
    register.add("club", "operator", 10)
    key = register.add("home", "home", 20)
    assert register.identify(f"Bearer {key}", NOW) == RegisteredClient(
        2, "home", "home", 20, None, None, None, BOTH, False
    )


def test_the_scheme_is_written_in_any_case(register):
    """The name of an authorization scheme is case-insensitive (RFC 9110)."""
    key = register.add("home", "home", 10)
    assert register.identify(f"bearer {key}", NOW) is not None


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer ordws_live_", "Basic aG9tZTo=", "Bearer \xff\xfe"])
def test_an_invalid_header_identifies_nobody(register, header):
    """A missing, foreign or malformed header must identify no client."""
    register.add("home", "home", 10)
    assert register.identify(header, NOW) is None


def test_all_invalid_keys_are_refused_alike(register):
    """A key that is unknown, mistyped, revoked, expired or of a revoked client must identify nobody, with no reason."""
    good = register.add("good", "home", 10)
    mistyped = good[:-1] + ("0" if good[-1] != "0" else "1")
    revoked = register.add("rotated", "home", 10)
    register.add_key("rotated", 20)
    register.revoke_old_keys("rotated", 30)
    client_revoked = register.add("gone", "home", 10)
    register.revoke("gone", 20)
    expired = register.add("expired", "home", 10, expires=NOW)
    unknown = write_key(b"x" * 32)
    keys = (unknown, mistyped, revoked, client_revoked, expired)
    assert [register.identify(f"Bearer {key}", NOW) for key in keys] == [None] * 5
    assert register.identify(f"Bearer {good}", NOW) is not None


def test_a_key_without_its_scheme_identifies_nobody(register):
    """A key without Bearer in front must identify nobody."""
    key = register.add("home", "home", 10)
    assert register.identify(key, NOW) is None


def test_a_revoked_key_stops_at_once(register):
    """A key must be invalid at once after the register itself revoked it, though it was cached."""
    key = register.add("home", "home", 10)
    assert register.identify(f"Bearer {key}", NOW) is not None
    register.revoke("home", 11)
    assert register.identify(f"Bearer {key}", NOW) is None


def test_a_revoked_key_stops_in_other_processes(register, path):
    """A key that one process revoked must soon be invalid in another process, though it was cached there."""
    key = register.add("home", "home", 10)
    asking = (
        "import sys\n"
        "from pathlib import Path\n"
        "from ordws.identity.register import Register\n"
        f"register = Register.open(Path({str(path)!r}), {PEPPER!r})\n"
        f"for line in sys.stdin: print(register.identify(line.strip(), {NOW}) is not None, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", asking], stdin=PIPE, stdout=PIPE, text=True) as other:

        def is_known() -> bool:
            other.stdin.write(f"Bearer {key}\n")
            other.stdin.flush()
            return other.stdout.readline() == "True\n"

        assert [is_known(), is_known()] == [True, True]
        register.verify("home", 10)
        assert is_known()
        register.revoke("home", 11)
        deadline = monotonic() + PATIENCE
        while is_known():
            assert monotonic() < deadline


def register_clock(monkeypatch):
    """Return the clock by which the register ages what it has cached, for as long as the product does."""
    clock = [1_000.0]
    monkeypatch.setattr("ordws.identity.register.monotonic", lambda: clock[0])
    # The installations of other tests look at the register at each question.
    monkeypatch.setattr("ordws.identity.register.FRESH_SECONDS", 0.01)
    monkeypatch.setattr("ordws.identity.register._STALE_SECONDS", 0.1)
    return clock


@pytest.mark.parametrize(("is_refreshing", "seconds"), [(False, 0.01), (True, 0.1)])
def test_a_change_from_another_connection_is_seen_in_time(register, path, monkeypatch, is_refreshing, seconds):
    """A cached client must be read again after a hundredth of a second, or after a tenth while another thread reads."""
    clock = register_clock(monkeypatch)
    key = register.add("club", "operator", 10)
    other = Register.open(path, PEPPER)
    assert other.identify(f"Bearer {key}", NOW).units is None
    other._is_refreshing = is_refreshing
    register.set_units("club", 4_000)
    clock[0] += 0.9 * seconds
    assert other.identify(f"Bearer {key}", NOW).units is None
    clock[0] += 0.2 * seconds
    assert other.identify(f"Bearer {key}", NOW).units == 4_000
    other.close()


def test_a_register_that_fails_is_noticed_in_time(register, path, monkeypatch):
    """A register that is gone must fail a cached client too, as soon as cached clients are no longer fresh."""
    clock = register_clock(monkeypatch)
    key = register.add("home", "home", 10)
    assert register.identify(f"Bearer {key}", NOW) is not None
    path.rename(path.with_suffix(".gone"))
    clock[0] += 0.02
    for _ in range(2):
        with pytest.raises(StoreDown):
            register.identify(f"Bearer {key}", NOW)


def test_the_cache_of_clients_is_bounded(register, monkeypatch):
    """The cache of clients must be bounded, and clients beyond its bound must still be identified."""
    monkeypatch.setattr("ordws.identity.register._MAX_CACHED", 2)
    keys = [register.add(f"client {number}", "home", 10) for number in range(5)]
    for _ in range(2):
        assert [register.identify(f"Bearer {key}", NOW).id for key in keys] == [1, 2, 3, 4, 5]
        assert len(register._holders) <= 2


def test_no_key_stays_in_memory(register):
    """The cache must hold nothing of a key."""
    key = register.add("home", "home", 10)
    assert register.identify(f"Bearer {key}", NOW) is not None
    assert "name='home'" in repr(vars(register))
    assert key[11:] not in repr(vars(register))


def test_keys_are_random(register):
    """Two clients must have different keys."""
    assert register.add("a", "home", 10) != register.add("b", "home", 10)


def test_a_key_carries_the_given_random_bytes(register):
    """A key carries the given random bytes."""
    assert register.add("home", "home", 10, lambda length: bytes(length)) == write_key(bytes(32))


def test_no_key_is_kept(register, path):
    """Neither a key nor its secret part may be in the file, in any encoding."""
    secret = bytes(range(32))
    key = register.add("home", "home", 10, lambda _: secret)
    register.close()
    stored = path.read_bytes()
    assert b"home" in stored
    assert key.encode() not in stored
    assert key[11:].encode() not in stored
    assert secret not in stored


def test_another_pepper_knows_no_key(register, path):
    """A register that is copied without its pepper must identify nobody."""
    key = register.add("home", "home", 10)
    other = Register.open(path, b"q" * 32)
    assert other.identify(f"Bearer {key}", NOW) is None
    other.close()


def test_all_clients_are_listed(register):
    """The list has all clients with their dates, revoked ones too."""
    register.add("home", "home", 10)
    register.add("club", "operator", 20)
    register.verify("club", 30)
    register.revoke("home", 40)
    assert register.list() == (
        RegisteredClient(1, "home", "home", 10, 40, None, None, BOTH, False),
        RegisteredClient(2, "club", "operator", 20, None, 30, None, BOTH, False),
    )


def test_the_first_date_stays(register):
    """Revoking or verifying a client again must keep the first date."""
    register.add("home", "home", 10)
    register.revoke("home", 20)
    register.revoke("home", 30)
    register.verify("home", 40)
    register.verify("home", 50)
    assert register.list() == (RegisteredClient(1, "home", "home", 10, 20, 40, None, BOTH, False),)


def test_a_taken_name_is_refused(register):
    """A second client with the same name must be refused, even after the first was revoked."""
    register.add("home", "home", 10)
    register.revoke("home", 20)
    with pytest.raises(BadInput, match='there is a client "home" already'):
        register.add("home", "home", 30)
    assert len(register.list()) == 1


@each_row("name", ["", "x" * 65, "a\nb", "a\x00"])
def test_a_name_can_be_printed(register, name):
    """A name has 1 to 64 printable characters."""
    with pytest.raises(BadInput, match="a client name has 1 to 64 printable characters"):
        register.add(name, "home", 10)


@each_row(
    "verb",
    [
        lambda register: register.revoke("nobody", 10),
        lambda register: register.verify("nobody", 10),
        lambda register: register.unverify("nobody"),
        lambda register: register.set_units("nobody", 10),
        lambda register: register.add_key("nobody", 10),
        lambda register: register.revoke_old_keys("nobody", 10),
    ],
)
def test_an_unknown_name_is_an_error(register, verb):
    """Changing a client that is not registered is an error that names it."""
    with pytest.raises(BadInput, match='there is no client "nobody"'):
        verb(register)


def test_a_verification_can_be_taken_back(register):
    """A verification can be taken back, and given again with another date."""
    register.add("home", "home", 10)
    register.verify("home", 20)
    register.unverify("home")
    assert register.list()[0].verified is None
    register.verify("home", 30)
    assert register.list()[0].verified == 30


def test_two_keys_are_live_at_once(register):
    """A client with a second key must be the same client under both, and as old as before."""
    first = register.add("home", "home", 10)
    second = register.add_key("home", 500)
    client = RegisteredClient(1, "home", "home", 10, None, None, None, BOTH, False)
    assert register.identify(f"Bearer {first}", NOW) == register.identify(f"Bearer {second}", NOW) == client
    assert register.live_keys(NOW) == {1: (KeyInfo(10, None), KeyInfo(500, None))}


def test_a_third_live_key_is_refused(register):
    """A third live key must be refused with the command that retires a key."""
    keys = [register.add("my club", "home", 10), register.add_key("my club", 20)]
    with pytest.raises(BadInput, match='client "my club" has 2 live keys already') as refused:
        register.add_key("my club", 30)
    assert refused.value.hint == "ordws clients revoke 'my club' --old-keys"
    assert register.live_keys(NOW) == {1: (KeyInfo(10, None), KeyInfo(20, None))}
    assert [register.identify(f"Bearer {key}", NOW).id for key in keys] == [1, 1]


def test_old_keys_are_retired_and_the_newest_goes_on(register):
    """Revoking old keys must leave the newest key valid, and make room for another."""
    first, second = register.add("home", "home", 10), register.add_key("home", 20)
    assert register.revoke_old_keys("home", 30) == 1
    assert register.identify(f"Bearer {first}", NOW) is None
    assert register.identify(f"Bearer {second}", NOW).created == 10
    third = register.add_key("home", 40)
    assert register.revoke_old_keys("home", 50) == 1
    assert register.identify(f"Bearer {second}", NOW) is None
    assert register.identify(f"Bearer {third}", NOW).created == 10


def test_the_last_live_key_is_never_retired_as_an_old_one(register):
    """Where the newer key has expired, the older key is the newest live one and must stay valid."""
    first = register.add("home", "home", 10)
    assert register.revoke_old_keys("home", 20) == 0
    register.add_key("home", 30, expires=40)
    assert register.revoke_old_keys("home", 40) == 0
    assert register.identify(f"Bearer {first}", NOW) is not None


def test_an_ended_key_makes_room(register):
    """Expired keys must not count among the two live ones."""
    register.add("home", "home", 10, expires=100)
    register.add_key("home", 20, expires=200)
    with pytest.raises(BadInput, match="2 live keys already"):
        register.add_key("home", 99)
    register.add_key("home", 100)
    assert register.live_keys(100) == {1: (KeyInfo(20, 200), KeyInfo(100, None))}


def test_keys_of_others_are_left_alone(register):
    """Revoking the old keys of one client must not touch another client's."""
    other = register.add("other", "home", 10)
    register.add("home", "home", 20)
    register.add_key("home", 30)
    register.revoke_old_keys("home", 40)
    assert register.identify(f"Bearer {other}", NOW) is not None


def test_a_key_ends_at_its_second(register):
    """A key must be valid up to the second before it expires, and invalid from then on, even where it is cached."""
    key = register.add("home", "home", 10, expires=100)
    assert [register.identify(f"Bearer {key}", now) is not None for now in (98, 99, 100, 101)] == [
        True,
        True,
        False,
        False,
    ]
    assert register.live_keys(99) == {1: (KeyInfo(10, 100),)}
    assert register.live_keys(100) == {}


def test_a_revoked_client_gets_no_key(register):
    """A revoked client must have no live key, and must not get another."""
    keys = [register.add("home", "home", 10), register.add_key("home", 20)]
    register.revoke("home", 30)
    assert [register.identify(f"Bearer {key}", NOW) for key in keys] == [None, None]
    assert register.live_keys(NOW) == {}
    with pytest.raises(BadInput, match='client "home" is revoked'):
        register.add_key("home", 40)


def test_the_keys_of_a_test_client_have_their_own_prefix(register):
    """All keys of a test client begin with ordws_test_ and identify it as one."""
    first = register.add("toy", "home", 10, test=True)
    second = register.add_key("toy", 20)
    assert (first[:11], second[:11]) == ("ordws_test_", "ordws_test_")
    assert register.identify(f"Bearer {first}", NOW).is_test
    assert register.identify(f"Bearer {second}", NOW).is_test
    live = register.add("home", "home", 30)
    assert live.startswith("ordws_live_")
    assert not register.identify(f"Bearer {live}", NOW).is_test


@pytest.mark.parametrize("scopes", [("judge",), ("game",), ("game", "judge"), ("tournament",)])
def test_a_client_has_the_scopes_it_was_given(register, scopes):
    """A client has exactly the scopes that it was added with."""
    key = register.add("club", "operator", 10, scopes=scopes)
    assert register.identify(f"Bearer {key}", NOW).scopes == frozenset(scopes)


def test_a_client_without_a_scope_is_refused(register):
    """A client without any scope must be refused."""
    with pytest.raises(BadInput, match='client "home" has no scope, one of judge, game, tournament was expected'):
        register.add("home", "home", 10, scopes=())
    assert register.list() == ()


def test_operators_alone_open_the_games_of_an_event(register):
    """The scope of tournaments is an operator's, when it is added and later, and a new client is not given it."""
    with pytest.raises(BadInput, match='client "home" is of kind home: only operators have the scope tournament'):
        register.add("home", "home", 10, scopes=("game", "tournament"))
    register.add("home", "home", 10)
    with pytest.raises(BadInput, match="only operators"):
        register.add_scope("home", "tournament")
    register.add("club", "operator", 10)
    assert [client.scopes for client in register.list()] == [{"judge", "game"}, {"judge", "game"}]


def test_a_scope_is_given_and_taken_back(register):
    """A keeper's change of scopes counts for keys that are out, twice is as once, and one scope is left."""
    authorization = f"Bearer {register.add('club', 'operator', 10)}"
    for _ in range(2):
        register.add_scope("club", "tournament")
    assert register.identify(authorization, NOW).scopes == {"judge", "game", "tournament"}
    for scope in ("game", "judge", "game"):
        register.remove_scope("club", scope)
    assert register.identify(authorization, NOW).scopes == {"tournament"}
    with pytest.raises(BadInput, match='client "club" would have no scope left'):
        register.remove_scope("club", "tournament")


def test_an_operators_total_is_set_by_a_keeper(register):
    """An operator's total can be set when it is added or later, and removed."""
    register.add("club", "operator", 10, units=4_000)
    assert register.list()[0].units == 4_000
    register.set_units("club", 0)
    assert register.list()[0].units == 0
    register.set_units("club", None)
    assert register.list()[0].units is None


def test_only_an_operator_has_a_total(register):
    """A home client must not have a total."""
    with pytest.raises(BadInput, match='client "home" is of kind home: only operators have a daily total'):
        register.add("home", "home", 10, units=500)
    assert register.list() == ()
    register.add("home", "home", 10)
    with pytest.raises(BadInput, match='client "home" is of kind home: only operators have a daily total'):
        register.set_units("home", 500)


@pytest.mark.parametrize("units", [-1, 1_000_001])
def test_a_total_is_a_number_of_units(register, units):
    """A number that cannot be a daily total is an error that shows it."""
    register.add("club", "operator", 10)
    with pytest.raises(BadInput, match=f'a daily total is 0 to 1,000,000 units, not "{units}"'):
        register.set_units("club", units)
    assert register.list()[0].units is None


def test_creating_a_register_again_keeps_its_clients(register, path):
    """Calling `create` on an existing register must keep its clients."""
    key = register.add("home", "home", 10)
    again = Register.create(path, PEPPER)
    assert again.identify(f"Bearer {key}", NOW) is not None
    again.close()


def test_the_file_is_its_owners_alone(register, path):
    """The file must be readable by its owner alone."""
    register.add("home", "home", 10)
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


def test_a_missing_register_is_an_error(path):
    """Opening a missing register is an error that names the command to run."""
    with pytest.raises(Missing, match="no register of clients at"):
        Register.open(path, PEPPER)


def test_a_short_pepper_is_refused(path):
    """A pepper has 32 bytes."""
    with pytest.raises(Broken, match="the pepper has 31 bytes, 32 were expected"):
        Register.create(path, b"p" * 31)


def test_a_register_that_is_gone_identifies_nobody_and_comes_back(register, path):
    """While the file is missing every request must fail, and when it is back the same key is valid again."""
    key = register.add("home", "home", 10)
    path.rename(path.with_name("away"))
    with pytest.raises(StoreDown):
        register.identify(f"Bearer {key}", NOW)
    with pytest.raises(StoreDown):
        register.check()
    path.with_name("away").rename(path)
    register.check()
    assert register.identify(f"Bearer {key}", NOW) is not None
