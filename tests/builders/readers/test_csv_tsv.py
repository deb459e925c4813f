"""Tests of the reader of tables, CSV and TSV."""

from __future__ import annotations

import pytest
from each_row import each_row

from builders.entry import Entry, StatedForm
from builders.readers import read_entries
from ordws.errors import BadSource

INDEX = Entry(
    "index",
    "noun",
    frozenset({"rare"}),
    gloss="a list, in order",
    forms=(StatedForm("indices", "plural"), StatedForm("indexes", "plural")),
)


def read(path, text, faults=None):
    path.write_bytes(text.encode())
    return list(read_entries("table", path, faults=faults))


@each_row(
    "text",
    [
        'word,pos,labels,gloss,forms\nindex,noun,rare,"a list, in order",plural:indices indexes\n',
        "forms;gloss;word;labels;pos\nplural:indices indexes;a list, in order;index;rare;n\n",
        "\ufeffWord\tPos\tLabels\tGloss\tForms\r\nindex\tn.\trare\ta list, in order\tplural:indices;indexes\r\n",
    ],
)
def test_columns_are_found_by_their_names(tmp_path, text):
    """The heading decides the delimiter and the order of the columns."""
    assert read(tmp_path / "words.csv", text) == [INDEX]


def test_only_the_word_is_required(tmp_path):
    """A column may be absent, and so may the last cells of a row."""
    assert read(tmp_path / "a.csv", "word\nkolo\n") == [Entry("kolo", "other")]
    assert read(tmp_path / "b.csv", "word,pos,gloss\nkolo,noun\n\n") == [Entry("kolo", "noun")]


def test_endings_are_completed_and_unnamed_forms_get_an_inflection(tmp_path):
    """An ending is completed, and an unnamed form gets its inflection from its part of speech and shape."""
    text = "word,pos,forms\nbothy,noun,-ies\nbash,verb,bashing third:bashes\nlovely,adj,-ier -iest\n"
    assert [entry.forms for entry in read(tmp_path / "words.csv", text)] == [
        (StatedForm("bothies", "plural"),),
        (StatedForm("bashing", "gerund"), StatedForm("bashes", "third")),
        (StatedForm("lovelier", "comparative"), StatedForm("loveliest", "superlative")),
    ]


def test_labels_are_read_by_the_word(tmp_path):
    """A cell may hold several labels, "sometimes" makes one partial, and "suffix" may stand as a part of speech."""
    text = "word,pos,labels\nwop,noun,obs; slang\nass,noun,sometimes vulgar\nish,suffix,\nheld,verb,inflection\n"
    read_labels = [(entry.labels, entry.partial_labels) for entry in read(tmp_path / "words.csv", text)]
    assert read_labels == [
        ({"obsolete", "slang"}, frozenset()),
        (frozenset(), {"vulgar"}),
        ({"affix"}, frozenset()),
        ({"inflection"}, frozenset()),
    ]


def test_rows_of_one_word_are_its_senses(tmp_path):
    """A label that only one of two rows of a word has is partial."""
    (entry,) = read(tmp_path / "words.csv", "word,pos,labels,gloss\nbash,verb,,to hit\nbash,verb,slang,to berate\n")
    assert entry == Entry("bash", "verb", frozenset(), frozenset({"slang"}), "to hit / to berate")


@each_row(
    ("text", "place", "expected"),
    [
        ("word,pos,colour\nkolo,noun,red\n", "line 1", '"colour"'),
        ("pos,gloss\nnoun,a dance\n", "line 1", '"word"'),
        ("word,pos,word\nkolo,noun,zax\n", "line 1", '"word" twice'),
        ("word\rpos\nkolo,noun\n", "line 1", "new-line character"),
        ("word,pos\nbash,verb\nkolo,nuon\n", "line 3", 'noun or v, in the column "pos"'),
        ("word,pos\nkolo,noun,more\n", "line 2", "2 cells"),
        ("word,pos\n,noun\n", "line 2", "expected a word"),
        ("word,forms\nkolo,many:kolos\n", "line 2", 'superlative, form in the column "forms"'),
        ("word,forms\nkolo,-\n", "line 2", 'fit the word, in the column "forms"'),
        ('word,gloss\nbash,hit\nkolo,"a dance\nof old\n', "line 3", "unexpected end of data"),
        ('word,gloss\nkolo,"a" dance\n', "line 2", "expected after"),
    ],
)
def test_the_error_of_a_malformed_table_names_the_line(tmp_path, text, place, expected):
    """The error names the wrong line and what was expected of it."""
    with pytest.raises(BadSource) as fault:
        read(tmp_path / "words.csv", text)
    assert fault.value.place == place
    assert expected in str(fault.value)


def test_reading_goes_on_behind_a_malformed_row(tmp_path):
    """All faults are collected and the rows between them read; a cell over two lines does not shift line numbers."""
    faults: list[BadSource] = []
    text = 'word,pos,gloss\nbash,verb,"to\nhit"\nkolo,nuon,\nzax,"a"b,\nglime,verb,\n,,lost\n'
    assert [entry.word for entry in read(tmp_path / "words.csv", text, faults)] == ["bash", "glime"]
    assert [fault.place for fault in faults] == ["line 4", "line 5", "line 7"]


@each_row("text", ["word,pos\nkolo,nuon\n", "word,forms\nkolo,nuon:kolos\n", "word,forms\nnuon,-qx\n"])
def test_no_cell_is_quoted(tmp_path, text):
    """Errors name the line and the column and never quote a word, since the dictionary may be licensed."""
    with pytest.raises(BadSource, match=r"line 2: expected .* in the column") as fault:
        read(tmp_path / "words.csv", text)
    assert not any(cell in str(fault.value) for cell in ("nuon", "kolo", "qx"))
