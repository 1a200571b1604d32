"""`%config UacNb`: which model this notebook asks, where, and how much it may use.

What is given on a line goes before it, and the environment comes after. A key is never taken here: what is typed into a
notebook is saved with it, and shared with it.
"""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets import Float, Integer, TraitError, Unicode, validate
from traitlets.config import Config, Configurable

from uac_nb.errors import UacError
from uac_nb.errors.redaction import KEY, redacted

if TYPE_CHECKING:
    from uac_nb.model import Model

SECRET = re.compile(r"key|token$|secret|password", re.IGNORECASE)  # what people may call a key
LONG = re.compile(r"\w{40}")  # what else a key may look like
NO_KEYS = (
    "a key may not be set here: notebooks are saved, and shared, with all that is typed into them. Delete it from the cell, "
    "take a new one if it may have been seen, and export OPENAI_API_KEY before Jupyter starts"
)


class UacNb(Configurable):
    """The model of this notebook. What is given on a line goes before it, the environment comes after."""

    model = Unicode(
        "",
        help='The model that checkpoints and answers ask: its name, "patterns" for none, or recorded:FILE for replies that '
        "were kept. Empty: UAC_MODEL, else patterns.",
    ).tag(config=True)
    endpoint = Unicode(
        "",
        help="The address of an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1. Empty: OPENAI_BASE_URL, else "
        "that of OpenAI. Its key is never set here, since notebooks are saved: export OPENAI_API_KEY before Jupyter starts.",
    ).tag(config=True)
    max_tokens = Integer(
        None, allow_none=True, min=1, help="A checkpoint stops before it uses more tokens than this. None: no cap."
    ).tag(config=True)
    max_cost = Float(
        None, allow_none=True, min=0, help="A checkpoint stops before it costs more than this, at the price. None: no cap."
    ).tag(config=True)
    price = Unicode(
        "", help="What a million tokens cost, sent/answered, as 0.25/2.00. Empty: UAC_PRICE, else costs are unknown."
    ).tag(config=True)

    def update_config(self, config: Config) -> None:
        """Take what `%config` sets, or nothing of it: what was refused once would else be tried again at the next."""
        for name in config.get(type(self).__name__, {}):
            if name not in self.trait_names(config=True):
                raise TraitError(NO_KEYS if SECRET.search(name) else _unknown(name, self.trait_names(config=True)))
        before = self.config
        try:
            super().update_config(config)
        except Exception as error:
            self.config = before
            if isinstance(error, TraitError):  # which shows what was typed
                raise TraitError(redacted(error)) from None
            raise

    @validate("model")
    def _no_key(self, proposal: Any) -> str:
        if _is_key(proposal["value"]) and not Path(proposal["value"].removeprefix("recorded:")).exists():
            raise TraitError(NO_KEYS)
        return str(proposal["value"]).strip()

    @validate("endpoint")
    def _address(self, proposal: Any) -> str:
        from urllib.parse import urlsplit

        address = str(proposal["value"]).strip()
        if not address:
            return ""
        try:
            parts = urlsplit(address)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:  # a port that is no number
            usable = False
        if not usable:
            raise TraitError("UacNb.endpoint is no address; write it like http://127.0.0.1:8080/v1")
        if "@" in parts.netloc or parts.query or parts.fragment or ";" in address or _is_key(address):
            raise TraitError(f"an address with a password, a query or the like may hold a key, and {NO_KEYS}")
        return address

    @validate("price")
    def _price(self, proposal: Any) -> str:
        from uac_nb.errors import ModelError
        from uac_nb.model import Price

        try:
            Price.of(proposal["value"], {})
        except ModelError as error:
            raise TraitError(str(error)) from None
        return str(proposal["value"])

    def mind(self, named: str | Model | None) -> str | Model | None:
        """Whom to ask: who is `named`, else the model set here, else None, for the environment to say.

        Raise UacError where an endpoint is set here, and no model anywhere.
        """
        from uac_nb.verbs.checkpoint import PATTERNS, RECORDED, model_named

        chosen = named or self.model
        if not self.endpoint or not isinstance(chosen, str):
            return chosen or None
        chosen = chosen or os.environ.get("UAC_MODEL", "")
        if not chosen:
            raise UacError('an endpoint is set, but no model is named; say which: %config UacNb.model = "…" (or "patterns")')
        if chosen == PATTERNS or chosen.startswith(RECORDED):
            return chosen
        from uac_nb.model import OpenAIModel

        return OpenAIModel.from_env(model_named(chosen), env={**os.environ, "OPENAI_BASE_URL": self.endpoint})


def _is_key(text: str) -> bool:
    return bool(KEY.search(text) or LONG.search(text))


def _unknown(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f"UacNb has no option {name}" + (f"; did you mean {near[0]}?" if near else f" (options: {', '.join(names)})")
