"""Tests that hold the QR codes of the pages equal to segno's."""

from __future__ import annotations

import segno
import segno.encoder
from test_rules_js import engine

__all__ = ["engine"]

CAPACITIES = (17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425)
"""The bytes that versions 1 to 13 hold."""
MODULES = "(engine, texts) => texts.map((text) => engine.qrModules(text).map((row) => row.map(Number)))"
TOO_LONG = "(engine, text) => { try { engine.qrModules(text); } catch (error) { return `${error}`; } }"
LINK = f"https://ordws.example.org/play/{'0123456789abcdef' * 2}#seat=ordws_invite_1{'fedcba9876543210' * 2}"


def drawn_by_segno(text, modules):
    """Return segno's code of a text under the mask that a code names, as a mask may be chosen in several ways."""
    mask = (1 - modules[8][2]) * 4 + modules[8][3] * 2 + (1 - modules[8][4])
    code = segno.make_qr(text, error="l", boost_error=False, mode="byte", mask=mask)
    return [[*row] for row in code.matrix]


def pad_to_a_byte(buffer, version, length):
    buffer.extend([0] * (-length % 8))


def test_codes_are_those_of_the_standard(engine, monkeypatch):
    """A code is segno's under the same mask: of every version full and with a byte to spare, and of a link."""
    # segno fills up with a whole byte where none is needed; scanners read over it.
    monkeypatch.setattr(segno.encoder, "write_padding_bits", pad_to_a_byte)
    texts = [*["a" * (most - spare) for most in CAPACITIES for spare in (0, 1)], "", "Zoë \u2192", LINK]
    for text, modules in zip(texts, engine.run(MODULES, texts, "qr-code"), strict=True):
        assert modules == drawn_by_segno(text, modules), text


def test_a_longer_text_is_refused(engine):
    """A text that no version holds is an error, not a code that cannot be scanned."""
    assert "426 bytes" in engine.run(TOO_LONG, "a" * 426, "qr-code")
