"""Every change of a ledger's files behind its back is noticed when it is opened, and named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlcipher3.dbapi2
from ledger_samples import AT, BASH, KEY, ZORIL, FixedSigner, LedgerFiles, ballot, by_line, family

from ordws.curation.acts import PriorityRaised
from ordws.curation.hash_chain import COLUMNS, GENESIS, ChainHead, verify_links
from ordws.curation.ledger import Ledger
from ordws.curation.sqlcipher import Database
from ordws.errors import BadInput, LedgerBroken, Missing

TABLES = ("links", *COLUMNS)


def fault_of(ledger_files: LedgerFiles, key: bytes = KEY, signer: FixedSigner | None = None) -> str:
    with pytest.raises(LedgerBroken) as refused:
        ledger_files.open(key, signer)
    return str(refused.value)


def alter(ledger_files: LedgerFiles, *statements: str) -> None:
    """Change the database with its key, and leave its tables and triggers as they were."""
    db = ledger_files.database()
    # The triggers refuse changes, and a ledger without them does not open: they are put back afterwards.
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    for _, sql in triggers:
        db.execute(sql)
    db.close()


def test_an_untouched_ledger_opens(closed: LedgerFiles) -> None:
    """The ledger that the other tests damage is whole before."""
    alter(closed)
    with closed.open() as ledger:
        assert ledger.head.length == 4


@pytest.mark.parametrize(
    ("statement", "link"),
    [
        ("UPDATE ballots SET vote = 'out' WHERE id = 'a1'", 2),
        ("UPDATE ballots SET curator = 'cleo' WHERE id = 'b1'", 2),
        ("UPDATE ballots SET reason = '' WHERE id = 'a2'", 4),
        ("UPDATE ballots SET at = '2026-11-21T08:30:01Z' WHERE id = 'a2'", 4),
        ("UPDATE ballots SET row = 9 WHERE id = 'a1'", 2),
        ("UPDATE ballots SET link = 4 WHERE id = 'b1'", 2),
        ("DELETE FROM ballots WHERE id = 'b1'", 2),
        ("DELETE FROM decisions", 2),
        ("UPDATE decisions SET outcome = 'out'", 2),
        ("UPDATE families SET standing = 'flagged' WHERE base = 'ZORIL'", 1),
        ("UPDATE families SET standing = NULL WHERE base = 'ZORIL'", 1),
        ("UPDATE candidates SET evidence = NULL WHERE word = 'BASHINGS'", 1),
        ("UPDATE candidates SET evidence = replace(evidence, 'polecat', 'polecot')", 1),
        ("UPDATE overrides SET act = 'add'", 3),
        ("UPDATE overrides SET reason = 'because'", 3),
        ("INSERT INTO overrides VALUES (9, 3, 'ZAX', 'add', 'Kay', 'because')", 3),
        ("INSERT INTO decisions VALUES (9, 4, 'ZORIL', 'in', '{}', '[2,0,\"in\"]')", 4),
    ],
)
def test_a_changed_row_is_noticed(closed: LedgerFiles, statement: str, link: int) -> None:
    """A row changed, moved, added or removed with the database's key is noticed, and its link is named."""
    alter(closed, statement)
    assert fault_of(closed) == f"a row of link {link} was changed, added or removed"


@pytest.mark.parametrize("number", ["0", "5", "-1"])
def test_a_row_without_a_link_is_noticed(closed: LedgerFiles, number: str) -> None:
    """A row that belongs to no link is noticed."""
    alter(closed, f"INSERT INTO ballots VALUES (9, {number}, 'x', 'BASH', 'eve', 'in', '', '', '{AT}')")
    assert fault_of(closed) == 'a row of "ballots" belongs to no link: it was added or moved'


@pytest.mark.parametrize("column", ["at", "kind", "counts", "digest", "hash"])
def test_a_changed_link_is_noticed(closed: LedgerFiles, column: str) -> None:
    """A change of any column of a link is noticed."""
    alter(closed, f"UPDATE links SET {column} = 'changed' WHERE number = 3")
    assert fault_of(closed) == "link 3 does not follow from the one before: the chain was altered"


def test_a_shorter_chain_is_noticed(closed: LedgerFiles) -> None:
    """The removal of the last link with all its rows is noticed by the length in the signed head."""
    alter(closed, "DELETE FROM ballots WHERE link = 4", "DELETE FROM links WHERE number = 4")
    assert fault_of(closed) == "the ledger is shorter than its signed head: 3 links of 4"


def test_a_recomputed_chain_is_noticed(closed: LedgerFiles) -> None:
    """A chain that was computed again after a vote was changed does not end as the head was signed."""
    alter(closed, "UPDATE ballots SET vote = 'out' WHERE id = 'a1'")
    db = closed.database()
    rechain(db)
    db.close()
    assert fault_of(closed) == "the ledger is not the one that was signed: link 4 has another hash"


def rechain(db: Database) -> None:
    """Give every link the digest and hash that fit its rows."""
    from ordws.curation.hash_chain import digest_of, next_link

    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    head, made = GENESIS, []
    for number, at, kind, counts, *_ in db.execute("SELECT * FROM links ORDER BY number").fetchall():
        rows = [
            db.execute(f"SELECT '{table}', link, {', '.join(names)} FROM {table} WHERE link = {number} ORDER BY row")
            for table, names in COLUMNS.items()
        ]
        made.append(next_link(head, at, kind, counts, digest_of(rows)))
        head = ChainHead(number, made[-1].hash)
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    db.execute("DELETE FROM links")
    for link in made:
        db.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", link)
    for _, sql in triggers:
        db.execute(sql)
    tables = {
        table: db.execute(f"SELECT '{table}', link, {', '.join(names)} FROM {table} ORDER BY row")
        for table, names in COLUMNS.items()
    }
    assert verify_links(GENESIS, made, tables) == head


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER ballots_stay",
        "DROP INDEX ballots_by_family",
        "CREATE TRIGGER helper AFTER INSERT ON ballots BEGIN SELECT 1; END",
        "CREATE TABLE notes (note TEXT)",
        "ALTER TABLE overrides ADD COLUMN note TEXT",
    ],
)
def test_altered_tables_are_noticed(closed: LedgerFiles, statement: str) -> None:
    """The tables, indexes and triggers must be those that the migrations made, and no others."""
    db = closed.database()
    db.execute(statement)
    db.close()
    assert fault_of(closed) == "a table or trigger of the ledger was altered"


@pytest.mark.parametrize(
    "statement",
    ["UPDATE acts SET subject = 'BASE'", "UPDATE acts SET who = 'eve'", "UPDATE acts SET act = ''", "DELETE FROM acts"],
)
def test_a_changed_act_is_noticed(closed: LedgerFiles, statement: str) -> None:
    """Acts are chained as ballots are."""
    with closed.open() as ledger:
        ledger.append_acts([("BASH", PriorityRaised())], "Kay", AT)
    alter(closed, statement)
    assert fault_of(closed) == "a row of link 5 was changed, added or removed"


def test_a_newer_version_is_noticed(closed: LedgerFiles) -> None:
    """A ledger with migrations that this version does not know is left untouched."""
    db = closed.database()
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert fault_of(closed) == "the ledger was made by a newer version of ordws"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("statement", ["UPDATE {} SET {} = {}", "DELETE FROM {}", "REPLACE INTO {} SELECT * FROM {}"])
def test_the_tables_are_append_only(closed: LedgerFiles, table: str, statement: str) -> None:
    """The triggers of the database refuse to change, delete or replace a row."""
    # Every table needs a row, or its triggers would have nothing to refuse.
    with closed.open() as ledger:
        ledger.append_acts([("BASH", PriorityRaised())], "Kay", AT)
    column = "number" if table == "links" else "row"
    sql = statement.replace("{} = {}", f"{column} = {column}").replace("{}", table)
    db = closed.database()
    with pytest.raises(sqlcipher3.dbapi2.IntegrityError, match="the ledger appends"):
        db.execute(sql)
    db.close()


def test_a_wrong_key_is_noticed(closed: LedgerFiles, capfd: pytest.CaptureFixture[str]) -> None:
    """A wrong key and a damaged file give the same error, and the cipher prints nothing."""
    assert fault_of(closed, key=bytes(32)) == "curation.db does not read: wrong key, or damaged"
    assert capfd.readouterr() == ("", "")


def test_a_key_of_the_wrong_length_is_noticed(closed: LedgerFiles) -> None:
    """A key file that was cut short is refused and not padded."""
    assert fault_of(closed, key=KEY[:31]) == "the key of curation.db is not 32 bytes long"


def test_every_truncation_is_noticed(closed: LedgerFiles) -> None:
    """A database that was cut at any length, to nothing too, does not open."""
    data = closed.path.read_bytes()
    assert len(data) > 40_000
    for length in [0, 1, 15, 16, 100, 511, 512, 1_024, *range(2_000, len(data), 1_973), len(data) - 1]:
        closed.path.write_bytes(data[:length])
        assert fault_of(closed) in (
            "curation.db does not read: wrong key, or damaged",
            "1 pages are damaged",
            "the ledger is shorter than its signed head: 0 links of 4",
        )


def test_every_flipped_page_is_noticed(closed: LedgerFiles) -> None:
    """A database with one flipped bit, on any page, does not open."""
    data = closed.path.read_bytes()
    # The offsets are of the page's salt or header, its content, its IV and its MAC.
    for page in range(0, len(data), 4_096):
        for offset in (0, 20, 100, 2_000, 4_010, 4_020, 4_095):
            flipped = bytearray(data)
            flipped[page + offset] ^= 1
            closed.path.write_bytes(flipped)
            assert "damaged" in fault_of(closed)


def test_an_old_copy_is_noticed(closed: LedgerFiles) -> None:
    """An old database beside the present head is refused, and so is the present one beside an old head."""
    old, head = closed.path.read_bytes(), closed.head.read_bytes()
    with closed.open() as ledger:
        ledger.cast(by_line(ballot("b2", "ben", "out", "ZORIL")), AT)
    new = closed.path.read_bytes()
    closed.path.write_bytes(old)
    assert fault_of(closed) == "the ledger is shorter than its signed head: 4 links of 5"
    closed.path.write_bytes(new)
    closed.head.write_bytes(head)
    assert fault_of(closed) == "the ledger is longer than its signed head: 5 links, 4 signed"


def test_a_copy_without_its_log_is_noticed(closed: LedgerFiles, tmp_path: Path) -> None:
    """A database copied without its write-ahead log is refused, since it lacks the last links."""
    copy = LedgerFiles(tmp_path / "copy")
    copy.folder.mkdir()
    with closed.open() as ledger:
        ledger.cast(by_line(ballot("b2", "ben", "out", "ZORIL")), AT)
        shutil.copy(closed.path, copy.path)
        shutil.copy(closed.head, copy.head)
    assert fault_of(copy) == "the ledger is shorter than its signed head: 4 links of 5"


def test_a_missing_head_is_noticed(closed: LedgerFiles) -> None:
    """A ledger without its signed head is refused."""
    closed.head.unlink()
    assert fault_of(closed) == "the signed head curation.head is missing"


def test_a_missing_database_is_noticed(closed: LedgerFiles) -> None:
    """A head without its database is a loss; without both there is no ledger yet."""
    closed.path.unlink()
    assert fault_of(closed) == "curation.db is missing, though its signed head is there"
    with pytest.raises(LedgerBroken, match=r"curation.head is the signed head of another ledger"):
        closed.create()
    closed.head.unlink()
    with pytest.raises(Missing, match="there is no ledger at"):
        closed.open()


def test_a_ledger_is_not_made_over_another(closed: LedgerFiles) -> None:
    """Creating a ledger over another is refused, and leaves that one as it was."""
    with pytest.raises(BadInput, match="there is a ledger at"):
        closed.create()
    with closed.open() as ledger:
        assert ledger.head.length == 4


def test_a_foreign_signature_is_noticed(closed: LedgerFiles) -> None:
    """A head that another key signed is refused, though its hash is right."""
    assert (
        fault_of(closed, signer=FixedSigner(b"t" * 32))
        == "the signed head curation.head was not signed by this installation"
    )


@pytest.mark.parametrize(
    "forge",
    [
        lambda text: text.replace("\n4 ", "\n3 "),
        lambda text: text.replace("\n4 ", "\n04 "),
        lambda text: text.replace("ledger head 1", "ledger head 2"),
        lambda text: text.replace("\n4 ", "\n4  "),
        lambda text: text + "\n",
        lambda text: text[:-1],
        lambda text: text[:-3] + "\n",
        lambda text: text[: text.index("\n4 ")],
        lambda text: text.replace("\n4 ", f"\n3 {'0' * 64}\n4 "),
        lambda text: text.upper(),
        lambda text: text.replace("o", "\u0151"),
        lambda _: "",
    ],
)
def test_a_forged_head_is_noticed(closed: LedgerFiles, forge: Callable[[str], str]) -> None:
    """A head file with a line changed, added or left out is refused."""
    closed.head.write_text(forge(closed.head.read_text("ascii")), "utf-8")
    assert fault_of(closed) in (
        "the signed head curation.head is damaged",
        "the signed head curation.head was not signed by this installation",
    )


def test_every_changed_byte_of_the_head_is_noticed(closed: LedgerFiles) -> None:
    """A head file with any byte changed, or of any shorter length, is refused."""
    data = closed.head.read_bytes()
    for place, byte in enumerate(data):
        for other in (data[:place] + bytes([byte ^ 1]) + data[place + 1 :], data[:place]):
            closed.head.write_bytes(other)
            assert "the signed head curation.head" in fault_of(closed)


def test_links_appended_by_others_are_verified(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """A ledger that stays open verifies the links that others append, and does not go on after a false one."""
    with ledger_files.open() as other:
        other.cast(by_line(ballot("a1", "ann", "in")), AT)
    alter(ledger_files, "UPDATE ballots SET curator = 'eve'")
    with pytest.raises(LedgerBroken, match="a row of link 2 was changed, added or removed"):
        ledger.override("add", "ZAX", reason="so", keeper="Kay", at=AT)


def test_a_chain_cut_under_an_open_ledger_is_noticed(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """A chain that becomes shorter while a ledger is open is noticed."""
    ledger.cast(by_line(ballot("a1", "ann", "in")), AT)
    alter(ledger_files, "DELETE FROM ballots", "DELETE FROM links WHERE number = 2")
    with pytest.raises(LedgerBroken, match="the ledger is shorter than its signed head: 1 links of 2"):
        ledger.override("add", "ZAX", reason="so", keeper="Kay", at=AT)


def test_nothing_beside_the_ledger_is_readable(ledger_files: LedgerFiles, ledger: Ledger) -> None:
    """No file of a ledger, open or closed, holds a word, a name or a reason in the clear, or is readable by others."""
    ledger.set_queue([BASH, ZORIL, *[family(f"QUAGGA{letter}") for letter in "ABCDEFGH"]], AT)
    ledger.cast(by_line(ballot("a1", "annabel", "in", reason="because of the zebra")), AT)
    open_files = {path.name: path.read_bytes() for path in ledger_files.folder.iterdir()}
    modes = {path.stat().st_mode & 0o777 for path in ledger_files.folder.iterdir()}
    ledger.close()
    files = [*open_files.values(), *[path.read_bytes() for path in ledger_files.folder.iterdir()]]
    assert set(open_files) == {
        "curation.db",
        "curation.db-wal",
        "curation.db-shm",
        "curation.db.lock",
        "curation.head",
    }
    assert modes == {0o600}
    for secret in (b"BASHED", b"QUAGGA", b"polecat", b"annabel", b"zebra", b"SQLite format", b"families"):
        assert not any(secret in data for data in files)
