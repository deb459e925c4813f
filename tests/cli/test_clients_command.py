"""`ordws clients`: the register of clients and keys."""

from __future__ import annotations

import json
import re

import pytest
from each_row import each_row

from ordws.cli import ordws, run
from ordws.cli.clients import command as clients_command
from ordws.identity.register import is_key

NOW = 1_795_262_400
"""2026-11-21, 12:00 UTC."""


@pytest.fixture
def clients(installation, monkeypatch, capsys):
    """Return a function that runs `ordws clients` and gives status, output and errors."""

    def clients(*arguments):
        monkeypatch.setattr("time.time", lambda: NOW + 0.5)
        monkeypatch.setattr("sys.argv", ["ordws", "--instance", str(installation.instance.root), "clients", *arguments])
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return clients


def test_a_key_is_shown_once_alone_on_its_line(clients, installation):
    """Standard output holds the key and nothing else, so that a script can take it; the key works at once."""
    status, out, err = clients("add", "club", "--kind", "operator")
    assert (status, err) == (0, 'ordws: the key of "club" is shown only this once\n')
    assert is_key(out.removesuffix("\n"))
    client = installation.register.identify(f"Bearer {out.strip()}", NOW)
    assert (client.name, client.kind) == ("club", "operator")


def test_a_client_is_of_kind_home_by_default(clients, installation):
    """A client is of kind home unless --kind is given."""
    clients("add", "table")
    assert installation.register.list()[-1].kind == "home"


def test_a_name_that_is_taken_is_an_error(clients):
    """A name that is taken is an error with status 2, and the hint gives the reason."""
    assert clients("add", "home") == (
        2,
        "",
        'ordws: error: there is a client "home" already\n'
        "ordws: hint: the name of a revoked client cannot be used again\n",
    )


def test_all_are_listed(clients):
    """The list has a line for each client with name, kind, dates and scopes, but without keys."""
    clients("add", "club", "--kind", "operator", "--units", "4000", "--scope", "judge", "--expires-in-days", "30")
    clients("verify", "club")
    clients("add", "toy", "--test")
    clients("revoke", "home")
    assert clients("list") == (
        0,
        "home  home  created 2026-10-12T12:00:00Z  revoked 2026-11-21T12:00:00Z  may game and judge\n"
        "club  operator  created 2026-11-21T12:00:00Z  verified 2026-11-21T12:00:00Z  4000 units a day  may judge"
        "  key of 2026-11-21T12:00:00Z until 2026-12-21T12:00:00Z\n"
        "toy  home  test  created 2026-11-21T12:00:00Z  may game and judge  key of 2026-11-21T12:00:00Z\n",
        "",
    )


def test_all_are_listed_for_programs(clients):
    """With --json the list has an object a line, in which an event that did not happen is null."""
    clients("add", "club", "--kind", "operator", "--units", "4000", "--scope", "judge", "--expires-in-days", "30")
    status, out, _ = clients("list", "--json")
    assert (status, [json.loads(line) for line in out.splitlines()]) == (
        0,
        [
            {
                "name": "home",
                "kind": "home",
                "created": "2026-10-12T12:00:00Z",
                "verified": None,
                "revoked": None,
                "units": None,
                "scopes": ["game", "judge"],
                "test": False,
                "keys": [{"created": "2026-10-12T12:00:00Z", "expires": None}],
            },
            {
                "name": "club",
                "kind": "operator",
                "created": "2026-11-21T12:00:00Z",
                "verified": None,
                "revoked": None,
                "units": 4000,
                "scopes": ["judge"],
                "test": False,
                "keys": [{"created": "2026-11-21T12:00:00Z", "expires": "2026-12-21T12:00:00Z"}],
            },
        ],
    )


def test_no_list_shows_a_key_or_its_digest(clients, installation):
    """No list shows a key or its digest, whole or in part, as bytes, hex or base 64."""
    keys = [installation.key, clients("rotate", "home")[1].strip()]
    listed = clients("list")[1] + clients("list", "--json")[1]
    assert len(re.findall(r"created", listed)) == 4
    assert "ordws_" not in listed
    assert not any(key[start : start + 8] in listed for key in keys for start in range(11, len(key) - 8))
    assert not re.search(r"[0-9A-Za-z+/_-]{21,}", listed)


def test_a_revoked_key_is_unknown(clients, installation):
    """A revoked key is unknown at once, also to a register that was open before."""
    assert installation.register.identify(f"Bearer {installation.key}", NOW) is not None
    assert clients("revoke", "home") == (0, "", "")
    assert installation.register.identify(f"Bearer {installation.key}", NOW) is None


@each_row(
    "line",
    [
        ("revoke", "nobody"),
        ("revoke", "nobody", "--old-keys"),
        ("verify", "nobody"),
        ("verify", "nobody", "--undo"),
        ("rotate", "nobody"),
        ("units", "nobody", "500"),
    ],
)
def test_an_unknown_name_is_an_error(clients, line):
    """An unknown name is an error with status 2, and the hint is the command that lists names."""
    assert clients(*line) == (
        2,
        "",
        'ordws: error: there is no client "nobody"\nordws: hint: ordws clients list\n',
    )


def test_a_test_client_has_a_test_key(clients, installation):
    """The key of a test client has its own prefix, and the service knows it as a test key."""
    status, out, _ = clients("add", "toy", "--test")
    assert status == 0
    assert out.startswith("ordws_test_")
    assert installation.register.identify(f"Bearer {out.strip()}", NOW).is_test


def test_keys_are_rotated_with_an_overlap(clients, installation):
    """The second key is shown once, alone on its line; both keys work until the old one is revoked; the age stays."""
    status, out, err = clients("rotate", "home", "--expires-in-days", "1")
    assert (status, err) == (0, 'ordws: the key of "home" is shown only this once\n')
    second = out.removesuffix("\n")
    assert is_key(second)
    both = [installation.register.identify(f"Bearer {key}", NOW) for key in (installation.key, second)]
    assert both == [installation.register.list()[0]] * 2
    assert clients("rotate", "home") == (
        2,
        "",
        'ordws: error: client "home" has 2 live keys already\nordws: hint: ordws clients revoke home --old-keys\n',
    )
    assert clients("revoke", "home", "--old-keys") == (0, "", "")
    assert installation.register.identify(f"Bearer {installation.key}", NOW) is None
    assert (
        installation.register.identify(f"Bearer {second}", NOW + 86_399) == installation.register.list()[0] == both[0]
    )
    assert installation.register.identify(f"Bearer {second}", NOW + 86_400) is None


def test_a_single_live_key_is_not_revoked_as_an_old_one(clients, installation):
    """The only live key of a client is not revoked by --old-keys."""
    notice = 'ordws: "home" has no older live key, nothing was revoked\n'
    assert clients("revoke", "home", "--old-keys") == (0, "", notice)
    assert installation.register.identify(f"Bearer {installation.key}", NOW) is not None


def test_a_verified_client_is_unverified_again(clients, installation):
    """A verification can be taken back."""
    assert clients("verify", "home") == (0, '"home" is verified\n', "")
    assert installation.register.list()[0].verified == NOW
    assert clients("verify", "home", "--undo") == (0, '"home" is not verified\n', "")
    assert installation.register.list()[0].verified is None


def test_an_operators_total_is_set_and_taken_back(clients, installation):
    """A number is the operator's own total; `default` is the policy's."""
    clients("add", "club", "--kind", "operator")
    assert clients("units", "club", "4000") == (0, "", "")
    assert installation.register.list()[1].units == 4_000
    assert clients("units", "club", "default") == (0, "", "")
    assert installation.register.list()[1].units is None


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (("units", "home", "500"), 'client "home" is of kind home: only operators have a daily total'),
        (("add", "new", "--units", "500"), 'client "new" is of kind home: only operators have a daily total'),
        (
            ("add", "new", "--kind", "operator", "--units", "1000001"),
            'a daily total is 0 to 1,000,000 units, not "1000001"',
        ),
        (
            ("units", "home", "many"),
            'Invalid value for \'N|default\': expected a whole number or "default", not "many"',
        ),
        (
            ("rotate", "home", "--expires-in-days", "0"),
            "Invalid value for '--expires-in-days': 0 is not in the range 1<=x<=36500.",
        ),
        (
            ("add", "new", "--scope", "curate"),
            "Invalid value for '--scope': 'curate' is not one of 'judge', 'game', 'tournament'.",
        ),
    ],
)
def test_an_impossible_value_is_an_error(clients, installation, line, error):
    """An impossible value is an error with status 2 that names it, and nothing is changed or shown."""
    status, out, err = clients(*line)
    assert (status, out, err.splitlines()[0]) == (2, "", f"ordws: error: {error}")
    assert [(client.name, client.units) for client in installation.register.list()] == [("home", None)]


@each_row("verb", sorted(clients_command.commands))
def test_every_verb_has_an_example(clients, verb):
    """The help of each subcommand has an example."""
    status, out, _ = clients(verb, "--help")
    assert status == 0
    assert f"Example:\n    ordws clients {verb}" in out


def test_a_scope_is_given_to_an_operator_and_taken_back(clients):
    """An operator may be given the scope of tournaments later, and it stands in the list; a home client may not."""
    assert clients("add", "league", "--kind", "operator")[0] == 0
    assert clients("scope", "league", "tournament")[0] == 0
    league = json.loads(clients("list", "--json")[1].splitlines()[-1])
    assert (league["name"], league["scopes"]) == ("league", ["game", "judge", "tournament"])
    assert clients("scope", "league", "tournament", "--undo")[0] == 0
    assert "may game and judge" in clients("list")[1]
    clients("add", "home")
    status, _, err = clients("scope", "home", "tournament")
    assert status != 0
    assert "only operators have the scope tournament" in err


def test_without_a_verb_the_help_is_shown(clients):
    """`ordws clients` alone shows its help, with status 2."""
    status, _, err = clients()
    assert status == 2
    assert "Keep the register of clients and their keys." in err
