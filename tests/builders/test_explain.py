"""Tests of the account that the dictionaries give of single words: `ordws-build explain`."""

from __future__ import annotations

from click.testing import CliRunner
from open_dictionaries import write_open_sources

from builders.cli import ordws_build
from builders.explain import tell_result
from builders.merge import Follower, MergeResult

ACCOUNTS = """\
PLAYS: in by the quorum of 2: wordnet, gcide, scowl
  SCOWL: size 10; Zipf frequency 4.84
  wordnet: third of PLAY, a form of the inflection table, verb
  gcide: third of PLAY, a form of the inflection table, verb
  scowl: a listed word
REPLAY: in, since it follows from PLAY (run-on)
  SCOWL: size 50; Zipf frequency 3.82
  scowl: a listed word
KOLO: below the quorum of 2, for the curators to decide: only wikdict
  SCOWL: size 80; Zipf frequency 2.46
  wikdict: an entry, noun
  family of the curators: KOLO
MARY: out: no source counts for it
  SCOWL: not as a word, size 50 with a capital; Zipf frequency 4.78
"""


def test_each_step_to_a_word_is_told(tmp_path):
    """The account names sources, steps, sizes, the family and the result, and reads no installation."""
    write_open_sources(tmp_path)
    (tmp_path / "debian/scowl/english-words.50").write_text("lover\nlovers\nreplay\n")
    result = CliRunner().invoke(ordws_build, ["explain", "plays", "replay", "Kolo", "mary", "--sources", str(tmp_path)])
    assert result.exception is None, result.stderr
    assert result.stdout == ACCOUNTS


def test_what_only_its_use_speaks_for_says_so() -> None:
    """TELETHON is in since people write it, and PROFILER, of no source, is for the curators to decide."""
    merged = MergeResult(
        (), frozenset(["TELETHON"]), frozenset(["PROFILER"]), frozenset(), {"TELETHON": Follower("met", "TELETHON")}
    )
    assert tell_result("TELETHON", merged, 2) == "in, since people often write it, and the spelling list inflects it"
    assert tell_result("PROFILER", merged, 2).startswith("in no source, for the curators to decide")
