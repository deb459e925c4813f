"""The encoding of a record, told from its declaration or from its bytes."""

from __future__ import annotations

from each_row import each_row

from ordws.records.gcg import DecodedText, decode

LINE = "#player1 Zoë Zoë\n"
UNDECLARED = "the text is UTF-8 and does not declare it"


@each_row(
    ("data", "encoding", "fault"),
    [
        (LINE.encode("latin-1"), "ISO-8859-1", None),
        (b"#player1 Ann Ann\n", "ISO-8859-1", None),
        (b"#character-encoding UTF-8\n" + LINE.encode(), "UTF-8", None),
        (b"  #Character-Encoding utf8 \r\n" + LINE.encode(), "UTF-8", None),
        (b"#character-encoding ISO-8859-1\n" + LINE.encode("latin-1"), "ISO-8859-1", None),
        (b"#character-encoding windows-1250\n" + LINE.encode("cp1250"), "CP1250", None),
        (b"#character-encoding ASCII\n#player1 Ann Ann\n", "ISO-8859-1", None),
        (LINE.encode(), "UTF-8", UNDECLARED),
        (b"\n#character-encoding UTF-8\n" + LINE.encode(), "UTF-8", UNDECLARED),
        (b"#character-encoding ISO8859-6\n" + LINE.encode(), "UTF-8", '"ISO8859-6" is declared, but the text is UTF-8'),
        (
            b"#character-encoding UTF-8\n\n" + LINE.encode("latin-1"),
            "ISO-8859-1",
            "UTF-8 is declared, but line 3 is not that",
        ),
        (
            b"#character-encoding rot13\n" + LINE.encode("latin-1"),
            "ISO-8859-1",
            'the text is not "rot13", which is declared',
        ),
        (
            b"#character-encoding latin-99\n" + LINE.encode("latin-1"),
            "ISO-8859-1",
            'the text is not "latin-99", which is declared',
        ),
        ("#title “Zoë”\n".encode("cp1252"), "windows-1252", "the text is windows-1252 and does not declare it"),
        (LINE.encode("utf-8-sig"), "UTF-8", "the text begins with the byte order mark of UTF-8"),
        (LINE.encode("utf-16"), "UTF-16", "the text begins with the byte order mark of UTF-16"),
        (LINE.encode("utf-32"), "UTF-32", "the text begins with the byte order mark of UTF-32"),
        (LINE.encode("utf-16-le"), "UTF-16", "the text is UTF-16 and has no mark of it"),
        (LINE.encode("utf-16-be"), "UTF-16", "the text is UTF-16 and has no mark of it"),
    ],
)
def test_an_encoding_is_detected(data, encoding, fault):
    """A declaration is believed if it fits, plain UTF-8 is recognised, and ISO 8859-1 takes all other bytes."""
    text = decode(data)
    assert (text.encoding, text.faults) == (encoding, () if fault is None else (fault,))
    assert text.text.split("\n")[-2].split()[-1] in ("Zoë", "Ann", "“Zoë”")


@each_row("data", [b"\xff\xfe#", b"\xef\xbb\xbf\xff", b"\xfe\xff\xd8\x00", b"#character-encoding UTF-8\n\x81\xff"])
def test_broken_bytes_are_kept_or_replaced(data):
    """Bytes that cannot be letters are kept or replaced, and reported."""
    text = decode(data)
    assert isinstance(text, DecodedText)
    assert text.faults
