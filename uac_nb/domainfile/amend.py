"""Replacing a record in the text. One that holds a person's comments is changed value by value, so that they stay."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import Any

from uac_nb.domainfile.parsing import parse
from uac_nb.domainfile.records import values_of
from uac_nb.domainfile.render import STEP, WIDTH, render_record, render_value, written
from uac_nb.domainfile.text import Edit, Text, splice


def amended(piece: str, old: Any, new: Any) -> str:
    """The text of `new` in place of `piece`, the text of `old`."""
    return _in_place(piece, old, new) if _has_comment(piece) else render_record(new, WIDTH, STEP)


def _has_comment(piece: str) -> bool:
    if "#" not in piece:
        return False
    return any(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(piece).readline))


def _in_place(piece: str, old: Any, new: Any) -> str:
    source = Text(piece)
    call = parse(piece, "eval").body
    assert isinstance(call, ast.Call)
    there = {keyword.arg or "": keyword for keyword in call.keywords}
    before, after, to_write = values_of(old), values_of(new), dict(written(new))
    edits: list[Edit] = []
    for name, value in after.items():
        if name in there:
            if render_value(value) != render_value(before[name]):
                edits.append((*source.span(there[name].value), render_value(value)))
        elif name in to_write:
            edits.append(_inserted(source, there, list(after), name, value))
    return splice(piece, edits)


def _inserted(source: Text, there: dict[str, ast.keyword], order: list[str], name: str, value: Any) -> Edit:
    """A new value goes before the next field that is written, in the layout of that one."""
    new = f"{name}={render_value(value)}"
    following = next((there[other] for other in order[order.index(name) + 1 :] if other in there), None)
    if following is None:
        end = source.span(list(there.values())[-1])[1]
        return end, end, f", {new}"
    start, line = source.span(following)[0], source.line(following.lineno)[0]
    margin = source.text[line:start]
    return start, start, f"{new},\n{margin}" if not margin.strip() else f"{new}, "
