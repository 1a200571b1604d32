"""Importers: from where people's words already are to drafts for the log.

>>> from uac_nb.importers import read
>>> chat = read("WhatsApp Chat with Ann.txt", me="Jess")                # doctest: +SKIP
>>> log.load(chat.drafts)                                               # doctest: +SKIP
>>> print(chat.report)                                                  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from uac_nb.importers.drafting import NOBODY, drafts
from uac_nb.importers.formats import FORMATS, choose
from uac_nb.importers.protocol import Format, Options, Reading
from uac_nb.importers.report import Odd, Report
from uac_nb.importers.source import Source
from uac_nb.log import Draft


@dataclass(frozen=True, slots=True)
class Import:
    """What is in an export: the format it was read as, its drafts (to be consumed once), and the report they fill."""

    format: str
    drafts: Iterator[Draft]
    report: Report


def read(
    source: Any, *, format: str | None = None, me: str = "", zone: str = "", columns: Mapping[str, str] | None = None,
    called: str = "",
) -> Import:  # fmt: skip
    """Open an export: the path of a file, a DataFrame, or a list or mapping as JSON would hold it.

    `format` is one of FORMATS, by default what the content says; where it has dates with numbers only, their order can
    stand behind it ("whatsapp:dmy"). `me` is the name or id of the user among the speakers ("-": none of them is), `zone`
    the time zone of times without one, `columns` maps text, at, speaker, session, role, caption, id to columns. Where `me`
    is not said, a speaker whose name, or first name, is `called` is the user. Raise LogError for what cannot be read, here
    or (one transaction: then nothing is loaded) while the drafts are consumed.
    """
    name, _, order = (format or "").partition(":")
    options = Options("" if me == NOBODY else me, zone, dict(columns or {}), order, "" if me else called)
    with Source.open(source) as opened:
        chosen = choose(opened, name, options)
    report = Report(chosen.name, opened.name)
    if opened.note:
        report.note(opened.note)
    reading = Reading(opened, options, report)
    return Import(chosen.name, drafts(chosen.messages(reading), reading, partial=chosen.partial), report)


def detect(path: str | PathLike[str]) -> str:
    """Return the name of the format of a file, by its content. LogError where none fits, or several do."""
    with Source.open(path) as source:
        return choose(source, "", Options()).name


__all__ = ["FORMATS", "NOBODY", "Format", "Import", "Odd", "Report", "detect", "read"]
