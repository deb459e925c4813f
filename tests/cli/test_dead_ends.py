"""What a keeper is told to do: no hint leads to a command that fails for the same reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cli_installation import CLIENT_KEY, Command, InitResult

from ordws.instance import Instance


def test_wrong_settings_are_told_in_words(command: Command, instance: Instance, caplog) -> None:
    """A wrong setting is named with its value and what was expected; one beyond the promise is warned of."""
    wrong = {
        '[policy]\ngames_a_day = "two"\n': 'policy.games_a_day: "two", expected a whole number',
        "[pages]\nvisitors = 1\n": "pages.visitors: 1, expected true or false",
        "[pages]\nguests = true\n": 'there is no "guests" in pages',
        "[policies]\n": 'there is no "policies"',
    }
    for text, fault in wrong.items():
        instance.settings.write_text(text)
        status, _, err = command("guard", "policy")
        assert (status, err.splitlines()[0].split(" cannot be used: ")[1]) == (2, fault)
        assert "hint: docs/reference/settings.md" in err
    instance.settings.write_text("[policy]\nworld_ceiling = 99999999\n")
    assert command("guard", "policy")[0] == 0
    assert "up to 99,999,999 units a day, more than the 1,500 of README" in caplog.text


def test_a_lost_key_is_looked_for_in_a_backup(command: Command, instance: Instance) -> None:
    """`ordws init` changes nothing where an installation was, so nothing leads to it there."""
    instance.pepper.unlink()
    for line in (["status"], ["clients", "list"], ["init"]):
        status, _, err = command(*line)
        assert status in (1, 2)
        assert "hint: put it back: ordws restore FILE --replace" in err, line
    shutil.rmtree(instance.root)
    assert "hint: ordws init makes one" in command("status")[2]


def test_an_open_key_file_is_one_fault(command: Command, initialized: InitResult) -> None:
    """A key file that others may read keeps several parts of the status from opening, and is told once."""
    (initialized.instance.keys / "opening-1.key").chmod(0o644)
    faults = json.loads(command("status", "--json")[1])["faults"]
    assert [fault for fault in faults if "opening-1.key" in fault] == [
        'key file "instance/keys/opening-1.key" is open to others (mode 0644)'
    ]


def test_an_unknown_command_leads_to_the_nearest(command: Command) -> None:
    """A misspelt command is answered with the one that is most alike, in groups too."""
    assert command("statsu")[2].splitlines()[0] == (
        'ordws: error: there is no command "statsu"; did you mean "status"?'
    )
    assert 'did you mean "policy"?' in command("guard", "polcy")[2]
    assert command("tournament", "draft", "e")[2].splitlines()[1] == "ordws: hint: ordws tournament do FILE draft"
    assert command("xyzzy")[2].splitlines()[0] == 'ordws: error: there is no command "xyzzy"'


def test_an_empty_input_of_restore_is_called_empty(command: Command, instance: Instance, tmp_path: Path) -> None:
    """An empty backup, and an empty standard input, are not called a wrong key."""
    (tmp_path / "empty").touch()
    assert 'the backup "empty" is empty' in command("restore", "empty", "--instance", "new")[2]
    assert command("backup", "full")[0] == 0
    assert "standard input is empty" in command("restore", "full", "--instance", "new")[2]


def test_programs_get_json(command: Command, initialized: InitResult) -> None:
    """With `--json` a keeper's command prints one object with what it made."""
    made = json.loads(command("init", "--json", "--instance", "new")[1])
    assert CLIENT_KEY.fullmatch(made.pop("key"))
    assert made.pop("recovery_key").startswith("ordws_recovery_")
    assert "#link=" in made.pop("play_link")
    assert made == {"instance": "new", "made": True, "client": "home"}
    assert json.loads(command("init", "--json", "--if-missing", "--instance", "new")[1])["made"] is False
    assert [*json.loads(command("backup", "b", "--json")[1])] == ["file", "bytes"]
    published = json.loads(command("publish", "--json")[1])
    assert (published["edition"], published["opening_key"]) == (1, "opening-1.key")
    for line in ("add", "rotate"):
        assert CLIENT_KEY.fullmatch(json.loads(command("clients", line, "club", "--json")[1])["key"])
    link = json.loads(command("play-link", "--name", "club", "--games", "4", "--json")[1])
    assert (link["name"], link["games"]) == ("club", 4)
    assert json.loads(command("play-link", "--withdraw", "--json")[1]) == {"withdrawn": 2}
