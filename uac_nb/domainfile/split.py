"""A domain that outgrew one file, to all who use it a domain like any other: a record's file is fixed when it is made.

A change touches, renders and checks the one part that it concerns, however many there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from uac_nb.domainfile import parts
from uac_nb.domainfile.domain import Collection, Domain, read
from uac_nb.domainfile.parts import INIT
from uac_nb.domainfile.places import Places
from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.state import Joined
from uac_nb.domainfile.text import splice
from uac_nb.errors import CheckError, Diagnostic


class Parse(Protocol):
    """`Domain.parse`, or one that looks into a cache first."""

    def __call__(self, name: str, text: str, known: Mapping[str, RecordType] = {}, like: Domain | None = None) -> Domain: ...


@dataclass(frozen=True)
class Split(Domain):
    """`text` and `blocks` are those of `__init__`; the records of a `joined` collection stand in `parts`."""

    joined: Mapping[str, Joined] = field(repr=False, default_factory=dict)
    parts: Mapping[str, Domain] = field(repr=False, default_factory=dict)
    spare: Mapping[str, str] = field(repr=False, default_factory=dict)  # modules of the folder that no collection names
    places: Places = field(repr=False, compare=False, default_factory=Places)

    @classmethod
    def assemble(
        cls,
        name: str,
        texts: Mapping[str, str],
        known: Mapping[str, RecordType] = {},
        like: Domain | None = None,
        parse: Parse = Domain.parse,
    ) -> Split:
        """Read the files of a folder, by module. Raise CheckError with all that is wrong.

        Parts that read as they did in `like` are taken from there.
        """
        if isinstance(like, Split) and like.text == texts[INIT] and like.reads_as(texts[INIT], known):
            whole = replace(like, known=known)
        else:
            attributes, state = read(name, texts[INIT], known, f"{name}/{INIT}.py", name)
            whole = cls(**attributes, joined=state.joined)
        old = like.parts if isinstance(like, Split) else {}
        found: list[Diagnostic] = []
        read_parts: dict[str, Domain] = {}
        for collection, part in whole.named:
            try:
                read_parts[part] = _part(whole, collection, part, texts.get(part), old.get(part), parse)
            except CheckError as error:
                found += error.diagnostics
        if found:
            raise CheckError(found)
        spare = {module: text for module, text in texts.items() if module != INIT and module not in read_parts}
        return replace(whole, parts=read_parts, spare=spare, places=_places(whole, read_parts, like))

    # --- what it holds ---

    @property
    def named(self) -> Iterator[tuple[Joined, str]]:
        """Each part, with the collection that it is a part of."""
        return ((joined, part) for joined in self.joined.values() for part in joined.parts)

    @property
    def path(self) -> str:
        return f"{self.name}/{INIT}.py"

    @property
    def files(self) -> Mapping[str, str]:
        inside = {f"{self.name}/{module}.py": text for module, text in self.spare.items()}
        return {self.path: self.text, **inside, **{part.path: part.text for part in self.parts.values()}}

    @property
    def digests(self) -> Mapping[str, str]:  # those of the parts are kept there
        found = dict(super().digests)
        for part in self.parts.values():
            found |= part.digests
        return found | {f"{self.name}/{module}.py": text for module, text in self.spare.items()}

    @cached_property
    def collections(self) -> Mapping[str, Collection]:
        return {**super().collections, **{name: Collection(name, joined.type) for name, joined in self.joined.items()}}

    @cached_property
    def inside(self) -> Mapping[str, RecordType]:
        """The types that the parts may import."""
        return {**self.known, **self.types}

    @property
    def tail(self) -> int:
        found = re.compile(rf"^from {self.name}\.\w+ import", re.MULTILINE).search(self.text, self.head)
        return found.start() if found else len(self.text)

    @property
    def modules(self) -> dict[str, str]:
        """The texts of the folder, by module."""
        return {**self.spare, **{name: part.text for name, part in self.parts.items()}, INIT: self.text}

    def records(self, collection: str) -> tuple[Any, ...]:
        return self._records[collection] if collection in self.joined else super().records(collection)

    @cached_property
    def _records(self) -> Mapping[str, tuple[Any, ...]]:
        return {
            name: tuple(record for part in joined.parts for record in self.parts[part].records(part))
            for name, joined in self.joined.items()
        }

    def size(self, collection: str) -> int:
        """How many records a collection has."""
        found = self.joined.get(collection)
        return sum(len(self.parts[p].blocks[p].records) for p in found.parts) if found else len(self._block(collection).records)

    def find(self, id: str) -> Any | None:
        return self.parts[part].find(id) if (part := self.places.get(id)) else super().find(id)

    def collection_of(self, id: str) -> str:
        if (part := self.places.get(id)) is None:
            return super().collection_of(id)
        return next(joined.name for joined in self.joined.values() if part in joined.parts)

    def path_of(self, id: str) -> str:
        return self.parts[part].path if (part := self.places.get(id)) else super().path_of(id)

    def line_of(self, id: str) -> int:
        return self.parts[part].line_of(id) if (part := self.places.get(id)) else super().line_of(id)

    def ids(self) -> Iterator[str]:
        yield from super().ids()
        for part in self.parts.values():
            yield from part.ids()

    def cached(self, before: Domain | None) -> Iterator[Domain]:
        old = before.parts if isinstance(before, Split) else {}
        for name, part in self.parts.items():
            if part is not old.get(name):
                yield part

    def ids_beside(self, old: Domain | None) -> Iterator[str]:
        before = old.parts if isinstance(old, Split) else {}
        yield from super().ids()
        for name, part in self.parts.items():
            if part is not before.get(name):
                yield from part.ids()

    # --- changes of records ---

    def add(self, collection: str, *records: Any) -> Domain:
        if collection not in self.joined:
            return super().add(collection, *records)
        kind = self.joined[collection].type
        taken = next((r.id for r in records if self.find(r.id) is not None), None)
        if taken is not None or len({r.id for r in records}) < len(records):
            raise self._refused("id", f"the id {taken or records[0].id!r} is taken", "choose another one, or amend the record")
        grown = self
        for when, group in grouped(records, lambda record: parts.period(record, kind)).items():
            grown = grown._filled(collection, when, group)
        return grown

    def replace(self, record: Any) -> Domain:
        if (part := self.places.get(record.id)) is None:
            return super().replace(record)
        return self._with_part(part, self.parts[part].replace(record))

    def remove(self, id: str) -> Domain:
        if (part := self.places.get(id)) is None:
            return super().remove(id)
        return replace(self._with_part(part, self.parts[part].remove(id)), places=self.places.changed(gone=[id]))

    def _filled(self, collection: str, when: str, records: Sequence[Any]) -> Split:
        """With records of one period: in its newest part up to the limit, then in further ones."""
        grown, at = self, 0
        names = list(parts.of_period(collection, when, self.joined[collection].parts))
        while at < len(records):
            if not names or len(grown.parts[names[-1]].blocks[names[-1]].records) >= parts.MOST:
                names.append(parts.fresh(collection, when, names, {*grown.collections, *grown.modules}))
                grown = grown._begun(collection, names[-1])
            part = grown.parts[names[-1]]
            some = records[at : at + parts.MOST - len(part.blocks[names[-1]].records)]
            changed = grown._with_part(names[-1], part.add(names[-1], *some))
            grown = replace(changed, places=changed.places.changed(new=dict.fromkeys([r.id for r in some], names[-1])))
            at += len(some)
        return grown

    def _begun(self, collection: str, name: str) -> Split:
        """With one more part, which is empty."""
        joined = self.joined[collection]
        edits = parts.linked(self.text, self.name, collection, name)
        blocks = dict(self.blocks)
        for start, end, new in sorted(edits, reverse=True):
            blocks = {key: block.moved(start, len(new) - (end - start)) for key, block in blocks.items()}
        before = next(
            (i for i, part in enumerate(joined.parts) if parts.age(collection, part) < parts.age(collection, name)),
            len(joined.parts),
        )
        names = [*joined.parts[:before], name, *joined.parts[before:]]
        text = parts.new_part(self.name, collection, name, joined.type)
        return replace(
            self,
            text=splice(self.text, edits),
            blocks=MappingProxyType(blocks),
            joined={**self.joined, collection: replace(joined, parts=tuple(names))},
            parts={**self.parts, name: Domain.parse(f"{self.name}/{name}", text, self.inside)},
        )

    def _with_part(self, name: str, part: Domain) -> Split:
        head = parts.with_imports(part.definitions, self.name, part.blocks[name].type)
        return replace(self, parts={**self.parts, name: part if head == part.definitions else part.headed(head)})

    # --- changes of types ---

    def _parsed(self, text: str) -> Domain:
        return self._assembled({INIT: text})

    def _assembled(self, changed: Mapping[str, str]) -> Split:
        return Split.assemble(self.name, {**self.modules, **changed}, self.known, like=self)


def grown(domain: Domain) -> Domain:
    """The domain, with every collection that outgrew its file in parts."""
    for name, block in domain.blocks.items():
        if len(block.records) > parts.MOST:
            domain = split(domain, name)
    return domain


def split(domain: Domain, collection: str) -> Split:
    """The domain with a collection in parts by period; a person's comments go with the records that they stand at."""
    block = domain.blocks[collection]
    modules = domain.modules if isinstance(domain, Split) else {}
    lines = dict(zip(block.index, parts.pieces(domain.text, block), strict=True))
    texts: dict[str, str] = {}
    for when, group in grouped(block.records, lambda record: parts.period(record, block.type)).items():
        for at in range(0, len(group), parts.MOST):
            name = parts.fresh(collection, when, texts, {*domain.collections, *modules})
            inside = "".join(lines[record.id] for record in group[at : at + parts.MOST])
            texts[name] = parts.new_part(domain.name, collection, name, block.type, inside)
    names = sorted(texts, key=lambda part: parts.age(collection, part), reverse=True)
    whole = parts.joined(domain.text, domain.name, block, names)
    return Split.assemble(domain.name, {**modules, **texts, INIT: whole}, domain.known, like=domain)


def grouped(records: Iterable[Any], key: Callable[[Any], str]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


# --- reading ---


def _part(whole: Split, joined: Joined, name: str, text: str | None, old: Domain | None, parse: Parse) -> Domain:
    path = f"{whole.name}/{name}.py"
    if text is None:
        hint = f"put it back, or take {name} out of the list and the imports"
        raise CheckError(Diagnostic("part", f"{whole.path}:1", f"{joined.name} needs {path}, which is not there", hint))
    if old and old.reads_as(text, whole.inside):
        return old
    carried = old.carried(whole.inside) if old and old.text == text else None
    part = carried or parse(f"{whole.name}/{name}", text, whole.inside, like=old)
    if list(part.blocks) != [name] or part.blocks[name].type != joined.type or part.types:
        hint = f"types and other collections belong in {whole.path}"
        raise CheckError(Diagnostic("part", f"{path}:1", f"not just {name}: list[{joined.type.name}]", hint))
    return part


def _places(whole: Split, read: Mapping[str, Domain], like: Domain | None) -> Places:
    """Where each id stands. Raise CheckError for one that stands in two files."""
    old = like if isinstance(like, Split) else Split(whole.name, "", "", {}, {})
    changed = {name: part for name, part in read.items() if name not in old.parts or old.parts[name].text != part.text}
    gone = {name: part for name, part in old.parts.items() if name in changed or name not in read}
    kept = old.places.changed(gone=(id for part in gone.values() for id in part.ids()))
    more = len(changed) < len(read)
    new: dict[str, str] = {}
    twice: list[Diagnostic] = []
    for name, part in changed.items():
        for id in part.ids():
            if (other := new.get(id) or (kept.get(id) if more else None)) is not None:
                twice.append(_twice(part, id, f"{whole.name}/{other}.py"))
            new[id] = name
    for id in Domain.ids(whole):
        if (other := new.get(id) or (kept.get(id) if more else None)) is not None:
            twice.append(_twice(read[other], id, whole.path))
    if twice:
        raise CheckError(twice)
    return kept.changed(new=new)


def _twice(part: Domain, id: str, other: str) -> Diagnostic:
    where = f"{part.path}:{part.line_of(id)}"
    return Diagnostic("id", where, f"the id {id!r} is taken", f"{other} has it too; ids are unique")
