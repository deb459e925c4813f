"""Tests of the keepers' settings and of the errors in them."""

from __future__ import annotations

import pytest
from each_row import each_row
from small_installation import NOON

from ordws.api.device_records import KeptRecord
from ordws.api.settings import Settings, read_settings
from ordws.errors import BadInput
from ordws.guard.policy import Policy


def test_without_a_file_the_defaults_hold(tmp_path):
    """Without a file all settings have their defaults."""
    assert read_settings(tmp_path / "settings.toml") == Settings()


def test_unset_settings_keep_their_defaults(tmp_path):
    """A keeper may set single limits and the store of the meters, and all else keeps its default."""
    path = tmp_path / "settings.toml"
    path.write_text(
        '[policy]\noperator_units_a_day = 9000\nworld_ceiling = 900\n[store]\nredis = "unix:///run/r.sock"\n'
    )
    settings = read_settings(path)
    assert settings.policy == Policy(operator_units_a_day=9_000, world_ceiling=900)
    assert settings.store.redis == "unix:///run/r.sock"


def test_a_keeper_says_how_long_kept_games_stay(installation):
    """A period under `[retention]` holds for what is deleted from then on, and the others keep their defaults."""
    installation.instance.settings.write_text("[retention]\nkept_games_days = 2\n")
    services = installation.services()
    record = KeptRecord("#player1 Ann Ann\n", [], "classic", ["Ann", "Ben"], 2)
    services.kept_games.keep(1, 1, "table 1", "label", record, NOON)
    assert services.kept_games.sweep(NOON + 2 * 86_400 - 1) == 0
    assert services.kept_games.sweep(NOON + 2 * 86_400) == 1
    assert read_settings(installation.instance.settings).retention.results_days == 400


def test_a_limit_of_an_earlier_version_gives_a_warning(tmp_path, caplog):
    """A limit that is gone keeps no service from starting: its keeper is warned, and the others hold."""
    path = tmp_path / "settings.toml"
    path.write_text("[policy]\ninvalid_a_game = 9\noutside_a_day = 10\n")
    assert read_settings(path).policy == Policy(outside_a_day=10)
    assert caplog.messages == ['the settings in "settings.toml" name "invalid_a_game", which is gone and has no effect']


@each_row(
    ("text", "why"),
    [
        ("[policy]\nunits_a_game = 29\n", "368 units a day for an identity are more than the 356 promised"),
        ("[policy]\nunits_a_day = 10\n", 'there is no "units_a_day" in a policy; there are outside_a_day,'),
        ('[policy]\ncore_a_game = "many"\n', 'policy.core_a_game: "many", expected a whole number'),
        ("[policy]\nworld_floor = 2000\n", '"world_floor" is above "world_ceiling", 1500'),
        ("[policy]\ngames_a_day = 1\n", '"first_games_a_day" is above "games_a_day", 1'),
        ("[policy]\nramp_days = 0\n", '"ramp_days" is 0, and may not be below 1'),
        ("[polic]\n", 'there is no "polic"'),
        ("policy = 3\n", "policy: 3, expected a table"),
        ("[retention]\nresults_days = 0\n", "retention.results_days: 0, expected a whole number >= 1"),
        ("[policy\n", "Expected ']' at the end of a table declaration"),
    ],
)
def test_a_fault_is_named_with_its_file(tmp_path, text, why):
    """Settings that cannot be used must be refused with their file and the reason."""
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(BadInput) as fault:
        read_settings(path)
    assert str(fault.value).startswith(f'the settings in "{path}" cannot be used: ')
    assert why in str(fault.value)


def test_settings_that_are_not_utf8_are_refused(tmp_path):
    """A file that is not UTF-8 must be refused like any other fault."""
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="cannot be used"):
        read_settings(path)


def test_the_quota_shows_a_limit_from_the_settings(installation, serve):
    """A limit in the settings must be the limit that the quota shows."""
    installation.instance.settings.write_text("[policy]\noutside_a_day = 5\n")
    assert serve().quota()["outside"] == 5
