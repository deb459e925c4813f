"""`ordws accounts`: the accounts of the console, and of case files."""

from __future__ import annotations

import json
import re

import pytest
from console_installation import NOON, families, open_console_installation
from each_row import each_row
from sign_in_helpers import AnonymousBrowser

from ordws.cli import run
from ordws.cli.console import accounts_group as accounts_command
from ordws.console.app import CONSOLE

LINK = re.compile(r"http://localhost:8010(/invitation/[\w-]{43})\n")
WEEK_ON = "2026-11-28T12:00:00Z"


@pytest.fixture
def installation(tmp_path):
    with open_console_installation(tmp_path, families(1)) as installation:
        yield installation


@pytest.fixture
def curators(installation, monkeypatch, capsys):
    """Return a function that runs the command beside the running console and returns its status, output and errors."""

    def curators(*arguments):
        monkeypatch.setattr("time.time", lambda: NOON + 0.5)
        where = ["--instance", str(installation.instance.root)] if arguments else []
        monkeypatch.setattr("sys.argv", ["ordws accounts", *arguments[:1], *where, *arguments[1:]])
        capsys.readouterr()
        status = run(accounts_command, "ordws accounts")
        output = capsys.readouterr()
        return status, output.out, output.err

    return curators


def test_the_first_keeper_gets_a_link(curators, installation):
    """The link is the only line on standard output, and works in the running console at once."""
    status, out, err = curators("add", "Ada", "--role", "keeper")
    notice = 'ordws: the link for "Ada" is shown only this once; it works once, within seven days\n'
    assert (status, err) == (0, notice)
    page = AnonymousBrowser(installation).get(LINK.fullmatch(out)[1])
    assert page.status_code == 200
    assert "You are invited as keeper." in page.text


def test_url_is_the_address_of_the_link(curators):
    """`--url` gives the address of the link, with or without a slash at its end."""
    _, out, _ = curators("add", "Ada", "--url", "https://curators.example/")
    assert re.fullmatch(r"https://curators\.example/invitation/[\w-]{43}\n", out)


def test_the_link_is_for_the_address_at_which_the_console_last_ran(curators, installation):
    """Without `--url` a link has the address that `ordws curate` noted."""
    installation.instance.console_address.write_text("http://localhost:8123")
    _, out, _ = curators("add", "Ada")
    assert re.fullmatch(r"http://localhost:8123/invitation/[\w-]{43}\n", out)
    _, out, _ = curators("invite", "Ada", "--url", "https://curators.example")
    assert out.startswith("https://curators.example/invitation/")


def test_new_member_is_a_curator_by_default(curators):
    """A new member is a curator by default."""
    curators("add", "Ada")
    assert curators("list")[1] == f"Ada  curator  invited until {WEEK_ON}\n"


def test_a_lost_link_is_replaced(curators, installation):
    """Another link voids the first at once."""
    first, second = (LINK.fullmatch(curators(verb, "Ada")[1])[1] for verb in ("add", "invite"))
    assert [AnonymousBrowser(installation).get(path).status_code for path in (first, second)] == [410, 200]


def test_all_are_listed(curators, installation):
    """The list has a line for each member, with dates and credentials, each ended account, and each invitation."""
    installation.member("Ada")
    installation.member("Kay", "keeper")
    curators("add", "Ben", "--role", "chair")
    curators("end", "Ada")
    with installation.state.accounts.transaction() as db:
        db.execute("INSERT INTO devices VALUES ('Kay', '', 0, 5, ?, ?)", (NOON, NOON + 30))
    assert curators("list") == (
        0,
        "Ada  curator  since 2026-11-21T12:00:00Z  ended 2026-11-21T12:00:00Z  declared 2026-11-21T12:00:00Z\n"
        "Kay  keeper  since 2026-11-21T12:00:00Z  declared 2026-11-21T12:00:00Z"
        "  locked until 2026-11-21T12:00:30Z  0 passkeys\n"
        f"Ben  chair  invited until {WEEK_ON}\n",
        "",
    )


def test_all_are_listed_for_programs(curators, installation):
    """With `--json` the list is one object a line, with null for what did not happen."""
    installation.member("Ada")
    curators("add", "Ben", "--role", "chair")
    _, out, _ = curators("list", "--json")
    assert [json.loads(line) for line in out.splitlines()] == [
        {
            "name": "Ada",
            "role": "curator",
            "since": "2026-11-21T12:00:00Z",
            "ended": None,
            "declared": "2026-11-21T12:00:00Z",
            "passkeys": 0,
            "password": False,
            "locked_until": None,
        },
        {"name": "Ben", "role": "chair", "invited_until": WEEK_ON},
    ]


def test_an_account_ends_at_once(curators, installation):
    """An account ends at once, also in the running console, and its name is not given again."""
    ada = installation.member("Ada")
    assert curators("end", "ada") == (0, "", "")
    assert ada.get("/account").location == "/"
    assert curators("add", "ADA") == (
        2,
        "",
        'ordws: error: there is or was an account "ADA"\nordws: hint: names are not reused\n',
    )


def test_the_last_keeper_cannot_be_ended(curators, installation):
    """Ending the last keeper's account has status 2 and a hint."""
    installation.member("Kay", "keeper")
    assert curators("end", "Kay") == (
        2,
        "",
        'ordws: error: "Kay" is the last keeper\nordws: hint: invite another first\n',
    )


def test_a_member_is_signed_out_and_unlocked(curators, installation):
    """The command signs a member out and unlocks their account, as the keepers' page does."""
    ada = installation.member("Ada")
    with installation.state.accounts.transaction() as db:
        db.execute("INSERT INTO devices VALUES ('Ada', '', 0, 9, ?, ?)", (NOON, NOON + 30))
    assert curators("unlock", "Ada") == (0, "", "")
    assert installation.state.accounts.all_accounts()[0].locked_until == 0
    assert ada.get("/account").status_code == 200
    assert curators("sign-out", "Ada") == (0, "", "")
    assert ada.get("/account").location == "/"


@each_row("verb", ["end", "unlock", "sign-out"])
def test_an_unknown_name_is_an_error(curators, verb):
    """An unknown name has status 2 and a hint on how to list the names."""
    assert curators(verb, "Eve") == (
        2,
        "",
        'ordws: error: there is no account "Eve"\nordws: hint: ordws accounts list\n',
    )


@each_row(
    ("line", "error"),
    [
        (("invite", "Eve"), 'nobody is called "Eve"'),
        (("add", "@Eve"), '"@Eve" is not a valid name: 1 to 100 printable characters, the first none of = + - @'),
        (
            ("add", "Eve", "--role", "king"),
            "Invalid value for '--role': 'king' is not one of 'curator', 'chair', 'reviewer', 'keeper'.",
        ),
    ],
)
def test_a_bad_name_or_role_is_an_error(curators, line, error):
    """A bad name or role has status 2 and a message, and nobody is invited."""
    status, out, err = curators(*line)
    assert (status, out, err.splitlines()[0]) == (2, "", f"ordws: error: {error}")
    assert curators("list") == (0, "", "")


def test_without_an_installation_there_are_no_accounts(curators, installation, tmp_path):
    """Without an installation the status is 2, with a hint on how to make one, and no file is made."""
    installation.instance.ledger_key.unlink()
    status, out, err = curators("add", "Ada")
    hint = "ordws: hint: ordws init makes one, and --instance DIR names one that is elsewhere"
    assert (status, out, err.splitlines()[1]) == (2, "", hint)


@each_row("verb", sorted(accounts_command.commands))
def test_every_verb_has_an_example(curators, verb):
    """The help of each verb has an example."""
    status, out, _ = curators(verb, "--help")
    assert status == 0
    assert f"Example:\n    ordws accounts {verb}" in out


def test_the_roles_are_those_of_the_console(curators):
    """The command gives the same roles as the page, and no other."""
    _, _, err = curators("add", "Ada", "--role", "reviewer")
    offered = err.splitlines()[1].removeprefix("ordws: hint: --role ").split(", ")
    assert sorted(offered) == sorted(CONSOLE.roles)


def test_without_a_verb_the_help_is_shown(curators):
    """Without a verb the help is shown, with status 2."""
    status, _, err = curators()
    assert status == 2
    assert "Manage the accounts of the curators' console" in err
