"""Reading what models send: JSON out of fences, prose and thoughts, and changes out of JSON.

`scan` reads one value, `text` finds those of a text, `read` takes the changes out of them.
"""

from uac_nb.model.replies.read import CHANGES, Read, read_changes, read_object

__all__ = ["CHANGES", "Read", "read_changes", "read_object"]
