"""The metrics of a desk: what a keeper sees of commands and on-line rounds, and that no name is among it."""

from __future__ import annotations

import httpx
import pytest
from desk_events import NAMES, side
from prometheus_client.parser import text_string_to_metric_families

from ordws.client import Client
from ordws.desk.online import OnlineLoop
from ordws.desk.process import DeskMetrics
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


def test_commands_that_a_file_kept_out_are_counted(desk):
    """Commands are counted that a file kept out, not those that were refused."""
    event = desk.event()
    event.publish()
    event.result(1)
    metrics = DeskMetrics(desk.events, None)
    other = TableResult(first=side("401:401/13"), second=side("390:390/13"))
    with pytest.raises(BadInput):
        event.apply(c.Enter(name=NAMES[0]))
    with pytest.raises(c.EventConflict):
        event.apply(f.Corrected(round=1, table=1, result=other, reason="misread"), expected=1)
    assert read(metrics) == {"ordws_desk_commands": {"failed": 0}}
    event.opened.file.path.unlink()
    with pytest.raises(StoreDown):
        event.apply(f.Withdrawn(entrant=1))
    assert read(metrics) == {"ordws_desk_commands": {"failed": 1}}


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
