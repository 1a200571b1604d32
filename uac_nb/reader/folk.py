"""The people of a project: whose words are read, whom they speak of, and the records of those who are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from uac_nb.reader.finding import Finding
from uac_nb.reader.known import Known, slug
from uac_nb.reader.shapes import Teller

Meeting = tuple[str, Mapping[str, Any], str]  # id, values, fact of a new person


class Folk:
    """Ids of people, by what they are called."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def teller(self, role: str, speaker: str, day: date) -> Teller | None:
        """Whose words an entry holds; None where that is not known."""
        if role == "user":
            return Teller("The user", "me", day)
        return Teller(speaker, self._named(speaker) or self._known.free(slug(speaker)), day) if speaker else None

    def id_of(self, subject: str, teller: Teller) -> str:
        """The id of the person that a finding is about. What somebody is to another ("sister") is so to that person only."""
        if subject == "me":
            return teller.id
        if subject.islower() and teller.id != "me":
            return self._named(f"{teller.name}'s {subject}") or self._known.free(slug(teller.id, subject))
        return self._named(subject) or self._known.free(slug(subject))

    def meet(self, finding: Finding, teller: Teller) -> Iterator[Meeting]:
        """Records for the teller and for the person spoken of, where there are none yet."""
        if teller.id != "me":
            yield from self._new(teller.id, {"name": teller.name}, f"{teller.name} takes part in the conversation.")
        if finding.subject != "me":
            id, subject = self.id_of(finding.subject, teller), finding.subject
            relation = finding.slots.get("relation") or (subject if subject.islower() else "")
            whose = f"{teller.name}'s {relation}" if relation else ""
            name = whose if subject.islower() and teller.id != "me" else subject
            told = {"name": name} | ({"relation": relation} if relation and teller.id == "me" else {})
            fact = (
                f"{subject} is {whose}." if whose and not subject.islower() else f"{teller.name} speaks of {whose or subject}."
            )
            yield from self._new(id, told, fact)

    def namesakes(self, finding: Finding) -> bool:
        """Whether the person spoken of is another than the one known by that name ("my colleague Anna", no sister)."""
        told, id = finding.slots.get("relation", ""), self._named(finding.subject)
        known = [str(row.values.get("relation") or "") for row in self._known.rows("people") if row.id == id]
        return bool(told and not finding.subject.islower() and known and known[0] and _kin(known[0]) != _kin(told))

    def _named(self, name: str) -> str | None:
        for row in self._known.rows("people"):
            names = (row.values.get("name"), row.values.get("relation"), *(row.values.get("aka") or ()))
            if name.lower() in [str(known).lower() for known in names if known]:
                return row.id
        return None

    def _new(self, id: str, values: Mapping[str, Any], fact: str) -> Iterator[Meeting]:
        if all(row.id != id for row in self._known.rows("people")):
            self._known.add("people", id, values)
            yield id, values, fact


_SAME_KIN = {"mom": "mother", "mum": "mother", "dad": "father", "flatmate": "roommate", "coworker": "colleague"}


def _kin(relation: str) -> str:
    """What somebody is to another in one word of those that say the same ("big sister", "sister")."""
    last = relation.lower().replace("co-worker", "coworker").split()[-1]
    return _SAME_KIN.get(last, last)
