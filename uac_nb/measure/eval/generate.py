"""A story from a seed: known records, told as talk over many sessions, and what must leave no record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from itertools import cycle
from random import Random

from uac_nb.errors import UacError
from uac_nb.measure.eval.arcs import ARCS, Telling
from uac_nb.measure.eval.days import day, nearby
from uac_nb.measure.eval.kinds import KINDS, Kind
from uac_nb.measure.eval.pools import Pool
from uac_nb.measure.eval.story import Decoy, Line, Said, Story, Truth
from uac_nb.measure.eval.wording import say
from uac_nb.rules import Money

SIZE, SESSIONS = 40, 12
DECOYS = 0.5  # for each record
FILLER = 0.5
CHATTY = 0.12  # how often small talk stands before what is told, and how often after it
SHARED = 0.2  # how often two neighbours share a message
SLIP = "-slip"  # marks what was told wrongly

Unit = tuple[str, str, list[str]]  # whom it is about, who says it, its lines
Spoken = dict[int, list[Unit]]  # by session


def generate(seed: int, size: int = SIZE, sessions: int = SESSIONS) -> Story:
    """Tell `size` records over so many sessions. Raise UacError for fewer than three sessions, or no records."""
    if size < 1 or sessions < 3:
        raise UacError("a story needs at least one record and three sessions (--size, --sessions)")
    rng = Random(f"uac_nb told {seed} {size} {sessions}")
    days, pool = _calendar(rng, sessions), Pool(rng)
    spoken: Spoken = defaultdict(list)
    truths, decoys = [], []
    for n, kind, arc in _plots(rng, size):
        truth, slips = _record(f"{kind.name}-{n}", kind, arc, pool, days, spoken)
        truths.append(truth)
        decoys += slips
    decoys += [_decoy(n, kind, trouble, pool, days, spoken) for n, kind, trouble in _traps(rng, round(size * DECOYS))]
    for _ in range(round(size * FILLER)):
        _small_talk(rng, rng.randrange(sessions), spoken)
    return _written(seed, days, list(_lines(rng, days, spoken)), truths, decoys)


def _calendar(rng: Random, sessions: int) -> tuple[date, ...]:
    days = [date(2023, 1, 1) + timedelta(rng.randrange(700))]
    for _ in range(sessions - 1):
        days.append(days[-1] + timedelta(rng.randint(3, 15)))
    return tuple(days)


def _plots(rng: Random, size: int) -> Iterator[tuple[int, Kind, str]]:
    """Each kind in turn, and with each kind its arcs in turn, so that none is missing where there is room."""
    arcs = {kind.name: cycle(rng.sample(kind.arcs, len(kind.arcs))) for kind in KINDS.values()}
    for n, kind in zip(range(size), cycle(KINDS.values()), strict=False):
        yield n, kind, next(arcs[kind.name])


def _traps(rng: Random, size: int) -> Iterator[tuple[int, Kind, str]]:
    every = [(kind, trouble) for kind in KINDS.values() for trouble in kind.decoys]
    for n, (kind, trouble) in zip(range(size), cycle(rng.sample(every, len(every))), strict=False):
        yield n, kind, trouble


def _record(id: str, kind: Kind, arc: str, pool: Pool, days: tuple[date, ...], spoken: Spoken) -> tuple[Truth, list[Decoy]]:
    """Tell one record. A number that was told wrongly may stand as one that is over."""
    told = Telling(pool.rng, kind, kind.draw(pool), days)
    ARCS[arc](told)
    for session, lines in told.spoken:
        spoken[session].append((id, "user", lines))
    slips = []
    if kind.name == "contact" and arc == "wrong":
        slips.append(Decoy(f"{id}{SLIP}", kind.name, (told.drawn.mixed["value"].words,), "correction", over=True))
    troubles = dict.fromkeys([*told.troubles, *_of_values(told)])
    return Truth(id, kind.name, told.drawn.keys, told.fields, told.status, tuple(troubles) or ("plain",)), slips


def _of_values(told: Telling) -> Iterator[str]:
    """Troubles that lie in what is told, not in how."""
    money, party = told.fields.get("money"), told.fields.get("party")
    if isinstance(money, Money) and money.currency != "EUR":
        yield "currency"
    if isinstance(party, tuple) and " " in party[0]:
        yield "same name"


TROUBLES = {
    "other": "other person", "never": "negation", "suppose": "hypothetical", "ask": "question", "suggest": "suggestion",
    "through": "fell through",
}  # fmt: skip


def _decoy(n: int, kind: Kind, trouble: str, pool: Pool, days: tuple[date, ...], spoken: Spoken) -> Decoy:
    """Tell something that is no record of the user's; what an assistant suggests, the assistant says."""
    rng, id = pool.rng, f"not-{kind.name}-{n}"
    session, drawn = rng.randrange(len(days)), kind.draw(pool)
    meant = days[session] - timedelta(rng.randint(1, 6))
    on = rng.choice(nearby(meant, days[session]))
    slots: Mapping[str, Said] = {**drawn.slots, "on": Said(on, {"on": day(on, meant)}), "other": Said(pool.any("others"), {})}
    line, _ = say(rng, kind.name, trouble, slots)
    spoken[session].append((id, "assistant" if trouble == "suggest" else "user", [line]))
    return Decoy(id, kind.name, drawn.keys, TROUBLES[trouble], over=trouble == "through")


def _small_talk(rng: Random, session: int, spoken: Spoken) -> None:
    moment, role = rng.choice([("filler", "user"), ("filler", "user"), ("assistant", "assistant")])
    spoken[session].append(("", role, [say(rng, "any", moment, {})[0]]))


def _lines(rng: Random, days: tuple[date, ...], spoken: Spoken) -> Iterator[Line]:
    """The units of each session in any order, as messages; two things that one person tells in a row may share one."""
    for session, said in enumerate(days):
        held: Line | None = None
        for about, role, texts in rng.sample(spoken[session], len(spoken[session])):
            for text in _chatty(rng, texts) if about and role == "user" else texts:
                line = Line(session, said, role, text, (about,) if about else ())
                if held and held.about and line.about and held.role == line.role and rng.random() < SHARED:
                    held = replace(held, text=f"{held.text} {line.text}", about=held.about + line.about)
                    continue
                if held:
                    yield held
                held = line
        if held:
            yield held


def _chatty(rng: Random, texts: list[str]) -> list[str]:
    """Small talk before or after what is told, in the same message."""
    luck = rng.random()
    before = [say(rng, "any", "lead", {})[0]] if luck < CHATTY else []
    after = [say(rng, "any", "tail", {})[0]] if luck > 1 - CHATTY else []
    first, *rest = texts
    *most, last = [" ".join([*before, first]), *rest]
    return [*most, " ".join([last, *after])]


def _written(seed: int, days: tuple[date, ...], lines: list[Line], truths: list[Truth], decoys: list[Decoy]) -> Story:
    """Say of each truth and decoy which lines tell it."""
    told: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for n, line in enumerate(lines):
        for id in dict.fromkeys(line.about):
            told[id] += (n,)
    return Story(
        seed,
        days,
        tuple(lines),
        tuple(replace(truth, lines=told[truth.id]) for truth in truths),
        tuple(replace(decoy, lines=told[decoy.id.removesuffix(SLIP)]) for decoy in decoys),
    )
