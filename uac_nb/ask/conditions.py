"""The parts of a question that say which records count, taken out of it one kind after the other."""

from __future__ import annotations

import re
from typing import Any

from uac_nb.ask import plan as p
from uac_nb.ask.clock import clock
from uac_nb.ask.intent import Show
from uac_nb.ask.lexicon import CURRENCIES, KINDS, UNITS
from uac_nb.ask.places import CODE, REGIONS, code_of, lies_in
from uac_nb.ask.plan import Measure
from uac_nb.ask.question import Threshold
from uac_nb.ask.scene import Scene, lost
from uac_nb.ask.view import Slot
from uac_nb.ask.words import bag, either, name_words, plain, root, roots, singulars
from uac_nb.rules import Money

LONGEST = 6  # words of one value

# Of a `status`: what did not come about, what may not have, and what is over.
OFF = bag("cancelled off dropped refused")
UNSURE = bag("considering planned tentative wanted expected reading")
CHANGES = bag("start begin stop finish quit")
OVER = OFF | bag("returned sold stopped ended lost closed")


def nouns(scene: Scene) -> None:
    """What the records are called."""
    for noun in sorted(scene.view.nouns, key=len, reverse=True):
        while forms := _runs(scene, noun):
            scene.q.eat(either(forms))
            scene.score = max(scene.score, 4 if noun in scene.view.own_nouns else 3)


def near_nouns(scene: Scene) -> None:
    """What some of the records are called."""
    for noun in scene.view.near_nouns:
        if forms := _runs(scene, noun):
            scene.q.eat(either(forms))
            scene.score = max(scene.score, 2)


def _runs(scene: Scene, noun: str) -> set[str]:
    """How the question writes a noun: in the singular or plural. "What am I reading" has a verb."""
    words, count = scene.q.words(), len(noun.split())
    runs = (words[i : i + count] for i in range(len(words) - count + 1) if not _progressive(words, i))
    return {" ".join(run) for run in runs if "·" not in run and singulars(" ".join(run)) == noun}


def _progressive(words: list[str], i: int) -> bool:
    return i > 0 and words[i - 1] in ("i", "we") and words[i].endswith("ing")


def verbs(scene: Scene) -> None:
    """What one does with them."""
    if scene.q.eat_roots(scene.view.verbs):
        scene.score = max(scene.score, 2)


def people(scene: Scene) -> None:
    """ "with Ana", "my sister's", "did Ana …": who takes part, or whose record it is."""
    for ids, phrases in scene.world.people:
        for phrase in phrases:
            if scene.view.has("others") and scene.q.eat(rf"(?:together )?with {re.escape(phrase)}"):
                scene.where.append(p.taking_part(ids))
            elif scene.view.has("who") and not _is_name(scene, phrase) and scene.q.eat(rf"{re.escape(phrase)}(?: 's)?"):
                scene.where.append(p.belonging_to(ids))
                scene.someone = scene.other = True


def _is_name(scene: Scene, phrase: str) -> bool:
    return any(s.name == "name" for s, _ in scene.view.values.get(singulars(phrase), ()))


# --- words that records hold ---


def values(scene: Scene, at_least: int) -> None:
    """ "business", "credit card", "Dr. Chen": values of so many words or more, the longest first."""
    _named_values(scene)
    while hit := _hit(scene, at_least):
        run, hits = hit
        s = _meant(scene, run, [s for s, _ in hits])
        scene.q.eat(re.escape(run))
        _equals(scene, s, [value for each, value in hits if each == s])
    if at_least == 1:
        for verb in scene.left & scene.view.done.keys():
            hits = scene.view.done[verb]
            _equals(scene, _meant(scene, verb, [s for s, _ in hits]), [value for _, value in hits])
            scene.q.eat_roots({verb})
        for s in scene.view.slots:
            if s.kind == "flag" and scene.q.eat(" ".join(name_words(s.name.removeprefix("is_")))):
                _equals(scene, s, [True])


def _named_values(scene: Scene) -> None:
    """ "location = home"."""
    for s in scene.view.slots:
        names = either({s.name, plain(s.name.replace("_", " ")).strip()})
        while m := scene.q.eat(rf"(?:{names}) = (?P<value>[a-z0-9]+)"):
            hits = [v for each, v in scene.view.values.get(singulars(m["value"]), []) if each == s]
            _equals(scene, s, hits or lost())


def _hit(scene: Scene, at_least: int) -> tuple[str, list[tuple[Slot, Any]]] | None:
    words = scene.q.words()
    for size in range(LONGEST, at_least - 1, -1):
        for i in range(len(words) - size + 1):
            run = words[i : i + size]
            if any(w == "·" or w[0] == "@" for w in run) or (i and root(words[i - 1]) in CHANGES):
                continue  # "stop taking it" tells of no state
            if hits := scene.view.values.get(singulars(" ".join(run))):
                return " ".join(run), hits
    return None


def _meant(scene: Scene, run: str, slots: list[Slot]) -> Slot:
    """The field that a word is meant as: the only one, the one that is named beside it, or the kind of the thing."""
    slots = list(dict.fromkeys(slots))
    if len(slots) > 1:
        named = [s for s in slots if s.strong & scene.roots]
        slots = named if len(named) == 1 else [s for s in slots if s.name in KINDS]
    return slots[0] if len(slots) == 1 else lost(f"{run!r} can be meant in more than one way")


def _equals(scene: Scene, s: Slot, found: list[Any]) -> None:
    held = scene.equal.setdefault(s, [])
    joint = "or" if s.kind == "words" else "and|or"
    if held and not set(found) & set(held) and not scene.q.eat(rf"· (?:{joint}) ·"):
        lost()  # two values at once: nobody says which is meant
    held += found
    scene.use(s)
    scene.someone |= s.name == "name"


def places(scene: Scene) -> None:
    """Countries, continents, and "abroad"."""
    s = scene.view.slot("country", "nation")
    if s is None:
        return
    coded = all(code_of(v) == v for v in scene.view.all_of(s))
    for name in sorted(CODE, key=len, reverse=True):
        if name in scene.q.left and scene.q.eat(rf"(?:the )?{re.escape(name)}"):
            _equals(scene, s, [CODE[name] if coded else name.title()])
    for name, continents in REGIONS.items():
        if scene.q.eat(re.escape(name)):
            inside = tuple(dict.fromkeys(v for v in scene.view.all_of(s) if lies_in(v) in continents))
            scene.where.append(p.on_continent(s, continents) if coded else p.is_one(s, inside or ("",)))
            scene.use(s)
    if scene.q.eat("abroad|international|internationally|foreign|overseas"):
        home = scene.world.home
        scene.where.append(p.abroad(s, home) if home and coded else lost("where you live is not recorded"))
        scene.use(s)


# --- numbers and times ---


def hours(scene: Scene) -> None:
    """Times of day."""
    if found := clock(scene.q, scene.view, scene.roots):
        scene.where.append(found)
        scene.use(*found.slots)


def bound(scene: Scene, limit: Threshold) -> None:
    """A threshold, on the field that its unit or noun speaks of. Raise Lost where there is no such field."""
    unit, numbers = limit.unit, scene.numbers()
    scene.eaten.add(unit)
    if unit in CURRENCIES:
        code = CURRENCIES[unit]
        of = [
            s for s in numbers if s.unit == code or (s.kind == "money" and {v.currency for v in scene.view.all_of(s)} <= {code})
        ]
        _compare(scene, scene.only(of), limit, lambda s, n: Money(f"{n:g}", code) if s.kind == "money" else n)
    elif unit in UNITS and (of := [s for s in numbers if _factor(unit, s)]):
        _compare(scene, scene.only(of), limit, lambda s, n: n * _factor(unit, s))
    elif unit in UNITS and UNITS[unit][0] == "day" and scene.view.span:
        _compare(scene, Measure(scene.view.span, "day"), limit, lambda s, n: n * UNITS[unit][1])
    elif unit and (of := [s for s in numbers if unit in s.labels]):
        _compare(scene, scene.only(of), limit, lambda s, n: n)
    elif unit and (of := [s for s in scene.view.slots if s.kind == "words" and unit in s.labels]):
        s = scene.only(of).slots[0]
        scene.where.append(p.filled(s, limit.op, int(limit.number)))
        scene.use(s)
    else:
        scene.eaten.discard(unit)
        _compare(scene, scene.only([s for s in numbers if s.labels & scene.roots]), limit, lambda s, n: n)


def _factor(unit: str, s: Slot) -> float:
    """How many of its own unit one of `unit` is; 0 where they measure other things."""
    base, scale = UNITS[unit]
    if s.unit == base:
        return scale / s.scale
    return {("day", "minute"): 1440 * scale / s.scale, ("minute", "day"): scale / 1440 / s.scale}.get((base, s.unit), 0)


def _compare(scene: Scene, measure: Measure, limit: Threshold, typed: Any) -> None:
    s = measure.slots[0]
    bounds = [(">=", limit.number), ("<=", limit.other)] if limit.op == ".." else [(limit.op, limit.number)]
    scene.where += [p.compared(measure, op, typed(s, number)) for op, number in bounds]
    scene.use(*measure.slots)


def times(scene: Scene) -> None:
    """The one period that the question names."""
    q = scene.q
    if m := q.eat(r"(?:from |between )?@p(\d+) (?:to|and) @p(\d+)"):
        _during(scene, q.periods[int(m[1])].to(q.periods[int(m[2])]).text)
    elif m := q.eat(r"@p(\d+)"):
        _during(scene, q.periods[int(m[1])].text)
    if q.has(r"@p\d+"):
        lost()


def _during(scene: Scene, text: str) -> None:
    scene.periods.append(("period", text))
    start, end = scene.view.slot("since"), scene.view.slot("until")
    if (named := scene.day()) is None and scene.view.lasting and start and end:
        scene.where.append(p.held_in(start, end, "period"))
        return
    day = named or scene.any_day()
    scene.where.append(p.during(day, "period"))
    scene.use(day)


# --- what goes without saying ---


def ahead(scene: Scene) -> None:
    """ "Upcoming", "planned": what lies ahead, where that is not a status."""
    if scene.view.day and scene.q.eat("upcoming|coming up|scheduled|planned|planning"):
        scene.where.append(p.is_ahead(scene.any_day()))


def unsaid(scene: Scene, show: Show, *, now: bool) -> None:
    """The user's own records, unless somebody was named; not what was called off or is over, unless that was asked for.

    `now`: of what lasts, a question in the present tense is about what still holds.
    """
    view, past = scene.view, scene.q.tense == "past"
    mine = bag("i me my mine we our us") & set(scene.q.text.split())
    if mine and not scene.someone and view.names_others:
        lost("it holds other people's" if scene.equal else "")
    whose = {getattr(r, "who", "me") for r in view.records}
    if not scene.someone and (mine or show not in ("values", "exists")) and whose - {"me"}:
        scene.where.append(p.belonging_to(("me",)) if "me" in whose else lost("it holds other people's"))
    status = view.slot("status")
    said = tuple(scene.where)
    if status and status not in scene.equal:
        out = _not_meant(scene, set(status.choices))
        scene.where += [p.not_one(status, tuple(c for c in status.choices if c in out))] if out else []
    until = view.slot("until")
    if now and scene.q.tense == "present" and view.lasting and until and not scene.periods:
        scene.where.append(p.holds_now(until))
    if past and status and UNSURE & set(status.choices) and view.day and not view.lasting and _ahead(scene, view.day):
        scene.where.append(p.happened(view.day))
        off = tuple(c for c in status.choices if c in OFF) if status not in scene.equal else ()
        scene.later = [*said, *([p.not_one(status, off)] if off else []), p.is_ahead(view.day, after=True)]


def _not_meant(scene: Scene, choices: set[Any]) -> set[Any]:
    if scene.q.tense == "present":
        return choices & OVER
    return choices & (OFF | UNSURE if scene.q.tense == "past" and choices & UNSURE else {"cancelled", "off"})


def _ahead(scene: Scene, s: Slot) -> bool:
    days = (s.of(r) for r in scene.view.records)
    return any(day is not None and not day <= scene.world.today for day in days)


# --- free text ---


def mentioned(scene: Scene, left: list[str]) -> list[str]:
    """Look for words that no field holds as a whole in the free texts of records ("espresso machine"); those not found."""
    for size in range(len(left), 0, -1):
        phrase = " ".join(left[:size])
        if f" {phrase} " not in scene.q.left:
            continue
        for s in scene.view.slots:
            if s.kind in ("word", "words") and (form := _in_text(scene, s, phrase)):
                scene.where.append(p.mentions(s, form))
                return mentioned(scene, left[size:]) if left[size:] else []
    return left


def _in_text(scene: Scene, s: Slot, phrase: str) -> str | None:
    """How records have a phrase, where code finds it in the same records as a reader would: not "art" in "party"."""
    held = [getattr(r, s.name) for r in scene.view.records]
    texts = [v if isinstance(v, str) else " ".join(v) for v in held if v]
    for form in dict.fromkeys((phrase, singulars(phrase))):
        by_word = [t for t in texts if f" {roots(form)} " in f" {roots(plain(t))} "]
        if by_word and [t for t in texts if form in t.lower()] == by_word:
            return form
    return None
