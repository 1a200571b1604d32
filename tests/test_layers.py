"""Arrows point down only: each layer imports from itself and those below, and the lowest from the standard library alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import uac_nb

ROOT = Path(uac_nb.__file__).parent

# From the lowest up. A module of the project that is named nowhere here fails the test.
LAYERS = (
    ("errors",),
    ("disk",),
    ("rules", "english"),
    ("log", "importers", "project", "domainfile", "starter"),
    ("changes", "check", "runtime", "model"),
    ("store",),
    ("reading", "ask"),
    ("verbs",),
    ("user",),
    ("notebook", "cli", "measure"),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

STANDARD_ONLY = ("rules", "starter", "domainfile")
EDGE_ONLY = ("IPython", "ipywidgets", "papermill", "nbformat", "click")


def modules() -> list[Path]:
    return sorted(p for p in ROOT.rglob("*.py") if p != ROOT / "__init__.py")


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it the import stands; relative ones are not used in the project."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = part(path)
    assert own in RANK, f"say in which layer {own} lies"
    for name in imports(path):
        if name.startswith("uac_nb."):
            other = name.split(".")[1]
            if other in RANK:
                assert other == own or RANK[other] <= RANK[own], f"{own} imports {other}, which lies above it"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_what_lies_low_needs_little(path: Path) -> None:
    own = part(path)
    for name in imports(path):
        top = name.split(".")[0]
        if own in STANDARD_ONLY:
            assert top == "uac_nb" or top in sys.stdlib_module_names, f"{own} needs {top}"
        if top in EDGE_ONLY:
            assert RANK[own] == RANK["notebook"], f"{own} imports {top}, which is for the edge"


def test_no_cycles_between_parts() -> None:
    below: dict[str, set[str]] = {}
    for path in modules():
        for name in imports(path):
            if name.startswith("uac_nb.") and (other := name.split(".")[1]) in RANK and other != part(path):
                below.setdefault(part(path), set()).add(other)
    for own, others in below.items():
        for other in others:
            assert own not in below.get(other, set()), f"{own} and {other} import each other"


def test_a_project_needs_only_the_rules() -> None:
    """`uac_nb.rules` loads without pandas, pydantic, IPython or a model."""
    heavy = ("pandas", "pydantic", "IPython", "openai", "dulwich")
    code = f"import sys, uac_nb.rules; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
