"""`ordws curation`: import and export of ballots and decisions, and the keepers' overrides."""

from __future__ import annotations

import getpass
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

import click

from ordws.atomic_files import write_atomically
from ordws.cli import instance_option
from ordws.curation.decision import OverrideAct
from ordws.curation.ledger import Ledger
from ordws.curation.text_formats import TextFormat, read_ballots, write_ballots, write_decisions, write_queue
from ordws.errors import BadInput, Missing
from ordws.fold import fold
from ordws.instance import INIT_HINT, Instance
from ordws.lexicon.keyring import Keyring

CurationExport = Literal["ballots", "decisions", "queue"]

_NOTATION_BY_SUFFIX: Final[dict[str, TextFormat]] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}

_FORMAT_CHOICE: Final = click.Choice(["csv", "ndjson"])


def open_ledger(instance: Instance) -> Ledger:
    """Return the ledger of an installation, checked as a whole; raise Missing if it or its key does not exist."""
    if not instance.ledger_key.exists():
        if instance.ledger.exists():
            raise Missing(f'the ledger\'s key "{instance.ledger_key}" is gone', hint="ordws restore, from a backup")
        raise Missing(f'no curation database in "{instance.root}"', hint=INIT_HINT)
    key = instance.ledger_key.read_bytes()
    return Ledger.open(instance.ledger, instance.ledger_head, key, Keyring.open(instance.keys))


@click.group("curation")
def command() -> None:
    """Import ballots, export ballots and decisions, and override words.

    \b
    Example:
      ordws curation import ballots.csv
      ordws curation status
    """


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.File("rb"))
@click.option("--panel", type=click.IntRange(min=3), default=5, show_default=True, help="Number of voting curators.")
@click.option("--format", "notation", type=_FORMAT_CHOICE, help="The format, where a file name does not tell it.")
@click.option("--json", "as_json", is_flag=True, help="Print an object a file.")
@instance_option
def import_ballots(
    files: tuple[BinaryIO, ...], panel: int, notation: TextFormat | None, as_json: bool, instance: str | None
) -> None:
    """Import ballots: CSV, or NDJSON with the same keys; - reads standard input.

    The columns are id, family, curator, vote, forms, reason, at. A ballot that was imported before counts once. If a
    line cannot be counted, the whole file is refused and the line is named.

    The vote is in, out or doubt; family is the base word; forms names forms, separated by spaces or as a JSON list,
    and is empty for the whole family; at is a time in UTC. The same id with other content is an error. A cell that a
    spreadsheet would execute has an apostrophe in front, which reading removes. The JSON has file, new, known,
    decided_in, decided_out, contested, open and late (on families decided before).

    \b
    Example:
      ordws curation import --panel 3 ann.csv ben.ndjson
    """
    # Every format is known before the first file is imported, so that a wrong suffix imports nothing.
    sheets = [(name := getattr(file, "name", "<stdin>"), file, notation or _notation_by_suffix(name)) for file in files]
    with open_ledger(Instance.locate(instance)) as ledger:
        for name, file, text_format in sheets:
            cast = ledger.cast(read_ballots(name, file.read(), text_format), _now(), panel=panel)
            if as_json:
                click.echo(json.dumps({"file": name, **cast._asdict()}))
                continue
            click.echo(
                f"{name}: {cast.new} ballots new, {cast.known} known; families {cast.decided_in} decided in,"
                f" {cast.decided_out} out, {cast.contested} contested, {cast.open} open"
            )
            if cast.late:
                late = "came after their family was decided or contested: they are kept and do not count"
                click.echo(f"{name}: {cast.late} ballots {late}")


@command.command()
@click.option(
    "--ballots",
    "kind",
    flag_value="ballots",
    default="ballots",
    help="The ballots on decided families, in order [default].",
)
@click.option("--decisions", "kind", flag_value="decisions", help="The decisions, with the votes on each form.")
@click.option("--queue", "kind", flag_value="queue", help="The families at stake, with their evidence.")
@click.option("--format", "notation", type=_FORMAT_CHOICE, help="[default: by the suffix of --out, else csv]")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file, which only you may read.")
@instance_option
def export(kind: CurationExport, notation: TextFormat | None, out: Path | None, instance: str | None) -> None:
    """Write ballots, decisions or the queue. The output holds words: keep it as secret as the keys.

    Ballots on families that are being voted on stay blind; a backup has them all.

    \b
    Example:
      ordws curation export --decisions --out decisions.ndjson
    """
    text_format = notation or (_notation_by_suffix(str(out)) if out else "csv")
    with open_ledger(Instance.locate(instance)) as ledger:
        match kind:
            case "ballots":
                text = write_ballots(ledger.disclosed_ballots(), text_format)
            case "decisions":
                text = write_decisions(ledger.decisions(), text_format)
            case "queue":
                text = write_queue(ledger.families(), text_format)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        write_atomically(out, text.encode())
    except OSError as error:
        raise BadInput(f'"{out}" cannot be written: {error.strerror}') from error


@command.group()
def override() -> None:
    """Add or exclude a word, whatever dictionaries and curators say; the next build follows it.

    \b
    Example:
      ordws curation override exclude BASHINGS --reason "a misprint in both sources"
    """


def _add_override_command(act: OverrideAct, description: str, *, example_reason: str) -> None:
    """Register the subcommand of `override` that records one kind of override; its help shows an example reason."""
    example = f'ordws curation override {act} BASHINGS --reason "{example_reason}"'

    @override.command(act, help=f"{description}\n\n\b\nExample:\n  {example}")
    @click.argument("word")
    @click.option("--reason", required=True, help="The reason; it stays in the ledger.")
    @click.option("--keeper", help="The keeper who decides [default: your login name].")
    @instance_option
    def record(word: str, reason: str, keeper: str | None, instance: str | None) -> None:
        with open_ledger(Instance.locate(instance)) as ledger:
            ledger.override(
                act, fold(word), reason=reason, keeper=login_name() if keeper is None else keeper, at=_now()
            )
        click.echo(f"recorded: {act}")


_add_override_command(
    "add", "Let a word in, though no source or vote does.", example_reason="in print everywhere, in no source yet"
)
_add_override_command(
    "exclude", "Keep a word out, though sources or votes let it in.", example_reason="a misprint in both sources"
)
_add_override_command("lift", "Leave a word to sources and votes again.", example_reason="the sources were corrected")


@override.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print an object a line.")
@instance_option
def list_overrides(as_json: bool, instance: str | None) -> None:
    """Show the overrides in force, with their reasons. The output holds words.

    \b
    Example:
      ordws curation override list
    """
    with open_ledger(Instance.locate(instance)) as ledger:
        overrides = ledger.overrides().values()
    for entry in overrides:
        line = f"{entry.act} {entry.word}  {entry.at} {entry.keeper}: {entry.reason}"
        click.echo(json.dumps(asdict(entry)) if as_json else line)


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print an object.")
@instance_option
def status(as_json: bool, instance: str | None) -> None:
    """Show how many families are decided, and the end of the hash chain; no words.

    Keep a copy of the last line elsewhere: without it nobody can tell an old ledger, put back together with its old
    head, from the present one.

    The JSON has families, ballots, curators, overrides and chain.

    \b
    Example:
      ordws curation status --json
    """
    with open_ledger(Instance.locate(instance)) as ledger:
        now = ledger.status()
    if as_json:
        families = {"open": now.open, "in": now.decided_in, "out": now.decided_out, "contested": now.contested}
        counts = {"ballots": now.ballots, "curators": now.curators, "overrides": now.overrides}
        click.echo(json.dumps({"families": families, **counts, "chain": now.head._asdict()}))
        return
    click.echo(
        f"families   {now.open} open, {now.decided_in} decided in, {now.decided_out} out, {now.contested} contested\n"
        f"ballots    {now.ballots} by {now.curators} curators\n"
        f"overrides  {now.overrides}\n"
        f"chain      {now.head.length} links, head {now.head.hash}"
    )


def _notation_by_suffix(file: str) -> TextFormat:
    notation = _NOTATION_BY_SUFFIX.get(Path(file).suffix.lower())
    if notation is None:
        raise click.UsageError(f'"{file}" ends in none of {", ".join(_NOTATION_BY_SUFFIX)}: add --format')
    return notation


def login_name() -> str:
    """Return the login name of the user, which stands for the keeper; raise click.UsageError if there is none."""
    try:
        # Raises KeyError for a user id that has no entry in the password database.
        return getpass.getuser()
    except KeyError as error:
        raise click.UsageError("your login has no name: add --keeper") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
