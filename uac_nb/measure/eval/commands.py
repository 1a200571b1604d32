"""`uac-nb eval`: what it can be asked for. The work is loaded when it is."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import click

FILE = click.Path(path_type=Path)
READERS = ("patterns", "model", "recorded")
READER = click.option("--reader", type=click.Choice(READERS), default=READERS[0], show_default=True)
RECORD = click.option("--record", type=FILE, help="Keep the model's replies in this file.")
REPLIES = click.option("--replies", type=FILE, help="Take the replies from this file, for --reader recorded.")
JSON = click.option("--json", "plain", is_flag=True, help="Print JSON instead of a table.")


@click.group("eval")
def evals() -> None:
    """Measure how well a reader understands what it is told."""


@evals.command()
@READER
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed is another story.")
@click.option("--size", type=int, default=40, show_default=True, help="How many records the story tells.")
@click.option("--sessions", type=int, default=12, show_default=True, help="Over how many days it is told.")
@RECORD
@REPLIES
@click.option("--out", type=FILE, help="Keep the user in this folder; a stopped run goes on there.")
@click.option("--misses", is_flag=True, help="Show each missing, false or wrong record with the lines behind it.")
@JSON
def told(
    reader: str, record: Path | None, replies: Path | None, out: Path | None, misses: bool, plain: bool, **story: int
) -> None:
    """Tell a generated story of known records, and score what the reader keeps of it.

    The model is that of OPENAI_BASE_URL, OPENAI_API_KEY and UAC_MODEL.
    """
    from uac_nb.measure.eval import report, run

    mind = run.mind(reader, record, replies)
    with nullcontext(out) if out else TemporaryDirectory() as home:
        ran = run.told(Path(home), reader, mind, progress=_progress if mind else None, **story)
    for shown in report.misses(ran) if misses and not plain else ():
        click.echo(f"{shown}\n")
    click.echo(json.dumps(report.as_json(ran), indent=2, ensure_ascii=False) if plain else report.table(ran))


@evals.command()
@click.argument("file", type=FILE)
@READER
@click.option("--me", help="Which speaker the user is (default: speaker_a).")
@click.option("--known-errors", type=FILE, help="A list of published answers that are wrong; scored with and without them.")
@click.option("--only", multiple=True, type=int, help="Ask this question only, by its place from 0; can be repeated.")
@RECORD
@REPLIES
@click.option("--out", type=FILE, help="Keep the user and the answers in this folder; a stopped run goes on there.")
@click.option("--answers", is_flag=True, help="Show each answer beside the published one.")
@JSON
def locomo(
    file: Path, reader: str, me: str | None, known_errors: Path | None, only: tuple[int, ...], record: Path | None,
    replies: Path | None, out: Path | None, answers: bool, plain: bool,
) -> None:  # fmt: skip
    """Tell a LOCOMO conversation, and ask the questions that were published with it.

    FILE holds one conversation, as conv-30.json; it is not part of uac_nb. The model is that of OPENAI_BASE_URL,
    OPENAI_API_KEY and UAC_MODEL.
    """
    from uac_nb.measure.eval import answers as shown
    from uac_nb.measure.eval import asking, run

    mind = run.mind(reader, record, replies)
    with nullcontext(out) if out else TemporaryDirectory() as home:
        ran = asking.locomo(file, Path(home), reader, mind, me=me, only=only, known_errors=known_errors, progress=_progress)
    for one in shown.answers(ran.asked) if answers and not plain else ():
        click.echo(f"{one}\n")
    click.echo(json.dumps(shown.as_json(ran), indent=2, ensure_ascii=False) if plain else shown.table(ran))


def _progress(done: int, total: int, what: object) -> None:
    click.echo(f"[{done}/{total}] {what}", err=True)
