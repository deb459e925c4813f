"""The metrics of a desk: what a keeper sees of events, commands and on-line rounds, and that no name is among it."""

from __future__ import annotations

import httpx
import pytest
from desk_events import NAMES, side
from prometheus_client.parser import text_string_to_metric_families

from ordws.client import Client
from ordws.desk.metrics import DeskMetrics
from ordws.desk.online_loop import OnlineLoop
from ordws.errors import BadInput, StoreDown
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings, TableResult


def read(metrics: DeskMetrics) -> dict[str, float | dict[str, float]]:
    """Return the metrics by name, those with a label as what there is by its values."""
    page = metrics.render().decode()
    assert not [name for name in (*NAMES, "Event 1", "event-1") if name in page]
    found: dict[str, float | dict[str, float]] = {}
    for family in text_string_to_metric_families(page):
        labelled = {value: each.value for each in family.samples for value in each.labels.values()}
        found[family.name] = labelled or family.samples[0].value
    return found


def test_events_results_and_commands_are_counted(desk):
    """Events by phase, results by what they wait for, and commands by how they ended."""
    desk.event(present=0)
    event = desk.event()
    event.publish()
    event.result(1)
    told = TableResult(first=side("400:400/13"), second=side("390:390/13"))
    for table in (2, 3):
        pairing = event.state.open_round.at_table(table)
        event.apply(c.ClaimResult(round=1, table=table, entrant=pairing.first, result=told))
    other = TableResult(first=side("401:401/13"), second=side("390:390/13"))
    event.apply(c.ClaimResult(round=1, table=3, entrant=event.state.open_round.at_table(3).second, result=other))
    metrics = DeskMetrics(desk.events, None)
    before = read(metrics)
    assert before["ordws_desk_events"] == {"entry": 1, "playing": 1, "between": 0, "finished": 0}
    assert before["ordws_desk_results_waiting"] == {"missing": 1, "unconfirmed": 1, "disputed": 1}
    assert before["ordws_desk_commands"] == {"done": 8, "refused": 0, "conflict": 0, "failed": 0}
    assert "ordws_desk_online_behind" not in before
    with pytest.raises(BadInput):
        event.apply(c.Enter(name=NAMES[0]))
    with pytest.raises(c.EventConflict):
        event.apply(f.Resulted(round=1, table=1, result=other), expected=1)
    event.opened.file.path.unlink()
    with pytest.raises(StoreDown):
        event.apply(f.Withdrawn(entrant=1))
    after = read(metrics)
    assert after["ordws_desk_commands"] == {"done": 8, "refused": 1, "conflict": 1, "failed": 1}
    assert after["ordws_desk_events"] == {"entry": 1, "playing": 0, "between": 0, "finished": 0}


def test_on_line_rounds_that_are_behind_are_counted(desk):
    """An event whose games cannot be opened, and one whose step fails, are behind; and the last step has its time."""

    def refuse(_):
        raise httpx.ConnectError("refused")

    client = Client("http://localhost", "ordws_live_x", transport=httpx.MockTransport(refuse), patience_seconds=0.0)
    loop = OnlineLoop(desk.events, client, "", desk.clock)
    metrics = DeskMetrics(desk.events, loop)
    assert (read(metrics)["ordws_desk_online_behind"], loop.stepped_at) == (0, 0)
    desk.event()
    on_line = desk.event(settings=EventSettings(on_line=True))
    on_line.publish()
    broken = desk.event()
    broken.opened.file.path.write_bytes(b"no event" * 100)
    loop.step()
    found = read(metrics)
    assert found["ordws_desk_online_behind"] == 2
    assert found["ordws_desk_online_step_timestamp_seconds"] == desk.clock.now
