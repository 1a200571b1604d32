"""Reading a question without a model: as a count, a sum, a look-up … over one collection, or not at all.

The question is eaten piece by piece: its times, its numbers, what kind of answer it wants, the names of the collection
and its fields, and the words that records hold. A word that is left over was not understood, and then there is no plan:
a wrong answer is worse than none. It is read once for every collection; the one that it names most plainly wins. Two
kinds of question may be about several at once: what was spent, and what there was on some days.
"""

from __future__ import annotations

from collections.abc import Sequence

from uac_nb.ask import reader
from uac_nb.ask.plan import Plan
from uac_nb.ask.question import Tense, read
from uac_nb.ask.scene import Lost
from uac_nb.ask.world import World


def meanings(question: str, world: World, tense: Tense | None = None) -> tuple[Plan, ...]:
    """The plan of a question; or those of several collections that it may be about, or asks about at once.

    Raise Lost when it has none.
    """
    plans: list[Plan] = []
    reasons: dict[str, str] = {}
    for view in world.views:
        try:
            plans.append(reader.plan(read(question, world.today, tense), view, world))
        except Lost as lost:
            reasons |= {view.name: str(lost)} if str(lost) else {}
    best = [plan for plan in plans if plan.score == max(each.score for each in plans)]
    if not best:
        raise Lost(reasons=reasons)
    # "which store" is plainer where the field is called that than where it is called "vendor", whatever the verb
    rivals = [each for each in plans if each.exact and each not in best] if not best[0].exact else []
    meant = (*best, *rivals)
    if not all(map(lists, meant)):
        return meant
    return tuple(plan for plan in meant if not plan.view.lasting) or meant


def either(plans: Sequence[Plan]) -> str:
    """What to say where a question is about one of several collections, and nobody knows which."""
    return f"it can be about {' or '.join(plan.view.name for plan in plans)}"


def lists(plan: Plan) -> bool:
    """Whether it just names the records of some time, as "what is due this week" does."""
    return plan.show == "values" and plan.field is None and not plan.pick and bool(plan.periods)
