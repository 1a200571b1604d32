"""Whether a statement is about a record that is there already, and what it adds to it."""

from __future__ import annotations

from datetime import date
from typing import Any

from uac_nb.reader.finding import Finding
from uac_nb.reader.health import OFTEN
from uac_nb.reader.known import Known, Row, singular
from uac_nb.reader.language import compiled, lexicon
from uac_nb.reader.places import fold
from uac_nb.reader.shapes import Shape
from uac_nb.rules import When

# The day that tells one record of a collection from another, and what counts as the thing itself.
DAY = {"trips": "departs", "purchases": "bought", "commitments": "on"}
DATES = lexicon(
    "departs returns bought on until since due expires valid_from valid_until applied closes renews trial_ends return_by"
)
KEEP = lexicon("title name to place what who quote avoids")  # retelling does not reword them
COLLECTIONS = {
    "allergy": "allergies", "medication": "medicines", "trip": "trips", "residence": "residences", "appointment": "commitments",
    "purchase": "purchases", "subscription": "subscriptions", "preference": "favourites", "job": "jobs",
}  # fmt: skip


def matching(known: Known, shape: Shape, day: date, *, moved: bool = False) -> list[Row]:
    """The record that a statement is about; none where it is a new one, several where there is no telling which."""
    rows = [row for row in known.rows(shape.collection) if _same_thing(shape, row)]
    if shape.collection not in DAY:
        return [row for row in rows if row.open and (moved or not (_other_dose(row, shape) or _another(row, shape)))][-1:]
    own = [row for row in rows if _value(row.values, "who") == _value(shape.values, "who")]
    rows = own or (rows if moved else [])  # "the appointment was moved" may be said of a child's
    same = [row for row in rows if row.values.get("status") != "cancelled" and _meets(row, shape, day)]
    if moved:
        return same if len(same) == 1 else ahead([row for row in rows if row.open], day)
    return same[-1:]


def bought_again(row: Row, shape: Shape) -> bool:
    """Whether a purchase without a day is another than one told before: told on another day, or after that was returned."""
    old, new = str(row.values.get("bought") or ""), str(shape.values.get("bought") or "")
    if row.values.get("decision") == "returned":
        return True
    both = bool(row.values.get("price") and shape.values.get("price"))
    if not (both and new.startswith("../") and new != old):
        return False
    return old.startswith("../") or row.values["price"] != shape.values["price"]


def ahead(rows: list[Row], day: date) -> list[Row]:
    """Of records those that are not over on a day; all where that is said of none."""
    return [row for row in rows if _ahead(row, day)] or rows


def _ahead(row: Row, day: date) -> bool:
    days = map(row.when, ("returns", "until", DAY.get(row.collection, "on"), "there_on"))
    when = next(filter(None, days), None)
    return when is None or when.last >= day


def _same_thing(shape: Shape, row: Row) -> bool:
    return all(_same(name, _value(shape.values, name), _value(row.values, name)) for name in _keys(shape))


OWN = {"meals": ("place",), "workouts": ("metres", "minutes")}  # what two of one kind on one day differ in


def _another(row: Row, shape: Shape) -> bool:
    """Whether a meal or a workout is a second one of its kind that day: elsewhere, or of another length."""
    pairs = ((row.values.get(name), shape.values.get(name)) for name in OWN.get(shape.collection, ()))
    return any(old is not None and new is not None and old != new for old, new in pairs)


_AMOUNT = compiled(r"\d[\d.,]* ?[a-zµ]+")


def _other_dose(row: Row, shape: Shape) -> bool:
    """Whether a medicine is taken in another dose than before: the old one was so until now, and is no mistake."""
    old, new = (_AMOUNT.match(str(values.get("dose") or "")) for values in (row.values, shape.values))
    return shape.collection == "medicines" and old is not None and new is not None and old[0] != new[0]


def _keys(shape: Shape) -> tuple[str, ...]:
    extra = {"contacts": ("value",), "favourites": ("stance",)}.get(shape.collection, ())
    return (*(name for name in shape.key if name != DAY.get(shape.collection)), *extra)


def _value(values: dict[str, Any], name: str) -> Any:
    default = {"who": "me", "stance": "like"}.get(name)
    return values.get(name) or default


def _same(name: str, a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return bool({singular(item) for item in a} & {singular(item) for item in b})
    if name in ("to", "place"):
        return fold(str(a).split(",")[0]) == fold(str(b).split(",")[0])
    if name in ("title", "substance", "name"):
        one, other = stems(str(a)), stems(str(b))
        return one <= other or other <= one
    return bool(a == b)


def _meets(row: Row, shape: Shape, today: date) -> bool:
    """Whether a statement can be of the same day as a record, or of a day that lies within its trip.

    A plan without a day can be any that is not over.
    """
    day, there = shape.values.get(DAY[shape.collection]), shape.values.get("there_on")
    start = row.when("departs")
    if day is None and there is None:
        return _ahead(row, today)
    if day is None and there and start:
        return start.first <= When(there).last and When(there).first <= (row.when("returns") or start).last
    back = row.when("returns")
    if day is not None and start and back and shape.collection == "trips" and "returns" in shape.values:
        return start.first <= When(shape.values["returns"]).last and When(day).first <= back.last  # nobody is on two at once
    return _same_day(row, DAY[shape.collection] if row.values.get(DAY[shape.collection]) else "there_on", str(day or there))


def _same_day(row: Row, name: str, text: str) -> bool:
    """Whether two days can be one: their spans meet."""
    there, here = row.when(name), When(text)
    return there is None or not (there.last < here.first or here.last < there.first)


def news(row: Row, shape: Shape) -> dict[str, Any]:
    """The values of a statement that a record does not have yet, or has otherwise."""
    found: dict[str, Any] = {}
    for name, value in shape.values.items():
        old = row.values.get(name)
        value = _completed(str(old), value) if old and isinstance(value, str) else value
        retitled = name == "title" and _AMOUNT.match(shape.values.get("dose", ""))  # "lisinopril 20 mg"
        if old == value or (name in KEEP and old and not retitled):
            continue
        if name in DATES and old and not _sharper(old, value):
            continue
        if isinstance(value, list):
            more = [item for item in value if item not in (old or [])]
            if more:
                found[name] = [*(old or []), *more]
            continue
        if name == "status" and (old == "done" or value == "prescribed"):
            continue  # what is taken may be prescribed again
        found[name] = value
    if row.values.get("status") == "prescribed" and "status" not in shape.values:
        found["status"] = "taking"
    if "doubt" in found and not any(name in DATES for name in found):
        del found["doubt"]
    return found


def _completed(old: str, new: str) -> str:
    """A value with what only the old one says: the year of a birthday, how much of a medicine or how often it is taken.

    >>> _completed("1980-05-03", "--05-04"), _completed("5 mg", "twice a day"), _completed("5 mg daily", "5 mg")
    ('1980-05-04', '5 mg twice a day', '5 mg daily')
    """
    if new.startswith("--") and not old.startswith("--"):
        return f"{old[:4]}{new[1:]}"
    amount = _AMOUNT.match(old)
    if amount and OFTEN.fullmatch(new):
        return f"{amount[0]} {new}"
    return old if amount and new == amount[0] else new


def _sharper(old: str, new: str) -> bool:
    """Whether a new date says more than the old, or something else."""
    if "--" in (old[:2], new[:2]):  # of every year
        return old[-5:] != new[-5:] or len(new) > len(old)
    a, b = When(old), When(new)
    wider = b.first <= a.first and a.last <= b.last
    return not wider


def in_order(row: Row) -> bool:
    """Whether a record does not end before it begins."""
    start, end = row.when("departs") or row.when("on"), row.when("returns") or row.when("until")
    return row.collection not in DAY or start is None or end is None or start.first <= end.last


def contradicted(known: Known, shape: Shape) -> list[Row]:
    """Open records that cannot hold beside this one: the old home, the old number, the other opinion."""
    values, who = shape.values, _value(shape.values, "who")
    rows = [row for row in known.rows(shape.collection) if row.open and _value(row.values, "who") == who]
    if shape.collection == "residences":
        since = values.get("since", "")
        return [] if since.endswith("/..") or "until" in earlier(known, shape) else rows
    if shape.collection == "medicines":
        return [row for row in rows if row.values["substance"] == values["substance"] and _other_dose(row, shape)]
    if shape.collection == "contacts":
        return [row for row in rows if row.values["name"] == values["name"] and row.values["kind"] == values["kind"]]
    if shape.collection == "favourites":
        of = values.get("of")
        return [row for row in rows if row.values["what"] == values["what"] or (of and row.values.get("of") == of)]
    return []


def earlier(known: Known, shape: Shape) -> dict[str, str]:
    """The end of a home that was left before the present one began: told late, it is no news of today."""
    since = shape.values.get("since")
    if shape.collection != "residences" or not since:
        return {}
    who = _value(shape.values, "who")
    later = [
        begun
        for row in known.rows("residences")
        if row.open and _value(row.values, "who") == who and (begun := row.when("since")) and When(since).last < begun.first
    ]
    return {"until": f"../{min(later).first}"} if later else {}


def retracted(known: Known, finding: Finding, who: str, day: date) -> list[Row]:
    """The open record that a retraction is about; several where there is no telling which."""
    named = [row for row in known.rows(COLLECTIONS[finding.kind]) if row.open and _names(row, finding)]
    rows = [row for row in named if _value(row.values, "who") == who]
    if finding.kind == "appointment":
        rows = rows or named  # "the appointment" may be a child's
    if len(rows) > 1 and (start := finding.slots.get("start")) and (name := DAY.get(COLLECTIONS[finding.kind])):
        rows = [row for row in rows if _same_day(row, name, start.partition("T")[0])]
    return ahead(rows, day)


def _names(row: Row, finding: Finding) -> bool:
    """Whether a record is what a finding calls by its key. An allergy has to be that very one: nuts are not peanuts."""
    if finding.kind == "allergy":
        return singular(finding.key) in {singular(item) for item in row.values.get("avoids") or []}
    if finding.kind == "trip" and "to" not in finding.slots:
        return True  # "the trip"
    told = " ".join(
        str(row.values.get(name) or "") for name in ("title", "substance", "to", "place", "what", "name", "employer", "role")
    )
    return stems(finding.key) <= stems(told)


def stems(text: str) -> set[str]:
    """The words of a text, folded and in the singular, to compare by."""
    return {singular(word.strip(",.")) for word in fold(text).split()}
