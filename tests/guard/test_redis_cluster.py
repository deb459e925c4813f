"""Tests of what holds for meters in a cluster of Redis servers alone."""

from __future__ import annotations

import threading
from collections import Counter
from multiprocessing import get_context

import pytest
from gate_helpers import CLUB, HOME, NOON, OTHER, ask, left, words
from redis import Redis

from ordws.errors import StoreDown
from ordws.guard.gate import Admitted, Gate, MeterReading, Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Charge, ClientShare, Mark, Meter, Question
from ordws.guard.stores.redis import RedisMeterStore
from ordws.mining.attack_task import AttackTask, measure
from ordws.mining.bench_rows import ORDWS

NOW = 1_000
UNITS = Meter("me/1/units", 9, 2_000)
WORLD = Meter("world/1/world", 100, 2_000)
PROCESSES, THREADS, QUESTIONS = 3, 6, 12


@pytest.fixture
def store(cluster):
    store = RedisMeterStore.create(cluster.url)
    yield store
    store.close()


@pytest.fixture
def gate(store):
    return Gate(Policy(), store, b"k" * 32)


def written_tags(cluster):
    """Return the hash tags of all keys but those that stand in each slot from the start."""
    tags = set()
    for node in cluster.nodes:
        with Redis(port=node.port) as client:
            tags |= {key.split(b":")[1] for key in client.scan_iter() if not key.endswith(b":meter:closed")}
    return tags


def test_all_of_an_operator_is_in_one_slot(cluster, gate):
    """Players, labelled and sealed games, detectors and marks of an operator have one hash tag, shared caps another."""
    known = CLUB._replace(is_verified=True)
    ann, bob = known._replace(player="ann"), known._replace(player="bob")
    assert gate.open_game((ann, bob), "s", NOON) is None
    for number, player in enumerate((ann, bob)):
        turn = Question(words(10 * number, 3), 1, "s", f"{number} A", number)
        gate.settle(gate.admit(player, turn, (), NOON), True, NOON)
        assert ask(gate, player, *words(10 * number, 5), game="g") is None
    gate.update_detectors(NOON, flush_all=True)
    (tag,) = written_tags(cluster)
    assert ask(gate, CLUB._replace(player="cid"), *words(50, 2)) is None
    assert written_tags(cluster) == {tag, b"{world}"}


def test_a_sealed_game_has_its_budgets(gate):
    """The seats of a sealed game share its units, each has its own part, and an acceptable play is refunded."""
    ann, bob = CLUB._replace(player="ann"), CLUB._replace(player="bob")
    assert gate.open_game((ann, bob), "s", NOON) is None
    ticket = gate.admit(ann, Question(words(0, 18), 1, "s", "1 A", 0), (), NOON)
    gate.settle(ticket, True, NOON)
    assert gate.admit(ann, Question(words(30, 1), 1, "s", "3 A", 0), (), NOON).budget == "seat"
    assert gate.admit(bob, Question(words(40, 11), 1, "s", "2 A", 1), (), NOON).budget == "game"
    quota = left(gate, ann, "s", is_sealed=True)
    assert (quota["game"], quota["plays"], quota["invalid"]) == (10, 59, 16)


def share_charge(client, number, *, limit=100, own=1_000):
    """Return the charge for a word that is new to a client, which draws on its own meter and a shared one."""
    mine, world = Meter(f"{client}/1/units", own, 2_000), WORLD._replace(limit=limit)
    mark = Mark(b"%d" % number, 1_800, (mine.name, world.name))
    share = ClientShare(f"{client}/1/share", mine.name, world.name, 8)
    return Charge((mine, world), {}, (mark,), shares=(share,), long_kept=(world.name,))


def spend_at_once(address, process):
    """Ask new words for several clients from several threads of a process; return the number admitted by client."""
    store, granted = RedisMeterStore(address), Counter()

    def ask_some(thread):
        for number in range(QUESTIONS):
            client = f"c{(thread + number) % 5}"
            outcome = store.admit(share_charge(client, 1_000 * process + 100 * thread + number), NOW)
            granted[thread, client] += isinstance(outcome, Admitted)

    threads = [threading.Thread(target=ask_some, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    return sum(granted.values()), {client for _, client in granted}


def test_a_shared_cap_is_exact_over_processes_and_clients(cluster, store):
    """Of 216 new words of five clients on three nodes, a shared cap of 100 admits as many as the shares allow.

    What the clients' slots hold together is what the shared slot counts: nothing is lost, and nothing admitted twice.
    """
    with get_context("spawn").Pool(PROCESSES) as pool:
        results = pool.starmap(spend_at_once, [(cluster.url, process) for process in range(PROCESSES)])
    clients = sorted(set().union(*[names for _, names in results]))
    spent = [reading.spent for reading in store.read([Meter(f"{client}/1/units", 0, 2_000) for client in clients], NOW)]
    (world,) = store.read([WORLD], NOW)
    assert sum(granted for granted, _ in results) == sum(spent) == world.spent <= 100
    assert max(spent) <= 25
    # Nobody may ask more: each client has a quarter of what the others left.
    refused = [store.admit(share_charge(client, 9_000), NOW) for client in clients]
    assert refused == [Refused(f"{client}/1/share", 1_000) for client in clients]


def test_an_interrupted_charge_leaves_its_reservation_spent(store, monkeypatch):
    """A process that is killed between the reservation and the charge gives nothing back, and takes nothing twice."""
    run = store._remote.run_script
    calls = []

    def run_until_killed(script, keys, arguments):
        calls.append(keys[0])
        if len(calls) == 3:
            raise StoreDown("killed")
        return run(script, keys, arguments)

    with monkeypatch.context() as patch:
        patch.setattr(store._remote, "run_script", run_until_killed)
        with pytest.raises(StoreDown):
            store.admit(share_charge("me", 1), NOW)
    assert store.read([UNITS, WORLD], NOW) == [MeterReading(0, 2_000), MeterReading(1, 2_000)]
    assert store.admit(share_charge("me", 1), NOW) == Admitted(frozenset({b"1"}))
    assert store.read([UNITS, WORLD], NOW) == [MeterReading(1, 2_000), MeterReading(2, 2_000)]


@pytest.mark.parametrize("own", [1, 1_000])
def test_a_reservation_that_was_not_needed_is_given_back(cluster, store, monkeypatch, own):
    """Where another host charges the same word or the last unit after the reservation, it is given back."""
    other, reserve, its = RedisMeterStore(cluster.url), store._reserve, 1 if own > 1 else 2

    def reserve_while_another_charges(*arguments):
        outcome = reserve(*arguments)
        assert other.admit(share_charge("me", its, own=own), NOW) == Admitted(frozenset({b"%d" % its}))
        return outcome

    with monkeypatch.context() as patch:
        patch.setattr(store, "_reserve", reserve_while_another_charges)
        outcome = store.admit(share_charge("me", 1, own=own), NOW)
    assert outcome == (Admitted(frozenset()) if own > 1 else Refused("me/1/units", 1_000))
    assert store.read([UNITS, WORLD], NOW) == [MeterReading(1, 2_000), MeterReading(1, 2_000)]
    other.close()


def test_a_charge_that_needs_more_reserves_more(cluster, store, monkeypatch):
    """Where a running mark is replaced after the reservation, the charge reserves the difference and is written."""
    other, reserve, changes = RedisMeterStore(cluster.url), store._reserve, [4]

    def pinned(number, edition):
        charge = share_charge("me", number)
        return charge._replace(marks=(charge.marks[0]._replace(edition=edition, is_pinned=True),))

    other.admit(pinned(1, 5), NOW)
    both = pinned(1, 5)._replace(marks=(pinned(1, 5).marks[0], pinned(2, 5).marks[0]))

    def reserve_while_another_charges(*arguments):
        if changes:
            other.admit(pinned(1, changes.pop()), NOW)
        return reserve(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(store, "_reserve", reserve_while_another_charges)
        assert store.admit(both, NOW).new_marks == {b"1", b"2"}
    other.close()
    assert store.read([UNITS, WORLD], NOW) == [MeterReading(4, 2_000), MeterReading(4, 2_000)]


def test_a_refusal_reserves_nothing(store):
    """A client beyond its own budget or its share leaves the shared meter as it is."""
    assert store.admit(share_charge("me", 1, own=0), NOW) == Refused("me/1/units", 1_000)
    for number in range(25):
        store.admit(share_charge("me", number), NOW)
    assert store.admit(share_charge("me", 99), NOW) == Refused("me/1/share", 1_000)
    assert store.read([WORLD], NOW) == [MeterReading(25, 2_000)]


def test_a_node_that_lost_its_keys_answers_nothing(cluster, store):
    """Budgets whose node was emptied do not begin anew: questions are refused, and `create` says that they are lost."""
    with Redis(port=cluster.nodes[1].port) as client:
        client.flushall()
    causes = []
    for number in range(60):
        meter = UNITS._replace(name=f"c{number}/1/units")
        try:
            store.admit(Charge((meter,), {meter.name: 1}, ()), NOW)
        except StoreDown as err:
            causes.append(str(err))
    assert set(causes) == {"the Redis server cannot be used: GONE the meters are not there"}
    assert 0 < len(causes) < 60
    with pytest.raises(StoreDown):
        store.sweep(NOW)
    again = RedisMeterStore.create(cluster.url)
    assert again.is_new
    again.close()


def test_meters_are_made_on_all_nodes_or_none(cluster):
    """With a node away no meters are made, so that the next start finds them new and counts the day as spent."""
    cluster.nodes[2].kill()
    try:
        with pytest.raises(StoreDown):
            RedisMeterStore.create(cluster.url)
    finally:
        cluster.nodes[2].start()
        cluster.wait_until_ready()
    store = RedisMeterStore.create(cluster.url)
    assert store.is_new
    store.close()


def test_a_node_that_forgets_is_refused(cluster, store):
    """Each node has to keep every write."""
    with Redis(port=cluster.nodes[2].port) as client:
        client.config_set("appendfsync", "everysec")
        try:
            with pytest.raises(StoreDown, match='its "appendfsync" is "everysec"'):
                RedisMeterStore(cluster.url).sweep(NOW)
        finally:
            client.config_set("appendfsync", "always")


def test_hash_tags_are_spread_over_the_nodes(cluster, store):
    """The slots of the hash tags are spread over the nodes, so that each has about a third of the clients."""
    counts = []
    for node in cluster.nodes:
        with Redis(port=node.port) as client:
            counts.append(client.dbsize())
    assert sum(counts) == 65
    assert min(counts) >= 20


def test_unverified_callers_have_one_cap_and_a_new_day(gate):
    """Newcomers find the cap that others have spent, whatever their node, and a whole one on the next day."""
    spent = 0
    for number, caller in enumerate([HOME, OTHER, *[HOME._replace(client=f"k{number}") for number in range(12)]]):
        for game in (None, *[f"g{number}" for number in range(12)]):
            while ask(gate, caller, *words(400 * number + spent, 1), game=game) is None:
                spent += 1
    assert spent == 500
    assert gate.unverified_spent(NOON) == {NOON // DAY: 500}
    assert ask(gate, OTHER, *words(0, 1), now=NOON + DAY) is None


def test_sybils_learn_no_more_than_the_cap(cluster):
    """Ten unverified keys of the mining benchmark learn over a cluster as many words as their shared cap has."""
    small = Policy(world_floor=120, world_ceiling=120)
    row = measure(AttackTask(ORDWS, "sybils", 10, 1, 1, 1_500, redis=cluster.url), small)
    assert row.outside_per_day == row.outside_bound == 120
