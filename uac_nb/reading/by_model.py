"""Reading a batch: a model is asked for facts and changes in one call; what does not fit goes back with the findings.

After `ROUNDS` the rest stays pending and is shown. An answer that cannot be read is trouble like any other; only a model that
does not answer at all raises. An exception that nobody foresaw leaves the batch unread, or the one message that the patterns
failed on, with a finding of code "crash": it counts as looked at, so that it does not stop every checkpoint from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

from uac_nb.changes import Change, Refused, Workspace, dump, schema
from uac_nb.errors import STOPS, Diagnostic, ModelError, ReplyError, crash
from uac_nb.log import Call, Entry
from uac_nb.model import Estimate, Message, Model, Price, Reply, Request
from uac_nb.model.meter import sent, tokens
from uac_nb.model.prompts import data, fence, fill
from uac_nb.model.prompts.context import Context, context, shown
from uac_nb.model.replies import read_changes
from uac_nb.project.folder import FRAMES
from uac_nb.reading.judge import GUARDED, EntryOf, Judge
from uac_nb.reading.orders import gives_orders
from uac_nb.reading.proposals import as_json
from uac_nb.reading.second import half_lost
from uac_nb.reading.trial import Fact, Trial
from uac_nb.runtime import Engine
from uac_nb.store.stated import Stated

ROUNDS = 3
ANSWER = 8_192  # tokens that an answer may have
ANSWERS = 1.7  # tokens of an answer for each of the new entries, as measured

SCHEMA = cache(schema)  # the same for all, and it takes pydantic longer than all else here
LOST = (
    "reply-cut",
    "reply-broken",
    "reply-not-a-change",
    "reply-excess",
)  # findings about a reply that the model has to be told
FAILED = ("reply", "model")  # findings that tell already why nothing was read


@dataclass(frozen=True)
class Outcome:
    """What came of one batch.

    `refused` changes were given up by the model when it was told why; `pending` ones still do not fit after the last round,
    or wait for one that does not. `facts` are those of refused changes, too.
    """

    accepted: tuple[Change, ...]
    workspace: Workspace
    refused: tuple[Refused, ...] = ()
    pending: tuple[Refused, ...] = ()
    facts: tuple[Fact, ...] = ()
    calls: tuple[Call, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def rounds(self) -> int:
        return len(self.calls)

    def then(self, next: Outcome) -> Outcome:
        """This outcome and that of what was read after it."""
        both = {f.name: getattr(self, f.name) + getattr(next, f.name) for f in fields(self) if f.name != "workspace"}
        return Outcome(workspace=next.workspace, **both)


def structure(
    batch: Sequence[Entry],
    workspace: Workspace,
    model: Model,
    *,
    entry_of: EntryOf | None = None,
    engine: Callable[[], Engine] | None = None,
    edits: frozenset[int] = frozenset(),
    guarded: frozenset[str] = GUARDED,
    stated: Stated | None = None,
    rounds: int = ROUNDS,
) -> Outcome:
    """Ask a model what these entries change. Raise ModelError when it does not answer.

    `entry_of` gives an entry of the log, None where there is no such message; with it, changes are held against what was
    said. `engine` gives one in which rules and derived values are tried before they are taken. `edits` are the entries that
    a person wrote by hand: newer words about what rests on them become proposals, older ones change nothing. `guarded` names
    the types and collections that protect a person: what changes them without that person's words becomes a proposal.
    `stated` knows when each record's values were last said: older words end nothing that was stated after them.
    """
    calls = list[Call]()
    try:
        seen = context(batch, workspace)
        trial = Trial(batch, workspace, Judge(batch, seen.shared, entry_of, engine, edits, guarded, stated))
        return _asked(trial, seen, model, rounds, calls)
    except STOPS:
        raise
    except Exception as error:
        return _unread(batch, workspace, error, calls)


def _asked(trial: Trial, seen: Context, model: Model, rounds: int, calls: list[Call]) -> Outcome:
    """Ask, round by round. `calls` gets each call when it is answered: it was paid, whatever becomes of the answer."""
    messages, found = _opening(seen), list[Diagnostic]()
    while len(calls) < rounds:
        request = _request(trial.batch, messages, len(calls) + 1)
        try:
            reply = model.complete(request)
        except ReplyError as error:  # this batch cannot be answered; others can
            found.append(Diagnostic("model", request.label, str(error)))
            break
        except ModelError as error:
            if not calls:
                raise
            found.append(Diagnostic("model", request.label, str(error), "what was accepted before is kept"))
            break
        calls.append(_call(request, reply, seen))
        found += [*_stale(request, reply), *reply.odd]
        trouble = _take(trial, request, reply, found)
        if not (trouble or trial.bad):
            break
        messages = (*messages, _message("assistant", reply.text), _message("user", _repair(trial, trouble)))
    return _outcome(trial, calls, found, _silent(trial, request, found))


def estimate(todo: Sequence[Sequence[Entry]], workspace: Workspace, model: Model, price: Price | None = None) -> Estimate:
    """What these batches will send in their first rounds, about, and what comes back."""
    new = [sum(tokens(data(shown(entry))) for entry in batch) for batch in todo]
    first = sent(_request(todo[0], _opening(context(todo[0], workspace)), 1)) if todo else 0
    out = sum(new) + (first - new[0]) * len(todo) if todo else 0  # what stands beside the entries stays about the same
    back = int(ANSWERS * sum(new))
    ids = {entry.id for batch in todo for entry in batch}
    return Estimate(
        model=model.name,
        endpoint=str(getattr(model, "endpoint", "")),
        batches=len(todo),
        entries=len(ids),
        sent=out,
        answered=back,
        cost=price.cost(out, back) if price else None,
    )


def read_by_patterns(
    batch: Sequence[Entry],
    workspace: Workspace,
    *,
    edits: frozenset[int] = frozenset(),
    guarded: frozenset[str] = GUARDED,
    stated: Stated | None = None,
) -> Outcome:
    """Read what the patterns recognise, without a model; the rest stays unread. What is known is told as above."""
    from uac_nb.reading import by_patterns

    try:
        trial = Trial(batch, workspace, Judge(batch, edits=edits, guarded=guarded, stated=stated))
        table, findings = by_patterns.table_with(workspace.others.get(FRAMES, ""))
        trial.take(map(dump, by_patterns.changes_of(batch, workspace, table)))
        return _outcome(trial, [], findings, [])
    except STOPS:
        raise
    except Exception as error:
        if len(batch) == 1:
            return _unread(batch, workspace, error, [])
    half = len(batch) // 2  # and so down to the one that it fails on
    first = read_by_patterns(batch[:half], workspace, edits=edits, guarded=guarded, stated=stated)
    return first.then(read_by_patterns(batch[half:], first.workspace, edits=edits, guarded=guarded, stated=stated))


def _unread(batch: Sequence[Entry], workspace: Workspace, error: Exception, calls: Sequence[Call]) -> Outcome:
    """What comes of a batch whose reading failed: nothing, but that it was tried."""
    ids = sorted({entry.id for entry in batch})
    where, these = (f"entry {ids[0]}", "it stays") if len(ids) == 1 else (f"entries {ids[0]} to {ids[-1]}", "they stay")
    found = crash(error, where, "reading failed", f"{these} unread, and the rest is read")
    return Outcome((), workspace, calls=tuple(calls), diagnostics=(found,))


# --- asking ---


def _opening(seen: Context) -> tuple[Message, ...]:
    return _message("system", fill("structure")), _message("user", seen.text)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _request(batch: Sequence[Entry], messages: tuple[Message, ...], number: int) -> Request:
    part = next((f" part {entry.data['part']}" for entry in batch if "part" in entry.data), "")
    ids = tuple(dict.fromkeys(entry.id for entry in batch))
    return Request(purpose=f"structure{part}", messages=messages, schema=SCHEMA(), max_tokens=ANSWER, entries=ids, round=number)


def _call(request: Request, reply: Reply, seen: Context) -> Call:
    """For the ledger: the hash of the prompt, not its words."""
    return Call(
        purpose=request.purpose, model=reply.model, request={"prompt": request.digest, "recorded": reply.recorded},
        reply=reply.text, entries=tuple(sorted({*request.entries, *seen.sources})), round=request.round,
        prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens, seconds=reply.seconds,
        finish=reply.finish,
    )  # fmt: skip


# --- reading the answer ---


def _stale(request: Request, reply: Reply) -> list[Diagnostic]:
    told = Diagnostic("stale-recording", request.label, "this reply was recorded for another prompt", "record it again")
    return [told] if reply.stale else []


def _take(trial: Trial, request: Request, reply: Reply, found: list[Diagnostic]) -> list[str]:
    """Try what a reply proposes. What the model has to be told of the reply itself; nothing when it is whole."""
    try:
        read = read_changes(reply.text, reply.finish)
    except ReplyError as error:
        found.append(Diagnostic("reply", request.label, str(error)))
        return [str(error)]
    found += [replace(d, where=f"{request.label}, {d.where}") for d in read.diagnostics]
    trial.take(read.changes)
    told = [str(d) for d in read.diagnostics if d.code in LOST]
    return told + (_left_out(trial) if request.round == 1 else [])


def _left_out(trial: Trial) -> list[str]:
    """What the answer does not account for. Asked once; what then is unread comes again in a later checkpoint."""
    unread = trial.unread()
    cites = [f"no change cites entries {', '.join(map(str, unread))}; record or skip them"] if unread else []
    telling = [entry for entry in trial.batch if not gives_orders(entry.text)]  # orders are not to be told in full
    return cites + [str(lost) for lost in half_lost(telling, trial.told())]


def _repair(trial: Trial, trouble: Sequence[str]) -> str:
    """What the model is told before it answers again."""
    taken = len(trial.accepted)
    refused = [line for bad in trial.bad for line in (as_json(bad.raw), *(f"  {finding}" for finding in bad.diagnostics))]
    return fill(
        "repair",
        taken=f"{taken} change{'' if taken == 1 else 's'}",
        refused=fence("refused", refused),
        waiting=fence("waiting", map(as_json, trial.waiting)),
        trouble=fence("trouble", trouble),
    )


def _silent(trial: Trial, request: Request, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What a model that answered said nothing of, although it was asked again."""
    left = trial.unread()
    if not left or any(finding.code in FAILED for finding in found):
        return []
    told = f"the model says nothing of entr{'y' if len(left) == 1 else 'ies'} {', '.join(map(str, left))}"
    return [Diagnostic("unread", request.label, told, "a later checkpoint asks again; or take another model")]


def _outcome(trial: Trial, calls: Sequence[Call], found: Sequence[Diagnostic], silent: Sequence[Diagnostic]) -> Outcome:
    pending = trial.pending()
    return Outcome(
        accepted=tuple(trial.accepted),
        workspace=trial.workspace,
        refused=tuple(trial.given_up),
        pending=pending,
        facts=tuple(trial.facts),
        calls=tuple(calls),
        diagnostics=(*found, *trial.asked, *map(_shown, pending), *map(_given_up, trial.lost()), *silent),
    )


def _shown(refused: Refused, code: str = "pending") -> Diagnostic:
    """One line for the person: which change is pending, from which entries, and why."""
    raw, first = refused.raw, refused.diagnostics[0]
    what = " ".join(str(raw[name])[:60] for name in ("change", "collection", "id") if name in raw)
    field = f"{first.where.removeprefix('$.')}: " if first.code == "change-shape" else ""
    return Diagnostic(code, f"entries {raw.get('source', '?')}", f"{what}: {field}{first.message}", first.hint)


def _given_up(refused: Refused) -> Diagnostic:
    """The same of a change that was refused and that the model did not say again."""
    return _shown(refused, "given-up")
