"""`ordws play-link`: links are made, shown once, listed by `ordws status`, and withdrawn together."""

from __future__ import annotations

import json
from contextlib import closing

from cli_installation import Command, InitResult
from each_row import each_row

from ordws.api.services import open_play_links


def test_a_link_is_shown_once_and_all_are_withdrawn(command: Command, initialized: InitResult) -> None:
    """Each link works until all are withdrawn, which tells how many there were."""
    status, out, err = command("play-link", "--address", "https://ordws.example/")
    address, _, token = out.strip().partition("/play#link=")
    assert (status, address, err) == (0, "https://ordws.example", "ordws: the play link is shown only this once\n")
    with closing(open_play_links(initialized.instance)) as links:
        assert links.find(token)
        assert len(json.loads(command("status", "--json")[1])["play_links"]) == 2
        assert command("play-link", "--withdraw") == (0, "2 play links were withdrawn\n", "")
        assert not links.find(token)
    assert "play links" not in command("status")[1]
    told = command("play-link")[2]
    assert "shown again by ordws serve" in told
    assert "works on this machine alone" in told
    assert command("play-link", "--withdraw")[1] == "1 play link was withdrawn\n"


@each_row("address", ["ordws.example", "https://ordws.example/play", "javascript:alert(1)", ""])
def test_the_address_is_one_of_a_service(command: Command, initialized: InitResult, address: str) -> None:
    """Anything but the address of a service is refused, and no link is made."""
    status, out, err = command("play-link", "--address", address)
    assert (status, out) == (2, "")
    assert f'"{address}" is not an address such as https://ordws.example' in err
    assert len(json.loads(command("status", "--json")[1])["play_links"]) == 1


def test_a_link_with_a_name_is_listed_and_withdrawn_by_it(command: Command, initialized: InitResult) -> None:
    """The keeper sees whose link it is and what it has, and ends it alone."""
    address = ("--address", "https://ordws.example")
    status, out, _ = command("play-link", *address, "--name", "Tuesday club", "--games", "40")
    token = out.strip().partition("#link=")[2]
    with closing(open_play_links(initialized.instance)) as links:
        assert (status, links.find(token).games) == (0, 40)
        assert '"Tuesday club", 40 games a day' in command("status")[1]
        assert command("play-link", "--withdraw", "--name", "Tuesday club")[1] == "1 play link was withdrawn\n"
        assert (links.find(token), len(links.list())) == (None, 1)
    for options, said in (
        (("--withdraw", "--name", "Tuesday club"), 'there is no play link "Tuesday club"'),
        (("--name", "Tuesday club"), "--name goes with --games"),
        (("--games", "40"), "--games goes with --name"),
        (("--withdraw", "--games", "40"), "--games goes with --name"),
        (("--name", "Tuesday club", "--games", "501"), "1 to 500 games a day"),
    ):
        status, out, err = command("play-link", *address, *options)
        assert (status != 0, out, said in err) == (True, "", True), options
    assert len(json.loads(command("status", "--json")[1])["play_links"]) == 1
