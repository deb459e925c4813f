"""Tests of the licence notices that a build writes beside the public lists."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from dictionary_files import write_scowl
from open_dictionaries import write_open_sources

from builders.cli import ordws_build
from builders.fetch import PACKAGE_FOLDERS
from builders.recipe import collect_notices, read_recipe
from ordws.cli import ordws
from ordws.instance import Instance, Sources

NOTICE = (Path(__file__).parents[2] / "NOTICE").read_text("utf-8")


def test_sources_without_a_notice_are_left_out(tmp_path: Path) -> None:
    """Only sources with a copyright file are named, and the inflection table, which every build reads."""
    write_open_sources(tmp_path)
    (tmp_path / "debian/dict-gcide/copyright").write_text("GCIDE is free software\n")
    text = collect_notices(read_recipe("open"), Sources(tmp_path)).decode()
    assert [line for line in text.splitlines() if line.startswith("====")] == [
        "==== lemminflect ====",
        "==== gcide ====",
    ]
    assert "Permission is hereby granted" in text
    assert text.endswith("\n\nGCIDE is free software\n")


def test_a_build_writes_notices_and_common_words_and_publish_includes_them(tmp_path: Path) -> None:
    """A build writes the notices of its sources and the words of SCOWL to size 35 to public/; publish copies both."""
    sources, instance, published = (tmp_path / name for name in ("sources", "instance", "published"))
    write_open_sources(sources)
    write_scowl(sources / "debian/scowl", {"english-words.35": "replay", "english-words.40": "lover"})
    for package in PACKAGE_FOLDERS:
        (sources / "debian" / package / "copyright").write_text(f"the notice of {package}\n")
    for program, line in (
        (ordws, ["init", "--instance", str(instance)]),
        (ordws_build, ["run", "--sources", str(sources), "--instance", str(instance)]),
        (ordws, ["publish", "--to", str(published), "--instance", str(instance)]),
    ):
        assert CliRunner().invoke(program, line, catch_exceptions=False).exit_code == 0
    notices = Instance(instance).notices.read_text()
    assert all(f"the notice of {package}\n" in notices for package in PACKAGE_FOLDERS)
    assert Instance(published).notices.read_text() == notices
    assert Instance(instance).common.read_text() == Instance(published).common.read_text() == "REPLAY\n"


def test_the_notice_file_names_every_package_that_is_fetched() -> None:
    """NOTICE has an entry for each package that `ordws-build fetch` downloads."""
    assert not [package for package in PACKAGE_FOLDERS if f"{package})" not in NOTICE]
