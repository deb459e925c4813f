"""The open recipe's four sources in miniature, of our own writing, laid out as `ordws-build fetch` leaves them."""

from __future__ import annotations

from pathlib import Path

from dictionary_files import write_dictd, write_scowl, write_wordnet

WORDNET = {
    "n": ["word 0||a unit of language", "lover 0||one who loves", "board 0||a flat piece of wood"],
    "v": ["play 0||take part in a game"],
    "a": ["puckish 0||naughtily playful"],
    "r": ["puckishly 0||in a puckish way"],
}
GCIDE = [
    "Word \\Word\\, n.\n   A unit of speech.\n   [1913 Webster]\n",
    'Lover \\Lov"er\\, n.\n   One who loves.\n   [1913 Webster]\n',
    "Play \\Play\\, v. i. [imp. & p. p. {Played}; p. pr. & vb. n. {Playing}.]\n   To take part in a game.\n"
    "   [1913 Webster]\n",
]
WIKDICT = ["board //bɔːd// <n>\n1. lauta\nflat piece of wood\n", "kolo //kɔːlɔ// <n>\n1. kolo\nround dance\n"]
SCOWL_LISTS = {
    "english-words.10": "word words play plays played playing board boards",
    "english-words.50": "lover lovers",
    "english-words.80": "puckish puckishly kolo kolos",
    "english-upper.50": "Mary",
}


def write_open_sources(sources: Path) -> None:
    """Write the miniatures below a sources folder."""
    debian = sources / "debian"
    for package in ("wordnet-base", "dict-gcide", "dict-freedict-eng-fin", "scowl"):
        (debian / package).mkdir(parents=True)
    write_wordnet(debian / "wordnet-base", WORDNET)
    for package, name, texts in (
        ("dict-gcide", "gcide", GCIDE),
        ("dict-freedict-eng-fin", "freedict-eng-fin", WIKDICT),
    ):
        write_dictd(debian / package, texts)
        for ending in (".index", ".dict.dz"):
            (debian / package / f"own{ending}").rename(debian / package / f"{name}{ending}")
    write_scowl(debian / "scowl", SCOWL_LISTS)
