"""What a person can do with a memory, one module a verb; `User` calls them."""

from uac_nb.verbs import alerts, checkpoint, edit, forget, history, ingest, look, past, pins, rename, review

__all__ = ["alerts", "checkpoint", "edit", "forget", "history", "ingest", "look", "past", "pins", "rename", "review"]
