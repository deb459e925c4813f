"""`ordws guard reset-detectors`, also called `calm`: the end of a false alarm."""

from __future__ import annotations

from cli_installation import Command, InitResult

from ordws.cli.guard import open_gate
from ordws.guard.charge import Identity


def test_a_client_without_an_alarm_is_reported_as_such(command: Command, initialized: InitResult) -> None:
    """A client without an alarm is reported as such, and an unknown client is an error."""
    assert command("guard", "calm", "home") == (0, "there was no alarm\n", "")
    status, out, err = command("guard", "reset-detectors", "nobody")
    assert (status, out) == (2, "")
    assert 'ordws: error: there is no client "nobody"\nordws: hint: ordws clients list\n' in err


def test_the_command_ends_an_alarm(command: Command, initialized: InitResult) -> None:
    """The command ends an alarm and names its detector."""
    gate = open_gate(initialized.instance)
    subject = gate.pricing.subject(Identity("1", 0))
    gate.store.update_lasting(subject, alarm="run", alarm_until=4_000_000_000)
    assert set(gate.store.active_alarms(0)) == {subject}
    assert command("guard", "reset-detectors", "home") == (0, "ended: run\n", "")
    assert gate.store.active_alarms(0) == {}
    gate.store.close()
