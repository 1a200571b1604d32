"""What a sealed process loads, and what comes back from it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from uac_nb.domainfile.records import RecordType
from uac_nb.errors import Diagnostic
from uac_nb.rules import Alert
from uac_nb.runtime.fields import members

if TYPE_CHECKING:
    from uac_nb.changes.workspace import Workspace


@dataclass(frozen=True)
class Program:
    """A project, ready to run. It is loaded anew only when its `key`, a hash of all that it holds, is another."""

    key: str
    types: tuple[RecordType, ...] = ()
    definitions: Mapping[str, str] = field(default_factory=dict)  # by domain: the source above its state line
    collections: Mapping[str, tuple[str, Sequence[Any]]] = field(default_factory=dict)  # by name: name of the type, records
    rules: str = ""  # the text of rules.py

    @cached_property
    def code(self) -> str:
        """A hash of the code in it, which records are not: what somebody who trusts it has trusted."""
        texts = {**{f"{name}.py": text for name, text in self.definitions.items()}, "rules.py": self.rules}
        return hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()

    def lost(self, reads: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Of the fields that a rule reads, by collection, those that the types do not have (any more)."""
        found = {}
        for collection in reads.keys() & self.collections.keys():
            kind = self._known[self.collections[collection][0]]
            if missing := sorted(name for name in reads[collection] if name not in kind):
                found[collection] = missing
        return found

    @cached_property
    def _known(self) -> Mapping[str, frozenset[str]]:
        """What the records of each type have: fields, methods and properties."""
        methods = {name: found for text in self.definitions.values() for name, found in members(text).items()}
        return {kind.name: frozenset(dir(kind.cls)) | methods.get(kind.name, frozenset()) for kind in self.types}


@dataclass(frozen=True)
class Result:
    """What a query came to: its last expression, else what it printed; the ids it left in `records`; seconds it took."""

    value: Any
    printed: str = ""
    records: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class RuleRun:
    """The alerts of a day, and a finding for every rule that was refused, crashed, ran too long or lost a field."""

    alerts: tuple[Alert, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


class Engine(Protocol):
    """Something that runs code of a project. `name` says which boundary is around it."""

    name: str

    def load(self, program: Program) -> None:
        """Take a project, if it is another than before. Raise CheckError when its definitions are refused, and RunError."""

    def run(self, code: str, *, today: date, deadline: float = 5.0) -> Result:
        """Run a query, `deadline` seconds at most. Raise CheckError when it is refused, RunError when it fails."""

    def rules(self, *, today: date, starter: bool = True, deadline: float = 5.0) -> RuleRun:
        """Run the rules of a day, each `deadline` seconds at most."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None:
        """End its process. It starts again by itself when it is used again."""


def program(workspace: Workspace) -> Program:
    """The program of a project. Its records are looked up when it is loaded, so that this costs nothing."""
    return Program(
        key=workspace.key,
        types=tuple(workspace.types.values()),
        definitions={name: domain.definitions for name, domain in workspace.domains.items()},
        collections=_Collections(workspace),
        rules=workspace.rules,
    )


class _Collections(Mapping[str, tuple[str, Sequence[Any]]]):
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def __getitem__(self, name: str) -> tuple[str, Sequence[Any]]:
        return self._workspace.collections[name].type.name, self._workspace.records(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._workspace.collections)

    def __len__(self) -> int:
        return len(self._workspace.collections)
