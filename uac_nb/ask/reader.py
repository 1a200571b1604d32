"""One attempt to read a question as one about a collection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from uac_nb.ask import conditions
from uac_nb.ask import plan as p
from uac_nb.ask.intent import Show, intent
from uac_nb.ask.lexicon import NEARLY
from uac_nb.ask.plan import Condition, Plan
from uac_nb.ask.question import Question, thresholds
from uac_nb.ask.scene import Scene, date_verbs, lost
from uac_nb.ask.view import Slot, View
from uac_nb.ask.wanted import wanted
from uac_nb.ask.words import FILLERS, GENERIC, LIGHT, root
from uac_nb.ask.world import World

_PLAIN = LIGHT | GENERIC | frozenset(map(root, FILLERS)) | {"'s"}


def plan(q: Question, view: View, world: World) -> Plan:
    """The plan of a question. Raise Lost when any word is left over."""
    scene = Scene(q, view, world)
    want = intent(q)
    limits = thresholds(q)
    scene.roots = set(map(root, q.words()))
    conditions.people(scene)
    conditions.endings(scene, want.asks)
    conditions.validity(scene)
    conditions.values(scene, 2)
    conditions.nouns(scene)
    if want.show in ("values", "exists"):
        conditions.near_nouns(scene)
    elif want.show == "count":
        conditions.counted_near(scene)
    conditions.values(scene, 1)
    conditions.places(scene)
    conditions.rhythm(scene)
    conditions.hours(scene)
    for limit in limits:
        conditions.bound(scene, limit)
    conditions.verbs(scene)
    made = wanted(scene, want)
    part = _part(scene) if made.show == "ratio" else ()
    conditions.ahead(scene)
    conditions.times(scene, want.asks)
    conditions.to_come(scene, made, want.asks)
    begins = want.asks == "when" and made.field == view.slot("since")  # "when do I move" is no question of what holds
    conditions.unsaid(scene, made, now=made.show in ("values", "exists", "count") and not made.pick and not begins)
    said = len(scene.where)
    _nothing_left(scene, made.show)
    told = scene.where[said:]  # what texts mention, which holds of what says "no", and of what is ahead, as well
    equal = [_is_one(s, tuple(dict.fromkeys(values))) for s, values in scene.equal.items()]
    later = (*equal, *told, *scene.later) if scene.later else ()
    others = [each for each, s in zip(equal, scene.equal, strict=True) if s != scene.ended]
    denied = (*others, *told, *scene.denied) if scene.denied and made.show in ("exists", "values") else ()
    found = replace(made, where=(*equal, *scene.where), later=later, denied=denied, rather=tuple(scene.rather), part=part)
    found = replace(found, periods=tuple(scene.periods), score=scene.score, digits=q.digits)
    return replace(found, other=scene.other, whose=scene.whose, by_title=scene.by_title)


def _is_one(s: Slot, values: tuple[Any, ...]) -> Condition:
    """The field has one of some values. Of what was prescribed nobody has said yet that it is taken."""
    nearly = tuple(c for value in values for c in NEARLY.get(str(value), ()) if c in s.choices and c not in values)
    return p.is_nearly(s, values, nearly) if s.name == "status" and nearly else p.is_one(s, values)


def _part(scene: Scene) -> tuple[Condition, ...]:
    """The one condition that makes the part of a share. Raise Lost when it is not clear which."""
    found = [*(p.is_one(s, tuple(values)) for s, values in scene.equal.items()), *scene.where]
    if len(found) != 1:
        lost()
    scene.equal, scene.where = {}, []
    return tuple(found)


def _nothing_left(scene: Scene, show: Show) -> None:
    """Take out what names a thing that was used, or has no meaning of its own. Raise Lost when there is more."""
    q = scene.q
    if show == "average":
        q.eat("per ·|each ·|every ·")
    known = {*_PLAIN, *scene.eaten, *(label for s in scene.used for label in s.labels)}
    for s in scene.used:
        known |= (
            {"date", "day", *date_verbs(s)}
            if s.kind == "date"
            else {"spend", "money"}
            if s.kind in ("number", "money")
            else set()
        )
    left = [w for w in q.words() if w != "·" and w not in FILLERS and root(w) not in known]
    if left and show in ("values", "exists", "total"):
        left = conditions.mentioned(scene, left) if scene.score else conditions.titled(scene, left)
    elif left and show == "count" and scene.score > 2:
        left = conditions.mentioned(scene, left)
        scene.by_title = True
    if left or not scene.score:
        lost(f"not understood: {' '.join(left)}" if left and scene.score > 2 else "")
