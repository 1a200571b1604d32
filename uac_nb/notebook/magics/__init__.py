"""The notebook edge: `%load_ext uac_nb` ends here."""

from __future__ import annotations

from typing import Any

from uac_nb.notebook.magics.complete import matcher
from uac_nb.notebook.magics.memory import Memory
from uac_nb.notebook.magics.question import Question, below
from uac_nb.notebook.magics.takes import OPTIONS
from uac_nb.notebook.widgets import frames

__all__ = ["load", "unload"]

_PARTS = "_uac_nb"  # on the shell: what `unload` has to take out again


def load(shell: Any) -> None:
    """Give a shell the magics, their completion, and questions that end in a question mark. Idempotent."""
    if hasattr(shell, _PARTS):
        return
    memory = Memory(shell)
    completing = matcher(OPTIONS, memory.words)
    shell.register_magics(memory)
    shell.configurables.append(memory.settings)
    below(shell)
    shell.input_transformer_manager.token_transformers.append(Question)
    shell.Completer.custom_matchers.append(completing)
    frames.install(shell.display_formatter.formatters["text/html"])
    setattr(shell, _PARTS, (memory, completing))


def unload(shell: Any) -> None:
    """Take all of it out again, and close the user."""
    memory, completing = getattr(shell, _PARTS)
    for kind in memory.magics:
        for name in memory.magics[kind]:
            shell.magics_manager.magics[kind].pop(name, None)
    shell.input_transformer_manager.token_transformers.remove(Question)
    shell.Completer.custom_matchers.remove(completing)
    frames.uninstall(shell.display_formatter.formatters["text/html"])
    shell.configurables.remove(memory.settings)
    memory.close()
    delattr(shell, _PARTS)
