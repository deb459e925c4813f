"""`ordws curation`: import, export, overrides and status."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from each_row import each_row

from ordws.cli import ordws, run
from ordws.cli.curation import open_ledger
from ordws.curation.family import Candidate, Family, Witness
from ordws.curation.ledger import Ledger
from ordws.errors import Missing
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring

AT = "2026-11-21T08:30:00Z"
HEADER = "id,family,curator,vote,forms,reason,at\n"
BALLOTS = (
    "a1,BASH,ann,in,,heard it,2026-11-21T08:30:00Z\n"
    "b1,BASH,ben,in,BASH,,2026-11-21T08:31:00Z\n"
    'a2,ZORIL,ann,out,,"foreign, or ""rare""",2026-11-21T08:32:00Z\n'
    "b2,ZORIL,ben,out,,,2026-11-21T08:33:00Z\n"
    "a3,QUAGGA,ann,doubt,,,2026-11-21T08:34:00Z\n"
)
NO_REASON = "a reason is needed, of at most 4000 characters and without control characters"
SECRETS = ("BASH", "BASHED", "ZORIL", "QUAGGA")
Said = tuple[int, str, str]
Command = Callable[..., Said]


def family(base: str, *others: str) -> Family:
    witness = Witness("gcide", "headword", "base", "verb")
    return Family(base, "borderline", tuple([Candidate(word, (witness,)) for word in (base, *others)]))


@pytest.fixture
def instance(tmp_path: Path) -> Instance:
    """Make an installation with three families in the queue."""
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    instance.ledger_key.write_bytes(b"k" * 32)
    with Ledger.create(instance.ledger, instance.ledger_head, b"k" * 32, Keyring.create(instance.keys)) as ledger:
        ledger.set_queue([family("BASH", "BASHED"), family("ZORIL"), family("QUAGGA")], AT)
    return instance


@pytest.fixture
def curation(instance: Instance, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `ordws curation` on that installation, from the folder above it."""
    monkeypatch.chdir(instance.root.parent)
    monkeypatch.setenv("ORDWS_INSTANCE", str(instance.root))
    monkeypatch.setenv("LOGNAME", "kay")

    def run_command(*line: str, typed: bytes = b"") -> Said:
        monkeypatch.setattr(sys, "argv", ["ordws", "curation", *line])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        status = run(ordws, "ordws")
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_command


@pytest.fixture
def ballots(instance: Instance) -> Path:
    path = instance.root.parent / "ballots.csv"
    path.write_text(HEADER + BALLOTS, "utf-8")
    return path


class TestImport:
    def test_an_import_prints_counts_and_no_word(self, curation: Command, ballots: Path) -> None:
        """An import prints counts and no word: the new ballots, and the decisions on their families."""
        assert curation("import", "ballots.csv") == (
            0,
            "ballots.csv: 5 ballots new, 0 known; families 0 decided in, 1 out, 0 contested, 2 open\n",
            "",
        )

    def test_a_repeated_import_changes_nothing(self, curation: Command, ballots: Path, instance: Instance) -> None:
        """The same file counts once, and the chain does not grow."""
        curation("import", "ballots.csv")
        with open_ledger(instance) as ledger:
            head = ledger.head
        assert curation("import", "ballots.csv") == (
            0,
            "ballots.csv: 0 ballots new, 5 known; families 0 decided in, 0 out, 0 contested, 0 open\n",
            "",
        )
        with open_ledger(instance) as ledger:
            assert ledger.head == head

    def test_several_files_are_imported_each_by_its_suffix(self, curation: Command, instance: Instance) -> None:
        """Each file is imported and reported separately, in the format of its suffix."""
        vote = {"id": "c1", "family": "BASH", "curator": "cleo", "vote": "in", "forms": [], "reason": "", "at": AT}
        (instance.root.parent / "cleo.ndjson").write_text(json.dumps(vote) + "\n")
        (instance.root.parent / "dora.jsonl").write_text(json.dumps({**vote, "id": "d1", "curator": "dora"}))
        lines = curation("import", "--json", "cleo.ndjson", "dora.jsonl")[1].splitlines()
        nothing = {"new": 1, "known": 0, "decided_in": 0, "decided_out": 0, "contested": 0, "open": 0, "late": 0}
        assert [json.loads(line) for line in lines] == [
            {**nothing, "file": "cleo.ndjson", "open": 1},
            {**nothing, "file": "dora.jsonl", "decided_in": 1},
        ]
        with open_ledger(instance) as ledger:
            assert ledger.head.length == 3

    def test_ballots_are_imported_from_standard_input(self, curation: Command) -> None:
        """The file - is standard input, in the format that --format names."""
        status, out, _ = curation("import", "-", "--format", "csv", typed=(HEADER + BALLOTS).encode())
        assert (status, out.partition(";")[0]) == (0, "<stdin>: 5 ballots new, 0 known")

    def test_votes_are_counted_for_the_size_of_the_panel(self, curation: Command, instance: Instance) -> None:
        """In a panel of three, two votes against one are contested."""
        votes = [
            f"{curator},BASH,{curator},{vote},,,{AT}\n"
            for curator, vote in (("ann", "in"), ("ben", "out"), ("cleo", "in"))
        ]
        (instance.root.parent / "three.csv").write_text(HEADER + "".join(votes))
        _, out, _ = curation("import", "three.csv", "--panel", "3")
        assert out == "three.csv: 3 ballots new, 0 known; families 0 decided in, 0 out, 1 contested, 0 open\n"

    def test_one_bad_line_refuses_its_whole_file(self, curation: Command, ballots: Path) -> None:
        """One bad line refuses its whole file; the files before it are imported."""
        bad = ballots.with_name("bad.csv")
        bad.write_text(HEADER + f"c1,BASH,cleo,in,,,{AT}\nc2,BISH,cleo,in,,,{AT}\n")
        status, out, err = curation("import", "ballots.csv", "bad.csv")
        assert status == 2
        assert out.startswith("ballots.csv: 5 ballots new")
        assert err == "ordws: error: bad.csv, line 3: family: no such family was ever queued\n"
        assert json.loads(curation("status", "--json")[1])["ballots"] == 5

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            (("ballots.txt",), '"ballots.txt" ends in none of .csv, .ndjson, .jsonl: add --format'),
            (("-",), '"<stdin>" ends in none of .csv, .ndjson, .jsonl: add --format'),
            (("ballots.csv", "--panel", "2"), "Invalid value for '--panel': 2 is not in the range x>=3."),
            (("none.csv",), "Invalid value for 'FILE...': 'none.csv': No such file or directory"),
            ((), "Missing argument 'FILE...'."),
        ],
    )
    def test_misuse_is_an_error(self, curation: Command, ballots: Path, line: tuple[str, ...], fault: str) -> None:
        """An unknown suffix, too small a panel and a missing file are misuse."""
        ballots.with_name("ballots.txt").write_text(HEADER)
        message = f"ordws: error: {fault}\nordws: hint: ordws curation import --help\n"
        assert curation("import", *line) == (2, "", message)


class TestExport:
    @pytest.mark.parametrize("notation", ["csv", "ndjson"])
    def test_an_exported_file_imports_as_known_ballots(self, curation: Command, ballots: Path, notation: str) -> None:
        """An exported file imports as known ballots, in both formats."""
        curation("import", "ballots.csv")
        before = curation("status")
        assert curation("export", "--out", f"all.{notation}") == (0, "", "")
        assert "0 ballots new, 2 known" in curation("import", f"all.{notation}")[1]
        assert curation("status") == before

    def test_export_prints_the_ballots_as_csv(self, curation: Command, ballots: Path) -> None:
        """Without options the command prints the ballots of decided families, as they were imported."""
        curation("import", "ballots.csv")
        decided = "".join([line for line in BALLOTS.splitlines(keepends=True) if ",ZORIL," in line])
        assert curation("export") == (0, HEADER + decided, "")
        assert curation("export", "--ballots", "--format", "csv") == (0, HEADER + decided, "")

    def test_an_exported_file_is_readable_by_its_owner_alone(self, curation: Command, ballots: Path) -> None:
        """A file that holds words is readable only by its owner."""
        curation("import", "ballots.csv")
        curation("export", "--decisions", "--out", "decisions.csv")
        out = ballots.with_name("decisions.csv")
        assert out.stat().st_mode & 0o777 == 0o600
        assert out.read_text() == (
            "family,standing,outcome,form,form_outcome,ins,outs\n"
            "ZORIL,borderline,out,ZORIL,out,0,2\n"
            "ZORIL,borderline,out,,out,0,2\n"
        )

    def test_export_prints_decisions_and_queue(self, curation: Command, ballots: Path) -> None:
        """Decisions and the queue are printed in the same formats as the ballots."""
        curation("import", "ballots.csv")
        (decision,) = curation("export", "--decisions", "--format", "ndjson")[1].splitlines()
        assert (json.loads(decision)["family"], json.loads(decision)["outcome"]) == ("ZORIL", "out")
        queue = curation("export", "--queue", "--format", "ndjson")[1].splitlines()
        assert [json.loads(line)["base"] for line in queue] == ["BASH", "ZORIL", "QUAGGA"]

    def test_a_file_that_cannot_be_written_is_an_error(self, curation: Command) -> None:
        """A file in a missing folder is an error that names it."""
        assert curation("export", "--out", "none/all.csv") == (
            2,
            "",
            'ordws: error: "none/all.csv" cannot be written: No such file or directory\n',
        )


class TestOverride:
    def test_an_override_is_recorded_and_listed(self, curation: Command) -> None:
        """An override is listed with keeper and reason until it is lifted."""
        assert curation("override", "exclude", "bash", "--reason", "a misprint", "--keeper", "Lou") == (
            0,
            "recorded: exclude\n",
            "",
        )
        assert curation("override", "add", "zax", "--reason", "a tool")[0] == 0
        listed = [json.loads(line) for line in curation("override", "list", "--json")[1].splitlines()]
        assert [(each["act"], each["word"], each["keeper"], each["reason"]) for each in listed] == [
            ("exclude", "BASH", "Lou", "a misprint"),
            ("add", "ZAX", "kay", "a tool"),
        ]
        curation("override", "lift", "BASH", "--reason", "it is none")
        (line,) = curation("override", "list")[1].splitlines()
        assert line.startswith("add ZAX  20")
        assert line.endswith("Z kay: a tool")

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            (("add", "can't", "--reason", "so"), "not a word of 2 to 21 letters, A to Z with or without accents"),
            (
                ("add", "zax", "--reason", " "),
                NO_REASON,
            ),
            (("add", "zax", "--reason", "so", "--keeper", ""), "an override needs the name of its keeper"),
            (("lift", "zax", "--reason", "so"), "there is no override of this word to lift"),
        ],
    )
    def test_an_invalid_override_is_refused(self, curation: Command, line: tuple[str, ...], fault: str) -> None:
        """An override without a word, reason or keeper, or with nothing to lift, is refused and changes nothing."""
        assert curation("override", *line) == (2, "", f"ordws: error: {fault}\n")
        assert curation("override", "list") == (0, "", "")

    def test_an_override_needs_a_reason(self, curation: Command) -> None:
        """An override without --reason is misuse."""
        assert curation("override", "add", "zax")[2].startswith("ordws: error: Missing option '--reason'.")


class TestStatus:
    def test_the_status_prints_counts_and_no_word(self, curation: Command, ballots: Path, instance: Instance) -> None:
        """The status gives families, ballots, curators, overrides and the end of the chain, but no word."""
        curation("import", "ballots.csv")
        curation("override", "add", "zax", "--reason", "a tool")
        with open_ledger(instance) as ledger:
            hash = ledger.head.hash
        assert curation("status") == (
            0,
            "families   2 open, 0 decided in, 1 out, 0 contested\n"
            "ballots    5 by 2 curators\n"
            "overrides  1\n"
            f"chain      3 links, head {hash}\n",
            "",
        )
        assert json.loads(curation("status", "--json")[1]) == {
            "families": {"open": 2, "in": 0, "out": 1, "contested": 0},
            "ballots": 5,
            "curators": 2,
            "overrides": 1,
            "chain": {"length": 3, "hash": hash},
        }

    def test_a_broken_ledger_is_an_error(self, curation: Command, instance: Instance) -> None:
        """A ledger that does not verify is an error that says why."""
        instance.ledger_head.unlink()
        assert curation("status") == (2, "", "ordws: error: the signed head curation.head is missing\n")

    def test_a_missing_ledger_is_an_error_with_a_hint(self, curation: Command, instance: Instance) -> None:
        """The hint on a host without a ledger is how to make one, and without its key, how to restore it."""
        instance.ledger_key.unlink()
        status, _, complaint = curation("status")
        assert (status, "ledger's key" in complaint, "ordws restore" in complaint) == (2, True, True)
        for file in (instance.ledger, instance.ledger_head):
            file.unlink()
        assert curation("status") == (
            2,
            "",
            f'ordws: error: no curation database in "{instance.root}"\n'
            "ordws: hint: ordws init makes one, and --instance DIR names one that is elsewhere\n",
        )
        with pytest.raises(Missing):
            open_ledger(instance)


@each_row(
    "line",
    [
        (),
        ("import",),
        ("export",),
        ("status",),
        ("override",),
        ("override", "add"),
        ("override", "exclude"),
        ("override", "lift"),
        ("override", "list"),
    ],
)
def test_every_command_has_an_example(curation: Command, line: tuple[str, ...]) -> None:
    """The help of each subcommand has an example."""
    status, out, _ = curation(*line, "--help")
    assert status == 0
    assert " ".join(["ordws", "curation", *line]) in out.partition("Example:")[2]


def test_only_export_and_list_print_words(curation: Command, ballots: Path) -> None:
    """No subcommand but export and list prints a word that was not typed."""
    outputs = [
        curation("import", "ballots.csv"),
        curation("import", "ballots.csv", "--json"),
        curation("status"),
        curation("status", "--json"),
        curation("export", "--out", "all.csv"),
        curation("import", "all.csv"),
    ]
    assert not any(secret in text for _, out, err in outputs for text in (out, err) for secret in SECRETS)
