"""The parts of a question that say which records count, taken out of it one kind after the other."""

from __future__ import annotations

import re
from typing import Any

from uac_nb.ask import plan as p
from uac_nb.ask.clock import clock
from uac_nb.ask.intent import Asks
from uac_nb.ask.lexicon import CURRENCIES, ENDINGS, KINDS, NEARLY, OFF, OVER, UNITS, UNSURE
from uac_nb.ask.places import CODE, REGIONS, code_of, lies_in
from uac_nb.ask.plan import Condition, Measure, Plan
from uac_nb.ask.question import Threshold
from uac_nb.ask.scene import Scene, lost
from uac_nb.ask.view import Slot
from uac_nb.ask.words import bag, either, is_me, name_words, plain, root, rooted, roots, singular, singulars, spellings
from uac_nb.rules import Money

LONGEST = 6  # words of one value
NAMED = 3  # the score of a collection that the question names by a noun

APPOINTED = bag("appointment")  # what any record of its collection may be called
HAPPENS = bag("on date day departs starts start")  # the days of what one has before it comes about
CHANGES = bag("start begin stop finish quit")


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


def counted_near(scene: Scene) -> None:
    """ "How many appointments": those that are called so; of another that is set for a day it is not sure."""
    s = scene.view.display
    for noun in scene.view.near_nouns - scene.view.values.keys() if s else ():
        if s and (forms := _runs(scene, noun)):
            scene.q.eat(either(forms))
            scene.score = max(scene.score, 3)
            called = p.mentions(s, noun)
            any_may = noun in APPOINTED
            if not any_may and not any(f" {noun} " in f" {singulars(plain(str(v)))} " for v in scene.view.all_of(s)):
                lost(f"none is called a {noun}")
            scene.where.append(p.perhaps(called) if any_may else called)
            scene.by_title |= not any_may


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
    names = ""  # of records, in which a person's name is no more than a part
    for phrase, ids in scene.world.people:
        if f" {phrase} " in scene.q.left and _is_name(scene, phrase):
            names += f" {phrase} "
        if f" {phrase} " in names:
            continue
        if scene.view.has("others") and scene.q.eat(rf"(?:together )?with {re.escape(phrase)}"):
            scene.where.append(_together(scene, phrase, ids))
        elif (given := _recipient(scene, phrase, ids)) is not None:
            scene.where.append(given)
        elif scene.view.has("who") and scene.q.eat(rf"{re.escape(phrase)}(?: 's)?"):
            scene.where.append(p.belonging_to(ids))
            scene.someone = scene.other = True
            scene.whose = tuple(id for id in ids if id in scene.whose) if scene.whose else ids


def _recipient(scene: Scene, phrase: str, ids: tuple[str, ...]) -> Condition | None:
    """Somebody it is for: "what did I promise Gwen", "my promise to Gwen", of a collection whose records are "to" people."""
    s = scene.view.slot("to")
    if s is None or not any(getattr(r, "to", None) in ids for r in scene.view.records):
        return None
    own = rf"(?:do|does|did|has|have|is|was|will|can|could) {re.escape(phrase)}|{re.escape(phrase)} 's"
    return None if scene.q.has(own) or not scene.q.eat(rf"(?:to |for )?{re.escape(phrase)}") else p.is_one(s, ids)


def _together(scene: Scene, phrase: str, ids: tuple[str, ...]) -> Condition:
    """Somebody takes part: is among the others, or in what the record is called ("dinner with Felix")."""
    s = scene.view.display
    form = _in_text(scene, s, f"with {phrase}") if s and s.kind == "word" else None
    return p.either([p.taking_part(ids), p.mentions(s, form)]) if s and form else p.taking_part(ids)


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


def endings(scene: Scene, asks: Asks) -> None:
    """ "Did I cancel it", "which did I return": the state that a verb brought about. "When did I stop" asks for its day."""
    s = scene.view.slot("status", "decision")
    for verb, states in ENDINGS.items() if s and asks in ("yes", "what", "list", "") else ():
        reached = [c for c in s.choices if c in states] if s else []
        if s and reached and scene.q.eat_roots({verb}):
            _equals(scene, s, reached)
            verbs(scene)  # "stop taking": no state of its own


def validity(scene: Scene) -> None:
    """ "Is it still valid", "has it expired": by its last day, which tells more than what was said of it once."""
    end = scene.view.slot("expires", "valid_until")
    if end and scene.q.eat("(?:still )?(?:be )?(?:valid|in date)"):
        if m := scene.q.eat(r"@p(\d+)"):
            scene.periods.append(("period", scene.q.periods[int(m[1])].text))
        scene.valid = [p.goes_past(end, "period") if m else p.is_ahead(end)]
        scene.no = [p.ends_before(end, "period") if m else p.over(end)]
        scene.use(end)
    elif end and scene.q.eat("(?:already )?(?:expired|run out|ran out|out of date)"):
        scene.valid, scene.no = [p.over(end)], [p.is_ahead(end)]
        scene.use(end)


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
            done = i > 0 and root(words[i - 1]) in ("go", "do")  # "going running": no project that is "running"
            if any(w == "·" or w[0] == "@" for w in run) or (i and root(words[i - 1]) in CHANGES):
                continue  # "stop taking it" tells of no state
            hits = scene.view.values.get(singulars(" ".join(run)), [])
            if hits := [hit for hit in hits if not (done and hit[0].name == "status")]:
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


def rhythm(scene: Scene) -> None:
    """ "A month", "per year": of what goes out again and again."""
    s = scene.view.slot("every")
    if s and (m := scene.q.eat(r"(?:a|per|each|every) (?P<each>week|month|year)|(?P<ly>week|month|year)ly")):
        unit = m["each"] or m["ly"]
        _equals(scene, s, [unit] if unit in s.choices else lost())


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


def times(scene: Scene, asks: Asks) -> None:
    """The one period that the question names."""
    q = scene.q
    if m := q.eat(r"(?:from |between )?@p(\d+) (?:to|and) @p(\d+)"):
        _during(scene, q.periods[int(m[1])].to(q.periods[int(m[2])]).text, asks)
    elif m := q.eat(r"@p(\d+)"):
        _during(scene, q.periods[int(m[1])].text, asks)
    if q.has(r"@p\d+"):
        lost()


_BORN = re.compile(r" (?:born|birth) ")


def _during(scene: Scene, text: str, asks: Asks) -> None:
    scene.periods.append(("period", text))
    start, end = scene.view.slot("since"), scene.view.slot("until")
    if (named := scene.day()) is None and scene.view.lasting and start and end:
        scene.where.append(p.held_in(start, end, "period"))
        return
    day = named or scene.any_day()
    span = scene.view.span
    if "birthday" in scene.view.nouns and day.name == "on" and not _BORN.search(scene.q.text):
        scene.where.append(p.yearly(day, "period"))
    elif named is None and span and span[0] == day and asks in ("list", "where", "yes"):
        scene.where.append(p.touches(*span, "period"))  # where somebody is on a day, on a trip that began before
    else:
        scene.where.append(p.during(day, "period"))
    if asks == "list" and text.startswith("../") and scene.q.tense != "past":
        scene.where.append(p.is_ahead(day))  # "what do I have to do by Friday"
    scene.use(day)


# --- what goes without saying ---


def ahead(scene: Scene) -> None:
    """ "Upcoming", "planned": what lies ahead, where that is not a status."""
    if scene.view.day and scene.q.eat("upcoming|coming up|scheduled|planned|planning"):
        scene.where.append(p.is_ahead(scene.any_day()))


def to_come(scene: Scene, made: Plan, asks: Asks) -> None:
    """Of what has a day, a question about the future means what lies ahead, and one in the present that first of all."""
    view, shown = scene.view, made.field
    if made.pick == "last" or scene.periods or view.lasting or not view.day or made.show not in ("values", "exists", "count"):
        return
    day = shown if isinstance(shown, Slot) and shown.kind == "date" else view.day
    if scene.q.tense == "ahead" and made.pick in (None, "first"):
        (scene.valid if made.show == "exists" else scene.where).append(p.is_ahead(day))
    elif scene.q.tense == "present" and made.show == "values" and asks in ("when", "where", "what time"):
        scene.rather.append(p.is_ahead(day))
    elif scene.q.tense == "present" and made.show == "values" and made.field is None and day.name in HAPPENS and _having(scene):
        end = view.span[1] if view.span and view.span[0] == day else day
        scene.rather.append(p.not_past(day, end))


def _having(scene: Scene) -> bool:
    """ "What appointments do I have": those that are to come, if any are."""
    return re.search(r" (?:do|does) .+ have | have (?:i|we) got ", scene.q.text) is not None


def unsaid(scene: Scene, made: Plan, *, now: bool) -> None:
    """The user's own records, unless somebody was named; not what was called off or is over, unless that was asked for.

    `now`: of what lasts, a question in the present tense is about what still holds.
    """
    view, past = scene.view, scene.q.tense == "past"
    if made.show == "exists" and view.of_people and re.match(r" (?:am|are|was|were|will) (?:i|we) ", scene.q.text):
        lost()  # "am I in a choir": no question of whom one knows there
    mine = bag("i me my mine we our us") & set(scene.q.text.split())
    if mine and not scene.someone and view.names_others:
        _own_one(scene)
    whose = {getattr(r, "who", "me") for r in view.records}
    if not scene.someone and (mine or made.show not in ("values", "exists")) and whose - {"me"}:
        scene.where.append(p.belonging_to(("me",)) if "me" in whose else lost("all of others"))
    stance, status = view.slot("stance"), view.slot("status")
    said, no = tuple(scene.where), scene.no
    scene.where += scene.valid
    if stance and "dislike" in stance.choices:
        no += _other_stance(scene, stance) if made.show == "exists" else []
        scene.where += [p.not_one(stance, ("dislike",))] if stance not in scene.equal else []
    if status and status not in scene.equal:
        out = _not_meant(scene, set(status.choices))
        scene.where += [p.not_one(status, tuple(c for c in status.choices if c in out))] if out else []
        for choice, near in NEARLY.items() if scene.q.tense == "present" and made.field is None else ():
            kept = tuple(c for c in status.choices if c not in out and c not in near)
            if choice in kept and set(near) & set(status.choices):
                scene.where.append(p.is_nearly(status, kept, near))
        no += [p.is_one(status, ended)] if (ended := tuple(c for c in status.choices if c in out - UNSURE)) else []
    elif status and scene.q.tense == "present" and not set(scene.equal[status]) & (OVER | UNSURE):
        ended = tuple(c for c in status.choices if c in OVER)
        no += [p.is_one(status, ended)] if ended else []
        scene.ended = status
    since, until = view.slot("since"), view.slot("until")
    if now and scene.q.tense == "present" and view.lasting and since and until and not scene.periods:
        scene.where.append(p.holds_now(since, until))
        no.append(p.over(until))
    elif now and scene.q.tense == "present" and view.slot("every") and until:
        scene.where.append(p.holds_now(since, until) if since else p.not_over(until))
    scene.denied = [*said, p.either(no)] if no else []
    if past and status and UNSURE & set(status.choices) and view.day and not view.lasting and _ahead(scene, view.day):
        if OFF & set(scene.equal.get(status, ())):
            return  # what was called off may lie ahead
        scene.where.append(p.happened(view.day))
        off = tuple(c for c in status.choices if c in OFF) if status not in scene.equal else ()
        scene.later = [*said, *([p.not_one(status, off)] if off else []), p.is_ahead(view.day, after=True)]


def _other_stance(scene: Scene, stance: Slot) -> list[Condition]:
    """What says "no" to "do I like it", and to "do I hate it"."""
    hated = "dislike" in scene.equal.get(stance, ())
    scene.ended = stance if stance in scene.equal else scene.ended
    return [p.is_one(stance, tuple(c for c in stance.choices if (c != "dislike") == hated))]


def _own_one(scene: Scene) -> None:
    """ "My birthday", of records that each name somebody: the one that names the user. Raise Lost where none does."""
    name = scene.view.slot("name")
    own = tuple(dict.fromkeys(r.name for r in scene.view.records if is_me(r))) if name and name not in scene.equal else ()
    if name is None or not own:
        lost("all of others" if scene.equal or scene.score >= NAMED else "")
    scene.where += [p.belonging_to(("me",)), p.is_one(name, own)]


def _not_meant(scene: Scene, choices: set[Any]) -> set[Any]:
    if scene.q.tense == "present":
        return choices & OVER | ({"done"} if {"open", "done"} <= choices else set())
    return choices & (OFF | UNSURE if scene.q.tense == "past" and choices & UNSURE else OFF)


def _ahead(scene: Scene, s: Slot) -> bool:
    days = (s.of(r) for r in scene.view.records)
    return any(day is not None and not day <= scene.world.today for day in days)


# --- free text ---


def mentioned(scene: Scene, left: list[str]) -> list[str]:
    """Look for words that no field holds as a whole in the free texts of records ("espresso machine"); those not found."""
    if len(unexplained := titled(scene, left)) < len(left):
        return mentioned(scene, unexplained) if unexplained else []
    others = {noun for view in scene.world.views if view.names_others for noun in view.nouns}
    for size in range(len(left), 0, -1):
        phrase = " ".join(left[:size])
        if singulars(phrase) in others:
            continue  # "my birthday" is no "birthday party of Finn"
        if f" {phrase} " not in scene.q.left:
            continue
        for s in scene.view.slots:
            if s.kind in ("word", "words") and (form := _in_text(scene, s, phrase)):
                scene.where.append(p.mentions(s, form))
                return mentioned(scene, left[size:]) if left[size:] else []
    return left


def titled(scene: Scene, left: list[str]) -> list[str]:
    """Look for the whole title of a record in the question, of which "book" may have been a noun; the words not in it.

    That names its collection as plainly as a verb.
    """
    s = scene.view.display
    titles = {str(v): singulars(plain(str(v)).strip()) for v in scene.view.all_of(s)} if s and s.kind == "word" else {}
    asked = f" {singulars(scene.q.text.strip())} "
    said = [
        v
        for v, words in titles.items()
        if " " in words and f" {words} " in asked and set(words.split()) & set(map(singular, left))
    ]
    if s is None or not said:
        return left
    longest = max(said, key=len)
    scene.score = max(scene.score, 2)
    scene.where.append(p.is_one(s, (longest,)))
    return [w for w in left if singular(w) not in titles[longest].split()]


def _in_text(scene: Scene, s: Slot, phrase: str) -> str | None:
    """How records have a phrase, where code finds it in the same records as a reader would: not "art" in "party"."""
    held = [getattr(r, s.name) for r in scene.view.records]
    texts = [v if isinstance(v, str) else " ".join(v) for v in held if v]
    written = [phrase.replace(word, form) for word in phrase.split() for form in spellings(word)]
    for form in dict.fromkeys((*written, singulars(phrase))):
        sought = f" {roots(form)} "
        by_word = [t for t in texts if sought in rooted(t)]
        if by_word and [t for t in texts if form in t.lower()] == by_word:
            return form
    return None
