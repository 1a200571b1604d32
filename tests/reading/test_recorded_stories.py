"""Whole stories, read by a large language model once and replayed here: the path from reply to record, without a key.

The replies were recorded in November 2026 through an OpenAI-compatible endpoint. They are no figure of today's prompt once
that changes (`Ran.stale` says so); what has to hold is that the same replies still come to the same records.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from uac_nb.measure.eval import run
from uac_nb.model import RecordedModel

RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.mark.parametrize("seed", [606, 707])
def test_recorded_replies_come_to_the_records_that_were_meant(seed: int, tmp_path: Path) -> None:
    model = RecordedModel(RECORDINGS / f"told-{seed}.jsonl")
    ran = run.told(tmp_path, "recorded", model, seed=seed, size=40, sessions=12)
    figures = ran.score.all
    assert (figures.precision, figures.recall, figures.accuracy) == (1.0, 1.0, 1.0)
    assert (ran.unread, ran.pending, ran.fresh) == ((), 0, False)
