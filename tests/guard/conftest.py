from __future__ import annotations

import pytest
from gate_helpers import PLENTY
from store_backends import BACKENDS

from ordws.guard.gate import Gate
from ordws.guard.stores.sqlite import SqliteMeterStore


@pytest.fixture(scope="module", params=BACKENDS)
def shared_place(request, tmp_path_factory):
    place = request.param(tmp_path_factory.mktemp("place"))
    yield place
    place.end()


@pytest.fixture
def place(shared_place):
    """A place where nothing was made yet."""
    shared_place.empty()
    return shared_place


@pytest.fixture
def store(place):
    store = place.create()
    yield store
    store.close()


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "meters.db"
    SqliteMeterStore.create(path).close()
    return path


@pytest.fixture
def open_gate(path):
    """Opens gates over the same meters, as several processes do."""
    gates = []

    def open_gate(policy=PLENTY):
        gates.append(Gate(policy, SqliteMeterStore(path), b"k" * 32))
        return gates[-1]

    yield open_gate
    for gate in gates:
        gate.store.close()


@pytest.fixture
def gate(open_gate):
    return open_gate()
