"""What is known of a person, kept as a living Python project in a Jupyter notebook.

>>> from uac_nb import User
>>> user = User.open("jess")                                            # doctest: +SKIP
>>> user.ingest("I'm allergic to penicillin.", at="2025-01-10")         # doctest: +SKIP
>>> user.checkpoint()                                                   # doctest: +SKIP
>>> user.ask("what am I allergic to?")                                  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from uac_nb.errors import UacError
    from uac_nb.rules import Money, When
    from uac_nb.user import User

__all__ = ["Money", "UacError", "User", "When"]

# Loaded at first use: a user's project imports `uac_nb.rules` and must not pay for the rest.
_HOME = {"User": "uac_nb.user", "UacError": "uac_nb.errors", "When": "uac_nb.rules", "Money": "uac_nb.rules"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'uac_nb' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Called by ``%load_ext uac_nb``."""
    from uac_nb.notebook.magics import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Called by ``%unload_ext uac_nb``."""
    from uac_nb.notebook.magics import unload

    unload(shell)
