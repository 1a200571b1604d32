"""`%config UacNb`: the model, its endpoint and the cap of a notebook; an argument goes first, the environment last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from uac_nb.model import FakeModel, OpenAIModel
from uac_nb.notebook import magics
from uac_nb.user import User

ALLERGY = "%%uac_ingest --at 2025-01-10 --speaker jess\nI'm allergic to penicillin.\n"
SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What each checkpoint and question was called with; no model is asked."""
    calls: list[dict[str, Any]] = []
    checkpoint, ask = User.checkpoint, User.ask

    def checkpointed(self: User, *given: Any, reader: Any = None, **more: Any) -> Any:
        calls.append({"mind": reader, **more})
        return checkpoint(self, *given, reader="patterns")

    def answered(self: User, question: str, *, model: Any = None, **more: Any) -> Any:
        calls.append({"mind": model})
        return ask(self, question, model="patterns", **more)

    monkeypatch.setattr(User, "checkpoint", checkpointed)
    monkeypatch.setattr(User, "ask", answered)
    return calls


Say = Callable[[str], str]


@pytest.fixture
def said(shell: InteractiveShell, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Say:
    """All that a cell says, whatever way it takes (IPython logs what went wrong in a %config)."""

    def run(source: str) -> str:
        capfd.readouterr()
        caplog.clear()
        shell.run_cell(source)
        out, err = capfd.readouterr()
        return out + err + caplog.text

    return run


def test_the_options_are_listed_with_help(said: Say) -> None:
    assert "UacNb" in said("%config")
    listed = said("%config UacNb")
    for option in ("model", "endpoint", "max_tokens", "max_cost", "price"):
        assert f"UacNb.{option}=" in listed
    assert "recorded:FILE" in listed
    assert "never set here" in " ".join(listed.split())  # the key


@pytest.mark.parametrize("magic", ["%uac_checkpoint", "%uac_ask what am I allergic to"])
def test_the_model_of_the_notebook_goes_before_that_of_the_environment(
    run: Callable[..., Any], asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, magic: str
) -> None:
    monkeypatch.setenv("UAC_MODEL", "from-the-environment")
    run("%uac_user jess", ALLERGY, magic)
    assert asked[-1]["mind"] in (None, "from-the-environment")  # None: the API looks there itself
    run('%config UacNb.model = "from-config"', magic)
    assert asked[-1]["mind"] == "from-config"
    run("%uac_user jess --model from-the-line", magic)
    assert asked[-1]["mind"] == "from-the-line"


def test_an_argument_goes_first(run: Callable[..., Any], asked: list[dict[str, Any]]) -> None:
    run("%uac_user jess", ALLERGY, '%config UacNb.model = "from-config"', "%config UacNb.max_tokens = 1000")
    run("%uac_checkpoint --reader patterns --max-tokens 50")
    assert (asked[-1]["mind"], asked[-1]["max_tokens"]) == ("patterns", 50)
    run("%uac_checkpoint")
    assert (asked[-1]["mind"], asked[-1]["max_tokens"], asked[-1]["max_cost"]) == ("from-config", 1000, None)
    run('%config UacNb.price = "1/10"', "%uac_checkpoint --max-cost 0.25")
    assert (asked[-1]["max_cost"], asked[-1]["price"]) == (0.25, "1/10")


def test_a_model_is_asked_at_the_endpoint_of_the_notebook(
    run: Callable[..., Any], asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    run("%uac_user jess", ALLERGY)
    run('%config UacNb.endpoint = "http://127.0.0.1:8080/v1"', '%config UacNb.model = "m"', "%uac_checkpoint")
    mind = asked[-1]["mind"]
    assert isinstance(mind, OpenAIModel)
    assert (mind.name, mind.endpoint) == ("m", "http://127.0.0.1:8080/v1")
    run("%uac_checkpoint --reader recorded:replies.jsonl")
    assert asked[-1]["mind"] == "recorded:replies.jsonl"
    run('%config UacNb.model = "patterns"', "%uac_checkpoint")
    assert asked[-1]["mind"] == "patterns"


def test_an_endpoint_without_a_model_says_what_is_missing(shell: InteractiveShell, said: Say) -> None:
    shell.run_cell("%uac_user jess")
    shell.run_cell('%config UacNb.endpoint = "http://127.0.0.1:8080/v1"')
    assert "no model is named" in said("%uac_checkpoint")


@pytest.mark.parametrize(
    "line",
    [
        f'%config UacNb.key = "{SECRET}"',
        f'%config UacNb.api_key = "{SECRET}"',
        f'%config UacNb.endpoint = "https://me:{SECRET}@example.org/v1"',
        f'%config UacNb.endpoint = "https://example.org/v1?key={SECRET}"',
        f'%config UacNb.endpoint = "https://example.org/v1/{SECRET}"',
        f'%config UacNb.endpoint = "https://example.org/v1#{SECRET}"',
        f'%config UacNb.endpoint = "https://example.org/v1;key={SECRET}"',
        f'%config UacNb.model = "{SECRET}"',
        f'%config UacNb.model = "recorded:{SECRET}"',
        *(f'%config UacNb.model = "{SECRET.replace("sk-", kind)}"' for kind in ("hf_", "gsk_", "xai-", "AIza")),
    ],
)
def test_a_key_is_refused_since_notebooks_are_saved(said: Say, line: str) -> None:
    told = said(line)
    assert "notebooks are saved" in told
    assert "OPENAI_API_KEY" in told
    assert SECRET[3:] not in told
    assert SECRET[3:] not in said("%config UacNb")
    later = said('%config UacNb.model = "m"\n%config UacNb.model')  # nothing of it is left behind
    assert "notebooks are saved" not in later
    assert "'m'" in later


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('%config UacNb.max_tokens = "many"', "max_tokens"),
        ("%config UacNb.max_tokens = 0", "max_tokens"),
        ('%config UacNb.endpoint = "localhost"', "is no address"),
        ('%config UacNb.price = "cheap"', "is no price"),
        ('%config UacNb.modle = "m"', "UacNb has no option modle; did you mean model?"),
    ],
)
def test_what_cannot_be_is_refused_once(said: Say, line: str, told: str) -> None:
    assert told in said(line)
    later = said('%config UacNb.model = "m"\n%config UacNb.model')
    assert told not in later
    assert "'m'" in later


def test_it_can_stand_in_the_configuration_of_ipython(tmp_path: Path) -> None:
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}, "UacNb": {"model": "m"}}))
    magics.load(shell)
    assert [c.model for c in shell.configurables if type(c).__name__ == "UacNb"] == ["m"]
    magics.unload(shell)
    assert not [c for c in shell.configurables if type(c).__name__ == "UacNb"]
    InteractiveShell.clear_instance()


def test_who_is_open_says_which_model_reads(run: Callable[..., Any]) -> None:
    run("%uac_user jess", '%config UacNb.model = "m"')
    assert "model: m" in repr(run("%uac_user"))


def test_a_checkpoint_stops_at_the_cap_of_the_notebook(shell: InteractiveShell, run: Callable[..., Any]) -> None:
    run("%uac_user jess", ALLERGY, "%config UacNb.max_tokens = 100")
    shell._uac_nb[0].user.model = FakeModel([])
    assert "would pass the cap (100 tokens" in repr(run("%uac_checkpoint"))
