"""Deliveries that are damaged wherever they can be: refused in words, while the edition before goes on being served."""

from __future__ import annotations

from copy import copy

import pytest
from small_installation import WORDS, InProcessService

from ordws.lexicon.keyring import Keyring


def put(house, data):
    house.instance.sealed.unlink()
    house.instance.sealed.write_bytes(data)


def newer(house, *words, number=2):
    """A good delivery, of which the sealed bytes are returned."""
    house.deliver(*(words or (*WORDS, "FLUTIST")), number=number)
    return house.instance.sealed.read_bytes()


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def in_a_folder(house):
    house.instance.sealed.unlink()
    house.instance.sealed.mkdir()


FAULTS = {
    **{
        f"flipped at {part} %": lambda house, part=part: put(
            house, flipped(data := newer(house), min(len(data) - 1, len(data) * part // 100))
        )
        for part in (0, 1, 2, 5, 10, 25, 50, 75, 99, 100)
    },
    **{
        f"cut to {part} %": lambda house, part=part: put(house, (data := newer(house))[: len(data) * part // 100])
        for part in (0, 1, 50, 99)
    },
    "longer": lambda house: put(house, newer(house) + b"\0"),
    "twice": lambda house: put(house, newer(house) * 2),
    "of another key": lambda house: newer(replace_keys(house)),
    "older": lambda house: newer(house, *WORDS, number=1),
    "a folder": in_a_folder,
    "gone": lambda house: house.instance.sealed.unlink(),
    "beside another list": lambda house: newer(house) and house.instance.core.write_bytes(b"CAT\n"),
}


def replace_keys(house):
    foreign = copy(house)
    foreign.keyring = Keyring.create(house.instance.root / "foreign")
    return foreign


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_refused_and_the_old_one_served(house, clock, caplog, fault):
    """One line in the log says why, the service is ready and right, and a good delivery afterwards is taken."""
    caplog.set_level("INFO", "ordws")
    service = InProcessService(house.desk(), house.key, clock)
    FAULTS[fault](house)
    for _ in range(3):
        clock.now += 1
        assert service.judge("LOVERS", "CAT").json == {"valid": True}
        assert service.judge("FLUTIST").json == {"valid": False}
        assert service.http.get("/readyz").json == {"status": "ready"}
    (line,) = [each for each in caplog.messages if each.startswith("a delivered edition is refused: ")]
    assert not [word for word in WORDS if len(word) > 4 and word in line]
    if house.instance.sealed.is_dir():
        house.instance.sealed.rmdir()
    newer(house, number=3)
    clock.now += 1
    assert service.judge("FLUTIST").json == {"valid": True}
    assert caplog.messages[-1] == "edition 3 is served now"
