"""The board and the other results of an audit, and the board and tiles by which a record is replayed."""

from __future__ import annotations

from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import FindingKind
from ordws.records.gcg import read_gcg

PLAYERS = "#player1 Ann Ann\n#player2 Bob Bob\n"


def audited(text: str) -> RecordAudit:
    return audit_record(read_gcg(text.encode()))


def test_the_last_board_is_given():
    """An audit gives the last board, the squares of the last play that stands, and the run that it stretched."""
    audit = audited(
        f"{PLAYERS}#description ordws rules=scrabble-i-classic\n>Ann: HILORRV 8H VIOL +14 14\n"
        ">Bob: AABDFIT 8H ....AT +30 30\n>Ann: ABR 9L BAR +30 44\n>Ann: ABR -- -30 14\n"
    )
    assert audit.board.rows()[7] == ".......VIOLAT.."
    assert "".join(audit.board.rows()).replace(".", "") == "VIOLAT"
    assert audit.last_play == ((7, 11), (7, 12))
    assert audit.stretched == ((7, 7), (7, 8), (7, 9), (7, 10))


def test_nothing_is_stretched_by_other_plays():
    """A play without a stretch bonus stretches nothing, and a record without moves has no last play."""
    assert audited(f"{PLAYERS}>Ann: HILORRV 8H VIOL +14 14\n").stretched == ()
    assert audited(PLAYERS).last_play == ()


def test_rows_may_have_the_letters():
    """In a record with lettered rows, `H8` is a play across."""
    text = f"{PLAYERS}#orientation lettered-rows\n>Ann: HILORRV H8 VIOL +14 14\n>Bob: AABDFIT 12H ABAFT +31 31\n"
    audit = audited(text)
    assert audit.is_exact
    assert audit.board.rows()[7] == ".......VIOLA..."
    assert audit.board.letter_at(11, 11) == "T"


def test_another_board_is_tried_if_the_first_play_misses_the_centre():
    """A first play that would miss the centre is tried on other boards."""
    audit = audited(f"{PLAYERS}>Ann: HILORRV 6E VIOL +14 14\n>Bob: AABDFIT I6 ABAFT +28 28\n")
    assert audit.is_exact
    assert audit.rules.layout.side == 11
    assert audit.findings[0].message == "replayed on the layout ScrabbleDuel, which the coordinates fit"


def test_a_word_list_names_its_language():
    """The tiles of the language of the word list are taken if the scores agree with them."""
    german = f"#lexicon RD28\n{PLAYERS}>Ann: HMNOPTZ 8H MOHN +16 16\n"
    audit = audited(german)
    assert audit.is_exact
    assert [finding.kind for finding in audit.findings] == [FindingKind.LETTERS, FindingKind.UNFINISHED]
    english = audited(german.replace("+16 16", "+18 18"))
    assert english.is_exact
    assert [finding.kind for finding in english.findings] == [FindingKind.UNFINISHED]


def test_one_strange_letter_does_not_change_the_language():
    """One strange letter in an English game is a line that cannot be read and does not make the game German."""
    audit = audited(f"{PLAYERS}>Ann: HILORRV 8H VIOL +14 14\n>Bob: AABDFIT L8 ÄBAFT +31 31\n>Ann: HRR M8 H +9 23\n")
    assert FindingKind.LETTERS not in {finding.kind for finding in audit.findings}


def test_the_moves_are_counted():
    """Plays, exchanges and passes count as moves; withdrawals do not."""
    text = f"{PLAYERS}>Ann: HILORRV 8H VIOL +14 14\n>Ann: HILORRV -- -14 0\n>Bob: AB -AB +0 0\n>Ann: A - +0 0\n"
    assert audited(text).moves == 3
