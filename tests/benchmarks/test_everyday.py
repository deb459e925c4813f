"""Tests of the frozen lists of everyday words, and of the shares that are measured on them."""

from __future__ import annotations

import re
from pathlib import Path

from ordws.fold import find_fold
from tests.benchmarks.everyday import GOALS, SUBTITLE_FILE, WORD_FILE, measure, percentage, read_everyday_words

BUILDERS = Path(__file__).parents[2] / "builders"
FILES = (WORD_FILE, SUBTITLE_FILE)
COUNTED = frozenset(each.word for file in FILES for each in read_everyday_words(file) if not each.struck)


def test_each_list_has_20000_different_words_that_can_be_played():
    """A list has as many different words as its longest part asks for, each folded and of three letters or more."""
    for file in FILES:
        words = [each.word for each in read_everyday_words(file)]
        assert len(words) == len(set(words)) == max(GOALS)
        assert all(find_fold(word) == word and len(word) >= 3 for word in words)


def test_every_strike_has_a_reason_that_the_head_of_the_file_explains():
    """The reasons behind struck words are those that the head of the file lists, and each of these occurs."""
    for file in FILES:
        head = [line for line in file.read_text("utf-8").splitlines() if line.startswith("#   ")]
        explained = {re.split(r"\s{2,}", line.removeprefix("#").strip())[0] for line in head}
        assert {each.struck for each in read_everyday_words(file)} == explained | {""}


def test_no_builder_knows_the_lists():
    """No module of the builders names a list, so that no recipe can be tuned to it by a build."""
    assert not [path for path in BUILDERS.rglob("*.py") for file in FILES if file.stem in path.read_text("utf-8")]


def test_a_list_is_whole_if_every_word_that_counts_is_settled():
    """Struck words are missed by nobody; one missing word of the first 1,000 of both lists lowers every share."""
    assert [figure.value for figure in measure(COUNTED)][:4] == [100, 100, 100, 100]
    shares = [figure.value for figure in measure(COUNTED - {"WOULD"})]
    assert all(99.8 < share < 100 for share in shares[:4])


def test_missing_words_are_printed_in_their_order(capsys):
    """The words that are missing are printed, the commonest first."""
    list(measure(COUNTED - {"WOULD", "THE"}))
    assert capsys.readouterr().err.splitlines()[0] == "  missing of 1,000, the commonest first: THE WOULD"


def test_a_share_is_never_rounded_up_to_all():
    """One word missing of very many is not shown as 100 %."""
    assert percentage(99_999, 100_000) == 99.99
