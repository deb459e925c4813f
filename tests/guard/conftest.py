from __future__ import annotations

import pytest
from gate_helpers import PLENTY
from store_backends import BACKENDS

from ordws.guard.gate import Gate
from ordws.guard.stores.lmdb import LmdbMeterStore


@pytest.fixture(scope="module", params=BACKENDS)
def shared_backend(request, tmp_path_factory):
    backend = request.param(tmp_path_factory.mktemp("backend"))
    yield backend
    backend.end()


@pytest.fixture
def backend(shared_backend):
    """A backend on which no meters were made yet."""
    shared_backend.empty()
    return shared_backend


@pytest.fixture
def store(backend):
    store = backend.create()
    yield store
    store.close()


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "meters"
    LmdbMeterStore.create(path).close()
    return path


@pytest.fixture
def open_gate(path):
    """Return a function that opens gates over the same meters, as several processes do."""
    gates = []

    def open_gate(policy=PLENTY):
        gates.append(Gate(policy, LmdbMeterStore(path), b"k" * 32))
        return gates[-1]

    yield open_gate
    for gate in gates:
        gate.store.close()


@pytest.fixture
def gate(open_gate):
    return open_gate()
