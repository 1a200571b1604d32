"""Reading a question without a model: as a count, a sum, a look-up … over one collection, or not at all.

The question is eaten piece by piece: its times, its numbers, what kind of answer it wants, the names of the collection
and its fields, and the words that records hold. A word that is left over was not understood, and then there is no plan:
a wrong answer is worse than none. It is read once for every collection; the one that it names most plainly wins.
"""

from __future__ import annotations

from uac_nb.ask import reader
from uac_nb.ask.plan import Plan
from uac_nb.ask.question import read
from uac_nb.ask.scene import Lost
from uac_nb.ask.world import World


def understand(question: str, world: World) -> Plan:
    """The plan of a question. Raise Lost when it has none for sure."""
    plans: list[Plan] = []
    reasons: list[str] = []
    for view in world.views:
        try:
            plans.append(reader.plan(read(question, world.today), view, world))
        except Lost as lost:
            reasons.append(str(lost))
    best = [plan for plan in plans if plan.score == max(each.score for each in plans)]
    if not best:
        raise Lost("; ".join(dict.fromkeys(r for r in reasons if r)))
    # "which store" is plainer where the field is called that than where it is called "vendor", whatever the verb
    rivals = [each for each in plans if each.exact and each not in best] if not best[0].exact else []
    if len(meant := [*best, *rivals]) > 1:
        raise Lost(f"it can be about {' or '.join(each.view.name for each in meant)}")
    return best[0]
