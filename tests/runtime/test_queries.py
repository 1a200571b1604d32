"""Programs that a real model wrote, in the sealed engine as they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from uac_nb.check import clean, gate
from uac_nb.domainfile import parse_type
from uac_nb.domainfile.records import Field, RecordType
from uac_nb.errors import CheckError, ReplyError, RunError
from uac_nb.model.replies import read_changes
from uac_nb.runtime import Program, SealedEngine, available

pytestmark = pytest.mark.skipif(not available().ok, reason=available().why)
TODAY = date(2025, 3, 1)
NAMES = {
    "trips": "Trip", "contacts": "ContactRecord", "meals": "MealRecord", "transactions": "Transaction", "sleep": "SleepRecord",
    "workouts": "WorkoutRecord", "books": "BookRecord", "medical": "MedicalRecord", "meetings": "MeetingRecord",
    "purchases": "PurchaseRecord",
}  # fmt: skip
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@pytest.fixture(scope="module")
def engine() -> Iterator[SealedEngine]:
    with SealedEngine() as engine:
        yield engine


def loaded(engine: SealedEngine, shared: Path, case: dict[str, Any]) -> None:
    """Load the records of a case as the collection `data`."""
    file, size = case["records"].split("#")
    table = json.loads((shared / "analytical" / file).read_text())[size]
    columns = list(zip(*table["rows"], strict=True))
    fields = [Field(name, parse_type(annotation(column))) for name, column in zip(table["fields"], columns, strict=True)]
    kind = RecordType(NAMES[case["type"]], tuple(fields))
    records = [kind.build({f.name: typed(value) for f, value in zip(fields, row, strict=True)}) for row in table["rows"]]
    engine.load(Program(key=case["case_id"], types=(kind,), collections={"data": (kind.name, tuple(records))}))


def annotation(column: tuple[Any, ...]) -> str:
    known = [value for value in column if value is not None]
    first = typed(known[0])
    name = (
        "float"
        if any(isinstance(v, float) for v in known)
        else "tuple[str, ...]"
        if isinstance(first, tuple)
        else type(first).__name__
    )
    return f"{name} | None" if len(known) < len(column) else name


def typed(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return date.fromisoformat(value) if isinstance(value, str) and DAY.fullmatch(value) else value


def cases(shared: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    known = {case["case_id"]: case for case in json.loads((shared / "analytical" / "cases-dev.json").read_text())["cases"]}
    lines = (shared / "analytical" / "model-queries.jsonl").read_text().splitlines()
    return [(known[run["case_id"]], run) for run in map(json.loads, lines)]


def over_typed_records(call: dict[str, str]) -> bool:
    return "records_raw" not in call["code"] and "pandas" not in call["code"] and bool(re.search(r"\bdata\b", call["code"]))


def answer(engine: SealedEngine, code: str) -> str:
    try:
        return engine.run(code, today=TODAY).printed
    except (CheckError, RunError) as error:
        return str(error)


# What was recorded with an output and comes to another one here, and why that is right.
OTHERWISE = {
    "meals_meals_count_breakfast_n20": "it failed there too, after it had printed",
    "meals_meals_avg_cost_n50": "it prints the objects of dataclasses.fields",
    "meals_meals_window_summer_n100": "it rests on the variables of earlier queries",
    "transactions_tx_multi_cc_subs_n100": "it prints a set",
    "sleep_sleep_topk_qualities_n200": "it rests on the import of an earlier query",
    "workouts_wo_trend_q1_q2_n500": "it rests on the variables of an earlier query",
    "books_books_avg_rating_n50": "it was shown a class of another name",
    "medical_med_multi_24_with_meds_n100": "lists of records are tuples here",
}


def test_queries_over_typed_records_run_as_written(engine: SealedEngine, shared: Path) -> None:
    """Every query of the model prints what was recorded (of long programs the record holds the beginning only)."""
    same, otherwise = 0, []
    for case, run in cases(shared):
        loaded(engine, shared, case)
        for call in filter(over_typed_records, run["calls"]):
            printed = answer(engine, call["code"]).strip()
            if call["output"] and printed and call["output"].startswith(printed):
                same += 1
            elif call["output"]:
                otherwise.append(case["case_id"])
    assert set(otherwise) == OTHERWISE.keys()
    assert (same, len(otherwise)) == (48, 12)


# Whole programs, by the number in their name: the day they were written on, and how many alerts they raise then.
PROGRAMS = {
    "01": ("2024-09-20", 1), "04": ("2024-08-10", 0), "05": ("2024-10-28", 1), "06": ("2024-11-10", 2), "07": ("2024-09-18", 1),
    "08": ("2024-10-02", 1), "09": ("2024-11-18", 1), "10": ("2024-10-08", 0), "11": ("2024-10-29", 1), "12": ("2024-11-05", 1),
    "13": ("2024-10-10", 0),
}  # fmt: skip


@pytest.mark.parametrize(("number", "day", "alerts"), [(n, *rest) for n, rest in PROGRAMS.items()])
def test_good_programs_run(engine: SealedEngine, shared: Path, number: str, day: str, alerts: int) -> None:
    assert len(engine.run(f"{whole(shared, number)}\ncheck_constraints({day!r})", today=TODAY).value) == alerts


def whole(shared: Path, number: str) -> str:
    (path,) = (shared / "llm-outputs").glob(f"{number}-*.txt")
    return clean(path.read_text(encoding="utf-8"))[0]


def test_a_stray_character_is_taken_out_and_said(shared: Path) -> None:
    _, findings = clean((shared / "llm-outputs" / "01-stray-codepoint.txt").read_text(encoding="utf-8"), where="rules.py")
    assert [str(finding) for finding in findings] == ["rules.py:54: took out the stray character U+5FFFF"]


def test_broken_programs_are_told_what_to_do(engine: SealedEngine, shared: Path) -> None:
    with pytest.raises(CheckError, match=r"query:39: __import__ may not be used \(write an import statement at the top\)"):
        engine.run(whole(shared, "02"), today=TODAY)
    with pytest.raises(RunError, match=r"NameError: name 'datetime' is not defined \(write import datetime at the top\)"):
        engine.run(f"{whole(shared, '03')}\ncheck_constraints('2024-11-28')", today=TODAY)


# --- the questions and their answers ---

# Queries over rows as JSON, with pandas, on variables that are in no call (meals), or with half of the numbers (contacts, by
# year), written anew over typed records.
PORTED = {
    "trips_trips_avg_business_duration_n50":
        "lasted = [t.duration_days for t in data if t.purpose == 'business']\nsum(lasted) / len(lasted)",
    "contacts_contacts_count_undergrad_n20": "len([c for c in data if c.met_context == 'undergrad'])",
    "contacts_contacts_groupby_topctx_n50":
        "from statistics import mode\nmode(c.met_context for c in data)",
    "contacts_contacts_multi_work_friends_n100":
        "sum(c.relationship == 'friend' and c.met_context == 'work' for c in data)",
    "contacts_contacts_earliest_n200": "min(data, key=lambda c: c.met_date).name",
    "contacts_contacts_trend_n500": (
        "from collections import Counter\nmet = Counter(c.met_date.year for c in data)\n"
        "first, last = met[min(met)], met[max(met)]\n"
        "'increase' if last > first else 'decrease' if last < first else 'same'"
    ),
    "meals_meals_window_summer_n100": "len([m for m in data if date(2024, 6, 1) <= m.date <= date(2024, 8, 31)])",
    "meals_meals_italian_count_n500": "sum(m.cuisine == 'italian' for m in data)",
    "transactions_tx_big_count_n200": "len([t for t in data if t.amount_usd >= 500])",
    "sleep_sleep_count_early_wake_n20": "len([s for s in data if s.wake_time < '07:00'])",
    "sleep_sleep_count_long_n50": "len([s for s in data if s.duration_hours >= 8])",
    "sleep_sleep_window_late_bed_n100": "sum(s.bedtime >= '23:00' or s.bedtime < '03:00' for s in data)",
    "sleep_sleep_topk_qualities_n200":
        "from collections import Counter\nsorted(q for q, n in Counter(s.quality for s in data).items() if n >= len(data) / 4)",
    "sleep_sleep_count_poor_n500": "[s.quality for s in data].count('poor')",
    "workouts_wo_multi_home_strength_n100": "len([w for w in data if (w.location, w.type) == ('home', 'strength')])",
    "medical_med_sum_cost_n20": "sum(v.cost_usd for v in data)",
    "medical_med_groupby_top_type_n50": "from collections import Counter\nCounter(v.type for v in data).most_common(1)[0][0]",
    "medical_med_count_migraine_n200": "len([v for v in data if 'migraine' in v.conditions])",
    "meetings_meet_avg_attendees_n50": "from statistics import mean\nround(mean(m.n_attendees for m in data), 2)",
    "meetings_meet_window_morning_n100": "len([m for m in data if m.time < '12:00'])",
    "meetings_meet_topk_types_n200":
        "types = [m.type for m in data]\nsorted({t for t in types if types.count(t) >= len(types) / 4})",
    "purchases_buy_multi_online_books_n100": "sum(p.online and p.category == 'books' for p in data)",
    "books_books_count_fiction_n20": "len([b for b in data if b.genre == 'fiction'])",
    "meetings_meet_count_1on1_n20": "sum(m.type == '1on1' for m in data)",
}  # fmt: skip

# What the model concluded itself, from the numbers that its query as written prints.
CONCLUDED = {
    "workouts_wo_trend_q1_q2_n500": ("increase", 116, 138),
    "medical_med_trend_22_24_n500": ("increase", 129, 145),
    "purchases_buy_trend_h1_h2_n500": ("decrease", 272, 228),
}


def test_every_question_gets_its_gold_answer(engine: SealedEngine, shared: Path) -> None:
    """From the query of the model as it stands, from the numbers that this prints, or from ours over typed records."""
    how: dict[str, list[str]] = {"as written": [], "concluded": [], "ported": []}
    for case, run in cases(shared):
        loaded(engine, shared, case)
        name, gold = case["case_id"], case["gold"]
        if name in PORTED:
            assert equal(engine.run(PORTED[name], today=TODAY).value, gold), name
            how["ported"].append(name)
            continue
        printed = [answer(engine, call["code"]) for call in run["calls"] if over_typed_records(call)]
        if name in CONCLUDED:
            word, *numbers = CONCLUDED[name]
            assert word == gold == ("increase" if numbers[0] < numbers[1] else "decrease")
            assert any(all(re.search(rf"\b{n}\b", text) for n in numbers) for text in printed), name
            how["concluded"].append(name)
        else:
            assert any(says(text, gold) for text in printed), name
            how["as written"].append(name)
    assert {key: len(names) for key, names in how.items()} == {"as written": 23, "concluded": 3, "ported": 24}
    raw = {run["case_id"] for _, run in cases(shared) if not all(map(over_typed_records, run["calls"]))}
    assert set(PORTED) - raw == {"meals_meals_window_summer_n100", "contacts_contacts_trend_n500"}


def equal(value: Any, gold: Any) -> bool:
    return abs(value - gold) < 0.01 if isinstance(gold, float) else bool(value == gold)


def says(printed: str, gold: Any) -> bool:
    """Whether what was printed ends with the answer, or is a list of it."""
    if isinstance(gold, list):
        return all(re.search(rf"\b{item}\b", printed) for item in gold)
    words = re.findall(r"[\w.-]+", printed.strip().split("\n")[-1])
    if isinstance(gold, str):
        return gold in words
    return any(re.fullmatch(r"-?[\d.]+", word) and abs(float(word) - gold) < 0.01 for word in words[-1:])


# --- state and rules as JSON, and prose ---


@pytest.mark.parametrize("number", ["14", "15", "16"])
def test_a_state_in_json_is_no_code_and_no_changes(engine: SealedEngine, shared: Path, number: str) -> None:
    """It does nothing, and each place that it could come to says what is wrong with it."""
    (path,) = (shared / "llm-outputs").glob(f"{number}-*.json")
    text = path.read_text(encoding="utf-8")
    with pytest.raises(RunError, match=r"^query:1: NameError: name 'null' is not defined"):
        engine.run(text, today=TODAY)
    with pytest.raises(CheckError, match=r"^rules.py:1: an expression stands outside a function"):
        gate(text, where="rules.py", kind="rules")
    with pytest.raises(ReplyError, match=r"the reply is JSON with 'state, constraints', not \{\"changes\""):
        read_changes(text, "stop")


def test_prose_is_no_code_and_no_changes(engine: SealedEngine, shared: Path) -> None:
    (path,) = (shared / "llm-outputs").glob("17-*.txt")
    text = path.read_text(encoding="utf-8")
    with pytest.raises(CheckError, match=r"^query:1: ’ is not Python: it is U\+2019"):
        engine.run(text, today=TODAY)
    with pytest.raises(ReplyError, match="the reply is plain words"):
        read_changes(text, "stop")
