"""The command line: the same verbs as the magics, for scripts and agents."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from uac_nb.cli import code, log
from uac_nb.cli.terminal import HOME, TODAY, Group, known, say, steps
from uac_nb.errors import Diagnostic, UacError, plain
from uac_nb.measure.eval.commands import evals
from uac_nb.store import homes
from uac_nb.user import Checkpoint, User
from uac_nb.verbs.alerts import origin
from uac_nb.verbs.results import set_aside

if TYPE_CHECKING:
    from uac_nb.measure.bench.figures import Figure

SHOWN = 300  # characters of an unread message


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="uac-nb")
def main() -> None:
    """Keep what is known of a person as a living Python project."""


for verb in (*log.VERBS, *code.VERBS, evals):
    main.add_command(verb)


@main.command()
@click.argument("user")
@click.argument("text", nargs=-1)
@click.option("--at", metavar="WHEN", help="When it was said: 2025-01-10 or 2025-01-10T14:30+01:00.")
@click.option("--speaker", default="", help="Who said it; another name than USER's is somebody else.")
@click.option("--session", default="")
@click.option("--again", is_flag=True, help="Add it although it is there already.")
@HOME
def ingest(
    user: str, text: tuple[str, ...], at: str | None, speaker: str, session: str, again: bool, home: Path | None
) -> None:
    """Put TEXT (or each line of standard input) into the log of USER."""
    if len(text) > 1:
        raise UacError(f'write a text of several words in quotation marks: uac-nb ingest {user} "{text[0]} …"')
    if not text and sys.stdin.isatty():
        say("an entry a line; Ctrl-D ends", err=True)
    lines = list(text) or [line.strip() for line in sys.stdin if line.strip()]
    if not lines:
        raise UacError(f'there is nothing to add: uac-nb ingest {user} "TEXT", or a line for each entry on standard input')
    with User.open(user, home) as memory:
        added = memory.ingest([{"text": line} for line in lines], at=at, speaker=speaker, session=session, again=again)
    say(added)


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
        waiting = len(memory.waiting())
    _show_checkpoint(done)
    if waiting:
        say(f"{_count(waiting, 'proposed change')} {_wait(waiting)} for your answer: uac-nb review {user}")
    if done.undone and not done.changes:
        say(f"note: {set_aside(done.undone, f'uac-nb checkpoint {user} --again')}")


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
        say(f"#{one.id} {plain(one.proposal.told)}")
        for entry in one.proposal.entries:
            say(f"    {entry.id} {entry.day} {plain(entry.text)}")
    how = f": uac-nb review {user} --accept {left[0].id}, or --refuse, or --never" if left else ""
    say(f"{_count(len(left), 'proposal')} {_wait(len(left))} for an answer{how}")


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
        say(answer.text)
        say(f"[{answer.channel}]" + (f" from entries {_ids(answer.evidence)}" if answer.evidence else ""))
        if answer.note:
            say(f"note: {answer.note}")
        if code and answer.code:
            say(answer.code)


@main.command()
@click.argument("user")
@TODAY
@HOME
def alerts(user: str, today: str | None, home: Path | None) -> None:
    """Run the rules and show what is open."""
    with User.open(known(user, home), home) as memory:
        alerts, findings = memory.look(today)
    _show_findings(findings)
    _show_alerts(alerts)


@main.command()
@click.argument("user")
@click.argument("entry", type=int, required=False)
@HOME
def undo(user: str, entry: int | None, home: Path | None) -> None:
    """Take back the last batch or edit of USER, or the one that ENTRY is of, and say what it was."""
    with User.open(known(user, home), home) as memory:
        done = memory.undo(entry)
    say(done)
    if done.aside:
        say(set_aside(done.aside, f"uac-nb checkpoint {user} --again"))


@main.group(invoke_without_command=True)
@HOME
@click.pass_context
def users(context: click.Context, home: Path | None) -> None:
    """List, rename or delete users; alone, list them."""
    if context.invoked_subcommand is None:
        _list_users(home)
    context.default_map = {verb: {"home": home} for verb in users.commands}  # before the verb too


@users.command("list")
@HOME
def users_list(home: Path | None) -> None:
    """Print the name of each user."""
    _list_users(home)


def _list_users(home: Path | None) -> None:
    names = homes.names(home)
    for name in names:
        say(name)
    if not names:
        say(f"no users yet in {home or homes.find()}; uac-nb ingest NAME TEXT makes one", err=True)


@users.command("rename")
@click.argument("old")
@click.argument("new")
@HOME
def users_rename(old: str, new: str, home: Path | None) -> None:
    """Give user OLD the name NEW."""
    say(f"now in {homes.rename(old, new, home)}")


@users.command("delete")
@click.argument("user")
@click.option("--yes", is_flag=True, help="Do not ask.")
@HOME
def users_delete(user: str, yes: bool, home: Path | None) -> None:
    """Remove USER, log and project, for good."""
    folder = homes.existing(user, home)
    if yes or click.confirm(f"remove {folder} with everything in it?"):
        homes.delete(user, home)
        say(f"removed {folder}")


@main.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out"), help="Where the executed notebook and the user go."
)
def demo(out: Path) -> None:
    """Run the quickstart notebook, without any key.

    It prints the alerts and the answers, and where notebook and project lie.
    """
    from uac_nb.cli.demo import run

    run(out)


@main.command()
@HOME
def doctor(home: Path | None) -> None:
    """Say what this machine has of what is needed, with a remedy for each fault."""
    from uac_nb.cli.doctor import examine

    findings = list(examine(home))
    for finding in findings:
        say(finding)
    sys.exit(any(finding.remedy for finding in findings))


@main.group()
def bench() -> None:
    """Measure how fast it is on this machine."""


JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


@bench.command("project")
@JSON
def bench_project(as_json: bool) -> None:
    """Opening a project, adding to it and reading it again, with 10,000 and 100,000 records."""
    from uac_nb.measure.bench import project

    _show_figures(project.measure(), as_json)


@bench.command("runtime")
@JSON
def bench_runtime(as_json: bool) -> None:
    """Queries and rules in the sealed engine, over 10,000 and 100,000 records."""
    from uac_nb.measure.bench import runtime

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
    from uac_nb.measure.bench import log

    _show_figures(log.measure(data, full, lambda what: say(f"{what} …", err=True)), as_json)


@bench.command("recall")
@click.option("--data", type=click.Path(path_type=Path), required=True, help="A folder with conv-*.json (LOCOMO).")
@JSON
def bench_recall(data: Path, as_json: bool) -> None:
    """Whether search finds the message with the answer, for the questions of real talk."""
    from uac_nb.measure.bench import log

    _show_figures(log.recall(data), as_json)


def _show_figures(measured: Iterable[Figure], as_json: bool) -> None:
    from uac_nb.measure.bench import figures

    found = list(measured)
    say(json.dumps(figures.as_json(found), indent=2) if as_json else figures.table(found, figures.machine()))


def _estimate(estimate: object) -> None:
    say(estimate, err=True)


def _show_checkpoint(done: Checkpoint) -> None:
    proposed = any(change["change"] == "propose" for change in done.changes)
    say(done.diff or ("nothing changed yet" if proposed else "nothing changed"))
    _show_findings(done.diagnostics)
    say(f"{_count(len(done.changes), 'change')} by {done.reader}; {done.coverage}")
    for wish in done.forgets:
        say(plain(str(wish)))
    for entry in done.unread:
        how = "partly read" if entry.id in done.coverage.partly else "unread"
        say(f"{how} {entry.id}: {plain(_clipped(entry.text) or f'(picture: {_clipped(entry.caption)})')}")
    _show_alerts(done.alerts)


def _clipped(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text):,} characters)"


def _show_findings(findings: Iterable[Diagnostic]) -> None:
    for found in findings:
        say(f"note: {plain(str(found))}")


def _show_alerts(raised: Iterable[Any]) -> None:
    rows = list(raised)
    for item in rows:
        alert = item.alert
        say(f"{alert.severity.upper()} [{item.state}] {plain(alert.message)}\n  {plain(alert.hint)}")
        if whose := origin(alert):
            say(f"  by {whose}: {plain(alert.rule)}")
        say(f"  evidence: entries {_ids(alert.evidence)}")
    if not rows:
        say("no alerts")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _wait(number: int) -> str:
    return "waits" if number == 1 else "wait"


def _ids(entries: Iterable[int]) -> str:
    return ", ".join(map(str, entries))
