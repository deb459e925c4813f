"""The steps of records on the pages, held equal to `ordws replay`; ORDWS_RECORDS names another folder of records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from node_programs import run_node

from ordws.records.audit import RecordAudit, audit_record
from ordws.records.gcg import BadRecord, read_gcg
from ordws.records.record import GcgEvent, Pragma, Record, read_rules_description
from ordws.rules.ruleset import RuleSet

STATIC = Path(__file__).parents[2] / "ordws" / "web" / "pages" / "static"
RECORDS = Path(os.environ.get("ORDWS_RECORDS", Path(__file__).parents[1] / "vectors" / "gcg"))
PROGRAM = """
import { readFileSync } from "node:fs";
const { decodeRecord, readGcg, seatLines, sideOf, stepsOf } = await import(process.argv[1]);
const steps = JSON.parse(readFileSync(process.argv[2], "utf8")).map(({ file, rulesSide, ...game }) => {
  const record = readGcg(decodeRecord(readFileSync(file)));
  if (!record) return null;
  const { names, lines } = seatLines(record);
  const isTurned = /lettered-rows/.test(record.pragmas.orientation ?? "");
  const side = sideOf(record, rulesSide), { racks } = record;
  return stepsOf(lines, { ...game, players: names.length, side, isTurned, racks });
});
console.log(JSON.stringify(steps));
"""


def audits() -> Iterator[tuple[Path, Record, RecordAudit]]:
    """Yield the records, with what `ordws replay` finds; boards with tiles beyond A to Z are not drawn there either."""
    for file in sorted(RECORDS.glob("*.gcg")):
        try:
            record = read_gcg(file.read_bytes())
        except BadRecord:
            continue
        audit = audit_record(record)
        if audit.board.across.isascii():
            yield file, record, audit


def game_of(file: Path, record: Record, audit: RecordAudit) -> dict[str, Any]:
    """Return what the pages are told of the rules that a record names."""
    pragmas = [item.text for item in record.items if isinstance(item, Pragma) and item.name == "description"]
    is_named = any(isinstance(read_rules_description(text), RuleSet) for text in pragmas)
    rules = audit.rules
    told = {"tiles": rules.scoop, "rackSize": rules.rack_size, "hasSwap": bool(rules.swap)}
    return {"file": str(file), "rulesSide": rules.layout.side if is_named else None, **told}


def boards(record: Record) -> Iterator[list[str]]:
    """Yield the board of `ordws replay` after each line of a player, with the notes behind it."""
    lines = [at for at, item in enumerate(record.items) if isinstance(item, GcgEvent)]
    for stop in (*lines[1:], len(record.items))[: len(lines)]:
        board = audit_record(Record(record.items[:stop], record.encoding, record.faults)).board
        yield [*board.rows()]


@pytest.fixture(scope="module")
def stepped(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Record, RecordAudit, list[dict[str, Any]]]]:
    """Return the records with their steps on the pages."""
    known = list(audits())
    games = tmp_path_factory.mktemp("games") / "games.json"
    games.write_text(json.dumps([game_of(*each) for each in known]), "utf-8")
    module = (STATIC / "game-steps.js").as_uri()
    printed = run_node(games.parent, "--input-type=module", "--eval", PROGRAM, module, str(games))
    return [(*each, steps) for each, steps in zip(known, json.loads(printed), strict=True)]


def test_each_step_has_the_board_of_ordws_replay(stepped):
    """After each line of a record the board must be that of `ordws replay`, of sound and of damaged records."""
    different = [
        f"{file.name}, line {number}"
        for file, record, _, steps in stepped
        for number, (board, step) in enumerate(zip(boards(record), steps[1:], strict=True), start=1)
        if step["board"] != board
    ]
    assert stepped
    assert different == []


def test_the_last_step_has_the_totals_of_ordws_replay(stepped):
    """Where `ordws replay` finds a record exact, the scores after its last line must be the totals computed."""
    different = [
        file.name
        for file, _, audit, steps in stepped
        if audit.is_exact and steps[-1]["scores"] != [*audit.totals.values()]
    ]
    assert sum(audit.is_exact for _, _, audit, _ in stepped) > 1
    assert different == []


def test_a_step_has_the_racks_and_the_bag_of_the_next_move():
    """A rack must be that of a player's next move, or the one left, and the bag what full racks leave."""
    lines = [
        {"seat": 0, "rack": "AEHLTVZ", "move": "8E HEAT", "points": 14, "total": 14},
        {"seat": 1, "rack": "CEILOQU", "move": "-EU", "points": 0, "total": 0},
        {"seat": 0, "rack": "LVZIIII", "move": "-", "points": 0, "total": 14},
    ]
    game = {"players": 2, "side": 15, "tiles": 100, "rackSize": 7, "hasSwap": False, "racks": ["", "CILOQEE"]}
    program = """
        const { stepsOf } = await import(process.argv[1]);
        console.log(JSON.stringify(stepsOf(...JSON.parse(process.argv[2])).map(({ racks, bag }) => [...racks, bag])));
    """
    module = (STATIC / "game-steps.js").as_uri()
    printed = run_node(Path.cwd(), "--input-type=module", "--eval", program, module, json.dumps([lines, game]))
    assert json.loads(printed) == [
        ["AEHLTVZ", "CEILOQU", 86],
        ["LVZIIII", "CEILOQU", 82],
        ["LVZIIII", "CILOQEE", 82],
        ["", "CILOQEE", 82],
    ]
