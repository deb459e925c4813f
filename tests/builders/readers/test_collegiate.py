"""Tests of the reader of Merriam-Webster's Collegiate JSON, on entries of our own."""

from __future__ import annotations

import json

import pytest

from builders.entry import Entry, StatedForm
from builders.readers import files_of, read_entries
from ordws.errors import BadSource, Missing


def entry(word, fl="noun", **more):
    """Return an entry as the API prints it, its headword with dots between the syllables."""
    plain = word.replace("*", "")
    meta = {"id": f"{plain}:1", "stems": [plain], "section": "alpha", "offensive": more.pop("offensive", False)}
    return {"meta": meta, "hwi": {"hw": word}, "fl": fl, **more}


def sense(text, *labels):
    return ["sense", {"dt": [["text", text]], "sls": list(labels)}]


def read(path, *values, faults=None):
    path.write_text("\n".join(json.dumps(value) for value in values))
    return list(read_entries("collegiate", path, faults=faults))


def labels(entries):
    return {entry.word: (set(entry.labels), set(entry.partial_labels)) for entry in entries}


def test_an_entry_has_its_word_senses_and_inflections(tmp_path):
    """An entry loses syllable dots and markup; a label of one sense of two is partial."""
    bash = entry(
        "bash",
        "verb",
        ins=[{"if": "bashed"}, {"il": "present participle", "if": "bash*ing"}],
        **{
            "def": [
                {
                    "vd": "transitive verb",
                    "sseq": [[sense("{bc}to {it}hit{/it} or {sx|strike||}")], [sense("{bc}to berate", "informal")]],
                }
            ]
        },
    )
    assert read(tmp_path / "words.json", [bash]) == [
        Entry(
            "bash",
            "verb",
            frozenset(),
            frozenset({"colloquial"}),
            "to hit or strike / to berate",
            (StatedForm("bashed", "form"), StatedForm("bashing", "gerund")),
        )
    ]


@pytest.mark.parametrize("layout", ["one array", "arrays in one", "lines", "lines of entries", "folder"])
def test_every_layout_of_files_is_read(tmp_path, layout):
    """One array, an array for each word, an array a line, an entry a line and a file a word give the same entries."""
    first, second = entry("ko*lo"), entry("zax")
    path = tmp_path / "words"
    match layout:
        case "one array":
            path.write_text(json.dumps([first, second], indent=1))
        case "arrays in one":
            path.write_text(json.dumps([[first], [second]]))
        case "lines":
            path.write_text(f"{json.dumps([first])}\n\n{json.dumps([second])}\n")
        case "lines of entries":
            path.write_text(f"\ufeff{json.dumps(first)}\r\n{json.dumps(second)}\r\n")
        case "folder":
            path.mkdir()
            (path / "a.json").write_text(json.dumps([first]))
            (path / "b.json").write_text(json.dumps([second]))
    assert [entry.word for entry in read_entries("collegiate", path)] == ["kolo", "zax"]


def test_suggestions_are_not_entries(tmp_path):
    """Plain strings, which the API gives for a word that it lacks, are no entries."""
    assert read(tmp_path / "words.jsonl", ["kola", "cola"], [entry("kolo")], []) == [Entry("kolo", "noun")]


def test_a_form_behind_or_has_the_same_inflection(tmp_path):
    """The label before a form names its inflection, "or" adds another of the same; an ending is completed."""
    aba = entry("aba*cus", ins=[{"il": "plural", "if": "aba*ci"}, {"il": "or", "ifc": "-cus*es"}])
    lie = entry("lie", "verb", ins=[{"il": "past tense", "if": "lay"}, {"il": "past participle", "if": "lain"}])
    assert [entry.forms for entry in read(tmp_path / "words.json", [aba, lie])] == [
        (StatedForm("abaci", "plural"), StatedForm("abacuses", "plural")),
        (StatedForm("lay", "past"), StatedForm("lain", "participle")),
    ]


def test_run_ons_are_entries(tmp_path):
    """An undefined word at the end of an entry is an entry with its own part of speech and inflections."""
    bashful = entry(
        "bash*ful",
        "adjective",
        uros=[
            {"ure": "bash*ful*ness", "fl": "noun", "ins": [{"il": "plural", "if": "bash*ful*ness*es"}]},
        ],
    )
    entries = read(tmp_path / "words.json", [bashful])
    assert entries[1:] == [Entry("bashfulness", "noun", forms=(StatedForm("bashfulnesses", "plural"),), run_on=True)]


def test_variants_are_entries(tmp_path):
    """Another spelling is an entry with the labels of the senses and its own."""
    colour = entry("col*or", vrs=[{"vl": "chiefly British", "va": "col*our"}, {"vl": "archaic", "va": "co*lur"}])
    entries = labels(read(tmp_path / "words.json", [colour]))
    assert entries == {"color": (set(), set()), "colour": (set(), set()), "colur": ({"archaic"}, set())}


def test_cross_references_of_forms_are_inflections(tmp_path):
    """A headword that only is "past tense of" another word is an inflection; a variant is a word."""
    held = entry("held", "verb", cxs=[{"cxl": "past tense and past participle of", "cxtis": [{"cxt": "hold"}]}])
    gipsy = entry("pyjama", cxs=[{"cxl": "chiefly British spelling of", "cxtis": [{"cxt": "pajama"}]}])
    assert labels(read(tmp_path / "words.json", [held, gipsy])) == {
        "held": ({"inflection"}, set()),
        "pyjama": (set(), set()),
    }


def test_the_offensive_flag_applies_to_labelled_senses_if_any(tmp_path):
    """The offensive flag labels the whole entry unless a sense has the label, and its run-ons with it."""
    entries = read(
        tmp_path / "words.json",
        [
            entry("wop", offensive=True, uros=[{"ure": "wop*py", "fl": "adjective"}]),
            entry("spade", offensive=True, **{"def": [{"sseq": [[sense("a tool")], [sense("a man", "offensive")]]}]}),
            entry("queen", offensive=True, **{"def": [{"sseq": [[sense("a ruler", "sometimes offensive")]]}]}),
        ],
    )
    assert labels(entries) == {
        "wop": ({"offensive"}, set()),
        "woppy": ({"offensive"}, set()),
        "spade": (set(), {"offensive"}),
        "queen": (set(), {"offensive"}),
    }


def test_labels_of_a_group_apply_to_its_parts(tmp_path):
    """The labels of a truncated sense, a substitute or a sequence in brackets apply to what follows them."""
    group = [["sen", {"sn": "1", "sls": ["obsolete"]}], sense("one"), ["pseq", [sense("two")]]]
    bound = [["bs", {"sense": {"dt": [["text", "being"]], "sls": ["archaic"]}}], sense("three")]
    entries = read(
        tmp_path / "words.json",
        [
            entry("kolo", **{"def": [{"sseq": [group]}]}),
            entry("zax", **{"def": [{"sseq": [bound]}]}),
        ],
    )
    assert labels(entries) == {"kolo": ({"obsolete"}, set()), "zax": ({"archaic"}, set())}


def test_names_affixes_and_abbreviations_are_labelled(tmp_path):
    """Names, affixes, abbreviations and plurals are recognised by the functional label, by capitals or by a label."""
    entries = read(
        tmp_path / "words.json",
        [
            entry("Lon*don", "geographical name"),
            entry("ish", "adjective suffix"),
            entry("kg", "abbreviation"),
            entry("pants", "plural noun"),
            entry("phys*ics", lbs=["plural in form but singular in construction"]),
            entry("re*la*tion", lbs=["usually plural"]),
            entry("bi*ble", lbs=["capitalized"]),
            entry("Pole"),
        ],
    )
    assert {word: own_labels for word, (own_labels, _) in labels(entries).items()} == {
        "London": {"proper"},
        "ish": {"affix"},
        "kg": {"abbreviation"},
        "pants": {"plural"},
        "relation": set(),
        "bible": {"proper"},
        "physics": {"plural"},
        "Pole": {"proper"},
    }


def test_two_parts_of_speech_are_two_entries(tmp_path):
    """A functional label that names two parts of speech makes two entries."""
    assert [entry.pos for entry in read(tmp_path / "words.json", [entry("zax", "noun or adjective")])] == [
        "noun",
        "adjective",
    ]


def test_faults_are_collected_and_other_entries_read(tmp_path):
    """All faults are collected with their line and place in the array, and the entries between them are read."""
    faults: list[BadSource] = []
    values = [[entry("kolo"), 7], [{"meta": {"id": 7}}], [entry("zax")]]
    assert [entry.word for entry in read(tmp_path / "words.jsonl", *values, faults=faults)] == ["kolo", "zax"]
    assert [fault.place.partition(",")[0] for fault in faults] == ["line 1", "line 2"]


def test_a_truncated_file_is_noticed(tmp_path):
    """A file that ends before its array does is a fault, wherever it was cut."""
    whole = json.dumps([entry("kolo"), entry("zax")])
    for text in (whole[:-1], whole[:-9], whole[: whole.index("}, {") + 1], ""):
        (tmp_path / "words.json").write_text(text)
        with pytest.raises(BadSource):
            list(read_entries("collegiate", tmp_path / "words.json"))


def test_a_folder_without_json_is_a_missing_dictionary(tmp_path):
    """A folder without JSON files is a missing dictionary."""
    with pytest.raises(Missing):
        files_of("collegiate", tmp_path)
