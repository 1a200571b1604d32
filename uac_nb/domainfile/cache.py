"""Parsed files kept as JSON, so that opening a project costs no parsing. Derived: safe to delete at any time.

An entry holds the records of a file as rows, and is found by a hash of the text, the types it imports and our version. It is
signed with a key of this machine that is kept elsewhere: what came with a folder, or was changed, is parsed anew.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from uac_nb.disk import machine
from uac_nb.disk.files import fresh as fresh_file
from uac_nb.domainfile.definitions import Definitions
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.records import RecordType
from uac_nb.domainfile.state import Block
from uac_nb.domainfile.text import STATE, Text, quiet, tree
from uac_nb.errors import CheckError

SIGNATURE = 32  # bytes before the JSON
SMALL = 20_000  # characters: a text so short is parsed as fast as it is looked up


class Cache:
    """A folder of parsed files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def parse(self, name: str, text: str, known: Mapping[str, RecordType] = {}, like: Domain | None = None) -> Domain:
        """As `Domain.parse`, from the cache where it is there."""
        if len(text) < SMALL:
            return Domain.parse(name, text, known, like)
        path = self._path(name, text, known)
        if (domain := _stored(path, name, text, known)) is not None:
            return domain
        domain = Domain.parse(name, text, known, like)
        self.keep(domain)
        return domain

    def keep(self, domain: Domain) -> None:
        """Store a file as it is now, in place of what was stored of it before. Nothing is lost where it cannot be."""
        if len(domain.text) < SMALL:
            return
        path = self._path(domain.name, domain.text, domain.known)
        fresh = path.with_suffix(f".{os.getpid()}.new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            data = json.dumps(_entry(domain), ensure_ascii=True, separators=(",", ":")).encode("ascii")
            with open(fresh_file(fresh), "wb") as stream:
                stream.write(_signature(path.name, data) + data)
            for old in self.folder.glob(f"{path.name.rpartition('-')[0]}-*.json"):
                old.unlink(missing_ok=True)
            fresh.replace(path)
        except OSError:
            return  # a full or read-only disk: the next opening parses

    def keep_changed(self, domain: Domain, before: Domain | None) -> None:
        """Store the files of a domain that are not as they were before."""
        for file in domain.cached(before):
            self.keep(file)

    def _path(self, name: str, text: str, known: Mapping[str, RecordType]) -> Path:
        return self.folder / f"{name.replace('/', '.')}-{_key(text, known)}.json"


def _key(text: str, known: Mapping[str, RecordType]) -> str:
    head = text[: text.rfind(f"\n{STATE}")]
    imported = sorted(repr(kind) for name, kind in known.items() if name in head)
    seed = "\0".join([_version(), *imported, text])
    return hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _signature(name: str, data: bytes) -> bytes:
    return hmac.digest(machine.secret(machine.folder()), name.encode("utf-8", "surrogatepass") + b"\0" + data, "sha256")


@cache
def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # costs more than the rest of this module

    try:
        return version("uac-nb")
    except PackageNotFoundError:  # run from a checkout
        return ""


def _entry(domain: Domain) -> dict[str, Any]:
    blocks = [
        [b.name, b.type.name, b.start, b.end, b.type.rows(b.records), [x for x, _ in b.spans], [y for _, y in b.spans]]
        for b in domain.blocks.values()
    ]
    return {"head": domain.head, "blocks": blocks}


def _stored(path: Path, name: str, text: str, known: Mapping[str, RecordType]) -> Domain | None:
    try:
        whole = path.read_bytes()
        signature, data = whole[:SIGNATURE], whole[SIGNATURE:]
        if not hmac.compare_digest(signature, _signature(path.name, data)):
            return None
        entry = json.loads(data)
        with quiet(path.name):
            return _domain(entry, name, text, known)
    except (OSError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, CheckError):
        return None  # missing, or not what we wrote: parsed anew, and overwritten


def _domain(entry: Mapping[str, Any], name: str, text: str, known: Mapping[str, RecordType]) -> Domain:
    head = entry["head"]
    definitions = Definitions(name, Text(text[:head]), known)
    definitions.read(tree(text[:head], definitions.where).body)
    definitions.check()
    blocks = {}
    for collection, kind_name, start, end, rows, starts, ends in entry["blocks"]:
        kind = definitions.scope.types[kind_name]
        records = tuple(kind.build_rows(rows))
        index = {record.id: position for position, record in enumerate(records)}
        blocks[collection] = Block(collection, kind, start, end, records, tuple(zip(starts, ends, strict=True)), index)
    types = MappingProxyType(definitions.types)
    return Domain(name, text, definitions.doc, types, MappingProxyType(blocks), known, head, definitions.uses)
