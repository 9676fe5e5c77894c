"""Every phrase of a deadline in the vocabularies means the day that the generator says, by a second implementation of the rules.

The second one is the reader of `rules`, which was tested on its own against hand-counted days and reads words, not kinds.
"""

from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
import yaml

from datasets.synth.deadline import DAYS, KINDS, Deadline, is_clear, resolve
from datasets.synth.email_body import deadline_values
from datasets.synth.phrasebook import read_phrasebook
from tasks.readers.due import read_deadline

READERS = Path(__file__).parents[3] / "tasks" / "readers"
SENT = [date(2024, 2, 26), date(2024, 2, 27), date(2023, 12, 27), date(2025, 10, 29), date(2025, 6, 8)]
FRAME = {
    "cs": ("Prosíme o vyřízení {}.", "Krajní termín: {}."),
    "en": ("Please settle this {}.", "The final date: {}."),
}


def deadlines(sent):
    """Deadlines of every kind that is clear on the day, with every number that the kind can name."""
    for kind in KINDS:
        if not is_clear(kind, sent):
            continue
        if kind in ("absolute", "day"):
            yield from (Deadline(kind, sent + timedelta(days=n)) for n in (1, 3, 5, 9, 40))
        else:
            numbers = DAYS if kind == "in_days" else range(7) if kind == "weekday" else (0,)
            yield from (Deadline(kind, resolve(kind, sent, number), number) for number in numbers)


@pytest.mark.parametrize("language", ["cs", "en"])
@pytest.mark.parametrize("sent", SENT, ids=str)
def test_every_phrase_means_its_day(language, sent):
    book = read_phrasebook(language)
    words = yaml.safe_load((READERS / f"emails.{language}.yaml").read_text("utf-8"))
    seen = set()
    for deadline in deadlines(sent):
        for seed in range(25):
            values = deadline_values(Random(seed), book, deadline)
            for slot, frame in zip(("by", "day"), FRAME[language], strict=True):
                if slot in values:
                    text = frame.format(values[slot]).replace("\u00a0", " ")
                    seen.add((deadline.kind, values[slot]))
                    assert read_deadline(text, sent, language, words) == deadline.day, (text, deadline)
    assert len(seen) > 100
