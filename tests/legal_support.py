"""One small case of law by hand, with its signals and controls, and folders made of such files."""

from pathlib import Path

CASE = """\
id: zkusebni-doba
version: "1.0"
jurisdiction: cz
language: cs
area: labour
category: legislative-amendment
law_as_of: 2025-05-20
state: draft
meta_task: intertemporal
question: >-
  V květnu mi v nové práci dali zkušební dobu šest měsíců. Platí to?
foil: >-
  Ano, zkušební doba může trvat až čtyři měsíce.
reference: >-
  Ne, činí nejvýše tři měsíce, § 35 odst. 1 zákona č. 262/2006 Sb.
must_contain:
  - id: M1
    text: Zkušební doba sjednaná před 1. 6. 2025 činí nejvýše tři měsíce.
    key_exception: true
    references: [R1]
  - id: M2
    text: Novela se na smlouvu uzavřenou v květnu nepoužije.
must_not_contain:
  - id: N1
    text: Zkušební doba může trvat čtyři měsíce.
may_contain:
  - id: B1
    text: Výpověď ve zkušební době je bez důvodu.
references:
  - id: R1
    kind: norm
    cite: § 35 odst. 1 zákona č. 262/2006 Sb.
    short: § 35 odst. 1 zákoníku práce
    weight: 2
notes: Poznámka jen pro toho, kdo případ posuzuje.
"""

SIGNALS = """\
case: zkusebni-doba
rules:
  M1: {all: [[zkušební doba], [tři měsíc, 3 měsíc]], none: [[šest měsíc]]}
  M2: {all: [[novela], [nepoužít]]}
  N1: {all: [[čtyři měsíc]]}
  B1: {all: [[bez důvod]]}
"""

CONTROLS = """\
case: zkusebni-doba
controls:
  - {kind: right, text: První správná odpověď.}
  - {kind: right, text: Druhá správná odpověď.}
  - {kind: partly, misses: [M2], text: Správně jen zčásti.}
  - {kind: partly, misses: [M1], text: Zčásti jinak.}
  - {kind: foil, violates: [N1], misses: [M1, M2], text: Přesvědčivě a špatně.}
"""


def case_text(case_id: str = "zkusebni-doba", **changes: str) -> str:
    """The case under another id, with other values of its one-line keys (`area="tax"`)."""
    lines = CASE.replace("id: zkusebni-doba", f"id: {case_id}", 1).splitlines()
    for key, value in changes.items():
        (at,) = [n for n, line in enumerate(lines) if line.startswith(f"{key}:")]
        lines[at] = f"{key}: {value}"
    return "\n".join(lines) + "\n"


def folder_of(tmp_path: Path, **files: dict[str, str]) -> Path:
    """A folder `cz` with files by kind and name (`cases={"a.yaml": "…"}`) and a prompt around the question."""
    folder = tmp_path / "cz"
    prompts = {"question.cs.md": "Odpovězte.\n\nDotaz:\n\n{{ question }}\n"}
    for kind, texts in {"cases": {}, "prompts": prompts, **files}.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / kind / name).write_text(text, encoding="utf-8")
    return folder
