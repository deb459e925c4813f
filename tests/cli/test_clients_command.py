"""`ordws clients`: who may ask."""

from __future__ import annotations

import json

import pytest

from ordws.cli import ordws, run
from ordws.cli.clients import add as add_command
from ordws.identity.key import is_key
from ordws.identity.register import KINDS


@pytest.fixture
def clients(house, monkeypatch, capsys):
    """Runs the command line and returns its status, output and errors."""

    def clients(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws", "--instance", str(house.instance.root), "clients", *arguments])
        status = run(ordws, "ordws")
        said = capsys.readouterr()
        return status, said.out, said.err

    return clients


def test_a_key_is_shown_once_alone_on_its_line(clients, house):
    """Standard output holds the key and nothing else, so that a script can take it; it works at once."""
    status, out, err = clients("add", "club", "--kind", "operator")
    assert (status, err) == (0, 'ordws: the key of "club" is shown this once\n')
    assert is_key(out.removesuffix("\n"))
    client = house.register.identify(f"Bearer {out.strip()}")
    assert (client.name, client.kind) == ("club", "operator")


def test_a_client_is_of_kind_home_unless_it_is_said(clients, house):
    """Most clients ask for themselves."""
    clients("add", "table")
    assert house.register.list()[-1].kind == "home"


def test_a_name_that_is_taken_is_an_error(clients):
    """Status 2, and why."""
    assert clients("add", "home") == (
        2, "", 'ordws: error: there is a client "home" already\n'
        "ordws: hint: names of revoked clients are not given again\n",
    )  # fmt: skip


def test_all_are_listed(clients):
    """A line each with name, kind and dates, without keys."""
    clients("add", "club", "--kind", "operator")
    clients("verify", "club")
    clients("revoke", "home")
    status, out, _ = clients("list")
    assert status == 0
    first, second = out.splitlines()
    assert first.startswith("home  home  created 2026-11-21T12:00:00Z  revoked 2")
    assert second.startswith("club  operator  created 2")
    assert "verified 2" in second


def test_all_are_listed_for_programs(clients):
    """One JSON object a line; what did not happen is null."""
    status, out, _ = clients("list", "--json")
    assert (status, [json.loads(line) for line in out.splitlines()]) == (
        0,
        [{"name": "home", "kind": "home", "created": "2026-11-21T12:00:00Z", "verified": None, "revoked": None}],
    )


def test_a_revoked_key_is_unknown(clients, house):
    """At once, for a register that was open before."""
    assert house.register.identify(f"Bearer {house.key}") is not None
    assert clients("revoke", "home") == (0, "", "")
    assert house.register.identify(f"Bearer {house.key}") is None


@pytest.mark.parametrize("verb", ["revoke", "verify"])
def test_an_unknown_name_is_an_error(clients, verb):
    """Status 2, and how to find the names."""
    assert clients(verb, "nobody") == (
        2, "", 'ordws: error: there is no client "nobody"\nordws: hint: ordws clients list\n',
    )  # fmt: skip


def test_the_kinds_are_those_of_the_register():
    """The command offers what the register knows."""
    kind = next(parameter for parameter in add_command.params if parameter.name == "kind")
    assert tuple(kind.type.choices) == KINDS


def test_without_a_verb_the_help_is_shown(clients):
    """Status 2."""
    status, _, err = clients()
    assert status == 2
    assert "Keep the register of clients and their keys." in err
