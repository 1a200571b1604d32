"""Reading what came out of a sealed child. Nothing in it is trusted: every value is looked at before it is used."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from uac_nb.domainfile.records import RecordType, decode
from uac_nb.errors import Diagnostic, RunError
from uac_nb.rules import SEVERITIES, Alert, Unknown, lint
from uac_nb.rules.alerts import CONTACT
from uac_nb.runtime import wire
from uac_nb.runtime.programs import Result

_PLACE = re.compile(r"[a-z][a-z0-9_]*(\.py)?(:\d{1,7})?")
_KILLED = 9  # the signal, also where there are none
_LONGEST = 2_000  # characters of a message
_SHOWN = 300  # characters of what a derived value says
CONTACT_LEFT_OUT = "[left out]"
MANY = 4  # rules whose names are not said twice


def lines(reply: wire.Reply) -> list[Any]:
    """The whole lines of JSON that a child wrote, up to the first that is none."""
    found = []
    for line in reply.output.split(b"\n")[:-1]:
        try:
            value = json.loads(line, parse_constant=_no_constant)
            if b"\\ud" in line.lower():  # perhaps half a character, which no later reader could write out
                json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# --- queries ---


def only(reply: wire.Reply, deadline: float) -> Mapping[str, Any]:
    """The one line of a query. Raise RunError when there is none."""
    found = lines(reply)
    if reply.reason == wire.DONE and len(found) == 1 and isinstance(found[0], dict):
        return found[0]
    message, hint = _stopped(reply, deadline)
    raise RunError(str(Diagnostic("stopped", "query", message, hint)))


def result(answer: Mapping[str, Any], types: Mapping[str, RecordType], seconds: float) -> Result:
    """The result in an answer. Raise RunError for the error in it, or when it is not what it should be."""
    if "error" in answer:
        raise RunError(str(_error(answer["error"], "query")))
    try:
        value = decode(answer["value"], _Types(types))
        printed, records = answer["printed"], answer["records"]
    except (ValueError, KeyError, RecursionError) as error:
        raise RunError(f"query: the answer cannot be read: {_plain(error)}") from None
    if not isinstance(printed, str) or not isinstance(records, list) or not all(isinstance(id, str) for id in records):
        raise RunError("query: the answer cannot be read")
    return Result(value, printed, tuple(records), seconds)


class _Types(dict[str, Any]):
    """The record types by name; an object of a class that the query made itself comes back as a dict."""

    def __missing__(self, name: str) -> Any:
        return _Loose()


class _Loose:
    def coerce(self, values: Any) -> Any:
        return values


# --- rules ---


def rule(name: str, line: Any, own: bool, text: str = "") -> tuple[list[Alert], list[Diagnostic]]:
    """The alerts of one rule, and what is to be said of it: neither one that cannot be read nor its end hides the others.

    One of the user's `own` shows no way to reach somebody but what stands in the `text` of the rules, where no model puts any.
    """
    said = line if isinstance(line, dict) else {}
    given = said.get("alerts", [] if "error" in said else None)
    alerts, bad = list[Alert](), dict[str, None]()
    for found in given if isinstance(given, list) else [None]:
        try:
            alerts.append(_alert(name, found))
        except (KeyError, TypeError, ValueError) as error:
            bad[_plain(error)] = None
    findings = [_finding("rule-crashed", name, f"gave an alert that cannot be read: {why}") for why in bad]
    if type(more := said.get("more", 0)) is int and more > 0:
        told = f"found {more:,} more than the {len(alerts):,} alerts that are told, the user's own and the gravest first"
        findings.append(_finding("rule-many", name, told, "end or correct the records that it is about"))
    if "error" in said:
        end = _error(said["error"], "rules")
        findings.append(_finding("rule-crashed", name, f"failed: {end.message}", end.hint, end.where if own else ""))
    if own and (led := [CONTACT.search(f"{alert.message}\n{alert.hint}") for alert in alerts]) and any(led):
        alerts = [_without_contacts(alert, text) for alert in alerts]
        if any(CONTACT_LEFT_OUT in alert.message + alert.hint for alert in alerts):
            hint = "who wants it there writes it into the rule by hand"
            findings.append(_finding("rule-contact", name, "shows a number, a link or an address; it is left out", hint))
    if own and (poor := next((why for alert in alerts for why in lint(alert)), "")):
        findings.append(_finding("rule-message", name, f"has a poor message: {poor}", "build it with conflict(…)"))
    return alerts, findings


def _without_contacts(alert: Alert, text: str) -> Alert:
    def left_out(found: re.Match[str]) -> str:
        return found[0] if found[0] in text else CONTACT_LEFT_OUT

    return replace(alert, message=CONTACT.sub(left_out, alert.message), hint=CONTACT.sub(left_out, alert.hint))


def _alert(name: str, found: Any) -> Alert:
    texts = [found[key] for key in ("message", "hint", "occurrence")]
    records, evidence, severity = found["records"], found["evidence"], found["severity"]
    if not all(isinstance(text, str) and len(text) <= _LONGEST for text in (*texts, *records)):
        raise ValueError("text that is none, or too long")
    if not all(type(entry) is int for entry in evidence):  # which of them the log has, only who holds it can tell
        raise ValueError("evidence that is no entry")
    if severity not in SEVERITIES:
        raise ValueError("no severity")
    return Alert(
        message=texts[0],
        hint=texts[1],
        occurrence=texts[2],
        records=tuple(records),
        evidence=tuple(evidence),
        severity=severity,
        rule=name,
    )


def crashed(name: str, error: Exception) -> Diagnostic:
    """The finding on a rule that failed in this process."""
    return _finding("rule-crashed", name, f"failed: {type(error).__name__}: {_plain(error)}")


def unknown(name: str, value: Unknown) -> Alert:
    """The alert on a derived value that is not known any more."""
    known, was = ("", "") if value.was is None else (" any more", f" It was {_plain(value.was)[:_SHOWN]}.")
    because = _plain(value.because).rstrip(".")[:_SHOWN]
    told = f"{name.replace('_', ' ').capitalize()} is not known{known}: {because}.{was}"
    return Alert(message=told, hint="Say how it is now.", records=(), evidence=(), severity="warning", rule=name)


def late(name: str, reply: wire.Reply, deadline: float) -> Diagnostic:
    """The finding on a rule that gave no answer."""
    message, hint = _stopped(reply, deadline)
    return _finding("rule-slow" if reply.reason == wire.DEADLINE else "rule-crashed", name, f"gave no answer: {message}", hint)


def no_turn(names: Sequence[str], budget: float) -> Diagnostic:
    """The finding on rules that did not run because the time for all was spent."""
    one = f"the rule {names[0]} did not run" if len(names) == 1 else f"{len(names)} rules did not run ({', '.join(names)})"
    told = f"{one}: there are {budget:g} s for all the rules of this project, and those before took them"
    return Diagnostic("rule-slow", "rules", told, "mend or take out those that are slow")


def missing(fields: Mapping[str, list[str]]) -> str:
    """Fields by collection, in words.

    >>> missing({"trips": ["departs"]})
    'departs in trips'
    """
    return " and ".join(f"{', '.join(names)} in {collection}" for collection, names in sorted(fields.items()))


def lost(names: Sequence[str], what: str, *, own: bool = False) -> Diagnostic:
    """The finding on rules whose records do not have what they need (any more)."""
    if own:
        hint = "put the field back, or change the rule in rules.py"
    else:
        off = f"OFF = ({', '.join(map(repr, names))},)" if len(names) < MANY else "OFF = (their names)"
        hint = f"put the field back, or a property of that name; or switch them off: {off} in rules.py"
    if len(names) == 1:
        return _finding("rule-off", names[0], f"is off: it needs {what}", hint.replace("them", "it"))
    return Diagnostic("rule-off", "rules", f"{len(names)} rules are off: they need {what} ({', '.join(names)})", hint)


def nobodys(name: str, collections: Iterable[str], there: Mapping[str, str]) -> Iterator[Diagnostic]:
    """The findings on parameters of a rule or derived value that name none of the collections, which are given with types."""
    called = {**{f"{kind.lower()}s": collection for collection, kind in there.items()}, **{name: name for name in there}}
    for collection in collections:
        near = [called[found] for found in get_close_matches(collection, called, n=1)]
        hint = f"did you mean {near[0]!r}?" if near else "name a collection, or a trait: plans: Iterable[Takes]"
        yield Diagnostic("rule-name", "rules.py", f"{name} reads {collection!r}, and there is no such collection", hint)


def no_rules(off: Iterable[str], starter: Sequence[str]) -> Iterator[Diagnostic]:
    """The findings on switches for rules that there are none of."""
    for name in sorted(set(off) - set(starter)):
        near = get_close_matches(name, starter, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "take it out"
        yield Diagnostic("rule-unknown", "rules.py", f"OFF names {name!r}, which is no starter rule", hint)


def broken(line: Any) -> Diagnostic | None:
    """The finding on definitions or rules that fail when they are loaded, if that is what a line says."""
    if not isinstance(line, dict) or "broken" not in line:
        return None
    error = _error(line["broken"], "rules")
    return Diagnostic("rules-broken", error.where, f"the rules from here on do not run: {error.message}", error.hint)


def ends(line: Any) -> bool:
    """Whether a rule changed what others see, so that the rest runs in another child."""
    return isinstance(line, dict) and line.get("ends") is True


def _finding(code: str, name: str, message: str, hint: str = "", where: str = "") -> Diagnostic:
    return Diagnostic(code, where or "rules", f"the rule {name} {message}", hint)


# --- words ---


def _error(error: Any, where: str) -> Diagnostic:
    parts = {key: error.get(key) for key in ("where", "message", "hint")} if isinstance(error, dict) else {}
    line = parts.get("where")
    return Diagnostic(
        "failed",
        line if isinstance(line, str) and _PLACE.fullmatch(line) else where,
        _plain(parts.get("message") or "it failed"),
        _plain(parts.get("hint") or ""),
    )


def _stopped(reply: wire.Reply, deadline: float) -> tuple[str, str]:
    if reply.reason == wire.DEADLINE:
        return f"it ran longer than {deadline:g} s and was stopped", "go through the records once, without loops inside loops"
    if reply.reason == wire.TOO_LARGE:
        return "the answer is too large", "return less"
    if (number := reply.status & 0x7F) not in (0, _KILLED):
        return f"it crashed the sealed process ({signal.Signals(number).name})", "write it in a simpler way"
    return "it ended without an answer", "it may have taken too much memory; go through the records one by one"


def _plain(value: object) -> str:
    """Text of a child for a message: on one line, nothing hidden in it, not too long."""
    text = str(value)[:_LONGEST]
    return "".join(c if c.isprintable() else " " if c in "\n\t" else f"\\u{ord(c):04x}" for c in text)
