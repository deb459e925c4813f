"""Tests of the reader of WordNet-LMF, on a lexicon of our own."""

from __future__ import annotations

import gzip

import pytest
from each_row import each_row

from builders.entry import Entry, StatedForm
from builders.readers import read_entries
from ordws.errors import BadSource

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""
ENTRIES = """<LexicalEntry id="e1"><Lemma writtenForm="index" partOfSpeech="n"/>
  <Form writtenForm="indices"/><Form writtenForm="indexes"><Tag category="penn">NNS</Tag></Form>
  <Sense id="i1" synset="s1"/></LexicalEntry>
<LexicalEntry id="e2"><Lemma writtenForm="round" partOfSpeech="a"/><Sense id="r1" synset="s2"/></LexicalEntry>
<LexicalEntry id="e3"><Lemma writtenForm="round" partOfSpeech="s"/><Sense id="r2" synset="s3"/></LexicalEntry>
<LexicalEntry id="e4"><Lemma writtenForm="Pole" partOfSpeech="n"/><Sense id="p1" synset="s4"/></LexicalEntry>
<LexicalEntry id="e5"><Lemma writtenForm="slang" partOfSpeech="n"/><Sense id="u1" synset="s5"/></LexicalEntry>
<LexicalEntry id="e6"><Lemma writtenForm="ethnic slur" partOfSpeech="n"/><Sense id="u2" synset="s6"/></LexicalEntry>
<LexicalEntry id="e7"><Lemma writtenForm="wop" partOfSpeech="n"/><Sense id="w1" synset="s4">
  <SenseRelation relType="exemplifies" target="u2"/></Sense></LexicalEntry>
<LexicalEntry id="e8"><Lemma writtenForm="bash" partOfSpeech="v"/><Sense id="b1" synset="s7"/></LexicalEntry>
"""
SYNSETS = """<Synset id="s1" ili="i1" partOfSpeech="n"><Definition>a list
  in order</Definition><Example>an index of words</Example></Synset>
<Synset id="s2" partOfSpeech="a"><Definition>like a ball</Definition></Synset>
<Synset id="s3" partOfSpeech="s"><Definition>complete</Definition></Synset>
<Synset id="s4" partOfSpeech="n"><Definition>a person</Definition></Synset>
<Synset id="s5" partOfSpeech="n"><Definition>informal words</Definition></Synset>
<Synset id="s6" partOfSpeech="n"><Definition>an insult</Definition></Synset>
<Synset id="s7" partOfSpeech="v"><Definition>hit</Definition>
  <SynsetRelation relType="hypernym" target="s6"/><SynsetRelation relType="exemplifies" target="s5"/></Synset>
"""


def lexicon(body, language="en"):
    return f'<Lexicon id="ours" label="Ours" language="{language}" version="1">\n{body}</Lexicon>\n'


def read(path, *lexicons, faults=None):
    path.write_text(f"{HEAD}{''.join(lexicons)}</LexicalResource>\n")
    return list(read_entries("lmf", path, faults=faults))


def test_entries_have_the_definitions_of_their_synsets(tmp_path):
    """Entries before their synsets get their definitions, both adjective letters are one, and phrases are skipped."""
    assert read(tmp_path / "wn.xml", lexicon(ENTRIES + SYNSETS)) == [
        Entry(
            "index",
            "noun",
            gloss="a list in order",
            forms=(StatedForm("indices", "plural"), StatedForm("indexes", "plural")),
        ),
        Entry("round", "adjective", gloss="like a ball / complete"),
        Entry("Pole", "noun", frozenset({"proper"}), gloss="a person"),
        Entry("slang", "noun", gloss="informal words"),
        Entry("wop", "noun", frozenset({"offensive"}), gloss="a person"),
        Entry("bash", "verb", frozenset({"slang"}), gloss="hit"),
    ]


def test_a_tag_decides_the_inflection_of_a_form(tmp_path):
    """A tag of the Penn Treebank decides a form's inflection before its shape does."""
    body = """<LexicalEntry id="e1"><Lemma writtenForm="lie" partOfSpeech="v"/>
    <Form writtenForm="lay"><Tag category="penn">VBD</Tag></Form><Form writtenForm="lying"/><Form writtenForm="lain"/>
    <Sense id="l1" synset="s1"/></LexicalEntry>
    <Synset id="s1" partOfSpeech="v"><Definition>rest</Definition></Synset>"""
    (entry,) = read(tmp_path / "wn.xml", lexicon(body))
    assert entry.forms == (StatedForm("lay", "past"), StatedForm("lying", "gerund"), StatedForm("lain", "form"))


def test_a_file_may_be_packed(tmp_path):
    """A file in .gz is decompressed."""
    text = f"{HEAD}{lexicon(ENTRIES + SYNSETS)}</LexicalResource>"
    (tmp_path / "wn.xml.gz").write_bytes(gzip.compress(text.encode()))
    assert len(list(read_entries("lmf", tmp_path / "wn.xml.gz"))) == 6


def test_only_english_lexicons_are_read(tmp_path):
    """Only the English lexicons of a file are read, and a file without one is refused."""
    foreign = lexicon(ENTRIES.replace("index", "kolo"), "cs")
    words = [entry.word for entry in read(tmp_path / "wn.xml", foreign, lexicon(ENTRIES + SYNSETS))]
    assert "index" in words
    assert "kolo" not in words
    with pytest.raises(BadSource, match='"cs"'):
        read(tmp_path / "wn.xml", foreign)


@each_row(
    ("old", "new", "place"),
    [
        ('<Lemma writtenForm="round" partOfSpeech="s"/>', "", "line 9"),
        ('writtenForm="wop" ', "", "line 14"),
        ('writtenForm="bash" partOfSpeech="v"', 'writtenForm="bash" partOfSpeech="q"', "line 15"),
        ('id="b1" synset="s7"', 'id="b1"', "line 15"),
        ('id="b1" synset="s7"', 'id="b1" synset="s77"', "line 15"),
        ('<Synset id="s2" ', "<Synset ", "line 18"),
        ("</Definition>\n  <SynsetRelation", "\n  <SynsetRelation", "line 24"),
    ],
)
def test_malformed_entries_are_named_by_their_line(tmp_path, old, new, place):
    """A missing part, an unknown part of speech and an unknown synset are faults with their line."""
    body = (ENTRIES + SYNSETS).replace(old, new)
    assert body != ENTRIES + SYNSETS
    with pytest.raises(BadSource) as fault:
        read(tmp_path / "wn.xml", lexicon(body))
    assert fault.value.place == place


def test_reading_goes_on_behind_a_malformed_entry(tmp_path):
    """All faults are collected, and the other entries are read."""
    faults: list[BadSource] = []
    body = (ENTRIES + SYNSETS).replace('writtenForm="wop" ', "").replace('partOfSpeech="v"/>', "/>", 1)
    words = [entry.word for entry in read(tmp_path / "wn.xml", lexicon(body), faults=faults)]
    assert words == ["index", "round", "Pole", "slang"]
    assert [fault.place for fault in faults] == ["line 14", "line 15"]


@each_row(
    "text",
    [
        "",
        "<html><body/></html>",
        HEAD,
        HEAD + lexicon(ENTRIES),
        HEAD.replace("UTF-8", "UTF-9"),
        HEAD.replace("UTF-8", "UTF-7"),
    ],
)
def test_an_incomplete_or_foreign_file_is_refused(tmp_path, text):
    """An empty file, other XML, a cut file and an unknown encoding are refused."""
    (tmp_path / "wn.xml").write_text(text)
    with pytest.raises(BadSource):
        list(read_entries("lmf", tmp_path / "wn.xml"))


@pytest.mark.parametrize(
    ("old", "new"),
    [('writtenForm="bash" partOfSpeech="v"', 'writtenForm="bash" partOfSpeech="kolo"'), ('"s7"/>', '"kolo"/>')],
)
def test_no_attribute_is_quoted(tmp_path, old, new):
    """Errors name the line and the attribute and never quote a word, since the dictionary may be licensed."""
    body = (ENTRIES + SYNSETS).replace(old, new)
    with pytest.raises(BadSource, match="line 15: expected") as fault:
        read(tmp_path / "wn.xml", lexicon(body))
    assert "kolo" not in fault.value.expected


def test_an_entity_that_is_not_defined_is_a_fault(tmp_path):
    """An entity that only a DTD defines is a fault, since no DTD is fetched and text must not vanish."""
    with pytest.raises(BadSource, match="line 23: expected XML, found an entity that is not defined"):
        read(tmp_path / "wn.xml", lexicon(ENTRIES + SYNSETS.replace("hit", "h&eacute;t")))
