"""A table station without a browser: it signs the events of a short game with a key of its own."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from itertools import count
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from paired_devices import DeviceBrowser

from ordws.api.promises import PROMISES
from ordws.records.notation import read_move
from ordws.rules.board import empty_board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RULE_SETS

Event = dict[str, Any]
RULES = "scrabble-i-classic"
MINUTE = 60_000
SEVEN_O_CLOCK = 1_795_287_600_000


class SigningKey:
    """A key pair, as WebCrypto makes it."""

    def __init__(self) -> None:
        self._private = generate_private_key(SECP256R1())

    @property
    def public(self) -> dict[str, str]:
        """The public key as a JSON Web Key."""
        numbers = self._private.public_key().public_numbers()
        return {"kty": "EC", "crv": "P-256", "x": encode(numbers.x), "y": encode(numbers.y)}

    def sign(self, text: str) -> str:
        r, s = decode_dss_signature(self._private.sign(text.encode(), ECDSA(SHA256())))
        return urlsafe_b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode().rstrip("=")


def encode(number: int) -> str:
    return urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


def short_game(label: str = "g") -> list[Event]:
    """Return the events of a game of two plays, the second of which was made while the judge could not be reached."""
    moments = count(SEVEN_O_CLOCK, MINUTE)

    def event(kind: str, clocks: tuple[int, int], **fields: Any) -> Event:
        return {"kind": kind, "at": next(moments), "clocks": [part * MINUTE for part in clocks], **fields}

    opened = {"version": 1, "game": label, "rules": RULES, "options": {}, "players": ["Ann", "Bob"]}
    events = [
        event("open", (0, 0), **opened),
        event("oath", (0, 0), player=0, version=1, wording=PROMISES.oath.text),
        event("oath", (0, 0), player=1, version=1, wording=PROMISES.oath.text),
        event("start", (0, 0)),
        event("play", (1, 0), player=0, move="8H ACTION"),
        event("verdict", (1, 0), of=4, valid=True, by="judge"),
        event("play", (1, 1), player=1, move="9H ZAG"),
        event("verdict", (1, 1), of=6, valid=None, by="nobody"),
        event("neutralise", (1, 1), player=0, milliseconds=MINUTE, reason="a fire drill"),
        event("end", (2, 1), out=None, counts=False),
        event("late-verdict", (2, 1), of=6, valid=False),
        event("attest", (2, 1), player=0, version=1, wording=PROMISES.attestation.text),
        event("attest", (2, 1), player=1, version=1, wording=PROMISES.attestation.text),
    ]
    # A verdict comes at once: the time until it belongs to nobody, and may be five seconds at most.
    for number in (5, 7):
        events[number]["at"] = events[number - 1]["at"] + 5_000
        for later in events[number + 1 :]:
            later["at"] -= MINUTE - 5_000
    return events


def game_of_event(bound: str, label: str = "g", **fields: Any) -> list[Event]:
    """Return the events of the short game as a game of an event, whose judge was reached in time."""
    events = [event for event in short_game(label) if event["kind"] != "late-verdict"]
    events[0] |= {"bound": bound, **fields}
    events[7] |= {"valid": True, "by": "judge"}
    return events


def short_record(second: str = "9H ZAG", *, first: str = "8H ACTION", adjust: int = 0) -> str:
    """Return the record of a game of two plays, with another score for the first if asked."""
    rules, board, lines = RULE_SETS[RULES], empty_board(15), []
    for nick, move in (("Ann", first), ("Bob", second)):
        play = read_move(move)
        assert isinstance(play, Play)
        ruling = judge(rules, board, play)
        assert isinstance(ruling, Legal), ruling
        score, adjust = ruling.score + adjust, 0
        lines.append(f">{nick}: {move.split()[1].replace('.', '')} {move} +{score} {score}\n")
        board = board.with_letters(ruling.tiles)
    head = f"#player1 Ann Ann\n#player2 Bob Bob\n#description ordws rules={RULES}\n"
    return f"{head}{''.join(lines)}#note ordws ended stopped\n"


def sign_chain(key: SigningKey, events: list[Event]) -> list[dict[str, str]]:
    """Return the events numbered, chained and signed."""
    signed, previous = [], ""
    for number, event in enumerate(events):
        text = json.dumps({"n": number, "previous": previous, **event})
        signed.append({"text": text, "signature": key.sign(text)})
        previous = sha256(text.encode()).hexdigest()
    return signed


def register_key(device: DeviceBrowser, key: SigningKey) -> Any:
    return device.post("/v1/device/key", {"key": key.public})


def send_game(device: DeviceBrowser, record: str, events: list[dict[str, str]], game: str = "g") -> Any:
    return device.post("/v1/stations/games", {"game": game, "record": record, "events": events})
