"""The gate on code: what ordinary generated code uses passes; what reaches for Python's innards is refused by name."""

from __future__ import annotations

import ast
from collections.abc import Collection
from textwrap import dedent

import pytest

from uac_nb.check import gate
from uac_nb.errors import CheckError, Diagnostic

TAKEN = {
    "id, type, format and os as fields": "[b.id for b in books if b.type == 'x' and b.format == 'e' and b.os]",
    "input, help and open as names": "open = [p for p in plans if p.open]\ninput = help = 1\nlen(open)",
    "private attributes of one's own": """
        class Tally:
            def __init__(self):
                self._seen = 0
                self._add(1)
            def _add(self, n):
                self._seen += n
            def __eq__(self, other):
                return self._seen == other._seen
        """,
    "str.format": "'{} {name!r:>{width}}'.format(1, name='x', width=8)",
    "a format that is made elsewhere": "template = '{} trips'\ntemplate.format(3)",
    "strptime and strftime": "from datetime import datetime\ndatetime.strptime('2024-01-02', '%Y-%m-%d').strftime('%A')",
    "generators": "def evens(n):\n    for i in range(n):\n        yield from [i]\nlist(evens(3))",
    "enums": "from enum import Enum\nclass Size(Enum):\n    S = 's'\n    L = 'l'\nSize('s').name",
    "properties and the like": """
        class Box:
            @property
            def size(self): return 1
            @classmethod
            def make(cls): return cls()
            @staticmethod
            def help(): return 2
        """,
    "dataclasses": """
        from dataclasses import dataclass, field, asdict, replace, fields
        @dataclass(frozen=True)
        class Row:
            _key: str = ''
            tags: list[str] = field(default_factory=list)
            def __post_init__(self): object
        [f.name for f in fields(Row)]
        """,
    "match": """
        match trips[0]:
            case Trip(to='Rome', cost=None): x = 1
            case {'a': a, **rest} | [a, *rest]: x = 2
            case _: x = 3
        """,
    "lambdas and comprehensions": "sorted({t.to: t for t in trips if (n := t.cost)}, key=lambda k: -len(k))",
    "all modules": "import statistics, itertools, collections, datetime, decimal, re, math, calendar\nimport collections.abc",
    "imports by name": "from collections import Counter, defaultdict as dd\nfrom uac_nb.rules import When",
    "annotations as they will be": "from __future__ import annotations\nx: int = 1",
    "print and errors": """
        try:
            print(1 / 0)
        except ZeroDivisionError as e:
            print(str(e), type(e).__name__)
        raise ValueError('x')
        """,
    "super": "class A:\n    def __init__(self): super().__init__()\n    def __str__(self): return super().__str__()",
    "named tuples": "from collections import namedtuple\nP = namedtuple('P', 'x y')\nP(1, 2)._replace(x=3)._asdict()",
    "a main block": "if __name__ == '__main__':\n    print(1)",
    "context managers and operators": """
        class M:
            __slots__ = ('v',)
            __hash__ = None
            def __enter__(self): return self
            def __exit__(self, *_): return True
            def __radd__(self, o): return o
            def __lt__(self, o): return True
        """,
    "getattr with a public name": "getattr(trips[0], 'to', None), hasattr(trips[0], 'to')",
    "annotations as text": "def f(x: 'list[Trip] | None', y: Literal['10 March']) -> 'Trip': return x",
    "fields called now and today": "[p for p in plans if p.today() or p.now]",
    "a dict with odd keys": "{'__class__': 1}['__class__']",
    "nonlocal and global": "n = 0\ndef f():\n    global n\n    def g():\n        nonlocal_ = 1\n    n += 1",
}


@pytest.mark.parametrize("code", TAKEN.values(), ids=TAKEN)
def test_ordinary_code_is_taken(code: str) -> None:
    assert isinstance(gate(dedent(code), where="query", kind="query"), ast.Module)


def refusal(code: str, domains: Collection[str] | None = ()) -> Diagnostic:
    with pytest.raises(CheckError) as refused:
        gate(code, where="query", kind="query", domains=domains)
    return refused.value.diagnostics[0]


SEALED = "code here has no files, no processes and no network; work with the records, which are bound by name"
INNARDS = "it leads to the code behind a value; use the value"
DUNDER = "names with double underscores belong to Python itself; use a public one"

REFUSED = {
    # imports
    "import os": ("import", "query:1", "os may not be imported", SEALED),
    "x = 1\nfrom os.path import join": ("import", "query:2", "os.path may not be imported", SEALED),
    "import pandas as pd": (
        "import",
        "query:1",
        "pandas may not be imported",
        "use collections.Counter, itertools and statistics; records are plain objects in lists",
    ),
    "import time": (
        "import",
        "query:1",
        "time may not be imported",
        "the day is the argument `today`; make others with datetime.date",
    ),
    "import random": ("import", "query:1", "random may not be imported", "an answer has to come out the same twice"),
    "import statistic": ("import", "query:1", "statistic may not be imported", "did you mean statistics?"),
    "from collections import *": (
        "import",
        "query:1",
        "from collections import * hides what is taken",
        "name what you need",
    ),
    "from . import travel": ("import", "query:1", "an import relative to here", "write from travel import …"),
    "from re import _compiler": ("import", "query:1", "re._compiler may not be imported", "use another part of re"),
    "from dataclasses import make_dataclass": (
        "import",
        "query:1",
        "dataclasses.make_dataclass may not be imported",
        "write a class with @dataclass",
    ),
    "from string import Template": ("import", "query:1", "string.Template may not be imported", "write an f-string"),
    # names
    "eval('1')": ("name", "query:1", "eval may not be used", "write the code out in place"),
    "x = [open]": ("name", "query:1", "open may not be used", SEALED),
    "vars(trips[0])": ("name", "query:1", "vars may not be used", "use dataclasses.asdict(record)"),
    "__import__('math')": ("name", "query:1", "__import__ may not be used", "write an import statement at the top"),
    "__builtins__": ("name", "query:1", "the name __builtins__ may not be used", "use the name itself"),
    "def f(__x): pass": (
        "name",
        "query:1",
        "the name __x may not be used",
        "choose one without double underscores",
    ),
    "from math import pi as __pi__": (
        "name",
        "query:1",
        "the name __pi__ may not be used",
        "choose one without double underscores",
    ),
    "f(__class__=1)": ("name", "query:1", "the name __class__ may not be used", "choose one without double underscores"),
    "type('X', (), {})": ("name", "query:1", "type() with three arguments makes a class", "write a class statement"),
    # attributes
    "().__class__": ("attribute", "query:1", "the attribute .__class__ may not be used", "write type(x)"),
    "x = 1\nx.__dict__": ("attribute", "query:2", "the attribute .__dict__ may not be used", "write dataclasses.asdict(x)"),
    "len.__self__": ("attribute", "query:1", "the attribute .__self__ may not be used", DUNDER),
    "f.__name__ = 'g'": ("attribute", "query:1", "the attribute .__name__ may not be used", DUNDER),
    "g.gi_frame": ("attribute", "query:1", "the attribute .gi_frame may not be used", INNARDS),
    "e.with_traceback(None)": ("attribute", "query:1", "the attribute .with_traceback may not be used", INNARDS),
    "x._secret": (
        "attribute",
        "query:1",
        "the private attribute ._secret may not be used",
        "only those of your own classes; use a public one",
    ),
    "import json\njson.dumps = 1": (
        "attribute",
        "query:2",
        "json.dumps is set; what is imported stays as it is",
        "bind a name of your own",
    ),
    "getattr(x, '__class__')": (
        "attribute",
        "query:1",
        "the attribute .__class__ may not be reached by name",
        "use a public one",
    ),
    "match x:\n    case object(__class__=c): pass": (
        "attribute",
        "query:2",
        "the attribute .__class__ may not be matched",
        "match a public one",
    ),
    "match x:\n    case str(format=f): pass": (
        "attribute",
        "query:2",
        "the attribute .format may not be matched",
        "match a public one",
    ),
    "f'{x.__class__}'": ("attribute", "query:1", "the attribute .__class__ may not be used", "write type(x)"),
    "'{0.to}'.format(t)": (
        "format",
        "query:1",
        "{0.to} reaches into a value from text",
        "write an f-string, as in f'{trip.to}'",
    ),
    "'{:{0[x]}}'.format": (
        "format",
        "query:1",
        "{0[x]} reaches into a value from text",
        "write an f-string, as in f'{trip.to}'",
    ),
    "'{'.format()": (
        "format",
        "query:1",
        "not a format string: Single '{' encountered in format string",
        "write an f-string",
    ),
    "date.today()": (
        "clock",
        "query:1",
        "date.today() reads the clock of the machine",
        "use `today`, the day that is asked for",
    ),
    "import datetime\ndatetime.datetime.now()": (
        "clock",
        "query:2",
        "datetime.datetime.now() reads the clock of the machine",
        "use `today`, the day that is asked for",
    ),
    # classes, functions, annotations
    "class X(metaclass=M): pass": (
        "class-keyword",
        "query:1",
        "class X(metaclass=…) changes how classes are made",
        "leave it out",
    ),
    "class X:\n    def __getattr__(self, n): pass": (
        "name",
        "query:2",
        "the method __getattr__ may not be defined",
        "give it a plain name and call it by that",
    ),
    "class X:\n    __match_args__ = ('a',)": ("name", "query:2", "the name __match_args__ may not be used", DUNDER),
    "async def f(): pass": (
        "async",
        "query:1",
        "async and await have nothing to wait for here",
        "write a plain function and call it",
    ),
    "x: 'y.__class__' = 1": (
        "attribute",
        "query:1",
        "in an annotation, the attribute .__class__ may not be used",
        "write type(x)",
    ),
    "x = 1\ndef f(a: \"list['y.__class__']\"): pass": (
        "attribute",
        "query:2",
        "in an annotation, in an annotation, the attribute .__class__ may not be used",
        "write type(x)",
    ),
    "def f() -> 'not a type': pass": (
        "annotation",
        "query:1",
        "'not a type' is not an annotation",
        "write the type, without quotes",
    ),
    f"x = {10**1300}": ("too-long", "query:1", "a number of more than 1,200 digits", "write it shorter"),
}


@pytest.mark.parametrize(("code", "said"), REFUSED.items(), ids=[code[:40] for code in REFUSED])
def test_a_refusal_says_what_where_and_what_instead(code: str, said: tuple[str, str, str, str]) -> None:
    finding = refusal(code)
    assert (finding.code, finding.where, finding.message, finding.hint) == said


def test_the_domains_of_the_project_may_be_imported_and_no_others() -> None:
    gate("from travel import Trip", where="query", kind="query", domains={"travel"})
    finding = refusal("from garden import Bed", domains={"travel"})
    assert finding.message == "garden may not be imported"
    assert finding.hint.endswith("and the domains travel")


def test_a_domain_that_comes_with_its_first_record_is_said_not_to_be_there_yet() -> None:
    finding = refusal("from money import Purchase", domains={"travel"})
    assert finding.message == "money may not be imported"
    assert finding.hint == "money.py does not exist yet: it comes with its first record, so save this after that"


def test_where_the_domains_are_not_known_any_name_that_is_no_module_may_be_one() -> None:
    gate("from travel import Trip", where="query", kind="query")
    assert refusal("from shutil import rmtree", domains=None).code == "import"
    assert refusal("from numpy import array", domains=None).code == "import"
