"""The questions that were published with a conversation of LOCOMO (Maharana et al. 2024, arXiv 2402.17753)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uac_nb.errors import UacError

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5  # asks for what was never said


@dataclass(frozen=True)
class Question:
    """What is asked, the answer that was published ("" where there is none), and the turns in which it stands."""

    number: int
    text: str
    gold: str
    category: int
    evidence: frozenset[str]


def read(file: Path) -> list[Question]:
    """The questions of one conversation. Raise UacError where the file is not as it was published."""
    try:
        asked = _json(file)["qa"]
        return [_question(number, one) for number, one in enumerate(asked)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UacError(f"{file}: has no questions (qa); use the file of one LOCOMO conversation as it was published") from error


def _question(number: int, one: Mapping[str, Any]) -> Question:
    turns = frozenset(f"D{int(a)}:{int(b)}" for a, b in re.findall(r"D(\d+):(\d+)", str(one.get("evidence", ""))))
    return Question(number, str(one["question"]), str(one.get("answer") or ""), int(one["category"]), turns)


def faulty(file: Path, sample: str) -> frozenset[int]:
    """The questions of a conversation whose published answer an audit found to be wrong: its list, or {"items": list}."""
    try:
        found = _json(file)
        items = found["items"] if isinstance(found, dict) else found
        return frozenset(int(one["qa_index"]) for one in items if one["sample_id"] == sample and one["scores_wrong"])
    except (KeyError, TypeError, ValueError) as error:
        form = '[{"sample_id": "conv-26", "qa_index": 12, "scores_wrong": true}, …]'
        raise UacError(f"{file}: is no list of wrong answers; it should be {form}") from error


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UacError(f"{file}: {error.strerror}; check the path") from error
