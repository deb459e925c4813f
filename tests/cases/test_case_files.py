"""The sealed case files: the chain, two writers, codes, and what is erased."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from case_steps import BANDS, NOON, OTHERS, CaseWalk
from leaks import find_leaks

from ordws.cases import commands
from ordws.cases.exhibits import read_figures
from ordws.cases.store import CaseFiles
from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.frame.sessions import new_code
from ordws.typed_codes import read_code


@pytest.fixture
def walk(case_files):
    return CaseWalk(case_files)


def open_again(walk, key=bytes(32)):
    return closing(CaseFiles(walk.files.path, key))


def change_file(walk, statement, *values):
    with closing(sqlite3.connect(walk.files.path)) as connection, connection:
        connection.execute(statement, values)


def test_two_processes_write_one_chain(walk):
    with open_again(walk) as other:
        other.take(walk.case, lambda state: commands.hold_prize(state, "open", 7), "Kim", NOON)
        walk.assign(*OTHERS)
        assert other.find(walk.case).panel == OTHERS
        assert other.head == walk.files.head
        assert [each.actor for each in other.recorded()] == ["Kay", "Kay", "Kim", "Kay"]


def test_the_figures_are_kept_as_they_were(walk):
    (figures,) = walk.state.exhibits
    assert read_figures(walk.files.exhibit(figures.digest)).bands == BANDS


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("delete from facts where number = 2", "does not follow"),
        ("update facts set fact = (select fact from facts where number = 1) where number = 2", "does not open"),
        ("update facts set hash = '0' where number = 3", "does not follow"),
        ("update personal set fields = zeroblob(40)", "does not open"),
        ("delete from personal where number = 2", "was taken out, and nobody has erased it"),
    ],
)
def test_what_was_changed_does_not_verify(walk, statement, error):
    walk.assign(*OTHERS)
    change_file(walk, statement)
    with open_again(walk) as files, pytest.raises(Broken, match=error):
        files.verify()


def test_a_noted_link_tells_that_the_last_facts_were_taken_out(walk):
    """The chain alone verifies without its last facts; the register has published the link."""
    walk.assign(*OTHERS)
    head = walk.files.head
    assert walk.files.verify(head) == 3
    change_file(walk, "delete from facts where number = 3")
    with open_again(walk) as files:
        assert files.verify() == 2
        with pytest.raises(Broken, match="not among those"):
            files.verify(head)


def test_another_key_opens_nothing(walk):
    with open_again(walk, bytes(31) + b"1") as files, pytest.raises(Broken):
        files.recorded()


def test_a_missing_file_is_not_made_anew(walk):
    with open_again(walk) as files:
        files.path.unlink()
        with pytest.raises(StoreDown):
            files.recorded()


def test_every_step_has_an_actor(walk):
    with pytest.raises(BadInput, match="has an actor"):
        walk.take(commands.assign_reviewers, list(OTHERS), (), by=" ")
    with pytest.raises(Missing, match="no case"):
        walk.files.take("1999-1", lambda state: commands.publish(state, NOON), "Kay", NOON)


def test_cases_are_numbered_by_year(case_files):
    assert [CaseWalk(case_files, now=NOON + days * 86_400).case for days in (0, 1, 200)] == [
        "2026-1",
        "2026-2",
        "2027-1",
    ]


def test_the_player_finds_the_case_by_a_code(walk):
    walk.hear()
    walk.notify()
    found = walk.files.find_by_code(read_code(walk.code.lower().replace("-", " ")))
    assert found is not None
    assert found.case == walk.case
    assert walk.files.find_by_code("0000-0000-0000") is None
    assert not find_leaks(walk.files.path.read_bytes(), ["Finch", "letter", walk.code, "not-established"])


def test_codes_as_people_type_them():
    drawn = new_code(lambda below: below - 1)
    assert drawn == "ZZZZ-ZZZZ-ZZZZ"
    assert read_code("o1lI-0000-zzzz") == "0111-0000-ZZZZ"
    assert read_code("U" * 12) is None
    assert read_code("ABCD") is None


def test_nobody_under_age_is_named_for_longer_than_400_days(case_files):
    """A case that is established and not published has no entry to keep the name for."""
    walk = CaseWalk(case_files, is_minor=True)
    walk.until_decided()
    assert case_files.erase_old("Kay", walk.now + 399 * 86_400) == 0
    assert case_files.erase_old("Kay", walk.now + 401 * 86_400) > 0
    with pytest.raises(Missing, match="erased"):
        case_files.subject(walk.state)
    case_files.verify()


def test_what_led_to_nothing_is_erased_after_400_days(case_files):
    dismissed, published = CaseWalk(case_files), CaseWalk(case_files, pseudonym="Wren")
    dismissed.hear("case-to-answer", "no-case-to-answer", "no-case-to-answer")
    published.until_published()
    assert case_files.erase_old("Kay", dismissed.now + 399 * 86_400) == 0
    assert case_files.erase_old("Kay", dismissed.now + 400 * 86_400) == 1
    with pytest.raises(Missing, match="erased"):
        case_files.subject(dismissed.state)
    assert case_files.subject(published.state).pseudonym == "Wren"
    case_files.verify()
