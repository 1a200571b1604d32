"""What becomes of a thing that is told: a repeat, a correction, a plan that comes true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from uac_nb.measure.eval import days
from uac_nb.measure.eval.kinds import Drawn, Kind
from uac_nb.measure.eval.story import Said, Value
from uac_nb.measure.eval.wording import say

DAY_FIELD = {"reading": "until"}  # what the day of an event is kept as, where it is not "on"
JUST_FIELD = {"trip": "until"}  # who just came back did not just leave
AT_ONCE = {"slip": "slip_next", "moved": "slip_next", "wrong": "wrong_next"}


@dataclass
class Telling:
    """One thing while it is being told. `spoken`: the session of each unit, and its lines, which stay together."""

    rng: Random
    kind: Kind
    drawn: Drawn
    calendar: tuple[date, ...]  # the day of each session
    spoken: list[tuple[int, list[str]]] = field(default_factory=list)
    fields: dict[str, Value] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    status: str = ""

    @property
    def day_field(self) -> str:
        return DAY_FIELD.get(self.kind.name, "on")

    def tell(self, session: int, moment: str, more: Mapping[str, Said] | None = None, need: tuple[str, ...] = ()) -> None:
        """Tell a moment in a session, and note what it tells."""
        line, fields = say(self.rng, self.kind.name, moment, {**self.drawn.slots, **(more or {})}, need)
        self.spoken.append((session, [line]))
        self._learn(moment, fields)

    def at_once(self, moment: str, more: Mapping[str, Said]) -> None:
        """Correct what was told last in the same breath, without saying again what it is about."""
        line, fields = say(self.rng, "any", moment, more)
        self.spoken[-1][1].append(line)
        self._learn(moment, fields)

    def _learn(self, moment: str, fields: Mapping[str, Value]) -> None:
        self.fields |= fields
        if any(isinstance(value, days.Told) and value.relative for value in fields.values()):
            self.troubles.append("relative date")
        self.status = self.kind.status.get(moment, self.status)

    # --- days ---

    def dated(self, meant: date, session: int, *, plainly: bool = False) -> dict[str, Said]:
        """The slots that name an exact day; `plainly` by its date, else as the mood takes."""
        said = self.calendar[session]
        near = days.nearby(meant, said)
        if near and not plainly and self.rng.random() < 0.5:
            return {"on": self._on(days.day(self.rng.choice(near), meant, relative=True))}
        on = days.day(days.absolute(self.rng, meant, said), meant)
        bare = days.day(days.spelled(self.rng, meant), meant)
        return {"on": self._on(on), "day": self._on(bare), "was": Said(bare.words, {})}

    def loosely(self, session: int, *, ahead: bool) -> dict[str, Said]:
        """A slot with a day that the words leave open."""
        said = self.calendar[session]
        if not ahead and self.rng.random() < 0.25:
            just = days.just(said)
            return {"just": Said(just.words, {JUST_FIELD.get(self.kind.name, self.day_field): just})}
        return {"on": self._on(days.vague(self.rng, said, ahead=ahead))}

    def _on(self, told: days.Told) -> Said:
        return Said(told.words, {self.day_field: told})

    def before(self, session: int) -> date:
        """A day not long before a session; of a trip, so that there is time to return."""
        return self.calendar[session] - timedelta(self.rng.randint(4 if self.kind.name == "trip" else 0, 20))

    def after(self, session: int) -> date:
        return self.calendar[session] + timedelta(self.rng.randint(3, 40))

    def between(self, session: int, later: int) -> date:
        """A day after one session and before another."""
        gap = (self.calendar[later] - self.calendar[session]).days
        return self.calendar[session] + timedelta(self.rng.randint(1, gap - 1))

    def sessions(self, count: int) -> list[int]:
        return sorted(self.rng.sample(range(len(self.calendar)), count))

    def away(self, start: date, session: int, latest: date | None = None) -> dict[str, Said]:
        """Of a trip, the slot that says from when to when; it ends by `latest`. Of others none."""
        if self.kind.name != "trip":
            return {}
        most = min(9, (latest - start).days) if latest else 9
        if most < 1:
            return {}
        end = start + timedelta(self.rng.randint(1, most))
        fields: dict[str, Value] = {"on": days.day("", start), "until": days.day("", end)}
        return {"span": Said(days.span(self.rng, start, end), fields)}


# --- arcs ---


def _told(t: Telling) -> None:
    """It happened, and is told once."""
    (s,) = t.sessions(1)
    meant = t.before(s)
    t.tell(s, "told", _all_days(t, meant, s, latest=t.calendar[s]))


def _vague(t: Telling) -> None:
    t.troubles.append("vague date")
    (s,) = t.sessions(1)
    open_day = t.loosely(s, ahead=False)
    t.tell(s, "told", open_day, need=tuple(open_day))


def _repeat(t: Telling) -> None:
    t.troubles.append("repeat")
    s, later = t.sessions(2)
    meant = t.before(s)
    t.tell(s, "told", _all_days(t, meant, s, latest=t.calendar[s]))
    t.tell(later, "again", t.dated(meant, later))


def _slip(t: Telling) -> None:
    """The day was wrong; corrected in the same breath, or sessions later."""
    t.troubles.append("correction")
    s, later = t.sessions(2)
    meant = t.before(s) - timedelta(4)
    wrong = meant + timedelta(t.rng.choice([-2, -1, 1, 2]))
    told = t.dated(wrong, s, plainly=True)
    t.tell(s, "told", {"on": told["on"]}, need=("on",))
    _correct(t, later, "slip", {"day": t.dated(meant, later, plainly=True)["day"], "was": told["was"]})


def _wrong(t: Telling) -> None:
    """Another value than the day was wrong."""
    t.troubles.append("correction")
    s, later = t.sessions(2)
    (slot,) = t.drawn.mixed
    meant = t.before(s)
    wrong = t.drawn.mixed[slot]
    t.tell(s, "told", {**_dates(t, meant, s), slot: wrong}, need=(slot, *_which_day(t)))
    values = {"new": t.drawn.slots[slot], "old": Said(wrong.words, {})}
    _correct(t, later, "wrong", {**_dates(t, meant, later), **values})


def _wrong_plan(t: Telling) -> None:
    """The hour of a meeting was wrong."""
    t.troubles += ["plan", "correction"]
    s, later = t.sessions(2)
    wrong, meant = t.drawn.mixed["starts"], t.after(s)
    at = Said(f"at {wrong.words}", wrong.fields)
    t.tell(s, "plan", {**t.dated(meant, s), "at": at}, need=("at",))
    _correct(t, later, "wrong", {"new": t.drawn.slots["starts"], "old": Said(wrong.words, {})})


def _over(t: Telling) -> None:
    """It was so, and ended: a medicine is stopped, a purchase goes back."""
    t.troubles.append("cancellation")
    s, later = t.sessions(2)
    t.tell(s, "told", t.dated(t.before(s), s))
    end = t.between(s, later)
    words = t.dated(end, later)["on"].words
    t.tell(later, "cancel", {"until": Said(words, {"until": days.day(words, end)})})


def _plan(t: Telling) -> None:
    s, later = t.sessions(2)
    meant = t.after(later)
    again = t.rng.random() < 0.5
    t.troubles += ["plan", "repeat"] if again else ["plan"]
    t.tell(s, "plan", _all_days(t, meant, s))
    if again:
        t.tell(later, "again_plan", t.dated(meant, later))


def _vague_plan(t: Telling) -> None:
    t.troubles += ["plan", "vague date"]
    (s,) = t.sessions(1)
    t.tell(s, "plan", t.loosely(s, ahead=True), need=("on",))


def _moved(t: Telling) -> None:
    t.troubles += ["plan", "correction"]
    s, later = t.sessions(2)
    meant = t.after(later) + timedelta(3)
    told = t.dated(meant + timedelta(t.rng.choice([-2, -1, 1, 2])), s, plainly=True)
    t.tell(s, "plan", {"on": told["on"]}, need=("on",))
    _correct(t, later, "moved", {"day": t.dated(meant, later, plainly=True)["day"], "was": told["was"]})


def _true(t: Telling) -> None:
    """A plan that comes about, and is said to have."""
    t.troubles.append("came true")
    s, later = t.sessions(2)
    meant = t.between(s, later)
    t.tell(s, "plan", _all_days(t, meant, s, latest=t.calendar[later]))
    t.tell(later, "true", t.dated(meant, later))


def _cancel(t: Telling) -> None:
    t.troubles.append("cancellation")
    _off(t, "cancel")


def _through(t: Telling) -> None:
    t.troubles.append("fell through")
    _off(t, "through")


def _off(t: Telling, how: str) -> None:
    s, later = t.sessions(2)
    meant = t.after(s)
    t.tell(s, "plan", _all_days(t, meant, s))
    t.tell(later, how)


def _correct(t: Telling, later: int, moment: str, values: Mapping[str, Said]) -> None:
    if t.rng.random() < 0.3:
        t.at_once(AT_ONCE[moment], values)
    else:
        t.tell(later, moment, values)


def _all_days(t: Telling, meant: date, session: int, latest: date | None = None) -> dict[str, Said]:
    return {**_dates(t, meant, session), **t.away(meant, session, latest)}


def _dates(t: Telling, meant: date, session: int) -> dict[str, Said]:
    """Slots for the day, where the kind has one."""
    return {name: said for name, said in t.dated(meant, session).items() if name != "was"}


def _which_day(t: Telling) -> tuple[str, ...]:
    """A workout is told from others by its day."""
    return ("on",) if t.kind.name == "workout" else ()


ARCS: Mapping[str, Callable[[Telling], None]] = {
    "told": _told, "vague": _vague, "repeat": _repeat, "slip": _slip, "wrong": _wrong, "wrong plan": _wrong_plan,
    "over": _over, "plan": _plan, "vague plan": _vague_plan, "moved": _moved, "true": _true, "cancel": _cancel,
    "through": _through,
}  # fmt: skip
