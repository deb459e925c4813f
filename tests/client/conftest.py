"""A real service for the clients to ask."""

from __future__ import annotations

import pytest
from both_clients import AsyncCaller, ServiceUnderTest, SyncCaller
from sealed_game import COMMON_WORDS, install_edition
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import build_installation


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """`ordws serve` with two workers over COMMON, all of it core and in the reference."""
    folder = tmp_path_factory.mktemp("clients")
    with build_installation(folder / "instance") as house:
        install_edition(house, COMMON_WORDS, number=2, core=COMMON_WORDS, reference=COMMON_WORDS)
        club_key = house.register.add("club", "operator", 0)
        command = [
            *ORDWS_COMMAND,
            "--instance",
            house.instance.root,
            "serve",
            "--bind",
            "127.0.0.1:0",
            "--workers",
            "2",
        ]
        service = ServiceProcess(folder, house.key, [*command, "--metrics", "off"])
        yield ServiceUnderTest(service, house, house.key, club_key)
        service.stop()


@pytest.fixture
def test_key(place):
    return place.new_test_key()


@pytest.fixture(params=[SyncCaller, AsyncCaller])
def asking_as(request):
    """Makes clients of either kind and closes them in the end."""
    made = []

    def make(*arguments, **options):
        made.append(request.param(*arguments, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()
