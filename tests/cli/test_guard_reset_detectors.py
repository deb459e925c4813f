"""`ordws guard reset-detectors`, also called `calm`: the end of a false alarm."""

from __future__ import annotations

from cli_installation import Command, InitResult

from ordws.guard.stores.lmdb import LmdbMeterStore


def test_a_client_without_an_alarm_is_reported_as_such(command: Command, initialized: InitResult) -> None:
    """A client without an alarm is reported as such, and an unknown client is an error."""
    LmdbMeterStore.create(initialized.instance.meters).close()
    assert command("guard", "calm", "home") == (0, "there was no alarm\n", "")
    status, out, err = command("guard", "reset-detectors", "nobody")
    assert (status, out) == (2, "")
    assert 'ordws: error: there is no client "nobody"\nordws: hint: ordws clients list\n' in err


def test_the_command_ends_an_alarm(command: Command, initialized: InitResult) -> None:
    """The command ends an alarm and names its detector."""
    from ordws.cli.guard import open_gate
    from ordws.guard.detector_buffer import DetectorSum
    from ordws.guard.detectors import ALARM_THRESHOLD

    LmdbMeterStore.create(initialized.instance.meters).close()
    gate = open_gate(initialized.instance)
    later = 4_000_000_000
    name = f"{gate.pricing.client_key('1')}/sign/run"
    gate.store.update_detectors([(DetectorSum(name, ALARM_THRESHOLD, later, later), ALARM_THRESHOLD)], 0)
    assert gate.store.active_alarms(0) == {name}
    assert command("guard", "reset-detectors", "home") == (0, "ended: run\n", "")
    assert gate.store.active_alarms(0) == frozenset()
    gate.store.close()
