"""Trying proposed changes one by one on a project in memory: what fits is taken, what rests on a refused one waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from uac_nb.changes import Accepted, Change, Refused, Workspace, accept, dump
from uac_nb.changes.apply import ending_status
from uac_nb.changes.vocabulary import Propose
from uac_nb.domainfile.records import type_of
from uac_nb.errors import Diagnostic
from uac_nb.log import Entry
from uac_nb.reading.concerns import AT_MOST
from uac_nb.reading.contradiction import repeated, rivals
from uac_nb.reading.judge import ENDING, Judge, text_of
from uac_nb.reading.proposals import MAKERS, Raw, as_json, cited, doubted, makes, repointed, rests_on, shapes, strings
from uac_nb.reading.second import Told

STRAY = ("unrelated", "grounding")  # findings that there are no words for it
LASTING = ("add", "amend", "close", "supersede", "merge", "note", "rule", "derive")  # what is missed when it is given up


@dataclass(frozen=True)
class Fact:
    """One sentence that stands alone, and the entries that say it."""

    text: str
    source: tuple[int, ...]


@dataclass
class Trial:
    """The project as it becomes, and what has become of each proposal.

    `bad` are the refused changes of the last round, `given_up` those of earlier rounds that did not come again.
    """

    batch: Sequence[Entry]
    workspace: Workspace
    judge: Judge
    accepted: list[Change] = field(default_factory=list)
    bad: list[Refused] = field(default_factory=list)
    given_up: list[Refused] = field(default_factory=list)
    waiting: list[Raw] = field(default_factory=list)
    held: list[Refused] = field(default_factory=list)  # older words about what a person wrote by hand: the edit stands
    asked: list[Diagnostic] = field(default_factory=list)  # what became a proposal to the person, and what was dropped
    facts: list[Fact] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)  # accepted proposals, to know them again
    _beside: set[str] = field(default_factory=set)  # ids of new records that are to stand in place of what waits to be ended
    _proposed: list[Raw] = field(default_factory=list)  # what became proposals, in order
    _ours: list[Raw] = field(default_factory=list)  # ends that no reader proposed, since there is one at a time
    _rivals: dict[str, str] = field(default_factory=dict)  # what a proposed record takes the place of, and its id
    _renamed: dict[str, str] = field(default_factory=dict)  # proposed ids that were taken elsewhere: the ids given instead

    def take(self, proposals: Iterable[Raw]) -> None:
        """Try a round of proposals, and with them what waits."""
        self.given_up += self.bad
        self.bad = []
        queue = [raw for raw in map(self._silent, proposals) if as_json(raw) not in self._taken]
        for raw in queue:
            self._keep_fact(raw)
        queue += self.waiting
        self._replacing(queue := self._with_ends(queue))
        while queue:
            self.waiting, before = [], len(self.accepted)
            while queue:
                raw, *queue = queue
                linked = [other for other in (*self.waiting, *queue) if self._belongs(other, raw)]
                queue = [other for other in queue if other not in linked]
                self.waiting = [other for other in self.waiting if other not in linked]
                self._try_together(raw, [self._dated(raw, other) for other in linked], queue)
            if len(self.accepted) == before:
                return
            queue = self.waiting

    def unread(self) -> list[int]:
        """Entries of the batch that no change cites, not even a refused one."""
        raws = [*(refused.raw for refused in (*self.held, *self.bad)), *self.waiting]
        seen = {id for change in self.accepted for id in change.source} | {id for raw in raws for id in cited(raw)}
        return [id for id in self.ids if id not in seen]

    def told(self) -> list[Told]:
        """What facts and changes say, refused ones too, as far as they are about something that is to be kept."""
        said = [(as_json(dump(c)), set(c.source)) for c in self.accepted if c.change not in ("skip", "forget")]
        said += [(as_json(raw), cited(raw)) for raw in (*(bad.raw for bad in (*self.held, *self.bad)), *self.waiting)]
        return [Told(text, frozenset(source)) for text, source in said]

    def pending(self) -> tuple[Refused, ...]:
        """What does not fit yet, and what waits for it."""
        waits = Diagnostic("waits", "$", "it rests on a change that was refused", "it is tried again with that one")
        return (*self.held, *self.bad, *(Refused(raw, (waits,)) for raw in self.waiting))

    def lost(self) -> list[Refused]:
        """What was refused and then given up: no change that was taken, or is pending, speaks of its record."""
        raws = [*map(dump, self.accepted), *(refused.raw for refused in self.pending())]
        told = {id for raw in raws for id in rests_on(raw) | makes(raw)}
        lost = {str(bad.raw.get("id")): bad for bad in self.given_up if bad.raw.get("change") in LASTING}
        return [bad for id, bad in lost.items() if id not in told]

    @property
    def ids(self) -> list[int]:
        return list(dict.fromkeys(entry.id for entry in self.batch))

    # --- what is one at a time, and what belongs together ---

    def _with_ends(self, queue: Sequence[Raw]) -> list[Raw]:
        """The proposals, and behind each new record of which there is one at a time the end of that which held before."""
        ending = {id for raw in queue if raw.get("change") in ENDING for id in strings(raw.get("id"))}
        done, workspace = list[Raw](), self.workspace
        for raw in queue:
            done.append(raw)
            if raw.get("change") != "add" or strings(raw.get("id")) & ending:  # or it is over already
                continue
            tried = accept([raw], workspace)
            found = None if tried.refused else tried.workspace.find(str(getattr(tried.changes[-1], "id", "")))
            if found is None:
                continue
            if same := repeated(found.collection, found.record, tried.workspace):  # said anew, so it is stated anew
                more = {name: raw[name] for name in ("fact", "why") if name in raw}
                done[-1] = {"change": "confirm", "source": [*sorted(cited(raw))], "id": same.id, **more}
                continue
            workspace = tried.workspace
            for rival in rivals(found.collection, found.record, workspace):
                self._rivals[rival.id] = str(raw["id"])
                if rival.id not in ending:
                    done.append(self._end(raw, found.record, rival))
                    self._ours.append(done[-1])
        return done

    def _end(self, raw: Raw, new: Any, rival: Any) -> Raw:
        """The end of a rival when a new record takes its place: when that one begins, else by the day that it was said."""
        since, begun = getattr(new, "since", None), getattr(rival, "since", None)
        said = self.judge.said(cited(raw))
        until = {"until": f"../{said}"} if said else {}
        if since is not None and (begun is None or since.first >= begun.first):
            until = {"until": since.text}
        return {"change": "supersede", "source": [*sorted(cited(raw))], "id": rival.id, "by": new.id, **until}

    def _dated(self, raw: Raw, end: Raw) -> Raw:
        """An end with its day: what a new record takes the place of ends when that one begins, if nothing else is said."""
        values, said = raw.get("values"), self.judge.said(cited(end))
        since = values.get("since") if isinstance(values, Mapping) else None
        until = since if isinstance(since, str) else f"../{said}" if said else None
        return {"until": until, **end} if until else end

    def _try_together(self, raw: Raw, linked: Sequence[Raw], later: Sequence[Raw]) -> None:
        """Try a change and what ends the records in whose place it is to stand: all of them, or none."""
        before = self._state()
        self._try(raw, [*linked, *later])
        if not linked or as_json(raw) not in self._taken:
            for other in linked:
                self._try(other, later)
            return
        for other in linked:
            refused = len(self.bad), len(self.held)
            self._try(other, later)
            if (len(self.bad), len(self.held)) != refused:
                why = (self.bad if len(self.bad) > refused[0] else self.held)[-1].diagnostics[0]
                self._restore(before)
                told = f"the end of {other.get('id')}, which belongs to it, is refused: {why.message}"
                self.bad += [Refused(raw, (Diagnostic("linked", "$", told, why.hint),))]
                self.bad += [Refused(more, (why,)) for more in linked if more not in self._ours]
                return

    def _state(self) -> tuple[Any, ...]:
        kept = (self.accepted, self.bad, self.waiting, self.held, self.asked, self._proposed)
        lists = tuple([*items] for items in kept)
        return self.workspace, lists, set(self._taken), dict(self._renamed), self.judge.stated_so_far()

    def _restore(self, state: tuple[Any, ...]) -> None:
        self.workspace, kept, self._taken, self._renamed, stated = state
        self.accepted, self.bad, self.waiting, self.held, self.asked, self._proposed = kept
        self.judge.stated = stated

    def _belongs(self, end: Raw, raw: Raw) -> bool:
        """Whether a change ends what a new record is to take the place of."""
        by = strings(end.get("by")) if end.get("change") == "supersede" else set[str]()
        rival = self._rivals.get(str(end.get("id"))) if end.get("change") in ENDING else None
        return bool(makes(raw) & {*by, *strings(rival)})

    def _needed(self, end: Raw) -> Raw | None:
        """The end of what cannot hold beside the record that takes its place: it follows from that one, and needs no words."""
        by = self._rivals.get(str(end.get("id"))) if end.get("change") in ENDING else None
        old, new = (self.workspace.find(str(id)) for id in (end.get("id"), self._renamed.get(str(by), by)))
        return self._end(end, new.record, old.record) if old and new else None

    def _history(self, raw: Raw) -> Raw | None:
        """Instead of the end of what was stated later: the end of the older record, by the day of the newer words."""
        raw = repointed(raw, self._renamed)
        found, by = (self.workspace.find(str(raw.get(key))) for key in ("id", "by"))
        newer = self.judge.older(cited(raw), found.record) if raw.get("change") == "supersede" and found else None
        if not (newer and by):
            return None
        source = [*sorted(cited(raw)), newer.id]
        ends = {"until": f"../{newer.day}"} if "until" in type_of(by.record).by_name else {}
        status = ending_status(type_of(by.record))
        ends |= {"status": status} if status else {}
        return {"change": "close", "source": source, "id": by.record.id, **ends}

    # --- one proposal ---

    def _try(self, raw: Raw, later: Sequence[Raw]) -> None:
        if why := self._why_asked(raw):
            self._ask(raw, "by-hand", why, later)
            return
        if edit := self._edit(raw):
            self.held.append(Refused(raw, (Diagnostic("by-hand", "$.id", _by_hand(raw, edit), "the edit stands"),)))
            self._taken.add(as_json(raw))  # that is not for a model to put right
            return
        others = [*(refused.raw for refused in self.bad), *self.waiting, *later]
        if any(self.workspace.find(id) is None for id in rests_on(raw) & {id for other in others for id in makes(other)}):
            self.waiting.append(raw)
            return
        if history := self._history(raw):
            tried, findings = self._carried_out(history)
        else:
            tried, findings = self._fitted(raw, [*self.waiting, *later])
            if (end := self._needed(raw)) and tried is None and all(finding.code in STRAY for finding in findings):
                tried, findings = self._carried_out(end)
        if tried and (id := self.judge.unspoken(raw, tried, self.workspace)):
            self._ask(raw, "protects", f"{id} protects you, and your words there do not say so of it", later)
        elif tried:
            self._accept(raw, tried)
        elif any(shapes(other) and other.get("collection") == raw.get("collection") for other in others):
            self.waiting.append(raw)  # its type is not there yet
        else:
            self.bad.append(Refused(raw, findings))

    # --- what a person wrote by hand is theirs: older words do not touch it, and newer ones ask ---

    def _edit(self, raw: Raw) -> int:
        return self.judge.by_hand(raw, self.workspace)

    def _newer(self, raw: Raw) -> bool:
        return max(cited(raw), default=0) > self._edit(raw) > 0

    def _replacing(self, queue: Sequence[Raw]) -> None:
        """Find the new records that are to supersede what waits for the person's answer to be ended."""
        ends = [raw for raw in queue if raw.get("change") == "supersede"]
        while more := {
            id
            for raw in ends
            if self._newer(raw) or strings(raw.get("id")) & self._beside
            for id in strings(raw.get("by"))
            if id not in self._beside
        }:
            self._beside |= more

    def _why_asked(self, raw: Raw) -> str:
        """Why a change has to be a proposal; "" where it need not be."""
        if makes(raw) & self._beside:
            return "what it replaces was written by hand"
        if self._newer(raw):
            return _by_hand(raw, self._edit(raw))
        waits = {id for proposed in self._proposed for id in makes(proposed)}
        named = sorted(id for id in rests_on(raw) & waits if self.workspace.find(id) is None)
        return f"{named[0]} waits for your answer" if named else ""

    def _ask(self, raw: Raw, code: str, why: str, later: Sequence[Raw]) -> None:
        """Let a change wait for the person, tried on the project as it would be with what waits already."""
        now = self.workspace
        self.workspace = accept(self._proposed, now).workspace
        missing = any(self.workspace.find(id) is None for id in rests_on(raw) & self._beside)
        tried, findings = (None, ()) if missing else self._fitted(raw, [*self.waiting, *later])
        self.workspace = now
        if missing:  # for the record that is to stand in its place, which comes later or was refused
            self.waiting.append(raw)
        elif tried is None:
            self.bad.append(Refused(raw, findings))
        else:
            self.accepted += map(Propose.of, tried.changes)
            self._proposed.append(dump(tried.changes[-1]))
            self._taken.add(as_json(raw))
            what = f"{raw.get('change')} {raw.get('id')}: {why}, so it waits for your answer"
            self.asked.append(Diagnostic(code, f"entries {raw.get('source')}", what, "answer it in a review"))

    def _fitted(self, raw: Raw, later: Sequence[Raw]) -> tuple[Accepted | None, tuple[Diagnostic, ...]]:
        """The change carried out; or what is wrong."""
        if raw.get("change") == "concern" and sum(c.change == "concern" for c in self.accepted) >= AT_MOST:
            hint = "keep those that matter most"
            return None, (Diagnostic("concern", "$", f"a batch raises at most {AT_MOST} concerns", hint),)
        if findings := tuple(self.judge.misfits(raw, self.workspace)):
            return None, findings
        raw = repointed(raw, self._renamed)
        tried = self._carried(raw)
        if tried.refused:
            return None, tuple(
                replace(d, where=d.where.replace("$.changes[0]", "$", 1)) for bad in tried.refused for d in bad.diagnostics
            )
        verdict = self.judge.verdict(raw, tried, self.workspace, later)
        if verdict.findings:
            return None, verdict.findings
        marked = self._carried(doubted(raw, verdict.doubt)) if verdict.doubt else tried
        return (tried if marked.refused else marked), ()  # a type without `doubt` cannot be marked; `why` stays in the log

    def _carried_out(self, raw: Raw) -> tuple[Accepted | None, tuple[Diagnostic, ...]]:
        """A change of our own carried out; or what is wrong."""
        tried = self._carried(raw)
        return (None, tried.refused[0].diagnostics) if tried.refused else (tried, ())

    def _carried(self, raw: Raw) -> Accepted:
        return accept([raw], self.workspace, text_of=text_of(self.judge.entry_of))

    def _accept(self, raw: Raw, tried: Accepted) -> None:
        self.workspace = tried.workspace
        self.accepted += tried.changes
        self._taken.add(as_json(raw))
        self.judge.take(tried.changes)
        given, asked = getattr(tried.changes[-1], "id", None), raw.get("id")
        if raw.get("change") in MAKERS and isinstance(asked, str) and given != asked:
            self._renamed[asked] = str(given)

    def _silent(self, raw: Raw) -> Raw:
        """The change; a skip without a fact, since it says that there is nothing to tell."""
        if raw.get("change") != "skip" or raw.get("fact") is None:
            return raw
        told = f"a skip tells nothing, so its fact is dropped: {str(raw['fact'])[:60]!r}"
        found = Diagnostic("skip-fact", f"entries {raw.get('source')}", told, "what is to be kept is a change")
        self.asked += [found] if found not in self.asked else []
        return {name: value for name, value in raw.items() if name != "fact"}

    def _keep_fact(self, raw: Raw) -> None:
        text = raw.get("fact")
        source = tuple(id for id in self.ids if id in cited(raw))
        if self.judge.gives_orders(raw):
            return  # facts are search material, and this may be what a text wants to have said
        if isinstance(text, str) and (id := self.judge.unheard(text, self.workspace)):
            told = f"no entry here speaks of {id}, which protects you, so a fact on it is dropped: {text[:60]!r}"
            self.asked.append(Diagnostic("protects", f"entries {raw.get('source')}", told, "cite the entry that says so"))
            return
        if isinstance(text, str) and text.strip() and source and text not in [fact.text for fact in self.facts]:
            self.facts.append(Fact(text.strip(), source))


def _by_hand(raw: Raw, edit: int) -> str:
    return f"{raw.get('id')} was written by hand (entry {edit})"
