"""Where somebody lives, and where no longer."""

from __future__ import annotations

from collections.abc import Iterator

from uac_nb.reader import places
from uac_nb.reader.clauses import Clause
from uac_nb.reader.finding import Finding
from uac_nb.reader.language import compiled
from uac_nb.reader.trips import named, new_town, towns

_HOUSE = r"(?:(?:an?|our|my|the) (?:[\w-]+ ){0,3}?(?:flat|apartment|house|home|studio|condo|place|room) in )"
_LIVE = compiled(
    r"(?P<verb>live|lives|living|lived|reside|resides|based|settled) (?:\w+ly )?(?:(?:alone|here|out|over|now|"
    rf"together) )?in {_HOUSE}?"
)
_MOVE = compiled(
    r"(?:moved|relocated|moving|relocating|emigrated) (?:(?:\w+ly|back|over|out|away|here|<date>|in with \w+) )*(?:from "
    rf"(?P<old>(?-i:[A-Z])[\w. ]*?) )?(?:<date> )?(?:to {_HOUSE}?|into {_HOUSE})"
)
_LEAVE = compiled("(?:moved|moving) (?:out of|away from) ")
_HOME = compiled(r"\W*(?:(?:my|our) (?:new )?)?home (?:town )?is (?:now )?")
_HAVE = compiled(r"\b(?:have|has)\b|'(?:ve|s)\b")
_MOVED_FRAGMENT = compiled(r"\W*(?:(?:just|recently|finally) )?(?:moved|moving|relocat\w+)\b")


def residences(clause: Clause) -> Iterator[Finding]:
    """Where somebody lives, since when; where they no longer do."""
    text, body = clause.masked, clause.body
    live, move, leave, home = _LIVE.match(text, body), _MOVE.match(text, body), _LEAVE.match(text, body), _HOME.match(text)
    match = live or move or leave or home
    if match is None or clause.has("used to|story|book"):
        return
    place = next(iter(towns(clause, match.end())), None)
    if place is None and (live or move) and places.at(text, match.end()) is None:
        place = new_town(clause, match.end())
    who = "me" if home or (move and not clause.subject and _MOVED_FRAGMENT.match(text)) else clause.about
    denied = clause.denied(match.start() + 1)
    if place is None or not who or (denied and not live) or (live and live["verb"].lower() == "lived" and not _still(clause)):
        return
    left = bool(leave or denied)
    ended = {"ended": "yes"} if leave or clause.has("any ?more|no longer") else {}
    slots = {"place": place.name, **ended, **{k: v for k, v in named(place).items() if k == "country"}}
    dated = clause.date()
    if dated and not dated.when.startswith("..") and (move or leave or clause.has("since")):
        slots["end" if left else "start"] = dated.when
        if move and clause.tense == "past":
            slots["past"] = "yes"
        if dated.doubt:
            slots["doubt"] = dated.doubt
    elif move and clause.tense == "future":
        slots["planned"] = "yes"
    yield Finding("residence", place.key, who, "retract" if left else "assert", slots, clause.span)
    if move and move["old"] and not denied and clause.tense != "future" and (old := places.at(text, move.start("old"))):
        until = {"end": slots["start"]} if "start" in slots else {}
        yield Finding("residence", old.key, who, "retract", {"place": old.name, "ended": "yes", **until}, clause.span)


def _still(clause: Clause) -> bool:
    """ "have lived in Graz since 2019": still so; "lived in Graz for years": once."""
    return bool(_HAVE.search(clause.masked[clause.head : clause.body + 1])) and clause.has("since|for|all")
