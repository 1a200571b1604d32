"""The table of formats, and which of them a source is in: by its content, or by a name that has to fit it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from uac_nb.errors import LogError
from uac_nb.importers import (
    chatgpt,
    claude,
    gemini,
    langchain,
    layout,
    locomo,
    markdown,
    mem0,
    openai,
    slack,
    tables,
    telegram,
    whatsapp,
)
from uac_nb.importers.protocol import Format, Options
from uac_nb.importers.report import shown
from uac_nb.importers.source import Source
from uac_nb.importers.times import ORDERS
from uac_nb.log.rows import check_zone

_MODULES = (whatsapp, chatgpt, claude, telegram, slack, mem0, openai, langchain, locomo, gemini, markdown)
FORMATS: Mapping[str, Format] = MappingProxyType(
    {format.name: format for format in (*(module.FORMAT for module in _MODULES), *tables.FORMATS)}
)
_CHAT = re.compile(r"^\W?[^\n]{0,20}\d[^\n]{0,40}(?: - |\] )[^\n:]{1,60}: ", re.MULTILINE)  # a date, a name, words


def choose(source: Source, name: str, options: Options) -> Format:
    """Return the format of that name, or, where it is "", the one that fits. LogError where none does, or several."""
    _check(options)
    chosen = _named(name, source, options) if name else _found(source, options)
    if options.order and not chosen.dated:
        raise LogError(f"{chosen.name} has no order of dates; name the format {chosen.name} alone")
    if options.columns and not chosen.kinds:
        raise LogError(f"{chosen.name} has no columns to map; leave the columns out")
    return chosen


def _check(options: Options) -> None:
    check_zone(options.zone, "zone")
    layout.check(options.columns)
    if options.order and options.order not in ORDERS:
        raise LogError(f"the order of dates is {' or '.join(ORDERS)}, not {shown(options.order)!r}")


def _named(name: str, source: Source, options: Options) -> Format:
    if name not in FORMATS:
        raise LogError(f"there is no format {shown(name)!r}; there are {', '.join(FORMATS)}")
    chosen = FORMATS[name]
    if not (source.kind in chosen.kinds if chosen.kinds else chosen.fits(source, options)):
        others = ", ".join(format.name for format in _fitting(source, options))
        hint = f"it looks like {others}" if others else "leave the format out to see what is known"
        raise LogError(f"{shown(source.name)} is not {chosen.what}; {hint}")
    return chosen


def _found(source: Source, options: Options) -> Format:
    fitting = _fitting(source, options)
    if not fitting:
        raise LogError(_unknown(source))
    if len(fitting) > 1:
        names = ", ".join(format.name for format in fitting)
        raise LogError(f"{shown(source.name)} fits several formats: {names}; name one of them as the format")
    return fitting[0]


def _fitting(source: Source, options: Options) -> list[Format]:
    """The formats that fit; general ones only where no other does."""
    asked = [format for format in FORMATS.values() if format.kinds or not options.columns]
    own = [format for format in asked if not format.general and format.fits(source, options)]
    return own or [format for format in asked if format.general and format.fits(source, options)]


def _unknown(source: Source) -> str:
    name, start = shown(source.name), source.head.lstrip()[:200].casefold()
    if start.startswith(("<!doctype html", "<html")):
        return f"{name} is a web page; export the talk as JSON or text and import that"
    if not source.head.strip() and source.kind == "text":
        return f"{name} holds nothing but blanks; export it again"
    if source.kind == "json" and not source.json:
        return f"{name} is empty ({_begins(source)}); export it again"
    if _CHAT.search(source.head[:2_000]):
        remedy = "set the phone to English and export again"
        return f"{name} looks like a chat, but its dates cannot be read ({_begins(source)}); {remedy}"
    known = ", ".join(FORMATS)
    return f"{name} is in no format that is known ({_begins(source)}); name its format ({known}), or say which column is what"


def _begins(source: Source) -> str:
    if isinstance(source.json, Mapping):
        keys = ", ".join(map(shown, map(str, list(source.json)[:8])))
        return f"a JSON object with {keys}" if keys else "an empty JSON object"
    if isinstance(source.json, list | tuple):
        return f"a JSON list of {len(source.json):,}"
    return f"it begins {shown(source.head.lstrip(), 40)!r}"
