"""A domain that outgrew one file as one text, for a cell: types, small collections, and the newest part of each large one.

What is not shown stays as it is when such a text is saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.split import Split
from uac_nb.errors import CheckError, Diagnostic


def shown(domain: Domain) -> str:
    """The text of a domain as a person reads and edits it."""
    if not isinstance(domain, Split):
        return domain.text
    sections = (f"{_mark(domain, name)}{_values(domain.parts[part])}" for name, part in _newest(domain))
    return "\n".join([domain.text[: domain.tail].rstrip() + "\n", *sections])


def saved(domain: Domain, text: str) -> dict[str, str]:
    """The files that differ when `shown(domain)` was edited into `text`: path and text.

    Raise CheckError when the lines that head the parts are gone.
    """
    if not isinstance(domain, Split):
        return {domain.path: text} if text != domain.text else {}
    files: dict[str, str] = {}
    for name, part in reversed(list(_newest(domain))):
        found = re.search(rf"^# [^\n]* {name}, the newest; [^\n]*\n", text, re.MULTILINE)
        if not found:
            hint = f"keep the line  {_mark(domain, name).strip()}"
            raise CheckError(Diagnostic("state", domain.path, f"it is not told where the {name} begin", hint))
        text, values = text[: found.start()], text[found.end() :].strip("\n")
        if values != _values(domain.parts[part]).strip("\n"):
            files[domain.parts[part].path] = f"{domain.parts[part].definitions}{_line(domain.parts[part])}{values}\n"
    if text.rstrip() != domain.text[: domain.tail].rstrip():
        files[domain.path] = f"{text.rstrip()}\n\n{domain.text[domain.tail :]}"
    return dict(reversed(files.items()))


def _newest(domain: Split) -> Iterator[tuple[str, str]]:
    return ((joined.name, joined.parts[0]) for joined in domain.joined.values() if joined.parts)


def _mark(domain: Split, name: str) -> str:
    """
    1,000 of 12,345 purchases, the newest; `%uac_code money/purchases_2023` shows others
    """
    parts = domain.joined[name].parts
    count = len(domain.parts[parts[0]].records(parts[0]))
    others = f"; `%uac_code {domain.name}/{parts[1]}` shows others" if len(parts) > 1 else "; there are no others"
    return f"# {count:,} of {domain.size(name):,} {name}, the newest{others}\n"


def _line(part: Domain) -> str:
    """The line between types and values, with the blank ones around it."""
    rest = part.text[part.head :]
    return rest[: len(rest) - len(_values(part))]


def _values(part: Domain) -> str:
    """What stands below the line."""
    return part.text[part.head :].partition("\n")[2].lstrip("\n")
