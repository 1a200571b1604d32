"""The façade: one user's memory, in the words that magics, scripts and the command line share.

Read `User.checkpoint` first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from uac_nb import verbs
from uac_nb.changes import Workspace
from uac_nb.domainfile.records import values_of
from uac_nb.errors import Diagnostic, LogError, ProjectError, UacError, visible
from uac_nb.log import Call, Entry, Log
from uac_nb.project import Commit, Project
from uac_nb.reading.contradiction import doubled
from uac_nb.rules import Standings
from uac_nb.runtime import Boundary, Engine, choosing, program, trust
from uac_nb.store import homes
from uac_nb.store.coverage import Coverage, coverage
from uac_nb.store.store import Store, restored
from uac_nb.verbs.alerts import Raised
from uac_nb.verbs.checkpoint import PATTERNS, RECORDED, Progress, Reading, Review, metered, no_key, reader_of, summary
from uac_nb.verbs.forget import Forgot, Going, going
from uac_nb.verbs.ingest import Ingested
from uac_nb.verbs.look import Look
from uac_nb.verbs.past import Blame, Past
from uac_nb.verbs.pins import Tested, is_code, pinned, tested
from uac_nb.verbs.remains import beyond
from uac_nb.verbs.results import Checkpoint, Edited, Source, Undone
from uac_nb.verbs.review import Waiting

if TYPE_CHECKING:
    import pandas as pd

    from uac_nb.ask import Answer
    from uac_nb.model import Cost, Estimate, Model, Price


class User:
    """A person's memory: a folder with a log and the project made from it. Use `User.open`."""

    def __init__(
        self, name: str, folder: Path, today: date | None = None, model: str | Model | None = None, rebuild: bool = False
    ) -> None:
        self.name = name
        self.folder = folder
        self.today = today
        self.model = no_key(model) if isinstance(model, str) else model
        self._store = Store(name, folder, rebuild)
        self._engine: Engine | None = None

    # --- users ---

    @classmethod
    def open(
        cls,
        name: str,
        home: Path | str | None = None,
        *,
        today: date | str | None = None,
        model: str | Model | None = None,
        rebuild: bool = False,
    ) -> User:
        """Open a user, making one where there is none.

        `today` pins the day that questions and rules take as today; by default it is the clock's. `model` names the
        model that checkpoints and answers ask (by default UAC_MODEL, else none: the pattern reader). Raise
        ProjectError when the name cannot be one, and when log and project do not belong together: `rebuild` makes the
        project anew from the log, and keeps the old folder beside it.
        """
        folder, pinned = homes.folder(name, home), _day(today, "today") if today else None
        if homes.make(folder):
            print(f"new user {name} in {folder}")
        return cls(name, folder, pinned, model, rebuild)

    @classmethod
    def restore(cls, name: str, archive: Path | str, home: Path | str | None = None) -> User:
        """Make a user's log again from what `export` wrote, and open it; the project is rebuilt from the log.

        What of it the gate refuses is set aside, and told by `set_aside` and the next checkpoint; no word of the log is lost.
        Raise LogError for an archive that is not there or is damaged; ProjectError when the user has a log, or (the log is
        restored then) a project that knows more than the archive.
        """
        if not Path(archive).is_file():
            raise LogError(f"there is no file {archive}; give the one that an export wrote")
        folder, aside = restored(name, archive, home)
        user = cls(name, folder)
        user._store.refuse(aside)
        return user

    def set_aside(self) -> list[Diagnostic]:
        """What the gate did not let in from an archive, and what could not be made of the log; each is told once.

        A checkpoint tells it too.
        """
        return self._store.set_aside()

    @staticmethod
    def names(home: Path | str | None = None) -> list[str]:
        """The names of all users in a home."""
        return homes.names(home)

    def close(self) -> None:
        if self._engine:
            self._engine.close()
        self._store.close()

    def __enter__(self) -> User:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"User {self.name}: {len(self.log)} log entries, {len(self.domains)} domains, in {self.folder}"

    # --- telling ---

    def ingest(
        self,
        what: str | Iterable[Mapping[str, Any]] | PathLike[str] | pd.DataFrame,
        *,
        at: str | date | None = None,
        speaker: str = "",
        session: str = "",
        me: str = "",
        zone: str = "",
        format: str | None = None,
        columns: Mapping[str, str] | None = None,
        again: bool = False,
        dry_run: bool = False,
        on_progress: Progress | None = None,
    ) -> Ingested:
        """Put words into the log; they are safe on disk when this returns.

        `what` is one text; or messages: mappings with `text` and, each optional, `at`, `speaker`, `session`, `role`,
        `caption`, `id`; or a DataFrame; or the Path of an export, whose `format` is found where it is not named. `me` says
        which speaker is the user (by default who is called like this user; "-" if none is), `zone` where times without a
        zone were told, `columns` which column of a table is what.

        A dated text that is there already is not added, unless `again`. `dry_run` adds nothing and reports what would be.
        Raise LogError for an empty text, a date that cannot be read, an export that cannot; then nothing is added.
        """
        shared = {"at": at, "speaker": speaker, "session": session}
        if verbs.ingest.is_export(what):
            found = verbs.ingest.exported(what, shared, me, zone, format, columns, self.name)
            return verbs.ingest.take(self.log, found, me, again=again, dry_run=dry_run, on_progress=on_progress)
        if format or columns:
            raise LogError("format and columns are for an export; give its path as pathlib.Path(…)")
        drafts = verbs.ingest.told(cast("str | Iterable[Mapping[str, Any]]", what), shared, me, zone, self.name)
        return verbs.ingest.counted(drafts) if dry_run else verbs.ingest.added(self.log, drafts, again=again)

    # --- the two phases: the log becomes a project ---

    def checkpoint(
        self,
        today: date | str | None = None,
        *,
        reader: str | Model | None = None,
        again: bool = False,
        review: Review = False,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        price: str | Price | None = None,
        on_estimate: Callable[[Estimate], object] | None = None,
        on_progress: Progress | None = None,
    ) -> Checkpoint:
        """Turn what is unread in the log into typed code, batch by batch, and run the rules.

        `reader` is "patterns", a model or its name, or "recorded:" and the path of replies that were recorded (by default
        that of the user). A batch happens whole or not at all; what was refused stays pending and is shown. Stop it
        anywhere and call it again: nothing is done twice.

        `review` asks a person about each change: True on the terminal, else a function of a `Proposal`; "later" lets all of
        them wait in the log for `review`. `on_estimate` is told what is about to be sent, and stops it by answering False.
        `max_tokens` and `max_cost` stop before they are passed; `price` is "0.25/2.00" for a million tokens sent and
        answered, by default UAC_PRICE.
        """
        today = _day(today, "today") if today else None  # before anything is read, or paid for
        with (store := self._store).locked("a checkpoint"):
            store.catch_up()
            head, workspace = store.project.head, store.workspace
            findings = [*store.set_aside(), *verbs.edit.take(store)]
            mind, name = reader_of(reader or self.model)
            reading = Reading(store, name, metered(mind, max_tokens, max_cost, price), self._sealed, review)
            with reading.stoppable():
                for batch in reading.batches(again, on_estimate, on_progress):
                    outcome = reading.read(batch)
                    if isinstance(outcome, Diagnostic):  # it stopped; the batches before are kept
                        findings.append(outcome)
                        break
                    reading.keep(batch, reading.reviewed(outcome))
                alerts, found = self.look(today)
            findings += [*found, *verbs.look.mistyped(workspace, store.workspace), *verbs.upgrade.due(store)]
        findings += verbs.premises.turned(workspace, store.workspace, self._today(today))
        return reading.summary(head, alerts, findings)

    def waiting(self) -> tuple[Waiting, ...]:
        """The proposed changes that wait for a person's answer, each with its number, its words and what it would do."""
        return tuple(verbs.review.waiting(self.log, self.workspace, self._store.message))

    def review(
        self,
        *,
        accept: Collection[int] = (),
        refuse: Collection[int] = (),
        never: Collection[int] = (),
        today: date | str | None = None,
    ) -> Checkpoint:
        """Answer proposals by their numbers, all at once, and run the rules: what was accepted is made now.

        A refusal lasts; one of `never` holds also when the same is said again. What has no answer waits. Raise UacError for a
        number that is no proposal, or has two answers; nothing is changed then.
        """
        today = _day(today, "today") if today else None
        with (store := self._store).locked("a review"):
            store.catch_up()
            head, workspace = store.project.head, store.workspace
            findings = verbs.edit.take(store)
            done = verbs.review.answer(store, accept, refuse, never)
            alerts, found = self.look(today)
        findings += [*done.findings, *found, *verbs.premises.turned(workspace, store.workspace, self._today(today))]
        findings += verbs.look.mistyped(workspace, store.workspace)
        return summary(store, verbs.review.REVIEW, head, done.answers.values(), alerts, findings)

    # --- asking ---

    def ask(self, question: str, *, today: date | str | None = None, model: str | Model | None = None) -> Answer:
        """Answer by computing over the typed state; else from the log's own words; else say that it is not recorded."""
        from uac_nb.ask import ask

        mind, _ = reader_of(model or self.model)
        return ask(question, workspace=self.workspace, engine=self.engine, log=self.log, today=self._today(today), model=mind)

    def run(self, code: str, *, today: date | str | None = None) -> Any:
        """Run Python over the collections in the sealed process; the value of its last expression, else what it printed.

        >>> user.run("sum(t.cost for t in trips)")  # doctest: +SKIP
        """
        return self.engine.run(code, today=self._today(today)).value

    def alerts(self, today: date | str | None = None) -> tuple[Raised, ...]:
        """Run the rules and say what is open, the gravest first. Only a look at the real day is recorded."""
        return self.look(today).alerts

    def look(self, today: date | str | None = None) -> Look:
        """The same, with a finding for each rule that is off, was refused or failed."""
        day = self._today(today)
        real = day == date.today() and self.today is None
        found = verbs.look.look(self.log, lambda: self.engine, day, record=real)
        return found._replace(findings=(*found.findings, *verbs.premises.dangling(self.workspace)))

    def standing(self, today: date | str | None = None) -> Standings:
        """How records stand whose premises do not all hold, by id; `told(id)` says it in words."""
        return verbs.premises.standing(self.workspace, self._today(today))

    def acknowledge(self, key: str) -> None:
        """Note that an alert was seen; it stays quiet until its cause goes and comes back."""
        verbs.look.note(self.log, key, "acknowledged", self.alerts, self._today(None))

    def snooze(self, key: str, until: date | str) -> None:
        """Silence an alert until a day."""
        verbs.look.note(self.log, key, "snoozed", self.alerts, self._today(None), until=_day(until, "until").isoformat())

    # --- looking ---

    @property
    def log(self) -> Log:
        return self._store.log

    @property
    def project(self) -> Project:
        return self._store.project

    @property
    def workspace(self) -> Workspace:
        """The project of the last commit, in memory; read again where another process has moved it on."""
        return self._store.workspace

    @property
    def engine(self) -> Engine:
        """The sealed process, with the current project loaded."""
        engine = self._sealed()
        engine.load(program(self.workspace))
        return engine

    @property
    def domains(self) -> list[str]:
        return list(self.workspace.domains)

    def source(self, domain: str) -> Source:
        """The text of a domain (or "rules"), as of the last commit. Raise ProjectError when there is none of that name.

        Of a domain that outgrew one file it is the types and the newest records; a file of it is "money/purchases_2023".
        """
        return verbs.edit.source(self.workspace, domain)

    def text(self, name: str) -> str | None:
        """The text of a domain or a file as `source` shows it; None where there is none of that name."""
        return verbs.edit.text(self.workspace, name)

    def records(self, collection: str) -> list[Any]:
        """The records of a collection, as plain read-only objects. Raise ProjectError when there is no such collection."""
        if collection not in self.workspace.collections:
            known = ", ".join(self.workspace.collections) or "none yet"
            raise ProjectError(f"there is no collection {collection!r} (collections: {known})")
        return [*self.workspace.records(collection)]

    def frame(self, collection: str) -> pd.DataFrame:
        """The records of a collection as a DataFrame, a column a field, dates and money as `When` and `Money`."""
        import pandas as pd

        records = self.records(collection)
        fields = [f.name for f in self.workspace.collections[collection].type.fields]
        frame = pd.DataFrame([values_of(r) for r in records], columns=fields).set_index("id")
        frame.attrs["shown"] = f"{len(frame):,} record{'s' * (len(frame) != 1)}"
        return frame

    def entry(self, id: int) -> Entry:
        return self.log.entry(id)

    def coverage(self) -> Coverage:
        return coverage(self.log)

    def calls(self) -> list[Call]:
        """All calls of models, as the ledger keeps them."""
        return list(self.log.calls())

    def cost(self, price: str | Price | None = None) -> Cost:
        """What all calls came to, by purpose and model; `price` as for a checkpoint.

        Those whose words were forgotten count on: what was spent on them was spent.
        """
        from uac_nb.model import Price, cost

        return cost(self.log.calls(), Price.of(price))

    def history_of(self, collection: str, **same: Any) -> list[Any]:
        """The records of a collection in the order of time, those over included: the values that something had.

        >>> user.history_of("favourites", of="package manager")  # doctest: +SKIP
        """
        return verbs.past.ordered(self.records(collection), same)

    def history(self) -> list[Commit]:
        """All commits, the newest first."""
        return self.project.history()

    def diff(self, a: str | None = None, b: str | None = None) -> str:
        """What changed between two commits (by default: with the last one)."""
        return self.project.diff(a, b)

    def at(self, day: date | str | None = None, *, learned: date | str | None = None) -> Past:
        """The memory of an earlier day, to look at: as said by then, or as we had `learned` it by then.

        Its engine is one of its own; close it, or use it in a ``with`` statement.
        """
        if (day is None) == (learned is None):
            raise UacError('say one day: at("2025-02-01"), or at(learned="2025-02-01")')
        then = _day(day or learned or "", "at")
        heard = verbs.past.Heard(self.log, then, learned is not None)
        found = (
            verbs.past.learned(then, self.project, self.workspace)
            if learned
            else verbs.past.said(heard, self.project, self.workspace)
        )
        return verbs.past.Past(then, found, choosing.engine(self.log.user, self.name), heard)

    def blame(self, id: str) -> Blame:
        """One record down to the words that it rests on, and to the changes, edits and commits that made it what it is.

        Raise ProjectError where there never was one of that id.
        """
        return verbs.past.blame(id, self.workspace, self.log, self.project)

    # --- correcting ---

    def edit(self, domain: str, text: str | None = None, base: str | None = None, *, rename: Mapping[str, str] = {}) -> Edited:
        """Save a domain as a person left it: checked, logged, committed; it wins over anything a model says later.

        Without a `text`, its files in the project's folder are saved as they stand. `rename` says what the text calls
        otherwise, {"Trip.cost": "price"}: the old records follow, and so does code where it is sure; a finding tells the rest.
        Raise CheckError when the text cannot be taken, and ProjectError when the project has moved on since `base`;
        nothing is changed then.
        """
        name = domain.removesuffix(".py")
        if text is None:
            return self._by_hand(domain, lambda store: verbs.edit.save_files(store, name, rename))
        return self._by_hand(domain, lambda store: verbs.edit.save(store, name, text, base, rename))

    def frames(self, text: str) -> Edited:
        """Teach the pattern reader more shapes of sentences, each with examples; a checkpoint with `again` then uses them.

        Raise CheckError where a frame does not read its examples, or reads what it must not; nothing is changed then.
        """
        return self._by_hand("frames.txt", lambda store: verbs.edit.add_frames(store, text))

    def rename(self, old: str, new: str) -> Edited:
        """Call a field ("trips.cost"), a type ("Trip") or a collection ("trips") otherwise, in records and code; as `edit`."""
        return self._by_hand("", lambda store: verbs.edit.rename(store, old, new))

    def upgrade(self, *, dry_run: bool = False) -> Edited:
        """Give the types that came with us the fields, choices and names that they have by now; as `edit`.

        Records keep their values, and code follows where it is sure. `dry_run` only shows the difference. A field that a
        person took out, or that is there by another name, is left alone.
        """
        if dry_run:
            diff, findings = verbs.upgrade.preview(self._store)
            return Edited("", diff, tuple(findings), ())
        return self._by_hand("", verbs.upgrade.take)

    def merge(self, id: str, into: str) -> Edited:
        """Make one of two records of a collection: the second is filled from the first, and takes its place everywhere."""
        return self._by_hand("", lambda store: verbs.edit.act(store, {"change": "merge", "id": id, "into": into}))

    def reshape(self, collection: str, to: str, map: Mapping[str, Any] = {}, *, ids: Collection[str] = ()) -> Edited:
        """Move records (all, or some by id) to another collection, and so to its type; with some of them a type is split.

        `map` says where a field of the new type has its value from, if not from one of the same name: the name of an old
        field, {"field": "sort", "lookup": {"gym": "sport"}}, or {"constant": "paused"}. Raise CheckError where a value
        would be lost.
        """
        moved = {name: {"field": value} if isinstance(value, str) else value for name, value in map.items()}
        change = {"change": "reshape", "collection": collection, "to": to, "ids": [*ids], "map": moved}
        return self._by_hand("", lambda store: verbs.edit.act(store, change))

    def pin(self, what: str, *, as_of: date | str | None = None) -> str:
        """Add a test that a question, or code, comes to what it comes to now, as of a day; its file as it is then.

        That day is `today` in the test; the records are all that is known when it runs. So what is learned later about an
        earlier time, and changes the answer, makes it fail, and the finding names the records.

        Raise ProjectError where a question is not answered by computing, CheckError where the value cannot be written down.
        """
        day = self._today(as_of)
        code = what if is_code(what) else self.ask(what, today=day).code
        if code is None:
            raise ProjectError(f"{what!r} is not answered by computing, so there is nothing to pin; pin code instead")
        with self._store.locked("a pin"):
            self._store.catch_up()
            path = f"test_{self.name.replace('-', '_')}.py"
            before = self.workspace.others.get(path, "")
            text = pinned(before, self.workspace, self.engine, what, code, day)
            verbs.edit.append(self._store, path, before, text)
        return text

    def test(self) -> Tested:
        """Run the tests of the project sealed: the pins, the invariants, and the examples of the rules."""
        return tested(self.workspace, self.engine, self.project)

    def trust(self, *, revoke: bool = False) -> Boundary:
        """Let this project's code run without a boundary, as it is now; needed only where there is none. Says what there is.

        The trust is kept for this machine, outside the user's folder, and is gone when the code changes.
        """
        boundary = choosing.boundary()
        if revoke:
            trust.take(self.log.user)
        elif not boundary.ok:
            trust.give(self.log.user, program(self.workspace).code)
        return boundary

    def undo(self, entry: int | None = None) -> Undone:
        """Take back the last batch or edit that still counts. The log keeps both it and the undo.

        The messages of the batch are set aside; a checkpoint with `again` reads them once more. With an `entry`, the batch or
        edit that it is of is taken back alone, by an edit; raise ProjectError where a later one rests on it.
        """
        with self._store.locked("an undo"):
            self._store.catch_up()
            return verbs.checkpoint.undo(self._store, entry)

    def would_forget(self, what: Collection[int] | int | str) -> Going:
        """What a forget of these would take with it; nothing is changed."""
        return going(self.log, what)

    def forget(
        self, what: Collection[int] | int | str, why: str = "", *, yes: bool | Callable[[Going], object] = False
    ) -> Forgot:
        """Remove words for good: entries by number, or all messages that hold a text, with everything made of them.

        It asks first: `yes` is a function of what would go, or True; by default the terminal is asked. Facts, changes,
        alerts and model calls that rest on the entries go, and the project is made anew without them, history and all.
        Killed in between, the next opening finishes it. `why` is kept. Raise LogError where there is no such entry,
        ProjectError while a file of the project has edits that cannot be read.
        """
        with self._store.locked("a forget"):
            self._store.catch_up()
            verbs.edit.take_all(self._store)
            found = going(self.log, what)
            ask = yes or _agreed
            if not (ask is True or ask(found)):
                return Forgot(found)
            done = self.log.forget(found.ids, why, instead=found.instead, words=found.words.told)
            self._store.renew()
        models = {call.model for call in self.log.calls() if call.id in done.calls}
        places = beyond(self.folder, self.log, found.words, self.project.files(), models, done.unswept)
        return Forgot(found, done, places)

    def rebuild(self) -> None:
        """Make the project anew from the log, without any model.

        What stood in the folder goes where the new project has all of it, else `project.kept` says where it is.
        """
        self._store.rebuild()

    # --- parts ---

    def _by_hand(self, domain: str, act: Callable[[Store], list[Diagnostic]]) -> Edited:
        with self._store.locked("an edit"):
            self._store.catch_up()
            before = self.workspace
            findings = act(self._store)
            alerts, found = self.look()
        findings += [*found, *verbs.premises.turned(before, self.workspace, self._today(None))]
        findings += [*verbs.look.mistyped(before, self.workspace), *doubled(before, self.workspace)]
        return Edited(domain, verbs.edit.differences(before.files(), self.workspace.files()), tuple(findings), alerts)

    def _sealed(self) -> Engine:
        if self._engine is None:
            self._engine = choosing.engine(self.log.user, self.name)
        return self._engine

    def _today(self, today: date | str | None) -> date:
        return _day(today, "today") if today else self.today or date.today()


def _day(day: date | str, what: str) -> date:
    try:
        return day if isinstance(day, date) else date.fromisoformat(day)
    except ValueError:
        raise UacError(f"{what}: {day!r} is not a day; write it as 2025-01-10") from None


def _agreed(found: Going) -> bool:
    return input(f"{visible(str(found))}\nforget it for good? [y/N] ").strip().lower() in ("y", "yes")


__all__ = ["PATTERNS", "RECORDED", "Checkpoint", "Edited", "Ingested", "Progress", "Source", "User"]
