"""A recording holds numbers that an export can hold too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uac_nb.errors import ModelError
from uac_nb.model import RecordedModel


@pytest.mark.parametrize("seconds", ["Infinity", "-Infinity", "NaN", "1e999", "-1", '"long"'])
def test_a_time_that_is_none_is_refused_with_its_line(seconds: str, tmp_path: Path) -> None:
    reply = json.dumps({"text": "x", "model": "m"})[:-1] + f', "seconds": {seconds}}}'
    line = f'{{"purpose": "ask", "entries": [1], "round": 1, "prompt": "p", "reply": {reply}}}'
    file = tmp_path / "replies.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(ModelError, match=r"replies\.jsonl:1"):
        RecordedModel(file)
