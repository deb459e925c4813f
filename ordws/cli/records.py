"""`ordws replay` and `review`: game records audited, and their turns beside the best plays from public words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ordws.cli import fail, instance_option, printable, write_output_file
from ordws.cli.editions import open_to_judge
from ordws.cli.judge import VERDICT_TEXT, judge_board
from ordws.cli.rules_option import read_rules, rules_options
from ordws.computer.review import (
    REVIEW_DISCLAIMER,
    ReviewedTurn,
    describe_best,
    recorded_turns,
    review_turns,
    write_turn,
)
from ordws.computer.words import PublicWords
from ordws.errors import BadInput
from ordws.instance import Instance
from ordws.pictures.svg import draw_board
from ordws.records.audit import RecordAudit, audit_record
from ordws.records.gcg import read_gcg
from ordws.records.record import Record
from ordws.rules.statistics import board_statistics


@click.command("replay")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print an object a file, with its findings.")
@click.option("--svg", "folder", metavar="DIR", type=click.Path(path_type=Path), help="Draw each final board into DIR.")
@click.option("--words", "judging", is_flag=True, help="Judge all words of each final board, with one verdict.")
@instance_option
@click.argument("files", metavar="FILE.gcg...", nargs=-1, required=True, type=click.Path(path_type=Path))
def replay(
    rules: str | None,
    options: tuple[str, ...],
    as_json: bool,
    folder: Path | None,
    judging: bool,
    instance: str | None,
    files: tuple[Path, ...],
) -> int:
    """Audit game records: compute every score, total, challenge, exchange and end adjustment again.

    Without --rules a record is audited under the rule set that it names, or else under classic; --option alone varies
    classic. With --words there is one verdict for all words of a final board too, on this machine: nothing is charged
    and nothing recorded, and which word is not acceptable is never told. Ends with status 0 if all are exact and
    acceptable, 1 if not, 2 if a file cannot be read; the other files are audited all the same.

    The JSON has file, rules, encoding, players, moves, exact, totals (the computed ones), turns, points_per_turn (null
    without a turn), board (words, mean_length) and findings (line, kind, written, computed, message), with --words also
    valid. Two files of one name are drawn into NAME.svg and NAME-2.svg. One mistake is reported once: the record may go
    on from the written or the computed total. Going out is not inferred from written racks, which are often partial.

    \b
    Example:
      ordws replay --json game.gcg
      ordws replay --words --rules dover board-of-the-evening.gcg
    """
    chosen = read_rules(rules or "classic", options) if rules or options else None
    edition = open_to_judge(Instance.locate(instance)) if judging else None
    status = 0
    drawn: set[Path] = set()
    for file in files:
        name = printable(str(file))
        try:
            record = read_gcg(file.read_bytes())
        except (OSError, BadInput) as error:
            # Status 2 is the highest, and no later file lowers it.
            status = fail(f'"{name}" cannot be read: {getattr(error, "strerror", None) or error}')
            continue
        audit = audit_record(record, chosen)
        status = max(status, 0 if audit.is_exact else 1)
        valid = None
        if edition is not None:
            valid = judge_board(edition, audit.rules, audit.board)
            if valid is None:
                status = fail(f'"{name}" is not judged: its tiles are not those of the English alphabet')
            status = max(status, 0 if valid else 1)
        if as_json:
            verdict = {} if edition is None else {"valid": valid}
            click.echo(json.dumps(_describe_audit(str(file), audit) | verdict))
        else:
            for line in _audit_lines(name, audit, None if valid is None else VERDICT_TEXT[valid]):
                click.echo(printable(line))
        if folder:
            path, number = folder / f"{file.stem}.svg", 1
            # Files of one name in two folders get two pictures.
            while path in drawn:
                number += 1
                path = folder / f"{file.stem}-{number}.svg"
            drawn.add(path)
            status = max(status, _write_picture(path, record, audit))
    return status


def _describe_audit(file: str, audit: RecordAudit) -> dict[str, Any]:
    """Return the audit of a file as one object of JSON."""
    return {
        "file": file,
        "rules": audit.rules.id,
        "encoding": audit.encoding,
        "players": list(audit.players),
        "moves": audit.moves,
        "exact": audit.is_exact,
        "totals": audit.totals,
        "turns": audit.turns,
        "points_per_turn": audit.points_per_turn,
        "board": board_statistics(audit.board)._asdict(),
        "findings": [finding._asdict() | {"kind": finding.kind.value} for finding in audit.findings],
    }


def _audit_lines(file: str, audit: RecordAudit, words: str | None = None) -> Iterator[str]:
    """Yield the lines of a report: the result, the verdict on the words where there is one, then a line a finding.

    What the record or the name of the file holds is in them as it is, control characters too.
    """
    board = board_statistics(audit.board)
    means = {nick: "" if mean is None else f" ({mean:.1f} PPT)" for nick, mean in audit.points_per_turn.items()}
    totals = ", ".join([f"{nick} {total}{means[nick]}" for nick, total in audit.totals.items()]) or "no player"
    verdict = "exact" if audit.is_exact else "not exact"
    of_words = f"{board.words} word{'s' * (board.words != 1)} of {board.mean_length:.2f} letters"
    yield f"{file}: {verdict}: {audit.moves} moves, {totals}, {of_words} ({audit.rules.id})"
    if words is not None:
        yield f"{file}: words: {words}"
    for finding in audit.findings:
        yield f"{file}:{finding.line}: {finding.kind.value}: {finding.message}"


def _write_picture(path: Path, record: Record, audit: RecordAudit) -> int:
    """Draw how a game ended, and return 0; report a board with tiles beyond A to Z as an error, and return 2."""
    if not audit.board.across.isascii():
        return fail(f'"{printable(path.name)}" is not drawn: its tiles are not those of the English alphabet')
    title = record.find_pragma("title")
    picture = draw_board(
        audit.rules.layout,
        audit.board,
        title=title.text if title and title.text else path.stem,
        players=list(audit.totals.items()),
        last=audit.last_play,
        stretched=audit.stretched,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_output_file(path, picture.encode())
    return 0


_ALTERNATIVES = 3


@click.command("review")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print an object a turn.")
@instance_option
@click.argument("files", metavar="FILE.gcg...", nargs=-1, required=True, type=click.Path(path_type=Path))
def review(
    rules: str | None, options: tuple[str, ...], as_json: bool, instance: str | None, files: tuple[Path, ...]
) -> int:
    """Show the best plays from public words for each turn, and what the turn that was taken lost against them.

    The word set is never asked: it goes by the public lists of the installation, which everybody may read, and a play
    counts as if it had stood. Without --rules a record is reviewed under the rule set that it names, or else under
    classic. Plays that stood and exchanges are reviewed where the record has the whole rack. Ends with status 2 if a
    file cannot be read.

    The JSON has file, rules, number, player, rack, move, score, value (its equity less what replies take off it),
    lost and best, each with move, score and value.

    \b
    Example:
      ordws review --rules classic game.gcg
    """
    chosen = read_rules(rules or "classic", options) if rules or options else None
    words = PublicWords.load(Instance.locate(instance).public)
    status = 0
    for file in files:
        try:
            record = read_gcg(file.read_bytes())
        except (OSError, BadInput) as error:
            status = fail(f'"{printable(str(file))}" cannot be read: {getattr(error, "strerror", None) or error}')
            continue
        audit = audit_record(record, chosen)
        reviewed = review_turns(recorded_turns(record, audit), words)
        if as_json:
            for turn in reviewed:
                click.echo(json.dumps({"file": str(file), "rules": audit.rules.id, **_describe(turn)}))
        else:
            for line in _table(str(file), audit.rules.id, reviewed):
                click.echo(printable(line))
    return status


def _describe(turn: ReviewedTurn) -> dict[str, Any]:
    """Return a reviewed turn as one object of JSON."""
    rounded = {"value": round(turn.value, 1), "lost": round(turn.lost, 1)}
    return {**turn._asdict(), **rounded, "best": describe_best(turn.best)}


def _table(file: str, rules: str, turns: Iterator[ReviewedTurn]) -> Iterator[str]:
    """Yield the lines of a review: a turn a line, with the best turns behind it, then what each player lost."""
    yield f"{file} ({rules}): {REVIEW_DISCLAIMER}"
    yield f"{'turn':>4}  {'player':<12} {'rack':<9} {'played':<20} {'score':>5} {'lost':>5}  best by public words"
    lost: dict[str, list[float]] = {}
    for turn in turns:
        lost.setdefault(turn.player, []).append(turn.lost)
        best = ", ".join([f"{write_turn(each)} {each.score}" for each in turn.best[:_ALTERNATIVES]])
        yield (
            f"{turn.number:>4}  {turn.player[:12]:<12} {turn.rack:<9} {turn.move:<20} {turn.score:>5} {turn.lost:>5.1f}"
            f"  {best}"
        )
    for player, each in lost.items():
        yield f"{player}: {sum(each):.1f} points lost in {len(each)} turns, {sum(each) / len(each):.1f} a turn"
    if not lost:
        yield "no turn has a whole rack, so none is reviewed"
