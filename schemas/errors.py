"""The project's exceptions, drawn as a tree; each message is one sentence for the person who reads it.

ZkusebnaError
├── UsageError       a wrong word, number or path given by a person (exit code 2)
├── StoreError       the store cannot be used as asked (exit code 2)
├── GateError        rows broke an expectation between two stages (exit code 1)
├── StageError       a stage ended with work left undone (exit code 1)
├── BudgetError      the next call could pass the budget (exit code 1)
├── DocumentError    a document of a set cannot be made: it is set aside and named, the others go on
│   ├── TypesetError a page cannot be set (`datasets/typeset.py`)
│   └── PageError    a document has not one page (`datasets/raster.py`)
├── RecognitionError an image could not be read (`tasks/recognise.py`): a status of the answer, never the end of a run
├── ModelServerError the server of a local model does not start (`tasks/model_server.py`): a status of the answer
└── ReportLeak       the page would show something private (`profiles/report/leak.py`): publishing fails
"""

from collections.abc import Iterable


class ZkusebnaError(Exception):
    """Root of all errors that are told in one sentence; a traceback is shown only with `--debug`."""

    exit_code = 2


class UsageError(ZkusebnaError):
    """A wrong word, number or path given by a person."""


class StoreError(ZkusebnaError):
    """The store is not there, not writable, not ours or of a newer version."""


class GateError(ZkusebnaError):
    """Rows broke an expectation: they stand in `quarantine/`, and nothing downstream runs on them."""

    exit_code = 1


class DocumentError(ZkusebnaError):
    """A document cannot be made. Where a set says so, `unit` is the number of its unit, `pair_id` its name, `is_private` its part."""

    exit_code = 1

    def __init__(self, message: str, *, unit: int = -1, pair_id: str = "", is_private: bool = False) -> None:
        super().__init__(message)
        self.unit, self.pair_id, self.is_private = unit, pair_id, is_private


class StageError(ZkusebnaError):
    """A stage ended with work left undone; the next run does exactly what is missing."""

    exit_code = 1


class BudgetError(ZkusebnaError):
    """The budget does not allow the next call (M-8); what was answered stays answered."""

    exit_code = 1


def unknown(kind: str, word: str, known: Iterable[str]) -> UsageError:
    """A `UsageError` that names the unknown word, the nearest known one and all known ones.

    >>> str(unknown("suite", "invoice", ["invoices", "legal"]))
    "Unknown suite 'invoice'; did you mean 'invoices'? Known: invoices, legal."
    """
    return UsageError(f"Unknown {kind} {word!r}{nearest(word, known)}")


MOST_NAMES = 24
"""So many known names are told in full; of more, those near the nearest one."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence on an unknown word: the nearest known one, and all of them; only a full stop where none is known.

    >>> nearest("clint", ["client", "id"]), nearest("x", [])
    ("; did you mean 'client'? Known: client, id.", '.')
    """
    from rapidfuzz import fuzz, process

    names = sorted(known)
    best = process.extractOne(word, names, scorer=fuzz.ratio, score_cutoff=50)
    hint = f"; did you mean {best[0]!r}?" if best else "."
    if not names:
        return hint
    told = (
        names if len(names) <= MOST_NAMES else [*_around(best[0] if best else names[0], names), f"{len(names)} in all"]
    )
    return f"{hint} Known: {', '.join(told)}."


def _around(name: str, names: list[str]) -> list[str]:
    """A name and those beside it in the alphabet, as many as a sentence carries."""
    first = min(max(0, names.index(name) - 2), len(names) - 5)
    return [*(["…"] if first else []), *names[first : first + 5], "…"]
