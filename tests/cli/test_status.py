"""`ordws status`, and the help of the keepers' commands."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from cli_installation import WORDS, Command, InitResult, add_override, adopt_edition, open_ledger, read_files
from each_row import each_row

from ordws.cli.editions import open_edition_store
from ordws.guard.stores.lmdb import LmdbMeterStore


def test_the_status_has_numbers_but_no_word(command: Command, initialized: InitResult) -> None:
    """The status gives edition, mark, keys, counts of the build and the ledger, and clients: numbers but no word."""
    instance = initialized.instance
    instance.build_record.write_text('{"inputs": "ab", "counts": {"words in the edition": 3}}')
    with open_ledger(instance) as ledger:
        add_override(ledger, "BLORT")
        head = ledger.head.hash
    status, out, err = command("status", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    (link,) = found.pop("play_links")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", link.pop("made"))
    assert link == {"name": None, "games": None}
    assert found == {
        "keys": {"opening": [1], "signing": [1], "public": [1]},
        "edition": {
            "number": 1,
            "name": "ORDWS 2026",
            "created": "2026-11-20T08:15:00Z",
            "mark": 1,
            "reference": "the open players' list",
            "own_reference": False,
        },
        "next_reference": None,
        "build": {"words in the edition": 3},
        "ledger": {
            "open": 0,
            "decided_in": 0,
            "decided_out": 0,
            "contested": 0,
            "ballots": 0,
            "curators": 0,
            "overrides": 1,
            "head": f"1 {head}",
        },
        "clients": 1,
        "unverified_directors": [],
        "meters": {"closed_until": None},
        "faults": [],
    }
    result = command("status")[1]
    assert "play links  1\n" in result
    assert result.startswith(
        "edition  1 (ORDWS 2026), sealed 2026-11-20T08:15:00Z, adopted up to 1\n"
        "players' list  the open players' list\n"
        "keys\n  opening: 1\n"
    )
    assert not re.search("|".join([*WORDS, "CWM", "BLORT"]), out + result)


def test_a_refused_edition_is_a_finding(command: Command, initialized: InitResult) -> None:
    """If the delivered edition is not the one served, the status says why and ends with 1."""
    instance = initialized.instance
    old = instance.sealed_edition.read_bytes()
    adopt_edition(instance, 2, "CAT")
    instance.sealed_edition.write_bytes(old)
    status, out, _ = command("status")
    assert status == 1
    assert out.startswith("edition  2 (ORDWS 2026)")
    assert out.endswith(
        "fault    edition 1 is older than edition 2, which was adopted here"
        " (where editions are built, ordws restore --above 2 seals the words under a higher number)\n"
    )


def test_unverified_clients_with_the_scope_of_events_are_listed(command: Command, initialized: InitResult) -> None:
    """Who has the scope of events and is not verified is named, until a keeper verifies or revokes them."""
    for name in ("league", "rogue", "gone"):
        command("clients", "add", name, "--kind", "operator", "--scope", "tournament")
    command("clients", "verify", "league")
    command("clients", "revoke", "gone")
    assert json.loads(command("status", "--json")[1])["unverified_directors"] == ["rogue"]
    assert "  not verified, so that their scope tournament is of no use: rogue\n" in command("status")[1]
    command("clients", "verify", "rogue")
    assert "not verified" not in command("status")[1]


def test_a_lost_mark_is_a_finding(command: Command, initialized: InitResult) -> None:
    """A missing mark beside adopted editions is a fault; the adopted edition stays in force."""
    initialized.instance.edition_mark.unlink()
    status, out, _ = command("status", "--json")
    result = json.loads(out)
    assert (status, result["edition"]["mark"]) == (1, 1)
    assert result["faults"] == ['the edition mark "instance/edition.mark" is gone beside adopted editions']


def test_lost_editions_are_a_finding(command: Command, initialized: InitResult) -> None:
    """Adopted editions that are gone beside the mark are a fault, and an older delivered edition is no edition."""
    instance = initialized.instance
    old = instance.sealed_edition.read_bytes()
    adopt_edition(instance, 2, "CAT")
    shutil.rmtree(instance.editions)
    gone = 'edition 2, which the edition mark names, is gone from "instance/editions"'
    status, out, _ = command("status", "--json")
    assert (status, json.loads(out)["faults"], json.loads(out)["edition"]["number"]) == (1, [gone], 2)
    instance.sealed_edition.write_bytes(old)
    status, out, _ = command("status", "--json")
    refused = "edition 1 is older than edition 2, which was adopted here"
    assert (status, json.loads(out)["faults"], json.loads(out)["edition"]) == (1, [gone, refused], None)


def test_the_status_does_not_adopt_an_edition(command: Command, initialized: InitResult) -> None:
    """An edition that was delivered and not adopted yet is shown but not adopted."""
    instance = initialized.instance
    open_edition_store(instance).folder(1).rename(instance.root / "elsewhere")
    instance.edition_mark.unlink()
    before = read_files(instance.editions)
    assert command("status")[1].startswith("edition  1 (ORDWS 2026), sealed 2026-11-20T08:15:00Z, adopted up to 0\n")
    assert read_files(instance.editions) == before


def test_a_fault_does_not_hide_the_rest(command: Command, initialized: InitResult) -> None:
    """A damaged ledger and a damaged build record do not keep the rest from being shown."""
    instance = initialized.instance
    instance.ledger_head.write_bytes(b"damaged")
    instance.build_record.write_text("[]")
    status, out, _ = command("status", "--json")
    result = json.loads(out)
    assert (status, result["ledger"], result["build"], result["clients"]) == (1, None, None, 1)
    assert result["edition"]["number"] == 1
    assert result["faults"] == [
        f'"{Path("instance/build.json")}" holds no counts',
        "the signed head curation.head is damaged",
    ]


def test_the_status_gives_the_end_of_closed_meters(command: Command, initialized: InitResult) -> None:
    """The status says until when lost or restored meters refuse every question."""
    store = LmdbMeterStore.create(initialized.instance.meters)
    store.refuse_until(4_102_444_800)
    store.close()
    status, out, _ = command("status")
    assert (status, out.splitlines()[-1]) == (
        0,
        "meters   nobody knows what was spent today; no question is answered until 2100-01-01T00:00Z",
    )
    assert json.loads(command("status", "--json")[1])["meters"] == {"closed_until": "2100-01-01T00:00Z"}


def test_settings_and_meters_that_cannot_be_read_are_faults(command: Command, initialized: InitResult) -> None:
    """Meters without their files and an unreachable Redis are faults, shown beside all the rest."""
    instance = initialized.instance
    instance.meters.mkdir(exist_ok=True)
    for path in instance.meters.iterdir():
        path.unlink()
    status, out, _ = command("status", "--json")
    (fault,) = json.loads(out)["faults"]
    assert status == 1
    assert fault == 'the meters in "instance/meters" cannot be used: boot.json: No such file or directory'
    instance.settings.write_text('[store]\nredis = "redis://127.0.0.1:1/0"\n')
    (fault,) = json.loads(command("status", "--json")[1])["faults"]
    assert fault.startswith("the Redis server cannot be used: ")


def test_without_an_installation_the_hint_is_the_init_command(command: Command) -> None:
    """Without an installation the hint is the command that makes one."""
    assert command("status") == (
        2,
        "",
        'ordws: error: no installation in "instance"\n'
        "ordws: hint: ordws init makes one, and --instance DIR names one that is elsewhere\n",
    )


@each_row("line", ["init", "publish", "keys", "keys rotate", "keys list", "backup", "restore", "status"])
def test_every_command_shows_an_example(command: Command, line: str) -> None:
    """The help of each keepers' command ends its description with an example."""
    status, out, _ = command(*line.split(), "--help")
    assert status == 0
    assert re.search(rf"Examples?:\n +ordws {line}", out)
