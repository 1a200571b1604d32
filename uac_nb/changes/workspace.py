"""The whole project in memory: its domains and its rules. Immutable; a change gives a new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from uac_nb.domainfile.domain import Collection, Domain
from uac_nb.domainfile.imports import in_order
from uac_nb.domainfile.parts import INIT
from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.renames import Renaming, renamed
from uac_nb.domainfile.split import Parse, Split, grown
from uac_nb.domainfile.text import quiet
from uac_nb.errors import CheckError, Diagnostic

NOTES = "notes"
RULES = "rules.py"
EMPTY_RULES = '"""Rules and derived values of this user\'s own. The starter rules run beside them."""\n'


@dataclass(frozen=True)
class Found:
    """A record and where it stands."""

    domain: str
    collection: str
    record: Any


@dataclass(frozen=True)
class Workspace:
    """All files of a project: domains parsed, `rules` as text, and any other file as it is (the user's tests)."""

    domains: Mapping[str, Domain] = field(default_factory=dict)
    rules: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_files(cls, files: Mapping[str, str], like: Workspace | None = None, parse: Parse = Domain.parse) -> Workspace:
        """Parse a project. Files whose text is that of `like` are taken from there. Raise CheckError with all findings."""
        workspace, findings = cls.read(files, like, parse)
        if findings:
            raise CheckError(findings)
        return workspace

    @classmethod
    def read(
        cls, files: Mapping[str, str], like: Workspace | None = None, parse: Parse = Domain.parse
    ) -> tuple[Workspace, list[Diagnostic]]:
        """Parse what can be parsed; a domain that cannot is left out and its findings are returned.

        `parse` is `Domain.parse`, or one that looks into a cache first.
        """
        with quiet("the project"):
            return cls._read(files, like, parse)

    @classmethod
    def _read(cls, files: Mapping[str, str], like: Workspace | None, parse: Parse) -> tuple[Workspace, list[Diagnostic]]:
        texts, others = _sorted(files)
        domains: dict[str, Domain] = {}
        findings: list[Diagnostic] = []
        known: dict[str, RecordType] = {}
        for name in in_order({name: modules.get(INIT, modules.get("", "")) for name, modules in texts.items()}):
            old = like.domains.get(name) if like else None
            try:
                domains[name] = _read(name, texts[name], known, old, parse)
                known |= domains[name].types
            except CheckError as error:
                findings.extend(error.diagnostics)
        workspace = cls({name: domains[name] for name in texts if name in domains}, files.get(RULES, ""), others)
        return workspace, findings + workspace._twice(like)

    def _twice(self, like: Workspace | None) -> list[Diagnostic]:
        """Collections and ids that stand in two domains; what stood in `like` did not."""
        found: list[Diagnostic] = []
        homes: dict[str, Domain] = {}
        for domain in self.domains.values():
            for name in domain.collections:
                if name in homes:
                    found.append(_twice("collection", name, domain.path, homes[name].path))
                homes[name] = domain
        before = like.domains if like else {}
        checked: list[Domain] = [d for d in self.domains.values() if d is before.get(d.name)]
        for domain in self.domains.values():
            if domain is not before.get(domain.name):
                for id in domain.ids_beside(before.get(domain.name)) if checked else ():
                    if other := next((d for d in checked if d.find(id) is not None), None):
                        where = f"{domain.path_of(id)}:{domain.line_of(id)}"
                        found.append(_twice("id", id, where, other.path_of(id)))
                checked.append(domain)
        return found

    def files(self) -> dict[str, str]:
        """Path to text, for a commit."""
        files = {path: text for domain in self.domains.values() for path, text in domain.files.items()}
        return files | ({RULES: self.rules} if self.rules else {}) | dict(self.others)

    @cached_property
    def key(self) -> str:
        """A hash of all that it holds."""
        digest = sha256()
        for path, of_file in sorted(pair for domain in self.domains.values() for pair in domain.digests.items()):
            digest.update(f"{path}\0{of_file}\0".encode())
        for path, text in sorted({RULES: self.rules, **self.others}.items()):
            digest.update(f"{path}\0{text}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    # --- what stands in it ---

    @cached_property
    def collections(self) -> Mapping[str, Collection]:
        return {name: c for domain in self.domains.values() for name, c in domain.collections.items()}

    @cached_property
    def types(self) -> Mapping[str, RecordType]:
        """All record types by name: those that domains define, and those of collections that come with us (Note)."""
        used = {c.type.name: c.type for c in self.collections.values()}
        return used | {name: t for domain in self.domains.values() for name, t in domain.types.items()}

    def domain_of(self, collection: str) -> Domain:
        """Raise KeyError when no domain holds that collection."""
        for domain in self.domains.values():
            if collection in domain.collections:
                return domain
        raise KeyError(collection)

    def records(self, collection: str) -> tuple[Any, ...]:
        """The records of a collection; none where there is no such collection."""
        return self.domain_of(collection).records(collection) if collection in self.collections else ()

    def all(self) -> Iterator[Found]:
        for domain in self.domains.values():
            for name in domain.collections:
                for record in domain.records(name):
                    yield Found(domain.name, name, record)

    def find(self, id: str) -> Found | None:
        for domain in self.domains.values():
            if (record := domain.find(id)) is not None:
                return Found(domain.name, domain.collection_of(id), record)
        return None

    # --- the steps that `apply` is made of ---

    def with_domain(self, domain: Domain) -> Workspace:
        """With a domain as it is now. What it holds too much of is split; domains that use its types are read again."""
        domain, old = grown(domain), self.domains.get(domain.name)
        changed = replace(self, domains={**self.domains, domain.name: domain})
        if domain.uses.keys() - (old.uses if old else {}).keys():
            in_order({name: one.text for name, one in changed.domains.items()})
        users = [d for d in self.domains.values() if any(kind.domain == domain.name for kind in d.uses.values())]
        if old is None or old.types == domain.types or not users:
            return changed
        return Workspace.from_files(changed.files(), like=changed)

    def known_to(self, name: str) -> Mapping[str, RecordType]:
        """The types that a domain may import: those of all others."""
        return {kind.name: kind for domain in self.domains.values() if domain.name != name for kind in domain.types.values()}

    def rename(self, renaming: Renaming) -> Workspace:
        """With a field, a type or a collection called otherwise, wherever it is said. Raise CheckError."""
        return Workspace.from_files(renamed(self.files(), renaming), like=self)

    def with_rules(self, text: str) -> Workspace:
        return replace(self, rules=text)

    def with_other(self, path: str, text: str) -> Workspace:
        """With a file that is neither a domain nor the rules, such as a test."""
        return replace(self, others={**self.others, path: text})

    def with_file(self, path: str, text: str | None) -> Workspace:
        """The project with one file set as a person left it (None: deleted). Raise CheckError when it cannot be read."""
        files = self.files()
        files.pop(path, None)
        return Workspace.from_files(files if text is None else {**files, path: text}, like=self)


def _sorted(files: Mapping[str, str]) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The modules of each domain (of one that is a file, its text as ""), and all other files but the rules."""
    texts: dict[str, dict[str, str]] = {}
    others: dict[str, str] = {}
    for path, text in sorted(files.items()):
        name, _, module = path.removesuffix(".py").partition("/")
        if path.endswith(".py") and _is_domain(path, name, module, files):
            texts.setdefault(name, {})[module] = text
        elif path != RULES:
            others[path] = text
    return texts, others


def _is_domain(path: str, name: str, module: str, files: Mapping[str, str]) -> bool:
    if module:
        return f"{name}/{INIT}.py" in files and "/" not in module
    return path != RULES and not path.startswith("test_")


def _read(name: str, modules: Mapping[str, str], known: Mapping[str, RecordType], old: Domain | None, parse: Parse) -> Domain:
    if "" in modules and len(modules) > 1:
        hint = f"put what {name}.py says into {name}/{INIT}.py, and delete it"
        raise CheckError(Diagnostic("twice", f"{name}.py:1", f"{name} is both a file and a folder", hint))
    if INIT in modules:
        if isinstance(old, Split) and old.modules == modules and old.reads_as(old.text, known):
            return old
        return Split.assemble(name, modules, dict(known), old, parse)
    text = modules[""]
    if old and not isinstance(old, Split):
        if old.reads_as(text, known):
            return old
        return parse(name, text, dict(known), like=old)
    return parse(name, text, dict(known))


def _twice(what: str, name: str, where: str, other: str) -> Diagnostic:
    return Diagnostic("twice", where, f"the {what} {name!r} stands in {other} too", "names are unique in a project; rename one")
