"""Changes and the workspace they apply to: the one way in which a project is written."""

from uac_nb.changes.accept import Accepted, Refused, accept
from uac_nb.changes.apply import apply, settle
from uac_nb.changes.vocabulary import Change, dump, parse, schema
from uac_nb.changes.workspace import Found, Workspace

__all__ = ["Accepted", "Change", "Found", "Refused", "Workspace", "accept", "apply", "dump", "parse", "schema", "settle"]
