"""Somebody who bought three things, with rules of their own, and what every renaming has to stand."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from uac_nb import User

BUY = (
    "class Buy:\n    id: str\n    what: str\n    cost: int | None = None\n    on: When | None = None\n"
    "    source: tuple[int, ...]\n\n"
    "    @property\n    def dear(self) -> bool:\n        return (self.cost or 0) > 100\n"
)
GIFT = "class Gift:\n    id: str\n    what: str\n    cost: int | None = None\n    source: tuple[int, ...]\n"
START = [
    {"change": "define", "domain": "shopping", "collection": "buys", "source": [1], "doc": "Shopping.", "text": BUY},
    *(
        {
            "change": "add", "collection": "buys", "id": f"b{n}", "source": [1],
            "values": {"what": f"thing {n}", "on": f"{2022 + n}-01-01", "cost": 100 * n},
        }
        for n in range(3)
    ),
]  # fmt: skip
GIFTS = {"change": "define", "domain": "family", "collection": "gifts", "source": [1], "text": GIFT}
RULES = '''"""Mine."""
from collections.abc import Iterable, Iterator

from shopping import Buy
from uac_nb.rules import Alert, derived, rule


@rule("info")
def dear(buys: Iterable[Buy]) -> Iterator[Alert]:
    """A dear thing."""
    for buy in buys:
        if buy.dear and (buy.cost or 0) > 150:
            yield Alert(message=f"{buy.what} cost {buy.cost}", hint="Spend less.", records=(buy.id,), evidence=buy.source)


@derived
def spent(buys: Iterable[Buy]) -> int:
    return sum(b.cost or 0 for b in buys)
'''


@pytest.fixture
def user(tmp_path: Path, stored: Callable[..., None]) -> Iterator[User]:
    with User.open("jess", tmp_path, today="2025-06-01") as opened:
        opened.ingest("I bought three things.", at="2025-01-10")
        stored(opened, *START)
        yield opened


@pytest.fixture
def rules() -> str:
    return RULES


@pytest.fixture
def gifts() -> dict[str, Any]:
    """Another type with a field of the same name."""
    return GIFTS


@pytest.fixture
def again() -> Callable[[User], None]:
    """Files and commits of the project are the same when it is deleted and made anew from the log."""

    def check(user: User) -> None:
        now = user.project.files(), [commit.id for commit in user.history()]
        user.close()
        shutil.rmtree(user.folder / "project")
        shutil.rmtree(user.folder / ".cache", ignore_errors=True)
        with User.open(user.name, user.folder.parent, today="2025-06-01", rebuild=True) as new:
            assert (new.project.files(), [commit.id for commit in new.history()]) == now
            assert new.log.verify() is None

    return check
