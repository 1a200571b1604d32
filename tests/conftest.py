"""Fixtures of all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real material that is not part of the project (see its licences); tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the material in ../shared/data is not here")
    return SHARED
