"""Whether somebody is allergic to a thing: also where the record names its class ("penicillin") and the question a member.

The table of drug classes is a help to remember and no medical advice. That no allergy is recorded is never a "no".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from uac_nb.ask import code
from uac_nb.ask.answer import Answer
from uac_nb.ask.asked import Asked
from uac_nb.ask.plan import Condition, Plan, belonging_to, is_one, not_one
from uac_nb.ask.say import in_list
from uac_nb.ask.view import Slot, View
from uac_nb.ask.words import plain, singulars
from uac_nb.rules import listed, name
from uac_nb.starter.drugs import ADVICE, Relation, closest, group, relation, substances

_WHO = r"(?P<who>i|we|me|(?:my )?[^\W\d]+(?: [^\W\d]+){0,3}?)"
_A = r"(?:(?:the|a|an|any|some|my|taking|having|eating|drinking) )*"
_HAVE = r"(?:do|does|did|could|might|would)"
_SAFE = r"(?:safe|ok|okay|fine|all right|dangerous|bad)"
_TAKE = r"(?:take|have|eat|drink|use|get|be given|be prescribed)"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf" (?:am|is|are|was) {_WHO} (?:also |really )?allergic to {_A}(?P<what>.+) ",
        rf" {_HAVE} {_WHO} have (?:an |any |a )?(?:allergy|allergies|reaction|allergic reaction) to {_A}(?P<what>.+) ",
        rf" {_HAVE} {_WHO} have (?:an |a )?(?P<what>.+?) allergy ",
        rf" (?:do|does|would) {_WHO} react (?:badly )?to {_A}(?P<what>.+) ",
        rf" (?P<may>can|could|may|should) {_WHO} {_TAKE} {_A}(?P<what>.+) ",
        rf" (?P<may>is it) {_SAFE} (?:for {_WHO} )?to {_TAKE} {_A}(?P<what>.+) ",
        rf" (?P<may>is it|are) {_SAFE} for {_WHO} to {_TAKE} {_A}(?P<what>.+) ",
        rf" (?P<may>is|are) {_A}(?P<what>.+?) {_SAFE} for {_WHO}(?: to {_TAKE})? ",
    )
)  # fmt: skip
_WHAT = re.compile(rf" (?:to )?what (?:else )?(?:am|is|are) {_WHO} allergic(?: to)? ")
_ANYTHING = frozenset(
    {"anything", "something", "anything else", "any medicine", "any medication", "medicines", "food", "foods"}
)


def answer(asked: Asked) -> Answer | None:
    """Tell how a thing stands to what is to be avoided, or all that is; None where a question asks for something else."""
    all_of = _WHAT.fullmatch(asked.words)
    m = all_of or next((m for pattern in _ASKS if (m := pattern.fullmatch(asked.words))), None)
    view = next((v for v in asked.world.views if "allergy" in v.nouns and (v.slot("avoids", "avoid") or v.display)), None)
    ids = _whose(m["who"], asked) if m else None
    if m is None or view is None or ids is None:
        return None
    if all_of:
        return _all(asked, view, ids)
    if m["what"] in _ANYTHING:
        return None
    may = "may" in m.re.groupindex
    things = [thing.strip() for thing in re.split(r" (?:or|and) ", m["what"])]
    records = [r for r in view.records if getattr(r, "who", "me") in ids]
    found = [Hit(r, thing, why) for r in records for thing in things if (why := _why(thing, _avoided(r, view)))]
    if found:
        return _found(asked, view, ids, found, may)
    known = not may or re.search(" (?:eat|drink) ", asked.words) or any(substances(thing) or group(thing) for thing in things)
    return _unrecorded(asked, things, records) if known else None


def _all(asked: Asked, view: View, ids: tuple[str, ...]) -> Answer | None:
    """What they are allergic to, thing by thing; None where nothing is recorded that still holds."""
    slot = _slot(view)
    status = view.slot("status")
    now = [not_one(status, ("ended",))] if status and "ended" in status.choices else []
    plan = Plan(view, "values", where=(*([belonging_to(ids)] if view.has("who") else []), *now))
    *lines, _ = code.write(plan).splitlines()
    each = f"[each for {view.var} in records for each in {view.var}.{slot.name}]"
    query = "\n".join([*lines, each if slot.kind == "words" else code.names(replace(plan, field=slot), "records")])
    value, records = asked.run(query)
    things = list(dict.fromkeys(value))
    return asked.computed(things[0] if len(things) == 1 else things, in_list(things), query, records) if things else None


@dataclass(frozen=True, slots=True)
class Hit:
    """An allergy that a thing has to do with, and how."""

    record: Any
    thing: str
    why: Relation

    @property
    def over(self) -> bool:
        return getattr(self.record, "status", "current") == "ended"

    def __str__(self) -> str:
        """ "penicillin allergy (amoxicillin is one of the penicillins; hives)"."""
        says = f"{self.thing} {self.why.says}" if self.why.says else ""
        says = says.replace(f"{self.thing} contains {self.thing}, ", f"{self.thing} is ")
        known = "; ".join(filter(None, (says, getattr(self.record, "severity", None), getattr(self.record, "reaction", None))))
        return f"{name(self.record)} ({known})" if known else name(self.record)


def _whose(spoken: str | None, asked: Asked) -> tuple[str, ...] | None:
    """The ids of those asked about; None for somebody who is not known."""
    if spoken in (None, "i", "we", "me"):
        return ("me",)
    return next((ids for phrase, ids in asked.world.people if phrase == spoken), None)


def _slot(view: View) -> Slot:
    slot = view.slot("avoids", "avoid") or view.display
    assert slot is not None
    return slot


def _avoided(record: Any, view: View) -> tuple[str, ...]:
    held = getattr(record, _slot(view).name)
    return (held,) if isinstance(held, str) else tuple(held or ())


def _why(thing: str, avoided: Iterable[str]) -> Relation | None:
    """How a thing stands to what is to be avoided: it is that, or the table of drugs says so."""
    avoided = tuple(avoided)
    if any(singulars(thing) == singulars(plain(each).strip()) for each in avoided):
        return Relation("same", "")
    written = (thing, thing.replace(" ", "-"))  # "co-amoxiclav"
    known = closest(r for each in avoided for text in written if substances(text) and (r := relation(text, each)))
    return known or next((Relation("same", "") for each in avoided if group(thing) == group(each) is not None), None)


def _found(asked: Asked, view: View, ids: tuple[str, ...], found: list[Hit], may: bool) -> Answer:
    """ "Yes", or "perhaps" where a reaction is possible and not likely; "no", where the allergy is over."""
    live = [hit for hit in found if not hit.over]
    sure = [hit for hit in live if hit.why.kind != "may"]
    kept = sure or live or found
    plan = Plan(view, "exists", where=tuple(_where(view, ids, kept)))
    query = code.write(plan) if live else code.write_denied(replace(plan, denied=plan.where))
    _, records = asked.run(query)
    said = in_list([str(hit) for hit in kept])
    advice = ADVICE.rstrip(".") if may or any(hit.why.says for hit in kept) else ""
    if may:
        lead = (
            "An allergy speaks against it"
            if sure
            else "A reaction is possible"
            if live
            else "The allergy that was recorded is over"
        )
        return asked.computed([name(r) for r in records], f"{lead}: {said}.", query, records, advice)
    value, lead = (True, "Yes") if sure else ("perhaps", "Perhaps") if live else (False, "No, not any more")
    return asked.computed(value, f"{lead}: {said}.", query, records, advice)


def _where(view: View, ids: tuple[str, ...], kept: list[Hit]) -> Iterator[Condition]:
    """The conditions that the records of an answer meet."""
    if view.has("who"):
        yield belonging_to(ids)
    status = view.slot("status")
    if status and {"current", "ended"} <= set(status.choices):
        yield is_one(status, ("ended" if kept[0].over else "current",))
    avoided = [each for hit in kept for each in _avoided(hit.record, view) if _why(hit.thing, (each,))]
    yield is_one(_slot(view), tuple(dict.fromkeys(avoided)))


def _unrecorded(asked: Asked, things: list[str], records: list[Any]) -> Answer:
    live = [name(r) for r in records if getattr(r, "status", "current") != "ended"]
    other = f"; recorded is {listed(live)}" if live else ""
    return asked.unknown(f"no allergy to {' or '.join(things)} is recorded, which does not say that there is none{other}")
