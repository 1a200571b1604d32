"""Whatever a domain holds: it renders, parses and renders to the same bytes, means what Python says, and changes in place."""

from __future__ import annotations

import keyword
import re
from datetime import UTC, date, timedelta, timezone
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uac_nb.domainfile.annotations import Choice, Fixed, Many, Maybe, Nested, Scalar, Table, Type, parts
from uac_nb.domainfile.domain import Domain
from uac_nb.domainfile.records import Field, RecordType, decode, encode, type_of, values_of
from uac_nb.domainfile.render import render_value
from uac_nb.domainfile.text import STATE
from uac_nb.errors import CheckError
from uac_nb.rules import Every, Money, Said, When

TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\"\\'\n\t#,)]}\u202e\u200b\x00🎉")), max_size=12)
DAYS = st.dates(date(1, 1, 2), date(9999, 12, 30))
WHENS = st.one_of(
    DAYS.map(lambda day: When(day)),
    st.sampled_from(["2025", "2025-03", "2025-W11", "2025-22", "../2021", "2023-01-29~", "--02-29", "2024/2025-03"]).map(When),
)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9)
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXTS,
    "int": st.integers(),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "bool": st.booleans(),
    "Decimal": DECIMALS,
    "date": DAYS,
    "datetime": st.datetimes(timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-3, minutes=30))])),
    "time": st.times(),
    "When": WHENS,
    "Every": st.sampled_from(["day", "tue,thu 18:00-19:30", "2 weeks fri from 2025-01-10", "2x week until 2026"]).map(Every),
    "Money": st.builds(Money, DECIMALS, st.sampled_from(["EUR", "USD"])),
    "Said": st.builds(Said, TEXTS, st.integers(0, 10**6)),
}
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and name not in {"id", "source", *SCALARS, "tuple", "dict"}
)
CHOICES = st.lists(st.one_of(TEXTS, st.integers()), min_size=1, max_size=4, unique_by=repr).map(lambda v: Choice(tuple(v)))


def types(nested: list[RecordType]) -> st.SearchStrategy[Type]:
    simple: st.SearchStrategy[Type] = st.one_of(
        st.sampled_from(list(SCALARS)).map(Scalar), CHOICES, *([st.sampled_from(nested).map(Nested)] if nested else [])
    )
    inner = st.one_of(
        simple,
        simple.map(Many),
        simple.map(Table),
        st.lists(simple, min_size=2, max_size=3).map(lambda items: Fixed(tuple(items))),
    )
    return st.one_of(inner, inner.map(Maybe))


def values(type: Type) -> st.SearchStrategy[Any]:
    match type:
        case Scalar(name):
            return SCALARS[name]
        case Choice(choices):
            return st.sampled_from(choices)
        case Maybe(of):
            return st.one_of(st.none(), values(of))
        case Many(of):
            return st.lists(values(of), max_size=3).map(tuple)
        case Fixed(of_each):
            return st.tuples(*map(values, of_each))
        case Table(of):
            return st.dictionaries(TEXTS, values(of), max_size=3)
        case Nested(kind):
            return st.fixed_dictionaries({f.name: values(f.type) for f in kind.fields}).map(kind.build)


@st.composite
def record_types(draw: st.DrawFn, name: str, nested: list[RecordType]) -> RecordType:
    fields = [Field("id", Scalar("str"))]
    for field_name in draw(st.lists(NAMES, max_size=4, unique=True)):
        kind = draw(types(nested))
        shared = any(isinstance(part, Table | Nested) for part in parts(kind))  # a dict cannot be a default
        fields.append(Field(field_name, kind) if shared or draw(st.booleans()) else Field(field_name, kind, draw(values(kind))))
    return RecordType(name, (*fields, Field("source", Many(Scalar("int")))))


def class_text(kind: RecordType) -> str:
    lines = [
        f"    {f.name}: {f.type}" + ("" if repr(f.default) == "MISSING" else f" = {render_value(f.default)}")
        for f in kind.fields
    ]
    return f"class {kind.name}:\n" + "\n".join(lines) + "\n"


@st.composite
def domains(draw: st.DrawFn) -> tuple[Domain, list[tuple[str, Any]]]:
    """A domain, and its records in the order in which they were added."""
    domain = Domain.new("things", draw(TEXTS))
    known: list[RecordType] = []
    for index, name in enumerate(("Part", "Thing", "Other")[: draw(st.integers(1, 3))]):
        kind = draw(record_types(name, known))
        domain = domain.define(f"c{index}", class_text(kind))
        assert domain.types[name] == kind
        known.append(domain.types[name])
    added: list[tuple[str, Any]] = []
    for number in range(draw(st.integers(0, 6))):
        collection = f"c{draw(st.integers(0, len(known) - 1))}"
        kind = domain.collections[collection].type
        drawn = {f.name: draw(values(f.type)) for f in kind.fields if f.name != "id"}
        added.append((collection, kind.build({**drawn, "id": f"{draw(TEXTS)}{number}"})))
        domain = domain.add(*added[-1])
    return domain, added


SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@given(domains())
@SLOW
def test_renders_parses_and_renders_to_the_same_bytes(drawn: tuple[Domain, list[tuple[str, Any]]]) -> None:
    domain, added = drawn
    again = Domain.parse(domain.name, domain.text)
    assert again == domain
    assert [r for c in domain.collections for r in again.records(c)] == [
        r for c in domain.collections for a, r in added if a == c
    ]
    rebuilt = Domain.parse(domain.name, domain.definitions + f"{STATE}\n" + "".join(
        f"\n{c.name}: list[{c.type.name}] = []\n" for c in domain.collections.values()
    ))  # fmt: skip
    for collection in domain.collections:
        rebuilt = rebuilt.add(collection, *again.records(collection)) if again.records(collection) else rebuilt
    assert rebuilt.text == domain.text


@given(domains())
@SLOW
def test_python_reads_the_same_values(drawn: tuple[Domain, list[tuple[str, Any]]]) -> None:
    domain, _ = drawn
    module: dict[str, Any] = {"__name__": __name__}
    exec(compile(domain.text, "things.py", "exec"), module)  # our own rendering of drawn values
    for collection in domain.collections:
        assert encode(module[collection]) == encode(list(domain.records(collection)))


@given(domains())
@SLOW
def test_rows_and_tagged_json_come_back(drawn: tuple[Domain, list[tuple[str, Any]]]) -> None:
    domain, _ = drawn
    for collection in domain.collections.values():
        records = list(domain.records(collection.name))
        assert collection.type.build_rows(collection.type.rows(records)) == records
        assert decode(encode(records), domain.types) == records


@given(domains(), st.data())
@SLOW
def test_a_change_touches_only_its_own_lines(drawn: tuple[Domain, list[tuple[str, Any]]], data: st.DataObject) -> None:
    """The file is first decorated as a person might: a comment behind each line of a record and above it."""
    domain, added = drawn
    lines = domain.text.split("\n")
    marked = [f"    # above\n{line}  # behind" if re.match(r"    \w+\(.*\),$", line) else line for line in lines]
    domain = Domain.parse(domain.name, "\n".join(marked))
    if not added:
        return
    collection, record = data.draw(st.sampled_from(added))
    kind = type_of(record)
    block = domain.blocks[collection]
    start, end = block.spans[block.index[record.id]]
    above, below = domain.text[:start], domain.text[end:]

    drawn_values = {f.name: data.draw(values(f.type)) for f in kind.fields if f.name != "id"}
    changed = domain.replace(kind.build({**drawn_values, "id": record.id}))
    assert changed.text.startswith(above)
    assert changed.text.endswith(below)
    assert Domain.parse(domain.name, changed.text) == changed
    assert values_of(changed.find(record.id)) == {"id": record.id, **drawn_values}

    removed = domain.remove(record.id)
    rest = above[: above.rindex("\n") + 1] + below[below.index("\n") + 1 :]
    assert removed.text == rest.replace("[\n]", "[]")
    assert Domain.parse(domain.name, removed.text) == removed
    assert removed.find(record.id) is None

    back = removed.add(collection, record)
    assert Domain.parse(domain.name, back.text) == back
    assert back.records(collection)[-1] == record
    assert back.text.replace(lines_of_last(back, collection), "").replace("[\n]", "[]") == removed.text


SNIPPETS = st.one_of(
    st.sampled_from(
        ["", ",", "(", ")", "[", "]", '"', "'", "#", "\n", " ", "_", "1", ".x", " if x else y", "] + [", "# ,\n", "\\\n", "\r"]
    ),
    st.text(max_size=3),
)


@given(domains(), st.data())
@SLOW
def test_an_edit_reads_as_the_whole_text_does(drawn: tuple[Domain, list[tuple[str, Any]]], data: st.DataObject) -> None:
    domain, _ = drawn
    text = domain.text
    spans = [span for block in domain.blocks.values() for span in (*block.spans, (block.start, block.end))]
    places = st.one_of(st.sampled_from([p for span in spans for p in span]), st.integers(domain.head, len(text)))
    start, end = sorted((data.draw(places), data.draw(places)))
    inserted = data.draw(st.one_of(SNIPPETS, st.sampled_from(spans).map(lambda span: text[span[0] : span[1]] + ",")))
    edited = text[:start] + inserted + text[end:]
    assert outcome(edited, domain) == outcome(edited, None)


def outcome(text: str, like: Domain | None) -> Any:
    try:
        return Domain.parse("things", text, like=like)
    except CheckError as error:
        return error.diagnostics


def lines_of_last(domain: Domain, collection: str) -> str:
    start, end = domain.blocks[collection].spans[-1]
    return f"    {domain.text[start:end]},\n"
