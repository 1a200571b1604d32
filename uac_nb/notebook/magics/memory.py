"""The magics: each parses its line, makes one call of the API and shows one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from os.path import expanduser  # that of a Path raises where there is no such user
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, cell_magic, line_cell_magic, line_magic, magics_class, no_var_expand

from uac_nb.errors import UacError
from uac_nb.notebook import cells, widgets
from uac_nb.notebook.magics.answers import ALERTS, VERBS, answers, said
from uac_nb.notebook.magics.config import UacNb
from uac_nb.notebook.magics.line import Line, Option
from uac_nb.notebook.magics.takes import takes

if TYPE_CHECKING:
    from uac_nb.notebook.widgets import Shown
    from uac_nb.user import Checkpoint, User
    from uac_nb.verbs.alerts import Raised

TODAY = Option("today", "DAY", "take this day as today (2025-03-01); only look, record nothing")


@magics_class
class Memory(Magics):
    """One user's memory in a notebook. `%uac_user NAME` comes first."""

    shell: Any  # never None here

    def __init__(self, shell: Any) -> None:
        super().__init__(shell=shell)
        self.user: User | None = None
        self.settings = UacNb(parent=shell)

    @property
    def opened(self) -> User:
        """The user; raise UacError when none is open."""
        if self.user is None:
            raise UacError(f"no user is open: run %uac_user NAME first (users here: {', '.join(self.names()) or 'none yet'})")
        return self.user

    def names(self) -> list[str]:
        from uac_nb.user import User

        return User.names(self.user.folder.parent if self.user else None)

    # --- who ---

    @line_magic
    @takes(
        Option("today", "DAY", "pin the day that questions and rules take as today (2025-03-01)"),
        Option("home", "DIR", "the folder of users (else UAC_HOME, else the nearest users/)"),
        Option("model", "NAME", "the model that checkpoints and answers ask (else %config UacNb.model, UAC_MODEL, patterns)"),
        Option("rebuild", "", "make the project anew from the log, where the two do not belong together"),
    )
    def uac_user(self, line: Line) -> Shown | None:
        """Open a user, made where there is none; alone, say who is open: %uac_user [NAME]"""
        from uac_nb.user import User

        if line.rest or line.given:
            name = line.rest or self.opened.name
            home = line["home"] or (None if line.rest else self.opened.folder.parent)
            model = line["model"] or (None if line.rest else self.opened.model)
            opened = User.open(name, home, today=line["today"], model=model, rebuild=line.has("rebuild"))
            self.close()
            self.user = opened
        return widgets.who(self.opened, self.names(), self.opened.model or self.settings.model)

    # --- telling ---

    @cell_magic
    @takes(
        Option("at", "WHEN", "when it was said (2025-01-10, or 2025-01-10T14:30)"),
        Option("speaker", "NAME", "who said it; another name than the user's is somebody else"),
        Option("session", "NAME", "the conversation it belongs to"),
        Option("whole", "", "one entry for the cell, instead of one a line"),
        Option("again", "", "add it even if it is in the log already"),
    )
    def uac_ingest(self, line: Line, cell: str) -> Shown:
        """Put words into the log, one entry a line that is not empty. A dated cell that is run again adds nothing."""
        texts = [cell.strip()] if line.has("whole") else [text.strip() for text in cell.splitlines()]
        messages = [{"text": text} for text in texts if text]
        if not messages:
            raise UacError("there is nothing to add: write below %%uac_ingest what was said, one entry a line")
        added = self.opened.ingest(
            messages,
            at=line["at"],
            speaker=line["speaker"] or "",
            session=line["session"] or "",
            again=line.has("again"),
        )
        return widgets.ingested(added)

    @line_magic
    @takes(
        Option("me", "NAME", "which speaker is the user; by default who is called like it; - if none is"),
        Option("format", "NAME", 'named, where it is not found; with the order of dates as in "whatsapp:dmy"'),
        Option("zone", "ZONE", "the time zone of times without one (Europe/Lisbon)"),
        Option("columns", "MAP", "which column of a table is what (text=Body,at=Date)"),
        Option("dry-run", "", "add nothing; show what would be added, and what was not understood"),
        Option("again", "", "add also what is in the log already"),
    )
    def uac_import(self, line: Line) -> Shown:
        """Put an export of a chat, a table, or a DataFrame of this notebook into the log: %uac_import --me "Jess T." FILE"""
        if not line.rest:
            raise UacError('what is to be imported? Write its path: %uac_import chat.txt --me "Jess T."')
        columns = dict(_pair(part) for part in (line["columns"] or "").split(",") if part)
        named = self.shell.user_ns.get(line.rest)
        with widgets.progress(self.shell) as tell:
            done = self.opened.ingest(
                named if hasattr(named, "itertuples") else Path(expanduser(line.rest.strip("\"'"))),
                me=line["me"] or "",
                format=line["format"],
                zone=line["zone"] or "",
                columns=columns,
                dry_run=line.has("dry-run"),
                again=line.has("again"),
                on_progress=tell,
            )
        return widgets.ingested(done)

    @line_magic
    @takes(
        Option("rows", "N", "how many of the newest entries to show (50); the DataFrame has all"),
        Option("kind", "KIND", "only entries of this kind: message, edit, fact, change, undo, forget, alert"),
        Option("speaker", "NAME", "only what this one said"),
        Option("session", "NAME", "only this conversation"),
        Option("since", "DAY", "said on this day or later (2025-01-10)"),
        Option("until", "DAY", "said on this day or before"),
    )
    def uac_log(self, line: Line) -> Any:
        """The log, or a choice of it, as a pandas DataFrame: df = %uac_log. %uac_log WORDS is what fits them, best first."""
        rows = _number(line["rows"] or str(widgets.ROWS), "--rows")
        count = self.shell.execution_count
        if line.rest:
            return self._found(line, rows, lambda: self.shell.execution_count == count)
        frame = self.opened.log.frame(
            kinds=[_kind(line["kind"])] if line["kind"] else None,
            speaker=line["speaker"],
            session=line["session"],
            start=_day(line["since"]),
            end=_day(line["until"]),
        )
        return widgets.log(self.opened.log, frame, rows, lambda: self.shell.execution_count == count)

    def _found(self, line: Line, rows: int, asking: Callable[[], bool]) -> Any:
        """What a search finds, the best first. Raise UacError for a choice that a search does not make."""
        if other := sorted(line.given.keys() - {"rows", "speaker"}):
            raise UacError(f"--{other[0]} does not go with words to search for; --rows and --speaker do")
        log = self.opened.log
        hits = [hit.entry for hit in log.search(line.rest, rows, line["speaker"])]
        rank = {entry.id: place for place, entry in enumerate(hits)}
        frame = log.frame(ids=[*rank]).sort_values("id", key=lambda ids: ids.map(rank), ignore_index=True)
        return widgets.found(frame, hits, line.rest, rows, asking)

    @line_magic
    @takes(
        Option("text", "WORDS", "all messages that hold these words, instead of numbers"),
        Option("why", "WORDS", "kept in the log"),
        Option("yes", "", "do it; without, it only shows what would go"),
    )
    def uac_forget(self, line: Line) -> Shown:
        """Remove entries for good, with all that was made of them. Without --yes it shows what would go: %uac_forget 12 13"""
        what = line["text"] if line["text"] is not None else [_entry(word, line.rest) for word in line.rest.split()]
        if not what or (line["text"] is not None and line.rest):
            raise UacError("what is to be forgotten? Write numbers of entries, %uac_forget 12 13, or --text WORDS")
        if not line.has("yes"):
            return widgets.going(self.opened.would_forget(what))
        return widgets.forgot(self.opened.forget(what, line["why"] or "", yes=True))

    # --- the two phases ---

    @line_magic
    @takes(
        TODAY,
        Option("reader", "NAME", '"patterns", the name of a model, or recorded:FILE (replies that were kept)'),
        Option("again", "", "look once more at what earlier looks left unread"),
        Option("review", "", "make nothing yet: show each change, to be accepted or refused"),
        Option("max-tokens", "N", "stop before more tokens than this are used (else %config UacNb.max_tokens)"),
        Option("max-cost", "SUM", "stop before it costs more than this, at the price (else %config UacNb.max_cost)"),
        Option("no-code", "", "do not show the changed files as cells"),
        words=False,
    )
    def uac_checkpoint(self, line: Line) -> Shown:
        """Turn what is unread in the log into typed code, and run the rules."""
        user, settings = self.opened, self.settings
        before = widgets.Before.of(user)
        with widgets.progress(self.shell, "batches") as tell:
            done = user.checkpoint(
                line["today"],
                reader=settings.mind(line["reader"] or user.model),
                again=line.has("again"),
                review="later" if line.has("review") else False,
                max_tokens=_number(line["max-tokens"], "--max-tokens") if line["max-tokens"] else settings.max_tokens,
                max_cost=_sum(line["max-cost"]) if line["max-cost"] else settings.max_cost,
                price=settings.price or None,
                on_estimate=widgets.estimate,
                on_progress=tell,
            )
        if line.has("review"):
            return widgets.review(user, done, before, answer=self._answering(line["today"], code=not line.has("no-code")))
        bridged = not line.has("no-code") and cells.put(self.shell, [self._cell(name) for name in done.domains])
        return widgets.checkpoint(user, done, before, look=self._look(line["today"]), bridged=bridged)

    @line_magic
    @takes(
        Option("accept", "N …", "make these changes (also without the dashes)", verb=True),
        Option("refuse", "N …", "do not, and do not read their entries again", verb=True),
        Option("never", "N …", "refuse for good, also when the same is said again", verb=True),
        TODAY,
        Option("no-code", "", "do not show the changed files as cells"),
    )
    def uac_review(self, line: Line) -> Shown:
        """Show the proposed changes that wait, or answer them: %uac_review accept 41 43 refuse 42 never 44

        `never` refuses for good, also when the same is said again. `all` stands for all that are not named otherwise.
        """
        user, code = self.opened, not line.has("no-code")
        before = widgets.Before.of(user)
        if not line.rest:
            return widgets.review(user, None, before, answer=self._answering(line["today"], code))
        accept, refuse, never = answers(line.rest, [one.id for one in user.waiting()])
        done = user.review(accept=accept, refuse=refuse, never=never, today=line["today"])
        bridged = code and cells.put(self.shell, [self._cell(name) for name in done.domains])
        return widgets.checkpoint(user, done, before, look=self._look(line["today"]), bridged=bridged, label="Review")

    def _answering(self, today: str | None, code: bool) -> widgets.Answering | None:
        """How a button answers; None where no button works: under papermill, in a terminal."""
        user, here = self.opened, cells.anchor(self.shell)

        def answer(accept: list[int], refuse: list[int], never: list[int]) -> tuple[Checkpoint, bool]:
            if self.user is not user:
                raise UacError(f"{user.name} is not open any more; run %uac_user {user.name}, then %uac_review")
            done = user.review(accept=accept, refuse=refuse, never=never, today=today)
            return done, code and cells.put(self.shell, [self._cell(name) for name in done.domains], below=here)

        return answer if here else None

    # --- code ---

    @line_cell_magic
    @takes(
        Option("base", "HASH", "what the cell was rendered from, so that it cannot overwrite anything newer"),
        Option("rename", "OLD=NEW", "what the cell calls otherwise (Trip.cost=price); old records follow", many=True),
    )
    def uac_code(self, line: Line, cell: str | None = None) -> Shown:
        """Show a domain file as a cell to edit: %uac_code [DOMAIN]. Run that cell (%%uac_code DOMAIN) to save it."""
        user, domain = self.opened, line.rest
        if cell is not None:
            return self._save(domain, cell, line["base"], _renames(line["rename"]))
        if domain:
            source = user.source(domain)
            cells.offer(self.shell, self._cell(domain))
            return widgets.source(source, bridged=cells.bridged(self.shell))
        bridged = cells.put(self.shell, [self._cell(name) for name in user.domains])
        return widgets.sources([user.source(name) for name in user.domains], bridged=bridged)

    @cell_magic
    @takes()
    def uac_frames(self, line: Line, cell: str) -> Shown:
        """Teach the pattern reader more shapes of sentences, each with examples; then run %uac_checkpoint --again."""
        user = self.opened
        before = user.alerts()
        return widgets.edited(user, user.frames(cell), before, look=self._look(None))

    def _save(self, domain: str, text: str, base: str | None, rename: Mapping[str, str]) -> Shown:
        """Save a cell. One that nobody edited asks for nothing, and one that knows no base overwrites nothing."""
        from uac_nb.store.replay import digest

        if not domain:
            raise UacError("which domain? Write it behind the magic: %%uac_code travel")
        user, path = self.opened, f"{domain}.py"
        current = user.text(domain)
        if current is None and base and not any(path in user.project.files(commit.id) for commit in user.history()):
            base = None  # a cell of another project: here its file is a new one
        if not rename and (text == current or (base and digest(text).startswith(base))):
            self._refresh(domain, saved=False)
            return widgets.unchanged(domain, text, current, renewed=cells.bridged(self.shell))
        if current is not None and not base and text != current:
            hint = f"write %%uac_code {domain} --base {digest(current)[:8]} to replace it"
            raise UacError(f"{path} is there already and says something else; {hint}, or %uac_code {domain} to see it")
        before = user.alerts()
        edited = user.edit(domain, text, base, rename=rename)
        self._refresh(domain, saved=bool(edited.diff))
        if not edited.diff:
            return widgets.unchanged(domain, text, text)
        return widgets.edited(user, edited, before, look=self._look(None))

    def _refresh(self, domain: str, saved: bool) -> None:
        """Bring the cell that ran up to date, its base above all; a save by other means shows what it saved."""
        was = cells.running(self.shell)
        if self.opened.text(domain) is None:
            return
        if was.startswith("%%uac_code "):
            fresh = self._cell(domain, was)
            if fresh.source != was.rstrip("\n"):
                cells.offer(self.shell, fresh)
        elif saved:
            cells.put(self.shell, [self._cell(domain)])

    def _cell(self, domain: str, was: str = "") -> cells.Cell:
        source = self.opened.source(domain)
        return cells.cell(source.domain, source.text, source.base[:8], was)

    # --- asking ---

    @no_var_expand
    @line_magic
    @takes(TODAY, prose=True)
    def uac_ask(self, line: Line) -> Shown:
        """Ask in plain words; the answer is computed from the typed state where it can be: %uac_ask when do I fly?"""
        if not line.rest:
            raise UacError("what is the question? Write it behind the magic: %uac_ask how many trips did I take in 2025?")
        mind = self.settings.mind(self.opened.model)
        return widgets.answer(self.opened, self.opened.ask(line.rest, today=line["today"], model=mind), line["today"])

    @no_var_expand
    @line_cell_magic
    @takes(TODAY, prose=True)
    def uac_run(self, line: Line, cell: str | None = None) -> Any:
        """Run Python over the collections, sealed off from the machine; gives its last value: %uac_run len(trips)"""
        code = line.rest if cell is None else f"{line.rest}\n{cell}".strip()
        if not code:
            raise UacError("there is no code to run; write it behind the magic: %uac_run len(trips)")
        return self.opened.run(code, today=line["today"])

    @line_magic
    @takes(
        TODAY,
        Option("acknowledge", "N …", "say that the Nth alert was seen (also without the dashes)", verb=True),
        Option("snooze", "N …", "silence the Nth alert until the day given by --until", verb=True),
        Option("until", "DAY", "until when (2025-03-01)"),
    )
    def uac_alerts(self, line: Line) -> Shown:
        """Run the rules and show what they find, the gravest first, or settle some: %uac_alerts acknowledge 1 3"""
        user = self.opened
        if line.rest:
            self._settle(line)
        raised, findings = user.look(line["today"])
        return widgets.alerts(user, raised, findings, look=self._look(line["today"]))

    def _settle(self, line: Line) -> None:
        user = self.opened
        listed = user.alerts(line["today"])
        places = [place for place, raised in enumerate(listed, 1) if raised.state in widgets.OPEN]
        seen, later = ([_nth(listed, n) for n in numbers] for numbers in said(line.rest, ALERTS, places, "uac_alerts"))
        until = line["until"]
        if later and not until:
            raise UacError("until when? Add --until 2025-03-01")
        for key in seen:
            user.acknowledge(key)
        for key in later:
            user.snooze(key, until or "")

    def _look(self, today: str | None) -> Callable[[], Sequence[Raised]] | None:
        """How a button runs the rules again; None where no button works: under papermill, in a terminal."""
        user = self.opened
        return (lambda: user.alerts(today)) if cells.anchor(self.shell) else None

    # --- looking back ---

    @line_magic
    @takes(words=False)
    def uac_coverage(self, line: Line) -> Shown:
        """What became of each message: cited, noted, set aside, unread."""
        return widgets.coverage(self.opened, self.opened.coverage())

    @line_magic
    @takes(
        Option("price", "PRICE", "what a million tokens cost, sent/answered (0.25/2.00; else UAC_PRICE, else unknown)"),
        words=False,
    )
    def uac_cost(self, line: Line) -> Shown:
        """What all calls of models came to, by purpose and model; replies of a recording are counted apart."""
        return widgets.cost(self.opened.cost(line["price"] or self.settings.price or None))

    @line_magic
    @takes(words=False)
    def uac_history(self, line: Line) -> Shown:
        """All states of the project, the newest first."""
        return widgets.history(self.opened.history())

    @line_magic
    @takes(words=False)
    def uac_undo(self, line: Line) -> Shown:
        """Take back the last batch or edit, and say what it was. The log keeps both it and the undo."""
        return widgets.undone(self.opened.undo())

    # --- for the shell ---

    def words(self, magic: str) -> Iterable[str]:
        """What may stand behind a magic, for the completion."""
        if magic == "uac_user":
            return self.names()
        if magic in ("uac_review", "uac_alerts"):
            return VERBS if magic == "uac_review" else ALERTS
        return self.user.domains if magic == "uac_code" and self.user else ()

    def close(self) -> None:
        """Let go of the user's files and process."""
        if self.user:
            self.user.close()
            self.user = None


def _number(text: str, what: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise UacError(f"{what}: {text!r} is not a number from 1 up")
    return int(text)


def _entry(word: str, words: str) -> int:
    """The number of an entry, also where it is written as it is shown: #12."""
    if not (number := word.removeprefix("#")).isdecimal():
        told = f"{word!r} is no number of an entry; to forget all messages that hold these words"
        raise UacError(f'{told}: %uac_forget --text "{words}"')
    return _number(number, "entry")


def _sum(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found < float("inf"):
        raise UacError(f"--max-cost: {text!r} is not a sum of money; write it as 0.50")
    return found


def _pair(text: str) -> tuple[str, str]:
    field, sign, name = text.partition("=")
    if not sign:
        raise UacError(f"--columns: {text!r} does not say which column it is; write text=Body,at=Date")
    return field.strip(), name.strip()


def _renames(text: str | None) -> dict[str, str]:
    """What is called otherwise: "Trip.cost=price,Trip.to=city". Raise UacError where a part does not say both names."""
    pairs = [part.partition("=") for part in (text or "").split(",") if part.strip()]
    if wrong := next(("".join(pair) for pair in pairs if not (pair[0].strip() and pair[2].strip())), None):
        raise UacError(f"--rename: {wrong!r} does not say both names; write old=new, as in Trip.cost=price")
    return {old.strip(): new.strip() for old, _, new in pairs}


def _kind(text: str) -> str:
    from uac_nb.log import KINDS

    if text not in KINDS:
        raise UacError(f"--kind: {text!r} is none of {', '.join(KINDS)}")
    return text


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UacError(f"{text!r} is not a day; write it as 2025-01-10") from None


def _nth(raised: Sequence[Raised], place: int) -> str:
    """The key of an alert by its place in the list."""
    if not 0 < place <= len(raised):
        raise UacError(f"there is no alert {place}; %uac_alerts lists {len(raised)}")
    return raised[place - 1].key
