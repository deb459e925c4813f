"""The word lists that the rule books publish; nothing here is secret (docs/rules.md 6.6, 6.7).

The browser gets them as data: ordws/web/pages/static/rules.js and dover.js ask them.
"""

from __future__ import annotations

from typing import Final, NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TWOS_72: Final = _words("""
    AB AD AG AH AI AM AN AR AS AT AW AX AY BE BI BY DO ED EF EH EL EM EN ER EX FA GO HA HE HI HO ID IF IN IS IT LA
    LI LO MA ME MI MU MY NO NU OF OH ON OR OS OW OX PA PI RE SH SI SO TA TI TO UH UM UP US UT WE WO XI YE YO
""")
REJECTS_29: Final = _words("""
    AA AE AL BA BO DE ES ET FE HM JO KA KI MM MO NA NE OD OE OI OM OP OY PE QI UN XU YA ZA
""")
TWOS_101: Final = TWOS_72 | REJECTS_29
"""The two-letter words of OSPD4."""

TWOS_70: Final = TWOS_72 - {"SI", "WO"}

DOVER_DISQUALIFIED: Final = _words("""
    AA AE JO PE QI SI WO ZA AZO DEX DIS HOS IGG JEE MEM POO QOPH SUQ TAV VAU VAV WAW ZAG ZIG ZEP ZOA
""")
"""The words that the director of the Dover club disqualified personally, beside the Hebrew letters."""

HEBREW_LETTERS: Final = _words("""
    ALEF ALEPH AYIN BETH CHETH DALETH GIMEL HETH KAPH KHAPH KHETH KOPH LAMED LAMEDH QOPH RESH SADE SADHE SADI SAMECH
    SAMEK SAMEKH TETH TSADE TSADI YODH ZAYIN
""")
"""Hebrew letters whose names have four letters or more and no other meaning; the lists below have the shorter names."""

DISALLOWED_TWOS: Final = REJECTS_29 | {"SI", "WO"}
DISALLOWED_THREES: Final = _words("""
    AAL ABY AFF AGS AHI AHS ALS AMI AMU APO ARF ATT AVA AWA AZO BAL BAM BAP BAS BES BOS BRR CEL CIG CIS COR DAK DEL
    DEV DEX DIB DIF DIS DOL DOM DOR DOW DUI DUP EAU EDS EEK EFF ELD EME ENG ERS FEH FEM FER FES FET FEU FIL FIZ FOH
    FON FOU FUB FUD GAE GAN GED GEN GEY GHI GOR GOS GOX GOY GUV HEH HET HIC HMM HON HOS HUN HUP HYP ICK IFF IGG JEE
    JEU JIN JOW JUN JUS KAE KAF KAS KAT KEP KEX KIS KOI KOP KOS KUE KYE LAR LAT LAV LES LIN LIS LUM LUV MAE MEL MEM
    MIB MIG MIM MOC MOG MOR MOS MUN MUT NAM NAW NEG NOH NOM NOO NOS OBE ODA ODS OES OKA OKE OMS ONO ONS OOT OPE OPS
    ORC ORS OSE OXO OXY PED PEH PHT POH POM POO POW PST PUD PUR PYE QAT QIS RAS RAX REE REG REI REX RIA RIF RIN ROM
    SAB SAE SAU SEG SEL SER SHA SHH SIM SRI SUK SUQ SYN TAE TAO TAS TAV TEL TET TEW TYE ULU UNS UPO URB URD UTA UTE
    VAR VAU VAV VAW VID VIG VIS VOE VOX WAB WAE WAP WAW WHA WIS WOS WUD WYN YAG YAH YAR YEH YOD YOK YOM YUM ZAG ZAS
    ZEP ZIG ZIN ZOA ZZZ
""")
SPECIAL_PLURALS: Final = _words("AIS EFS KAYS LAS RES UTS GAMMAS IOTAS KAPPAS LAMBDAS SIGMAS PHIS")
"""Plurals that Dover grants although its dictionary does not show them."""


class PublishedLists(NamedTuple):
    """The words that a rule set itself decides, those of its club among them; the edition decides all others."""

    twos: frozenset[str]
    """The acceptable two-letter words; the edition is not asked for any of two letters."""

    struck: frozenset[str] = frozenset()
    """Words with which no play can be made: its player makes another one."""

    granted: frozenset[str] = frozenset()
    """Words that are acceptable, whatever the edition says."""

    rejected: frozenset[str] = frozenset()
    """Words that are not acceptable, whatever the edition says; a play with one of them is a bad play."""

    def decide(self, word: str) -> bool | None:
        """Return whether a folded word may be played, or None where the edition decides."""
        if len(word) == 2:
            return word in self.twos
        if word in self.rejected or word in self.struck:
            return False
        return True if word in self.granted else None


TWO_LETTER_LISTS: Final = {"72": TWOS_72, "70": TWOS_70, "101": TWOS_101}
"""The lists by their length, by which the option `two_letter_words` names them."""

_NONE: Final[frozenset[str]] = frozenset()
DISALLOWED_LISTS: Final = {
    "none": (_NONE, _NONE),
    "dover": (DOVER_DISQUALIFIED | HEBREW_LETTERS | DISALLOWED_TWOS | DISALLOWED_THREES, SPECIAL_PLURALS),
}
"""The words struck out and the words granted, by value of the option `disallowed_words`."""


def read_words(text: str, longest: int, most: int) -> frozenset[str]:
    """Return the words of a list of a club's own, as ZIG,ZAG, or none; raises ValueError naming the first fault."""
    words = text.upper().replace(" ", "").split(",") if text != "none" else []
    for word in words:
        if not (word.isascii() and word.isalpha() and 2 <= len(word) <= longest):
            letters = "2" if longest == 2 else f"2 to {longest}"
            shown = word if len(word) <= longest else f"{word[:longest]}..."
            raise ValueError(f'"{shown}" is no word of {letters} letters, A to Z; write ZIG,ZAG, or none')
    if len(found := frozenset(words)) > most:
        raise ValueError(f"{len(found)} words are more than {most}")
    return found


def is_acceptable(lists: PublishedLists, word: str, found: bool) -> bool:
    """Return whether a folded word may be played, given whether it was found in the word set (docs/rules.md 6.3)."""
    decided = lists.decide(word)
    return found if decided is None else decided
