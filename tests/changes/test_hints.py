"""Which record was meant, where there are more of them than one can be compared with."""

from __future__ import annotations

from typing import Any

import pytest

from uac_nb.changes import Workspace, apply
from uac_nb.changes.vocabulary import Confirm
from uac_nb.domainfile import Domain
from uac_nb.errors import CheckError
from uac_nb.rules import When
from uac_nb.starter import TYPES

IDS = ("lisbon", "rome-2024", "dentist", *(f"purchase-{n}" for n in range(3000)))


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    ready = TYPES["purchases"]
    domain = Domain.new(ready.domain, ready.domain_doc).define("purchases", ready.text)
    kind = domain.types["Purchase"]
    return Workspace({ready.domain: domain.add("purchases", *(bought(kind, id) for id in IDS))})


def bought(kind: Any, id: str) -> Any:
    return kind.build({"id": id, "title": id, "bought": When("2025"), "source": (1,)})


@pytest.mark.parametrize(
    ("id", "hint"),
    [
        ("lissabon", "did you mean 'lisbon'?"),
        ("rome2024", "did you mean 'rome-2024'?"),
        ("purchse-2718", "did you mean 'purchase-2718'?"),
        ("passport", "add it first"),
        ("x", "add it first"),
    ],
)
def test_the_nearest_of_many_is_named(workspace: Workspace, id: str, hint: str) -> None:
    with pytest.raises(CheckError) as refused:
        apply(Confirm(id=id, source=(1,)), workspace)
    (finding,) = refused.value.diagnostics
    assert (finding.message, finding.hint) == (f"there is no record {id!r}", hint)
