"""The line of a magic, and questions that end in a question mark."""

from __future__ import annotations

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from uac_nb.errors import UacError
from uac_nb.notebook.magics.line import Option, parse
from uac_nb.notebook.magics.question import Question

AT = Option("at", "WHEN", "when")
AGAIN = Option("again", "", "again")
REFUSE = Option("refuse", "N …", "refuse", verb=True)

LINES = [
    ("", {}, ""),
    ("jess", {}, "jess"),
    ("--at 2025-01-10", {"at": "2025-01-10"}, ""),
    ("--at=2025-01-10 --again", {"at": "2025-01-10", "again": ""}, ""),
    ('--at "10 January" jess', {"at": "10 January"}, "jess"),
    ("--at '10 January'", {"at": "10 January"}, ""),
    ("jess --at 2025-01-10", {"at": "2025-01-10"}, "jess"),
    ("  jess   --again  ", {"again": ""}, "jess"),
    ("a  chat.txt --again", {"again": ""}, "a  chat.txt"),
    ('--again "a --at chat.txt" --at=1', {"again": "", "at": "1"}, '"a --at chat.txt"'),
    ("'a --at chat.txt'", {}, "'a --at chat.txt'"),
    ("it's Ana's --at 1", {"at": "1"}, "it's Ana's"),
    ("accept 1 --refuse 2,3 --at 1", {"at": "1"}, "accept 1 refuse  2,3"),
    ("--refuse=2", {}, "refuse 2"),
]


@pytest.mark.parametrize(("text", "given", "rest"), LINES)
def test_options_before_and_behind_a_word(text: str, given: dict[str, str], rest: str) -> None:
    line = parse("uac_user", text, [AT, AGAIN, REFUSE])
    assert (line.given, line.rest) == (given, rest)


PROSE = [
    ("how many trips?", {}, "how many trips?"),
    ('--at 2025-01-10 what did "Ana" say --again?', {"at": "2025-01-10"}, 'what did "Ana" say --again?'),
    ("what's  {this} costing?", {}, "what's  {this} costing?"),
]


@pytest.mark.parametrize(("text", "given", "rest"), PROSE)
def test_prose_is_left_as_it_is(text: str, given: dict[str, str], rest: str) -> None:
    line = parse("uac_ask", text, [AT, AGAIN], prose=True)
    assert (line.given, line.rest) == (given, rest)


WRONG = [
    ("--att 2025", "%uac_user has no option --att; did you mean --at?"),
    ("--colour red", "%uac_user has no option --colour (options: --at, --again)"),
    ("--at", "%uac_user: --at needs a value, as in --at WHEN"),
    ("--at --again", "%uac_user: --at needs a value, as in --at WHEN"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_option_says_what_to_write(text: str, message: str) -> None:
    with pytest.raises(UacError) as error:
        parse("uac_user", text, [AT, AGAIN])
    assert str(error.value) == message


# --- the question mark ---


@pytest.fixture
def transform() -> TransformerManager:
    manager = TransformerManager()
    manager.token_transformers.append(Question)
    return manager


ASK = "get_ipython().run_line_magic('uac_ask', "
QUESTIONS = [
    ("%uac_ask when does my passport expire?", f"{ASK}'when does my passport expire?')\n"),
    ("a = %uac_ask when do I fly?", f"a = {ASK}'when do I fly?')\n"),
    ("%uac_ask what's Ana's number?", f"{ASK}\"what's Ana's number?\")\n"),
    ("%uac_ask really??", f"{ASK}'really??')\n"),
    ("%uac_ask (how many) of [these?", f"{ASK}'(how many) of [these?')\n"),
    ("%uac_ask --today 2025-03-01 what now?", f"{ASK}'--today 2025-03-01 what now?')\n"),
    ("x = 1\n%uac_ask and now?\ny = 2", f"x = 1\n{ASK}'and now?')\ny = 2\n"),
    ("%uac_ask one?\n%uac_ask two?", f"{ASK}'one?')\n{ASK}'two?')\n"),
    ("if x:\n    %uac_ask inside?", f"if x:\n    {ASK}'inside?')\n"),
    ("%uac_ask without a mark", f"{ASK}'without a mark')\n"),
]


@pytest.mark.parametrize(("cell", "code"), QUESTIONS)
def test_a_question_may_end_in_a_question_mark(transform: TransformerManager, cell: str, code: str) -> None:
    assert transform.transform_cell(cell) == code


LEFT = ["%uac_ask?", "%uac_ask??", "?%uac_ask", "passport?"]


@pytest.mark.parametrize("cell", LEFT)
def test_help_stays_help(transform: TransformerManager, cell: str) -> None:
    assert "pinfo" in transform.transform_cell(cell)


def test_a_question_inside_a_string_stays_text(transform: TransformerManager) -> None:
    cell = 's = """\n%uac_ask really?\n"""\n'
    assert transform.transform_cell(cell) == cell
