"""The types of a project: what is wrong is found and told by its line, what may be None is not held against it."""

from __future__ import annotations

from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from uac_nb import starter
from uac_nb.check import types
from uac_nb.check.types import check_types

needs_ty = pytest.mark.skipif(types.checker() is None, reason=types.INSTALL)
TRAVEL = f"""from dataclasses import dataclass
from typing import Literal
from uac_nb.rules import When

{starter.TYPES["trips"].text}
    @property
    def far(self) -> bool:
        return self.country != "PT"
"""
HEAD = """from collections.abc import Iterable, Iterator
from datetime import date
from travel import Trip
from uac_nb.rules import Alert, ahead, rule, running_out

@rule("info")
def f(trips: Iterable[Trip], *, today: date) -> Iterator[Alert]:
    for t in ahead(trips, today):
        """
GOOD = 'if t.far and t.departs.first > today: yield running_out(t, because="It is 1 day.", do="Go.")\n'
BAD = {
    "a field that is not there": ("yield t.budget\n", "'Trip' has no attribute 'budget'"),
    "a field that is not there, of what may be None": ("yield t.departs.frist\n", "has no attribute 'frist'"),
    "an argument that is not there": ("Trip(where=1)\n", "Argument 'where' does not match"),
    "operands that do not fit": ("t.title + 1\n", "Operator '+' is not supported"),
    "a name that is not there": ("yield runing_out(t)\n", "'runing_out' used when not defined"),
}


@needs_ty
def test_code_that_holds_has_no_findings() -> None:
    assert check_types({"travel": TRAVEL}, HEAD + GOOD) == ()


@needs_ty
@pytest.mark.parametrize(("line", "words"), BAD.values(), ids=BAD)
def test_what_does_not_hold_is_told_by_its_line(line: str, words: str) -> None:
    found = [finding for finding in check_types({"travel": TRAVEL}, HEAD + line) if words in finding.message]
    assert [(finding.code, finding.where) for finding in found] == [("type", "rules.py:9")]


@needs_ty
def test_methods_are_checked_too() -> None:
    (found,) = check_types({"travel": TRAVEL.replace("self.country", "self.land")}, "")
    assert (found.where.partition(":")[0], "no attribute 'land'" in found.message) == ("travel.py", True)


@needs_ty
def test_only_our_configuration_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path / "ty.toml", tmp_path / "ty" / "ty.toml"):
        path.parent.mkdir(exist_ok=True)
        path.write_text('[rules]\nmissing-attribute = "ignore"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert check_types({"travel": TRAVEL}, HEAD + "yield t.budget\n")


def test_code_without_functions_needs_no_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "checker", lambda: None)
    assert check_types({"travel": "X = 1\n"}, "OFF = ()\n") == ()


def test_without_the_checker_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "checker", lambda: None)
    (found,) = check_types({"travel": TRAVEL}, HEAD + "yield t.budget\n")
    assert found.code == types.NOT_CHECKED
    assert str(found) == "rules.py: not type-checked: ty is not installed (pip install 'uac-nb[types]')"


def test_a_checker_that_does_not_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, **__: object) -> None:
        raise TimeoutExpired("ty", 30)

    monkeypatch.setattr(types, "checker", lambda: Path("ty"))
    monkeypatch.setattr("subprocess.run", hang)
    (found,) = check_types({}, HEAD + GOOD)
    assert found.code == types.NOT_CHECKED
    assert "timed out after 30 seconds" in found.message
