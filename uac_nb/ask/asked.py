"""One question while it is answered: what it is asked of, and the running of queries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from uac_nb.ask.answer import Answer
from uac_nb.ask.words import plain
from uac_nb.ask.world import Runs, World, evidence, found
from uac_nb.log import Log


@dataclass(frozen=True)
class Asked:
    """A question, the world as it is on a day, the engine that holds the project, and the log."""

    question: str
    world: World
    engine: Runs
    log: Log

    @cached_property
    def words(self) -> str:
        """The question in plain words, a space at each end."""
        return plain(self.question)

    @cached_property
    def sources(self) -> frozenset[int]:
        """The entries that records rest on."""
        return frozenset(source for view in self.world.views for record in view.records for source in record.source)

    def run(self, query: str) -> tuple[Any, tuple[Any, ...]]:
        """What a query comes to, and the records that it names."""
        ran = self.engine.run(self._then(query), today=self.world.today)
        return ran.value, found(ran.records, self.world)

    def _then(self, query: str) -> str:
        """A query, of a day that lies back, over what was told by then."""
        var = {view.name: view.var for view in self.world.views}
        named = {name: ids for name, ids in self.world.later.items() if re.search(rf"\b{name}\b", query)}
        lines = [
            f"{name} = [{var[name]} for {var[name]} in {name} if {var[name]}.id not in {ids!r}]" for name, ids in named.items()
        ]
        query = "\n".join([*self._before(query), query])
        return "\n".join(["# without what was told later", *lines, query]) if lines else query

    def _before(self, query: str) -> list[str]:
        """The records of a query as they were on the earlier day that it is about."""
        lines = []
        for view in self.world.views:
            then = {id: each.values for id, each in self.world.before.get(view.name, {}).items() if each.values}
            if then and re.search(rf"\b{view.name}\b", query):
                r = view.var
                lines.append(f"then = {then!r}")
                lines.append(f"{view.name} = [replace({r}, **then.get({r}.id, {{}})) for {r} in {view.name}]")
        return ["# as it was told by then", "from dataclasses import replace", *lines] if lines else []

    def computed(self, value: Any, text: str, query: str, records: Iterable[Any], *notes: str) -> Answer:
        """An answer that a query gave."""
        records = tuple(records)
        return Answer(
            question=self.question, value=value, text=text, channel="computed", code=self._then(query), records=records,
            evidence=evidence(records), note="; ".join(filter(None, notes)),
        )  # fmt: skip

    def unknown(self, text: str) -> Answer:
        """That nothing tells."""
        return Answer(question=self.question, value=None, text=f"Not recorded: {text}.", channel="unknown")
