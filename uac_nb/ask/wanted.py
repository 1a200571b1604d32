"""What a question wants of the records that count: the plan, but for its conditions."""

from __future__ import annotations

import re
from dataclasses import replace

from uac_nb.ask import plan as p
from uac_nb.ask.intent import Intent
from uac_nb.ask.lexicon import BY_VERB, KINDS, OVER, PLACES, STATES, UNITS, units
from uac_nb.ask.plan import Measure, Plan
from uac_nb.ask.scene import Lost, Scene, lost
from uac_nb.ask.view import Slot, own_words
from uac_nb.ask.words import FILLERS, FIRST, bag, either, root, telling

COST = bag("spend spending cost pay money amount")
PAYING = bag("buy pay spend")
PARTS = {"month": "str({r}.%s)[:7]", "year": "{r}.%s.year", "weekday": 'f"{{{r}.%s:%%A}}"'}  # of a date, to group by


def wanted(scene: Scene, want: Intent) -> Plan:
    """Raise Lost when the fields that it asks for are not there, or several could be meant."""
    view = scene.view
    made = Plan(view, want.show, least=want.least, percent=want.percent, over=want.over, fewer=want.fewer)
    made = _picked(scene, made, want)
    match made.show:
        case "count":
            made = _counted(scene, made, want.head)
        case "distinct":
            made = _distinct(scene, made, want.head)
        case "total":
            made = _totalled(scene, made, want)
        case "average":
            spoken = scene.roots - scene.nouns | ({"duration"} if want.asks == "how long" else set())
            made = replace(made, measure=scene.measure(spoken) or lost())
        case "share" | "top":
            made = _grouped(scene, made, scene.roots, place=want.asks == "where")
        case "trend" | "more":
            made = _compared(scene, replace(made, measure=scene.measure(scene.roots & COST)))
        case "values":
            made = _most(scene, made, want) if want.most else _shown(scene, made, want)
    for each in (made.measure, made.field):
        if each:
            scene.use(*(each.slots if isinstance(each, Measure) else (each,)))
    if made.group_slot:
        scene.use(made.group_slot)
    compares = made.pick in ("max", "min") or made.show in ("average", "top", "trend", "more")
    if compares and made.measure and scene.view.currencies(made.measure.slots[0]) > 1:
        lost("the amounts are of several currencies")
    return made


def _picked(scene: Scene, made: Plan, want: Intent) -> Plan:
    """The first, last, next; the most expensive, the longest."""
    if want.pick in ("max", "min"):
        measure = scene.measure({want.adjective} if want.adjective else scene.roots - scene.nouns)
        if measure is None and not want.adjective:
            measure = scene.only([s for s in scene.numbers() if "cost" in s.labels])
        scene.use(*(measure or lost()).slots)
        return replace(made, pick=want.pick, measure=measure)
    if want.pick == "next":
        day = scene.any_day()
        scene.where.append(p.is_ahead(day))
        return replace(made, pick="first", day=day)
    if want.pick:
        return replace(made, pick=want.pick, day=scene.any_day())
    return made


def _counted(scene: Scene, made: Plan, head: str) -> Plan:
    """ "How many trips", "how many pages", "how many days", "how many countries"."""
    numbers = [s for s in scene.numbers() if head in s.strong] if head not in UNITS else []
    if made.pick in ("max", "min") and numbers:
        return replace(made, show="values", field=scene.only(numbers))
    if made.pick:
        lost()
    if head in scene.nouns:
        return made
    if numbers:
        return replace(made, show="total", measure=scene.only(numbers))
    if head in UNITS:
        return _in_units(scene, made, head)
    return _distinct(scene, made, head) if any(head in s.strong for s in _words(scene)) else made


def _in_units(scene: Scene, made: Plan, unit: str) -> Plan:
    """ "How many hours": a sum of minutes, say."""
    base, scale = UNITS[unit]
    found = [s for s in scene.numbers() if s.unit == base]
    measure = scene.only(found) if found else scene.measure({unit, "duration"}) or lost()
    if measure.unit != base:
        lost()
    own = measure.slots[0].scale if len(measure.slots) == 1 else 1
    scene.eaten |= {unit, "spend"}
    return replace(made, show="total", measure=replace(measure, unit=unit), divide=scale / own)


def _distinct(scene: Scene, made: Plan, head: str) -> Plan:
    made = _grouped(scene, replace(made, show="distinct"), {head})
    return made if made.group_slot and made.group_slot.kind != "words" else lost()


def _totalled(scene: Scene, made: Plan, want: Intent) -> Plan:
    spoken = scene.roots - scene.nouns
    measure = scene.measure({want.head}) if want.head else scene.measure(spoken) or scene.measure({"cost"})
    measure = measure or lost()
    single = made.pick or scene.q.tense != "past" or "cost" in scene.roots
    if made.pick in ("max", "min") or (want.much and single and not want.whole):
        return replace(made, show="values", field=measure, measure=made.measure or measure)
    return replace(made, measure=measure) if not made.pick else lost()


def _words(scene: Scene) -> list[Slot]:
    return [s for s in scene.view.slots if s.kind in ("word", "words") and s not in scene.used]


def _grouped(scene: Scene, made: Plan, spoken: set[str], *, place: bool = False) -> Plan:
    """What records are grouped by: a field that the question names, or the month, year or weekday."""
    own = [s for s in _words(scene) if root(own_words(s.name)[-1]) in spoken]
    found = own or [s for s in _words(scene) if s.strong & spoken]
    if not found and place and (where := scene.view.slot(*PLACES)):
        found = [where]
    if len(found) == 1:
        return replace(made, group=f"{{r}}.{found[0].name}", group_slot=found[0], exact=bool(own))
    day = (scene.day() or scene.view.day) if not found else None
    for word in PARTS if day else ():
        if word in spoken and day:
            scene.eaten.add(word)
            return replace(made, group=PARTS[word] % day.name, group_slot=day, exact=True)
    return lost()


def _most(scene: Scene, made: Plan, want: Intent) -> Plan:
    """ "Which country did I visit the most", "which category did I spend the most on", "which book has the most pages"."""
    spoken = scene.roots - scene.nouns
    measure = scene.measure(spoken)
    try:
        grouped = _grouped(scene, replace(made, show="top"), spoken, place=want.asks == "where")
    except Lost:
        if measure is None:
            raise
        picked = replace(made, pick="min" if want.least else "max", measure=measure)
        if want.asks == "when":
            return replace(picked, field=scene.view.day)
        if re.search(r" (most|least) (money )?(i|we) ", scene.q.text):
            return replace(picked, field=measure)  # "the most I paid"
        return picked if scene.score >= 3 else lost()
    return replace(grouped, measure=measure) if measure or not spoken & {*COST, "time"} else lost()


def _compared(scene: Scene, made: Plan) -> Plan:
    """Two periods: "from Q1 to Q2", "in 2024 than in 2023"."""
    m = scene.q.eat(r"(?:from |in )?@p(\d+) (to|than in|than|and|vs) @p(\d+)") or lost()
    first, second = (scene.q.periods[int(m[i])].text for i in (1, 3))
    if "than" in m[2]:
        first, second = second, first
    scene.periods += [("first", first), ("second", second)]
    return replace(made, day=scene.any_day())


def _shown(scene: Scene, made: Plan, want: Intent) -> Plan:
    """ "When", "where", "which …": what is shown of each record."""
    view = scene.view
    match want.asks:
        case "when":
            if any(s.name in STATES and set(held) & OVER for s, held in scene.equal.items()):
                lost()  # "when was it cancelled": no record tells the day of that
            spoken = scene.day()
            if spoken is None and view.verbs & PAYING and scene.score < 2:
                lost()  # "when is the flight": not the day on which it was paid
            back = view.span is not None and spoken == view.span[1] and not view.lasting
            if back and scene.q.tense != "past" and not (scene.equal or scene.where or made.pick):
                made = replace(made, pick="first", day=spoken)  # "when am I coming back": from the trip that ends next
            return replace(made, field=spoken or view.day or lost(), spans=spoken is None and not view.lasting)
        case "where":
            where = view.slot(*PLACES) or lost()
            if where.name in BY_VERB and not view.verbs & {root(w) for w in scene.q.text.split()}:
                lost()  # where it was bought, or by whom it was issued, is not where it is
            return replace(made, field=where)
        case "who" if together := _with_me(scene):
            return replace(made, field=together)
        case "who":
            return replace(made, field=_person(scene))
        case "how long":
            scene.q.eat("how long")
            since = view.slot("since") if view.lasting else None
            over = since is not None and re.match(r" how long (?:have|has) ", scene.q.text) is None
            lead = "since " if since and not over else ""
            return replace(made, field=since or scene.measure({"duration"}) or lost(), lead=lead, spans=over)
        case "how often":
            return replace(made, field=view.slot("how_often", "dose", "every", "frequency") or lost())
        case "what time":
            times = [s for s in view.slots if s.kind == "time"]
            start = view.slot("starts", "start", "time")
            return replace(made, field=start if start in times else times[0] if len(times) == 1 else lost())
    if made.measure and scene.q.has(rf"in (?:{either(units(made.measure.unit))})s?"):
        return replace(made, field=made.measure)  # "my longest workout in minutes"
    if scene.q.text.endswith(" for ") and want.asks == "what":
        lost()  # "what do I take it for": a purpose, and no field of a record
    slots = [s for s in view.slots if s not in scene.used]
    named = scene.score >= 2 or want.asks == "list" or any(s.name in (*KINDS, *STATES) for s in scene.equal)
    timed = scene.q.has(r"@p\d+")  # "on", "due" then go with the time
    own = [s for s in slots if root(word := own_words(s.name)[-1]) in scene.left and word not in FILLERS]
    own = [s for s in own if not (s.kind == "date" and (timed or want.asks == "what"))]
    found = own or [s for s in slots if s.strong & scene.left and s.kind != "date"]
    if len(found) > 1 or not (found or named):
        lost()
    if not found and view.names_others and view.day and re.match(r" what (?:is|was) ", scene.q.text):
        return replace(made, field=view.day)  # "what is my birthday"
    if found and found[0].name == "name" and view.names_others:
        lost()  # it has birthdays or numbers of people; who they are is told elsewhere
    return replace(made, field=found[0] if found else None)


def _with_me(scene: Scene) -> Slot | None:
    """ "Who went with me": the others who take part."""
    there = re.match(r" who (?:else )?(?:was|were|is|are|will be|came|comes|is coming) (?:at|to|there) ", scene.q.text)
    if not scene.view.has("others") or not (scene.q.eat(r"with (?:me|us)|along|together|with(?= @p\d| $)") or there):
        return None
    scene.q.eat_roots({"come", "join", "accompany"})
    return Slot("others", "words", False, frozenset(), frozenset())


_HOLDS = re.compile(r" who (?:else |all )?(?:(?:is|are|was|were) (?:also )?(?:allergic|on|\w+ing)|(?P<verb>\w+)) ")


def _whoever(scene: Scene) -> bool:
    """ "Who takes it", "who is allergic to it", of what holds of somebody: whose record it is."""
    view, m = scene.view, _HOLDS.match(scene.q.text)
    holds = view.has("who") and not view.names_others and not view.of_people and (view.lasting or view.day is None)
    if m is None or not holds or scene.someone or FIRST & set(scene.q.text.split()):
        return False
    stances = {phrase for phrase, hits in view.values.items() if any(s.name == "stance" for s, _ in hits)}
    if m["verb"] and root(m["verb"]) not in view.verbs | stances:
        return False  # who prescribed it is not who takes it
    left = [word for word in scene.q.words() if word[0] != "@" and telling(word)]
    return any(s.name not in STATES for s in scene.equal) or bool(left)


def _person(scene: Scene) -> Slot:
    """Who: a name, where records are about people; the one whose role it is; an author, an employer."""
    if scene.view.has("who") and {s.name for s in scene.equal} & {"role", "employer", "place"} and scene.view.lasting:
        scene.someone, scene.score = True, 3
        return Slot("who", "word", False, frozenset(), frozenset())
    named = [s for s in scene.view.slots if s.kind == "word" and s.strong & scene.left]
    if len(named) == 1:
        return named[0]
    if _whoever(scene):
        scene.someone = True
        return Slot("who", "word", False, frozenset(), frozenset())
    if not scene.score and not any(map(telling, scene.q.words())):
        lost()  # "who is it" asks for nobody in particular
    related = any(s.strong & {"relation"} for s in scene.view.slots)
    mine = FIRST & set(scene.q.text.split())
    who = (
        scene.view.slot("name")
        if related or scene.score >= 3
        else scene.view.slot("employer")
        if scene.score == 2 and mine
        else None
    )
    return who or lost()
