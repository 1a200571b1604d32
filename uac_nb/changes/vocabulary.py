"""The changes: all that a model, the pattern reader or the program itself can do to a project, one typed step each.

The words are those of the design: what a change tells (`fact`), what it rests on (`source`, log entries) and, where
a phrase had to be read, how (`why`). Shape is checked here, by pydantic; meaning by `apply`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from uac_nb.errors import CheckError, Diagnostic

SkipReason = Literal[
    "greeting", "thanks", "encouragement", "question", "small talk", "repetition", "not about the user", "unclear"
]

AS_SAID = "kept as said"  # begins the `why` of a record that holds words which were taken over and not understood

Entries = Annotated[tuple[int, ...], Field(min_length=1, description="numbers of the log entries it rests on")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80, description="lower case, words joined by hyphens")]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Values = dict[str, Any]


class Step(BaseModel):
    """What all changes have."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Entries
    fact: str | None = Field(default=None, max_length=2_000, description="one self-contained sentence, dates resolved")
    why: str | None = Field(default=None, max_length=2_000, description="how a vague phrase was read")


class Define(Step):
    """A new type and its collection."""

    change: Literal["define"] = "define"
    domain: Name
    collection: Name
    text: Text
    doc: str = Field(default="", max_length=200, description="what the domain holds, where it is new")


class NewField(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    type: str = Field(min_length=1, max_length=200, description='as annotated in source: "str | None"')
    default: str = Field(default="None", max_length=200, description="as written in source")
    comment: str = Field(default="", max_length=200)


class Extend(Step):
    """More fields for the type of a collection, or more choices for a Literal of it."""

    change: Literal["extend"] = "extend"
    source: tuple[int, ...] = ()  # an upgrade of a type of ours rests on no words; a model cites, as with all its changes
    collection: Name
    fields: tuple[NewField, ...] = ()
    choices: dict[str, tuple[str, ...]] = {}
    commented: bool = Field(default=False, description="set when it is taken: the comments stand in the source")


class Add(Step):
    change: Literal["add"] = "add"
    collection: Name
    id: Id
    values: Values


class Amend(Step):
    """New values for fields (`set`; `was` says what they are thought to be), or items added to tuples (`append`)."""

    change: Literal["amend"] = "amend"
    id: Id
    set: Values = {}
    was: Values = {}
    append: dict[str, list[Any]] = {}


class Confirm(Step):
    """Said again, or carried out as planned: nothing but the sources grows."""

    change: Literal["confirm"] = "confirm"
    id: Id


class Close(Step):
    """It no longer holds. The record stays, with its end."""

    change: Literal["close"] = "close"
    id: Id
    until: str | None = None
    status: str | None = None


class Supersede(Step):
    """It no longer holds since another record does."""

    change: Literal["supersede"] = "supersede"
    id: Id
    until: str | None = None
    by: Id


class AddNote(Step):
    """A fact that no type holds yet."""

    change: Literal["note"] = "note"
    id: Id
    about: Id | None = None
    text: Text


class Absorb(Step):
    """A note whose fact a record holds now."""

    change: Literal["absorb"] = "absorb"
    note: Id
    into: Id


class Moved(BaseModel):
    """Where a new field has its value from: an old field, through a table of its values if there is one, or a constant."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: Name | None = None
    lookup: dict[str, Any] = {}
    constant: Any = None


class Reshape(Step):
    """Records of one collection (all, or those in `ids`) become those of another, by a map that is data."""

    change: Literal["reshape"] = "reshape"
    source: tuple[int, ...] = ()  # a person may do it without a word; a model cites, as with all its changes
    collection: Name
    to: Name
    ids: tuple[Id, ...] = ()
    map: dict[str, Moved] = {}


class Merge(Step):
    """Two records of one thing become one."""

    change: Literal["merge"] = "merge"
    source: tuple[int, ...] = ()  # as with reshape
    id: Id
    into: Id
    whole: bool = Field(default=False, description="set when it is taken: whatever names the one names the other then")


class Derive(Step):
    """A derived value: a function in rules.py."""

    change: Literal["derive"] = "derive"
    id: Name
    text: Text


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a day; write it as 2025-01-10") from None


class Example(BaseModel):
    """Collections as JSON, and the day, for trying a rule."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    collections: dict[str, list[Values]]
    today: Annotated[str, AfterValidator(_day)]


class AddRule(Step):
    """A rule of the user's own, with examples that must fire and, just past the edge, must not."""

    change: Literal["rule"] = "rule"
    id: Name
    text: Text
    fires: tuple[Example, ...] = ()
    quiet: tuple[Example, ...] = ()


class AddConcern(Step):
    """Records that do not go together, where no rule says so."""

    change: Literal["concern"] = "concern"
    id: Id
    records: Annotated[tuple[Id, ...], Field(min_length=1, max_length=8, description="ids of the records that collide")]
    because: str = Field(min_length=1, max_length=400, description="why, in one or two sentences")
    do: str = Field(min_length=1, max_length=200, description="what the user can do")
    severity: Literal["info", "warning", "critical"] = "warning"
    until: str | None = None


class Forget(Step):
    """A wish to forget. Nothing happens until the person agrees."""

    change: Literal["forget"] = "forget"
    entries: tuple[int, ...] = ()
    what: str = Field(default="", max_length=500)


class Skip(Step):
    """Entries that say nothing to keep."""

    change: Literal["skip"] = "skip"
    reason: SkipReason


class Refuse(Step):
    """A person's no to a proposed change, which stands here as it was. No model proposes this."""

    change: Literal["refuse"] = "refuse"
    proposed: Values
    for_good: bool = Field(default=False, description="also when it is said again")


class Propose(Step):
    """A change that waits for a person's yes or no, and makes nothing until then. No model proposes this."""

    change: Literal["propose"] = "propose"
    proposed: Values

    @classmethod
    def of(cls, change: Change) -> Propose:
        """The change as one that waits."""
        return cls(source=change.source, fact=change.fact, proposed=dump(change))


class Rename(Step):
    """A field ("Trip.cost"), a type or a collection is called otherwise, and the old records with it. Only a person renames."""

    change: Literal["rename"] = "rename"
    source: tuple[int, ...] = ()  # it rests on no words, and cites none
    old: str = Field(min_length=1, max_length=200)
    new: str = Field(min_length=1, max_length=100)


Change = Annotated[
    Define
    | Extend
    | Reshape
    | Add
    | Amend
    | Confirm
    | Close
    | Supersede
    | AddNote
    | Absorb
    | Merge
    | Derive
    | AddRule
    | AddConcern
    | Forget
    | Skip
    | Refuse
    | Propose
    | Rename,
    Field(discriminator="change"),
]
_ADAPTER: TypeAdapter[Change] = TypeAdapter(Change)


def parse(raw: Mapping[str, Any], where: str = "$") -> Change:
    """A change from JSON. Raise CheckError with one finding for each fault of shape."""
    try:
        return _ADAPTER.validate_python(dict(raw))
    except ValidationError as error:
        raise CheckError(_findings(error, where)) from None


def dump(change: Change) -> dict[str, Any]:
    """A change as JSON; fields at their default are left out, but not that it cites nothing."""
    return {"change": change.change, "source": [*change.source], **change.model_dump(mode="json", exclude_defaults=True)}


def schema() -> dict[str, Any]:
    """The JSON schema of a reply, ``{"changes": [...]}``: one flat shape for all changes, each field once.

    It is sent with each call, so it has to be small. Which fields a change needs, and the types of its values, are told
    in the instructions and the signatures in a quarter of the tokens, and checked here with better messages; values typed
    by collection could not be those of a type that the same reply defines, either.
    """
    fields: dict[str, Any] = {}
    definitions: dict[str, Any] = {}
    for kind in PROPOSED:
        whole = kind.model_json_schema()
        definitions |= whole.pop("$defs", {})
        said = {name: part for name, part in whole["properties"].items() if name not in (*fields, *SETTLED)}
        fields |= {name: _lean(part) for name, part in said.items()}
    fields["change"] = {"enum": list(KINDS)}
    change = {"type": "object", "properties": fields, "required": ["change", "source"], "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"changes": {"type": "array", "items": change}},
        "required": ["changes"],
        "additionalProperties": False,
        "$defs": {name: _lean(part) for name, part in definitions.items()},
    }


SETTLED = ("commented", "whole")  # fields that are set when a change is taken
TOLD = ("title", "description", "default", "pattern", "maxLength", "minLength", "minItems")  # elsewhere, or checked


def _lean(part: Any) -> Any:
    """A schema with what a model needs of it: neither what is told elsewhere nor that a field may be null."""
    if isinstance(part, list):
        return [_lean(item) for item in part]
    if not isinstance(part, dict):
        return part
    if len(some := [item for item in part.get("anyOf", ()) if item != {"type": "null"}]) == 1:
        return _lean(some[0])
    return {
        key: {name: _lean(inner) for name, inner in value.items()} if key == "properties" else _lean(value)
        for key, value in part.items()
        if key not in TOLD and (key, value) != ("additionalProperties", True) and not (key == "type" and "enum" in part)
    }


def _findings(error: ValidationError, where: str) -> list[Diagnostic]:
    found = []
    for item in error.errors(include_url=False, include_input=False):
        path = ".".join(str(part) for part in item["loc"][1:] or item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "union_tag_invalid":
            message, path = f"there is no such change; it is one of {', '.join(KINDS)}", "change"
        elif item["type"] == "union_tag_not_found":
            message, path = f"say which change it is: one of {', '.join(KINDS)}", "change"
        found.append(Diagnostic("change-shape", f"{where}.{path}", message))
    return found


NOT_PROPOSED: Mapping[type[Step], str] = {  # by a model, and why
    Refuse: "only a person refuses",
    Propose: "only a review lets a change wait",
    Rename: "only a person renames",
}
PROPOSED: tuple[type[Step], ...] = tuple(kind for kind in get_args(get_args(Change)[0]) if kind not in NOT_PROPOSED)
KINDS: tuple[str, ...] = tuple(kind.model_fields["change"].default for kind in PROPOSED)
