"""A player's books, read from files: ordws.homeplay.book."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.errors import BadSource, Missing
from ordws.homeplay.book import read_book


@pytest.fixture
def book(tmp_path):
    def book(text, encoding="utf-8"):
        path = tmp_path / "book.txt"
        path.write_bytes(text.encode(encoding))
        return read_book(path)

    return book


@each_row(
    "text", ["bash\nvote\n", "BASH\r\nVote\r\n", "# mine\n\nbash\n  vote  \n", "\ufeffbash\nvote", "bash\nvôté\n"]
)
def test_a_list_has_a_word_a_line(book, text):
    """Case, accents, a byte order mark, blank lines, comments and the kind of line ends make no difference."""
    read = book(text)
    assert set(read.entries) == {"BASH", "VOTE"}
    assert (read.holds("VOTE"), read.holds("BASHINGS"), read.parts_of_speech("VOTE")) == (True, False, ())


def test_columns_of_a_book_are_read(book):
    """Part of speech, main or secondary entry and label are read, and several lines of a word add up."""
    read = book(
        "word\tpart of speech\tentry\tlabel\nluge\tn.\tmain\nluge\tverb\tsecondary\nbaler\tn\tbale\nhag\tn\t\tvulgar\n"
    )
    assert set(read.parts_of_speech("LUGE")) == {"noun", "verb"}
    assert [read.has_main_entry("LUGE", kind) for kind in ("noun", "verb")] == [True, False]
    assert read.has_main_entry("BALER", "noun") is False
    assert read.has_main_entry("HAG", "noun") is None
    assert [read.is_offensive(word) for word in ("HAG", "LUGE", "MISSING")] == [True, False, False]


def test_a_line_without_part_of_speech_leaves_it_open(book):
    """A word of which one entry states no part of speech may be any part of speech."""
    assert book("luge\tn.\nluge\n").parts_of_speech("LUGE") == ()


def test_unplayable_headwords_are_left_out(book):
    """Headwords of one letter, of several words, hyphenated or too long are left out and are no fault of the file."""
    assert set(book("a\nad hoc\nmid-air\ncan't\netc.\nvote\n" + "z" * 22 + "\n").entries) == {"VOTE"}


@each_row(
    ("text", "place", "expected"),
    [
        ("bash\nv0te\n", "line 2", 'expected a word of letters, found "v0te"'),
        ("bash\tnoum\n", "line 1", 'expected a part of speech such as noun, found "noum"'),
        ("bash\tn\t7\n", "line 1", 'expected main, secondary or a main entry, found "7"'),
        ("bash\tn\tmain\t\tmore\n", "line 1", "expected at most four columns: word, part of speech, entry, label"),
        ("abc\x1b]0;Z\x07\x1b[31m\n", "line 1", 'expected a word of letters, found "abc\ufffd]0;Z\ufffd\ufffd[31m"'),
        ("bash\t\x9b1m\n", "line 1", 'expected a part of speech such as noun, found "\ufffd1m"'),
        ("bash\tn\t7\u202e\n", "line 1", 'expected main, secondary or a main entry, found "7\ufffd"'),
        ("\n# nothing\n", "line 1", "expected a word a line, found none"),
    ],
)
def test_a_bad_line_is_named(book, text, place, expected):
    """An error names the file, the line, what was expected and what was read."""
    with pytest.raises(BadSource) as refused:
        book(text)
    assert (refused.value.place, refused.value.expected) == (place, expected)
    assert "book.txt" in str(refused.value)


def test_a_file_in_another_encoding_is_refused(book, tmp_path):
    """A file in another encoding is refused with the line that shows it, and a missing file is named."""
    with pytest.raises(BadSource, match="line 2: expected UTF-8"):
        book("bash\né\n", "latin-1")
    with pytest.raises(Missing, match="nowhere"):
        read_book(tmp_path / "nowhere")
