"""The command line: the same verbs as the magics, for scripts and agents."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from uac_nb import cli_code, cli_log, homes
from uac_nb.eval.commands import evals
from uac_nb.terminal import HOME, TODAY, Group, known, plain, steps
from uac_nb.user import Checkpoint, User

if TYPE_CHECKING:
    from uac_nb.bench.figures import Figure


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="uac-nb")
def main() -> None:
    """Keep what is known of a person as a living Python project."""


for verb in (*cli_log.VERBS, *cli_code.VERBS, evals):
    main.add_command(verb)


@main.command()
@click.argument("user")
@click.argument("text", required=False)
@click.option("--at", metavar="WHEN", help="When it was said: 2025-01-10 or 2025-01-10T14:30+01:00.")
@click.option("--speaker", default="")
@click.option("--session", default="")
@click.option("--again", is_flag=True, help="Add it although it is there already.")
@HOME
def ingest(user: str, text: str | None, at: str | None, speaker: str, session: str, again: bool, home: Path | None) -> None:
    """Put TEXT (or each line of standard input) into the log of USER."""
    lines = [text] if text is not None else [line.strip() for line in sys.stdin if line.strip()]
    with User.open(user, home) as memory:
        added = memory.ingest([{"text": line} for line in lines], at=at, speaker=speaker, session=session, again=again)
    click.echo(added)


@main.command()
@click.argument("user")
@click.option("--reader", help='"patterns", the name of a model, or recorded:FILE (default: UAC_MODEL, else patterns).')
@click.option("--again", is_flag=True, help="Look again at what was looked at and is still unread.")
@click.option("--review", is_flag=True, help="Ask about each change before it is made.")
@click.option("--later", is_flag=True, help="Make no change yet: all wait for `uac-nb review`.")
@click.option("--max-tokens", type=int, help="Stop before more tokens than this are used.")
@click.option("--max-cost", type=float, help="Stop before it costs more than this, at the price in UAC_PRICE.")
@TODAY
@HOME
def checkpoint(user: str, reader: str | None, today: str | None, home: Path | None, later: bool, **options: Any) -> None:
    """Turn what is unread into typed code, and run the rules."""
    options["review"] = "later" if later else options["review"]
    with User.open(known(user, home), home) as memory, steps("batches", asking=options["review"] is True) as tell:
        done = memory.checkpoint(today, reader=reader, on_estimate=_estimate, on_progress=tell, **options)
    _show_checkpoint(done)


@main.command()
@click.argument("user")
@click.option("--accept", type=int, multiple=True, help="The number of a proposal to make (several: again).")
@click.option("--refuse", type=int, multiple=True, help="One not to make.")
@click.option("--never", type=int, multiple=True, help="One not to make, also when the same is said again.")
@TODAY
@HOME
def review(user: str, today: str | None, home: Path | None, **answers: tuple[int, ...]) -> None:
    """Answer the proposals that wait for you, by their numbers; without an answer, show them."""
    with User.open(known(user, home), home) as memory:
        if any(answers.values()):
            _show_checkpoint(memory.review(**answers, today=today))
        left = memory.waiting()
    for one in left:
        click.echo(f"#{one.id} {plain(one.proposal.told)}")
        click.echo("".join(f"    {entry.id} {entry.day} {plain(entry.text)}\n" for entry in one.proposal.entries), nl=False)
    click.echo(f"{len(left)} proposal{'' if len(left) == 1 else 's'} wait{'s' if len(left) == 1 else ''} for an answer")


@main.command()
@click.argument("user")
@click.argument("question", nargs=-1, required=True)
@click.option("--code", is_flag=True, help="Show the code that computed it.")
@TODAY
@HOME
def ask(user: str, question: tuple[str, ...], code: bool, today: str | None, home: Path | None) -> None:
    """Answer QUESTION by computing."""
    with User.open(known(user, home), home) as memory:
        answer = memory.ask(" ".join(question), today=today)
        click.echo(answer.text)
        click.echo(f"[{answer.channel}]" + (f" from entries {_ids(answer.evidence)}" if answer.evidence else ""))
        if code and answer.code:
            click.echo(answer.code)


@main.command()
@click.argument("user")
@TODAY
@HOME
def alerts(user: str, today: str | None, home: Path | None) -> None:
    """Run the rules and show what is open."""
    with User.open(known(user, home), home) as memory:
        _show_alerts(memory.alerts(today))


@main.command()
@click.argument("user")
@HOME
def undo(user: str, home: Path | None) -> None:
    """Take back the last batch or edit."""
    with User.open(known(user, home), home) as memory:
        head = memory.undo()
        click.echo(head.message if head else "undone")


@main.group()
def users() -> None:
    """List, rename or delete users."""


@users.command("list")
@HOME
def users_list(home: Path | None) -> None:
    """Print the name of each user."""
    for name in homes.names(home):
        click.echo(name)


@users.command("rename")
@click.argument("old")
@click.argument("new")
@HOME
def users_rename(old: str, new: str, home: Path | None) -> None:
    """Give user OLD the name NEW."""
    click.echo(f"now in {homes.rename(old, new, home)}")


@users.command("delete")
@click.argument("user")
@click.option("--yes", is_flag=True, help="Do not ask.")
@HOME
def users_delete(user: str, yes: bool, home: Path | None) -> None:
    """Remove USER, log and project, for good."""
    folder = homes.existing(user, home)
    if yes or click.confirm(f"remove {folder} with everything in it?"):
        homes.delete(user, home)
        click.echo(f"removed {folder}")


@main.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out"), help="Where the executed notebook and the user go."
)
def demo(out: Path) -> None:
    """Run the quickstart notebook, without any key.

    It prints the alerts and the answers, and where notebook and project lie.
    """
    from uac_nb.demo import run

    run(out)


@main.command()
@HOME
def doctor(home: Path | None) -> None:
    """Say what this machine has of what is needed, with a remedy for each fault."""
    from uac_nb.doctor import examine

    findings = list(examine(home))
    for finding in findings:
        click.echo(finding)
    sys.exit(any(finding.remedy for finding in findings))


@main.group()
def bench() -> None:
    """Measure how fast it is on this machine."""


JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


@bench.command("project")
@JSON
def bench_project(as_json: bool) -> None:
    """Opening a project, adding to it and reading it again, with 10,000 and 100,000 records."""
    from uac_nb.bench import project

    _show_figures(project.measure(), as_json)


@bench.command("runtime")
@JSON
def bench_runtime(as_json: bool) -> None:
    """Queries and rules in the sealed engine, over 10,000 and 100,000 records."""
    from uac_nb.bench import runtime

    _show_figures(runtime.measure(), as_json)


DATA = click.option(
    "--data", type=click.Path(path_type=Path), help="A folder with conv-*.json (LOCOMO), to measure on real talk."
)


@bench.command("log")
@DATA
@click.option("--full", is_flag=True, help="Open and import a million entries, not a tenth of that.")
@JSON
def bench_log(data: Path | None, full: bool, as_json: bool) -> None:
    """Appending, loading, searching, opening and importing."""
    from uac_nb.bench import log

    _show_figures(log.measure(data, full, lambda what: click.echo(f"{what} …", err=True)), as_json)


@bench.command("recall")
@click.option("--data", type=click.Path(path_type=Path), required=True, help="A folder with conv-*.json (LOCOMO).")
@JSON
def bench_recall(data: Path, as_json: bool) -> None:
    """Whether search finds the message with the answer, for the questions of real talk."""
    from uac_nb.bench import log

    _show_figures(log.recall(data), as_json)


def _show_figures(measured: Iterable[Figure], as_json: bool) -> None:
    from uac_nb.bench import figures

    found = list(measured)
    click.echo(json.dumps(figures.as_json(found), indent=2) if as_json else figures.table(found, figures.machine()))


def _estimate(estimate: object) -> None:
    click.echo(estimate, err=True)


def _show_checkpoint(done: Checkpoint) -> None:
    click.echo(done.diff or "nothing changed")
    for found in done.diagnostics:
        click.echo(f"note: {found}")
    click.echo(f"{len(done.changes)} changes by {done.reader}; {done.coverage}")
    for wish in done.forgets:
        click.echo(wish)
    for entry in done.unread:
        click.echo(f"unread {entry.id}: {entry.text}")
    _show_alerts(done.alerts)


def _show_alerts(raised: Iterable[Any]) -> None:
    rows = list(raised)
    for item in rows:
        alert = item.alert
        click.echo(f"{alert.severity.upper()} [{item.state}] {alert.message}\n  {alert.hint}")
        click.echo(f"  evidence: entries {_ids(alert.evidence)}")
    if not rows:
        click.echo("no alerts")


def _ids(entries: Iterable[int]) -> str:
    return ", ".join(map(str, entries))
