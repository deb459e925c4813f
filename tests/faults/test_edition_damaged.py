"""Tests of damaged deliveries: each is refused with a message, while the edition before is still served."""

from __future__ import annotations

from copy import copy

import pytest
from small_installation import WORDS, InProcessService

from ordws.lexicon.keyring import Keyring


def put(installation, data):
    installation.instance.sealed_edition.unlink()
    installation.instance.sealed_edition.write_bytes(data)


def newer(installation, *words, number=2):
    """Make a good delivery, and return its sealed bytes."""
    installation.deliver(*(words or (*WORDS, "FLUTIST", "OBOIST")), number=number)
    return installation.instance.sealed_edition.read_bytes()


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def in_a_folder(installation):
    installation.instance.sealed_edition.unlink()
    installation.instance.sealed_edition.mkdir()


FAULTS = {
    **{
        f"flipped at {part} %": lambda installation, part=part: put(
            installation, flipped(data := newer(installation), min(len(data) - 1, len(data) * part // 100))
        )
        for part in (0, 1, 2, 5, 10, 25, 50, 75, 99, 100)
    },
    **{
        f"cut to {part} %": lambda installation, part=part: put(
            installation, (data := newer(installation))[: len(data) * part // 100]
        )
        for part in (0, 1, 50, 99)
    },
    "longer": lambda installation: put(installation, newer(installation) + b"\0"),
    "twice": lambda installation: put(installation, newer(installation) * 2),
    "of another key": lambda installation: newer(replace_keys(installation)),
    "older": lambda installation: newer(installation, *WORDS, number=1),
    "a folder": in_a_folder,
    "gone": lambda installation: installation.instance.sealed_edition.unlink(),
    "beside another list": lambda installation: (
        newer(installation) and installation.instance.core.write_bytes(b"CAT\n")
    ),
}


def replace_keys(installation):
    foreign = copy(installation)
    foreign.keyring = Keyring.create(installation.instance.root / "foreign")
    return foreign


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_edition_is_refused_and_the_old_one_served(installation, clock, caplog, fault):
    """A line in the log says why; the service stays ready and right, and accepts a good delivery afterwards."""
    caplog.set_level("INFO", "ordws")
    service = InProcessService(installation.services(), installation.key, clock)
    FAULTS[fault](installation)
    for _ in range(3):
        clock.now += 1
        assert service.judge("LOVERS", "CAT").json == {"valid": True}
        assert service.judge("FLUTIST").json == {"valid": False}
        assert service.http.get("/readyz").json == {"status": "ready"}
    (line,) = [each for each in caplog.messages if each.startswith("a delivered edition is refused: ")]
    assert not [word for word in WORDS if len(word) > 4 and word in line]
    if installation.instance.sealed_edition.is_dir():
        installation.instance.sealed_edition.rmdir()
    newer(installation, number=3)
    clock.now += 1
    # FLUTIST was asked before, and a repeat keeps its edition.
    assert service.judge("OBOIST").json == {"valid": True}
    assert service.judge("FLUTIST").json == {"valid": False}
    assert caplog.messages[-1] == "edition 3 is served now"
