"""A model that drafts one case of law as it is asked to, for tests: what it says at each step, well or badly."""

import json
from typing import Any

SOURCE = "Novela prodloužila zkušební dobu. Na doby sjednané dříve se nepoužije; ty trvají nejvýše tři měsíce."

FACTS: dict[str, Any] = {
    "facts": ["Pracovní smlouva byla uzavřena v květnu 2025.", "Zkušební doba byla sjednána na šest měsíců."],
    "general_rule": "Zkušební dobu lze sjednat nejvýše na čtyři měsíce.",
    "exception": "Na zkušební dobu sjednanou dříve se užije dosavadní úprava.",
    "references": [
        {
            "id": "R1",
            "kind": "norm",
            "cite": "§ 35 odst. 1 zákona č. 262/2006 Sb.",
            "short": "§ 35 odst. 1 zákoníku práce",
            "weight": 2,
        }
    ],
}

FOIL = "Zkušební doba může trvat nejdéle čtyři měsíce, takže po čtyřech měsících Vám skončí a dál běží běžný poměr."
REFERENCE = "Zkušební doba Vám skončí už po třech měsících (§ 35 odst. 1 zákona č. 262/2006 Sb.), protože byla sjednána před novelou."

CASE: dict[str, Any] = {
    "id": "zkusebni-doba-z-kvetna",
    "meta_task": "intertemporal",
    "question": "V květnu 2025 jsem nastoupila do kanceláře a ve smlouvě mám půl roku na zkoušku. Kdy mi to skončí?",
    "foil": FOIL,
    "reference": REFERENCE,
    "must_contain": [
        {
            "id": "M1",
            "text": "Zkušební doba sjednaná před 1. 6. 2025 činí nejvýše tři měsíce.",
            "key_exception": True,
            "references": ["R1"],
        },
    ],
    "must_not_contain": [
        {"id": "N1", "text": "Zkušební doba skončí po čtyřech měsících.", "key_exception": False, "references": []}
    ],
    "may_contain": [],
    "notes": "Rozhoduje den, kdy byla doba sjednána.",
}

LEAK = "V květnu 2025 jsem nastoupila do kanceláře. Podle § 35 prý mám půl roku na zkoušku. Kdy mi to skončí?"
WISHED = "V květnu 2025 jsem nastoupila do knihovny a ve smlouvě mám půl roku na zkoušku. Kdy mi to skončí?"

ORDER: dict[str, Any] = {
    "area": "labour",
    "category": "legislative-amendment",
    "law_as_of": "2025-05-20",
    "source": SOURCE,
}


def changed(page: str, sign: str) -> str:
    """The words of the lines that a page shows as added (`+`) or removed (`-`)."""
    difference = page.partition("~~~~diff")[2].partition("~~~~")[0]
    return " ".join(line[1:].strip() for line in difference.splitlines() if line.startswith(sign))


def drafted(request: dict[str, Any], fault: str = "") -> str:
    """The reply to a request of any step; fault: `leaks` in the first draft, `leaks-on` in every one, `broken` until told, `broken-on`."""
    properties = request["response_format"]["json_schema"]["schema"]["properties"]
    words, is_told = request["messages"][0]["content"], len(request["messages"]) > 1
    is_revision = "## Dosavadní návrh" in words
    if "points" in properties:
        return json.dumps(_judged(words), ensure_ascii=False)
    if "general_rule" in properties:
        exception = "Rozhoduje den uzavření smlouvy." if is_revision else FACTS["exception"]
        return json.dumps({**FACTS, "exception": exception}, ensure_ascii=False)
    case = dict(CASE)
    if fault == "leaks-on" or (fault == "leaks" and not is_revision):
        case["question"] = LEAK
    elif "knihovn" in words and is_revision:
        case["question"] = WISHED
    if fault == "broken-on" or (fault == "broken" and not is_told):
        case["must_contain"] = [{**CASE["must_contain"][0], "key_exception": False}]
    return json.dumps(case, ensure_ascii=False)


def _judged(words: str) -> dict[str, Any]:
    """A judge that knows both texts: the foil says what is wrong and lacks what is right, the reference answer the other way round."""
    answer = words.partition("<odpoved>")[2].partition("</odpoved>")[0].strip()
    is_wrong_statement = "toto **nesprávné** tvrzení" in words
    points = int((answer == FOIL) == is_wrong_statement)
    return {"points": points, "quote": " ".join(answer.split(" ")[:6]) if points else "", "reason": "Je to tam."}
