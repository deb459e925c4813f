"""A real service for the clients."""

from __future__ import annotations

import pytest
from both_clients import AsyncCaller, ServiceUnderTest, SyncCaller
from scripted_server import ScriptedServer
from sealed_game import COMMON_WORDS, install_edition
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import build_installation

from ordws.identity.register import SCOPES


@pytest.fixture(scope="session")
def running_service(tmp_path_factory):
    """Run `ordws serve` with two workers over COMMON_WORDS, all of them core and in the reference."""
    folder = tmp_path_factory.mktemp("clients")
    with build_installation(folder / "instance") as installation:
        install_edition(installation, COMMON_WORDS, number=2, core=COMMON_WORDS, reference=COMMON_WORDS)
        club_key = installation.register.add("club", "operator", 0, scopes=SCOPES)
        installation.register.verify("club", 0)
        command = [
            *ORDWS_COMMAND,
            "--instance",
            installation.instance.root,
            "serve",
            "--bind",
            "127.0.0.1:0",
            "--workers",
            "2",
        ]
        service = ServiceProcess(folder, installation.key, [*command, "--metrics", "off"])
        yield ServiceUnderTest(service, installation, installation.key, club_key)
        service.stop()


@pytest.fixture(scope="module")
def listening():
    scripted = ScriptedServer()
    yield scripted
    scripted.close()


@pytest.fixture
def server(listening):
    """Return the scripted server; at the end its whole script must have been used."""
    listening.came.clear()
    listening.hangs.clear()
    yield listening
    assert listening.steps == []


@pytest.fixture
def test_key(running_service):
    return running_service.new_test_key()


@pytest.fixture(params=[SyncCaller, AsyncCaller])
def make_client(request):
    """Return a function that makes clients of either kind; they are closed at the end."""
    made = []

    def make(*arguments, **options):
        made.append(request.param(*arguments, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()
