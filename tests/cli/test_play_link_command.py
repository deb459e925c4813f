"""`ordws play-link`: links are made, shown once, listed by `ordws status`, and withdrawn together."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from cli_installation import Command, InitResult

from ordws.api.services import open_play_links


def test_a_link_is_shown_once_and_all_are_withdrawn(command: Command, initialized: InitResult) -> None:
    """Each link works until all are withdrawn, which tells how many there were."""
    status, out, err = command("play-link", "--address", "https://ordws.example/")
    address, _, token = out.strip().partition("/play#link=")
    assert (status, address, err) == (0, "https://ordws.example", "ordws: the play link is shown only this once\n")
    with closing(open_play_links(initialized.instance)) as links:
        assert links.is_valid(token)
        assert len(json.loads(command("status", "--json")[1])["play_links"]) == 2
        assert command("play-link", "--withdraw") == (0, "2 play links were withdrawn\n", "")
        assert not links.is_valid(token)
    assert "play links" not in command("status")[1]
    assert "works on this machine alone" in command("play-link")[2]
    assert command("play-link", "--withdraw")[1] == "1 play link was withdrawn\n"


@pytest.mark.parametrize("address", ["ordws.example", "https://ordws.example/play", "javascript:alert(1)", ""])
def test_the_address_is_one_of_a_service(command: Command, initialized: InitResult, address: str) -> None:
    """Anything but the address of a service is refused, and no link is made."""
    status, out, err = command("play-link", "--address", address)
    assert (status, out) == (2, "")
    assert f'"{address}" is not an address such as https://ordws.example' in err
    assert len(json.loads(command("status", "--json")[1])["play_links"]) == 1
