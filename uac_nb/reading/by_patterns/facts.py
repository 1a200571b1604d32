"""Sentences made of a template and values: one that stands alone, its dates resolved, for each record that is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time
from typing import Any

from uac_nb.english.text import lexicon
from uac_nb.reading.by_patterns.match import Who
from uac_nb.reading.by_patterns.words import singular
from uac_nb.rules import When
from uac_nb.rules import day as said_day

_PART = re.compile(r"\[([^\]]*)\]")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_PLAIN = lexicon("dinner lunch breakfast coffee drinks brunch surgery supper tea")


def told(template: str, values: Mapping[str, Any], who: Who, teller: str) -> str:
    """Fill a template; what stands in brackets only where all its values are known.

    >>> told("{who} is allergic to {avoids}[ ({reaction})].", {"avoids": ("nuts",)}, Who(relation="sister"), "The user")
    "The user's sister is allergic to nuts."
    """
    subject = teller if who == Who() else who.name or f"{teller}'s {who.relation}"
    known = {"who": subject, "whose": f"{subject}'s"} | {n: v for n, v in values.items() if n not in ("who",)}

    def filled(match: re.Match[str]) -> str:
        return _shown(known.get(match[1]), match[2] or "")

    def optional(match: re.Match[str]) -> str:
        names = [name for name, _ in _SLOT.findall(match[1])]
        return _SLOT.sub(filled, match[1]) if all(known.get(name) not in (None, "", ()) for name in names) else ""

    return " ".join(_SLOT.sub(filled, _PART.sub(optional, template)).replace(" .", ".").replace(" ,", ",").split())


def _shown(value: Any, form: str) -> str:
    match value:
        case None:
            return ""
        case When():
            return _when(value, form)
        case tuple():
            return " and ".join(singular(str(item)) if form == "one" else str(item) for item in value)
        case time():
            return f"{value:%H:%M}"
    if form == "amount":  # of a dose
        amount = re.match(r"[\d.,]+ ?[a-zµ]+", str(value))
        return amount[0] if amount else ""
    return _with_article(str(value)) if form == "a" else str(value)


def _when(when: When, form: str) -> str:
    """Return " on Monday, March 10, 2025"; `bare` without the preposition, `month` and `exact` for ids."""
    if form == "month":
        return f"{when.year}-{when.month:02d}" if when.year and when.month else str(when.year or "")
    if form == "exact":
        return when.text if when.exact else ""
    words = said_day(when)
    if form == "bare":
        return words.removeprefix("from ")
    if words.startswith(("between", "by ", "from ", "about", "on ", "in ")):
        return words
    return f"{'on' if when.exact or when.text.startswith('--') else 'in'} {words}"


def _with_article(noun: str) -> str:
    if not noun or noun.split()[0] in _PLAIN or noun[0].isupper():
        return noun
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
