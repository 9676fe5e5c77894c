"""From what a trial left behind to the folder of evidence: exactly the files of A-1, and `measurements.json` beside them.

Everything that the trial wrote is checked as it is read. `measurements.json` comes last: a folder that has it is complete.
"""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.evidence import (
    FILES,
    FULL,
    INTERACTIONS,
    MEASUREMENTS,
    MOVES,
    PICTURES,
    SHOTS,
    Collected,
    Limits,
    Measurements,
    Missing,
    Motion,
    Record,
    Shot,
    Trial,
    Use,
)
from tasks.evidence.log import RECORD, aimed_name
from tasks.evidence.pictures import Picture, below_fold, read_picture, share_moved
from tasks.evidence.process import Ran
from tasks.evidence.trial import OUT_OF_TIME
from tasks.evidence.words import Teller


def file_evidence(trial: Trial, scratch: Path, ran: Ran, limits: Limits) -> Collected:
    """Fill the folder of a trial from its scratch folder; pictures that are not there get their reason."""
    for name in (*FILES, MEASUREMENTS):
        (trial.folder / name).unlink(missing_ok=True)
    record = read_record(scratch)
    pictures = {name: found for name in PICTURES if (found := read_picture(scratch / name))}
    why = _why_missing(trial, record, ran, limits)
    measured = measure(trial, scratch, record, ran, pictures, why)
    for picture in pictures.values():
        shutil.move(picture.path, trial.folder / picture.path.name)
    (trial.folder / "artifact.html").write_bytes(trial.html)
    _write(trial.folder / "console-errors.json", [e.model_dump(mode="json") for e in record.errors])
    _write(trial.folder / "interactions.json", Teller(measured, trial.language).interactions())
    _write(trial.folder / MEASUREMENTS, measured.model_dump(mode="json"))
    there = tuple(name for name in FILES if (trial.folder / name).exists())
    return Collected(folder=trial.folder, files=there, measurements=measured)


def read_record(scratch: Path) -> Record:
    """What the trial wrote down last; an empty record where it came to nothing."""
    try:
        return Record.model_validate_json((scratch / RECORD).read_bytes())
    except (OSError, ValidationError) as error:
        return Record(failed=f"no record: {type(error).__name__}")


def _why_missing(trial: Trial, record: Record, ran: Ran, limits: Limits) -> Missing:
    """The reason for a picture that the trial itself did not come to."""
    if len(trial.html) > limits.html_mb * 2**20:
        return "too_large"
    if any(k.what == "trial" for k in ran.killed):
        return "killed"
    if not record.browser:
        return "no_browser"
    return "time" if record.failed == OUT_OF_TIME else "crashed"


def measure(
    trial: Trial, scratch: Path, record: Record, ran: Ran, pictures: dict[str, Picture], why: Missing
) -> Measurements:
    """All that is measured from outside: motion, the part below the fold, hashes, counts."""
    wanted = trial.scenario.interactions if trial.scenario else INTERACTIONS
    names = (*SHOTS, FULL, *INTERACTIONS[: len(wanted)])
    one, two, three = (pictures.get(name) for name in SHOTS)
    motion = tuple(
        Motion(first=a, second=b, share=share_moved(x, y))
        for a, b, x, y in (("shot-1.png", "shot-2.png", one, two), ("shot-2.png", "shot-3.png", two, three))
    )
    shares = [m.share for m in motion if m.share is not None]
    fold = below_fold(pictures.get(FULL), record.page_height)
    told = dict(record)
    told["shots"] = tuple(_shot(name, record, pictures, why) for name in names)
    told["uses"] = tuple(_use(use, scratch, pictures) for use in record.uses)
    return Measurements(
        **told,
        motion=motion,
        moves=any(share >= MOVES for share in shares) if shares else None,
        below_fold=fold and fold.share,
        below_fold_blank=fold and fold.blank,
        longest_blank_px=fold and fold.longest_blank_px,
        counts=count(record),
        killed=tuple(ran.killed),
        wall_s=ran.wall_s,
    )


def _shot(name: str, record: Record, pictures: dict[str, Picture], why: Missing) -> Shot:
    """The entry of a picture: as noted, with its hash and size; or why it is missing."""
    noted = next((shot for shot in record.shots if shot.name == name), Shot(name=name, due_s=SHOTS.get(name)))
    if (picture := pictures.get(name)) is None:
        return noted.model_copy(update={"missing": noted.missing or why})
    size = {"sha256": picture.sha256, "width": picture.width, "height": picture.height}
    return noted.model_copy(update=size)


def _use(use: Use, scratch: Path, pictures: dict[str, Picture]) -> Use:
    """An interaction with the share of pixels that it changed: all of it, and its last act outside of the fields."""
    before, after = read_picture(scratch / f"before-{use.number}.png"), pictures.get(f"interact-{use.number}.png")
    changed = share_moved(before, after)
    aimed = read_picture(scratch / aimed_name(use.number)) or before
    elsewhere = share_moved(aimed, after, use.fields)
    return use.model_copy(update={"changed": changed, "elsewhere": elsewhere})


def count(record: Record) -> dict[str, int]:
    """Events by kind and refused requests by kind of resource, each in the load that had most; and different errors, all and the page's own."""
    loads: dict[str, Counter[str]] = {}
    for event in record.events:
        counts = loads.setdefault(event.load, Counter())
        counts[event.kind] += event.count
        if event.kind == "request":
            counts[f"request:{event.detail.partition(' ')[0]}"] += event.count
    most: dict[str, int] = {}
    for counts in loads.values():
        most |= {kind: max(number, most.get(kind, 0)) for kind, number in counts.items()}
    own = sum(not error.of_isolation for error in record.errors)
    return dict(sorted(most.items())) | {"errors": len(record.errors), "errors_own": own}


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
