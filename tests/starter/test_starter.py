"""The starter types as source that a project adopts, and the drug table behind the allergy rule."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path

import pytest

from uac_nb import starter
from uac_nb.domainfile import Domain, check_names, parse_type
from uac_nb.rules import words
from uac_nb.starter import DOMAINS, TYPES, StarterType, drug_table, drugs
from uac_nb.starter.types import NAMES

EACH = pytest.mark.parametrize("ready", TYPES.values(), ids=TYPES)

# What a type without `who` describes is no one person's life.
NO_WHO = {"Person", "Authorisation"}
# What a message calls a record that has no title.
NAMED_OTHERWISE = {"Person", "Birthday", "Contact", "Residence", "Favourite", "View", "Report", "Advice"}


def test_the_names_are_those_of_the_files_and_unique() -> None:
    assert [t.name for t in TYPES.values()] == [name for names in NAMES.values() for name in names]
    assert len(TYPES) == len({t.name for t in TYPES.values()}) == sum(map(len, NAMES.values()))


def test_the_names_are_allowed_in_a_project() -> None:
    assert [d for domain in DOMAINS for d in check_names(domain=domain)] == []
    assert [d for t in TYPES.values() for d in check_names(collection=t.collection, type=t.name)] == []


@EACH
def test_the_text_is_the_class(ready: StarterType) -> None:
    (node,) = ast.parse(ready.text).body
    assert isinstance(node, ast.ClassDef)
    assert (node.name, ast.get_docstring(node)) == (ready.name, ready.doc)
    named = [item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)]
    assert is_dataclass(ready.cls)
    assert named == [f.name for f in fields(ready.cls)]
    assert [line for line in ready.text.splitlines() if len(line) > 120] == []


@EACH
def test_every_type_has_the_same_frame(ready: StarterType) -> None:
    assert is_dataclass(ready.cls)
    known = {f.name: f for f in fields(ready.cls)}
    names = list(known)
    assert names[0] == "id"
    assert names[-5:] == ["quote", "doubt", "rests_on", "if_gone", "source"]
    assert known["source"].type == "tuple[int, ...]"
    assert [known[name].default for name in ("id", "quote", "doubt", "source")] == [MISSING, None, None, MISSING]
    assert ready.name in NO_WHO or (names[1], known["who"].default) == ("who", "me")
    assert ("title" in known) != (ready.name in NAMED_OTHERWISE)
    assert ready.doc.endswith(".")


@EACH
def test_every_annotation_is_one_that_a_domain_can_hold(ready: StarterType) -> None:
    assert is_dataclass(ready.cls)
    for f in fields(ready.cls):
        parse_type(str(f.type))
        assert "float" not in str(f.type)
        assert not {"date", "datetime"} & set(str(f.type).split())


@EACH
def test_a_status_that_is_over_counts_for_the_rules(ready: StarterType) -> None:
    assert is_dataclass(ready.cls)
    status = next((str(f.type) for f in fields(ready.cls) if f.name == "status"), "")
    if status:
        choices = ast.literal_eval(status.removeprefix("Literal"))
        assert set(choices) & (words.OVER | {"closed", "happened", "lost"}), choices


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_project_adopts_all_types_of_a_domain(domain: str) -> None:
    adopted = [t for t in TYPES.values() if t.domain == domain]
    file = Domain.new(domain, DOMAINS[domain])
    for t in adopted:
        file = file.define(t.collection, t.text, starter=t.name)
    again = Domain.parse(domain, file.text)
    assert list(again.collections) == [t.collection for t in adopted]
    for t in adopted:
        kind = again.types[t.name]
        assert (kind.doc, kind.starter) == (t.doc, t.name)
        assert is_dataclass(t.cls)
        for ours, theirs in zip(fields(t.cls), kind.fields, strict=True):
            assert (ours.name, parse_type(str(ours.type))) == (theirs.name, theirs.type)
            assert ours.default is MISSING or ours.default == theirs.default
    space: dict[str, object] = {"__name__": __name__}
    exec(compile(file.text, f"{domain}.py", "exec"), space)
    assert all(space[t.collection] == [] for t in adopted)


def loaded_by(statement: str) -> list[str]:
    """The modules that a fresh interpreter without site packages has loaded after a statement."""
    code = f"import sys; {statement}; print(*sys.modules)"
    root = Path(starter.__file__).parents[2]
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=root)
    return done.stdout.split()


def test_only_the_standard_library_is_imported() -> None:
    modules = loaded_by("import uac_nb.starter.rules, uac_nb.starter.types.work")
    foreign = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    assert foreign == {"uac_nb", "__main__"}
    assert {".".join(name.split(".")[:2]) for name in modules if name.startswith("uac_nb.")} == {
        "uac_nb.rules",
        "uac_nb.starter",
    }


def test_types_are_texts_until_a_class_is_asked_for() -> None:
    modules = loaded_by("import uac_nb.starter")
    assert [name for name in modules if name.startswith("uac_nb.starter.")] == ["uac_nb.starter.types"]


# --- drugs ---


@pytest.mark.parametrize(
    ("name", "substance", "classes"),
    [
        ("amoxicillin", "amoxicillin", {"penicillins", "beta-lactams"}),
        ("Augmentin", "amoxicillin + clavulanic acid", {"penicillins", "beta-lactams"}),
        ("Keflex", "cefalexin", {"cephalosporins", "beta-lactams"}),
        ("cephalexin", "cefalexin", {"cephalosporins", "beta-lactams"}),
        ("Bactrim", "sulfamethoxazole + trimethoprim", {"sulfonamide antibiotics"}),
        ("Zithromax", "azithromycin", {"macrolides"}),
        ("Cipro", "ciprofloxacin", {"fluoroquinolones"}),
        ("Advil", "ibuprofen", {"NSAIDs"}),
        ("Aspirin", "aspirin", {"salicylates"}),
        ("acetylsalicylic acid", "aspirin", {"salicylates"}),
        ("acetaminophen", "paracetamol", set()),
        ("Excedrin", "aspirin + paracetamol + caffeine", {"salicylates"}),
        ("Vicodin", "hydrocodone + paracetamol", {"opioids"}),
        ("Lipitor", "atorvastatin", {"statins"}),
        ("lisinopril", "lisinopril", {"ACE inhibitors"}),
        ("EMLA", "lidocaine + prilocaine", {"amide local anaesthetics", "local anaesthetics"}),
        ("Omnipaque", "iohexol", {"iodinated contrast"}),
        ("Vibramycin", "doxycycline", {"tetracyclines"}),
        ("sulfa", "sulfa", {"sulfonamide antibiotics"}),
        ("NSAID", "nsaid", {"NSAIDs"}),
        ("camomile", "camomile", set()),
    ],
)
def test_what_a_name_contains_and_its_classes(name: str, substance: str, classes: set[str]) -> None:
    assert drugs.substance(name) == substance
    assert drugs.classes(name) == classes


@pytest.mark.parametrize(
    ("medicine", "avoid", "kind"),
    [
        ("amoxicillin 500 mg", "amoxicillin", "same"),
        ("Augmentin 875 mg", "Amoxicillin", "same"),
        ("Tylenol", "acetaminophen", "same"),
        ("aspirin 100", "Aspirin", "same"),
        ("Augmentin", "penicillin", "class"),
        ("flucloxacillin", "amoxicillin", "class"),
        ("naproxen", "Advil", "class"),
        ("cefazolin", "beta-lactams", "class"),
        ("articaine", "local anesthetics", "class"),
        ("Septra DS", "sulfa drugs", "class"),
        ("ramipril", "lisinopril", "class"),
        ("ibuprofen", "all NSAIDs", "class"),
        ("amoxicillin", "penicillin antibiotics", "class"),
        ("cefalexin", "penicillin", "may"),
        ("amoxicillin", "cephalosporins", "may"),
        ("meropenem", "amoxicillin", "may"),
        ("cefuroxime", "cefazolin", "may"),
        ("aztreonam", "ceftazidime", "may"),
        ("aspirin", "ibuprofen", "may"),
        ("ibuprofen", "aspirin", "may"),
        ("metamizole", "NSAIDs", "may"),
        ("rosuvastatin", "atorvastatin", "may"),
        ("latex-free cream with lanolin", "lanolin", "same"),
        ("aztreonam", "penicillin", None),
        ("azithromycin", "penicillin", None),
        ("furosemide", "sulfa", None),
        ("procaine", "lidocaine", None),
        ("paracetamol", "ibuprofen", None),
        ("trimethoprim", "nitrofurantoin", None),
        ("penicillamine", "penicillin", None),
        ("ibuprofen", "peanuts", None),
        ("ibuprofen", "", None),
        ("camomile tea", "pollen", None),
    ],
)
def test_the_relation_of_a_medicine_to_what_must_be_avoided(medicine: str, avoid: str, kind: str | None) -> None:
    found = drugs.relation(medicine, avoid)
    assert (found and found.kind) == kind


def test_a_relation_says_what_holds() -> None:
    def says(medicine: str, avoid: str) -> str:
        found = drugs.relation(medicine, avoid)
        return found.says if found else ""

    assert says("Augmentin", "penicillin") == "contains amoxicillin, one of the penicillins"
    assert says("flucloxacillin", "amoxicillin") == "contains flucloxacillin, like amoxicillin one of the penicillins"
    assert says("Keflex", "penicillin") == (
        "contains cefalexin, one of the cephalosporins "
        "(a small part of those allergic to penicillins react to a cephalosporin too)"
    )


def test_the_table_is_whole() -> None:
    substances = set(drugs.CLASS)
    combined = {part for brand in drugs.BRANDS.values() for part in brand.split(" + ")}
    fillers = {"clavulanic acid", "sulbactam", "tazobactam", "cilastatin", "naloxone", "caffeine", "sacubitril", "ritonavir"}
    assert combined - substances == fillers
    assert set(drugs.OTHER_NAMES.values()) - substances == {"clavulanic acid"}
    assert {name for pair in drugs.CROSS for name in pair} <= substances | set(drugs.GROUPS.values())
    assert set(drugs.WIDER) <= set(drugs.GROUPS.values())
    assert set(drugs.GROUPS) & (drugs.KNOWN - {"penicillin", "tetracycline", "heparin", "insulin"}) == set()
    assert len(drugs.BRANDS) >= 250
    assert {name for name in drugs.KNOWN if name != name.lower().strip() or not name} == set()
    assert {brand for brand in drugs.BRANDS if brand in substances} == set()


def test_the_table_names_its_sources_and_is_no_advice() -> None:
    for text in (drugs.__doc__ or "", drug_table.__doc__ or ""):
        assert "no medical advice" in text.lower()
    assert "ATC" in (drug_table.__doc__ or "")
    assert "no medical advice" in drugs.ADVICE
