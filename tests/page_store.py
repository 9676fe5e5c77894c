"""A store with pages by hand, without any stage: two tasks, a system with two trials each, its grades, its evidence."""

import io
import json
from pathlib import Path

from page_grades import STAMP, answer, case, check, grades
from PIL import Image, ImageDraw

from datasets.store import Store
from datasets.tables import Place, seal, write_part
from profiles import artifacts
from schemas.evidence import MEASUREMENTS, PICTURES, Measurements
from schemas.evidence_row import DATA, PICTURE, EvidenceFile
from schemas.grade import PROGRAM
from schemas.row import Row, to_table

EDITION, SYSTEM, TASKS, TRIALS = "e1", "s1", ("t1", "t2"), (1, 2)
PLACE = Place(suite="artifacts", edition=EDITION, system=SYSTEM)


def picture(text: str, height: int = 800) -> bytes:
    """A picture with words on it."""
    image = Image.new("RGB", (1280, height), "white")
    ImageDraw.Draw(image).text((40, 40), text, fill="black", font_size=60)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def evidence(store: Store, task: str, trial: int) -> list[EvidenceFile]:
    """All pictures of one page, its words and its measurements."""
    told = {"version": "1", "steps": [{"step": 1, "shot": "interact-1.png", "words": f"Krok 1: {task}."}], "notes": []}
    blobs = {name: picture(f"{task} {trial} {name}", 4000 if "full" in name else 800) for name in PICTURES}
    files = {**blobs, "interactions.json": json.dumps(told).encode(), MEASUREMENTS: b"{}"}
    return [
        EvidenceFile(
            suite="artifacts", edition=EDITION, system_id=SYSTEM, case_id=task, trial=trial, name=name,
            media_type=PICTURE if name in blobs else DATA, sha256=store.put_blob(data), size_bytes=len(data),
            is_one_colour=False if name in blobs else None,
            measurements=Measurements().model_dump_json() if name == MEASUREMENTS else None,
        )
        for name, data in files.items()
    ]  # fmt: skip


def page_store(folder: Path) -> Store:
    """The store; a model `acme` judged all pages, in t1 with defects."""
    store = Store.open(folder / "store")
    cases = [case(task) for task in TASKS]
    answers = [answer(task, trial) for task in TASKS for trial in TRIALS]
    by_program = [
        check(item, case_id=a.case_id, trial=a.trial) for a in answers for item in ("page", "load", "console")
    ]
    by_acme = [
        g
        for a in answers
        for g in grades(
            "acme", 1, 0.5 if a.case_id == "t1" else 1, 1, 1, case_id=a.case_id, trial=a.trial, is_same_vendor=False
        )
    ]
    every = [*by_program, *by_acme]
    profiles = [
        artifacts.profile(c, a, [g for g in every if (g.case_id, g.trial) == (a.case_id, a.trial)])
        for c in cases
        for a in answers
        if a.case_id == c.case_id
    ]
    frame = to_table(type(profiles[0]), profiles).to_pandas()
    rows: list[tuple[Place, list[Row]]] = [
        (PLACE.model_copy(update={"system": None}), [*cases]),
        (PLACE, [*answers]),
        (PLACE, [e for a in answers for e in evidence(store, a.case_id, a.trial)]),
        (PLACE.model_copy(update={"judge": PROGRAM}), [*by_program]),
        (PLACE.model_copy(update={"judge": "acme"}), [*by_acme]),
        (PLACE, [*profiles]),
        (PLACE, [*artifacts.tendencies(frame, frame, STAMP)]),
    ]
    for place, some in rows:
        model = type(some[0])
        seal(store, model, place, [write_part(store, model, place, "k" * 16, 0, some)])
    return store
