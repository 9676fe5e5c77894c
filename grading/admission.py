"""Whether a case may be offered to a person: its question leaks nothing, its foil fails, its reference answer passes (L-4).

Pure: who judges comes as an argument, the mechanical judge where the case has signals, else a model. The texts by which a case is
admitted serve for nothing else: a judge's fitness is measured on other ones (S-5).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from grading.citations import leaks
from schemas.grade import Verdict
from schemas.legal import LegalCase

Judge = Callable[[str], Sequence[Verdict]]
"""The atomic pass on a text as the answer to the case: a verdict an item, the rules M…, N…, B… and the references R… among them."""

RUN = 6
"""L-4: so many words in a row of a must_contain are a leak."""

_WORD = re.compile(r"\w+")


def problems(case: LegalCase, judge: Judge | None) -> list[str]:
    """Why the case may not be offered, a sentence each; none where it may.

    judge: None leaves foil and reference answer unjudged, so only leaks are looked for.
    """
    told = [f"The question {leak.removeprefix('it ')}." for leak in leaks_of(case)]
    if judge is not None:
        told += _foil_passes(case, _by_item(judge(case.foil)))
        told += _reference_fails(case, _by_item(judge(case.reference)))
    return told


def shared_run(text: str, statement: str, words: int = RUN) -> str | None:
    """The first run of at least so many words of the statement that stands in the text too; case, punctuation and kinds of spaces are ignored.

    >>> shared_run("Tvrdí, že zkušební doba činí nejvýše tři měsíce.", "Zkušební doba činí nejvýše TŘI měsíce, ne šest.")
    'zkušební doba činí nejvýše tři měsíce'
    """
    there, wanted = _words(text), _words(statement)
    runs = {tuple(there[at : at + words]) for at in range(len(there) - words + 1)}
    for start in range(len(wanted) - words + 1):
        stop = start + words
        if tuple(wanted[start:stop]) in runs:
            while stop < len(wanted) and tuple(wanted[stop - words + 1 : stop + 1]) in runs:
                stop += 1
            return " ".join(wanted[start:stop])
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())


def leaks_of(case: LegalCase) -> list[str]:
    """What the question gives away, each as the end of a sentence about it (L-4): citations, and words of a must_contain."""
    cited = [
        f"it holds the citation {citation!r}; it may hold no section, number of an act or docket number"
        for citation in leaks(case.question)
    ]
    runs = [(rule.id, shared_run(case.question, rule.text)) for rule in case.must_contain]
    return cited + [
        f"it says {run!r}, as {rule} does; {RUN} words in a row of a must_contain are a leak"
        for rule, run in runs
        if run
    ]


def _by_item(verdicts: Sequence[Verdict]) -> Mapping[str, Verdict]:
    return {verdict.item: verdict for verdict in verdicts}


def _lost(verdicts: Mapping[str, Verdict], item: str) -> bool:
    """Whether an item was judged and lost points."""
    found = verdicts.get(item)
    return found is not None and found.points < found.max_points


def _unjudged(case: LegalCase, verdicts: Mapping[str, Verdict]) -> list[str]:
    """Rules and references that the judge said nothing about, or nothing that counts; bonuses decide nothing."""
    items = [rule.id for rule in (*case.must_contain, *case.must_not_contain)] + [r.id for r in case.references]
    return [item for item in items if item not in verdicts or verdicts[item].max_points == 0]


def _foil_passes(case: LegalCase, verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """The foil fails by what a foil is: it says something wrong or does not apply the key exception."""
    wrong = [rule.id for rule in case.must_not_contain]
    keys = [rule.id for rule in case.must_contain if rule.key_exception]
    if not any(_lost(verdicts, item) for item in (*wrong, *keys)):
        yield (
            f"The foil does not fail: it was expected to violate one of {', '.join(wrong)} or to miss the key exception, "
            f"{', '.join(keys)}."
        )


def _reference_fails(case: LegalCase, verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """The reference answer passes when it fulfils every must_contain, violates no must_not_contain and cites every reference."""
    if unjudged := _unjudged(case, verdicts):
        yield f"The reference answer could not be judged on {', '.join(unjudged)}."
    wanted = [
        *(("misses", rule.id, rule.text.removesuffix(".")) for rule in case.must_contain),
        *(("violates", rule.id, rule.text.removesuffix(".")) for rule in case.must_not_contain),
        *(("does not cite exactly", reference.id, reference.cite) for reference in case.references),
    ]
    for told, item, words in wanted:
        if _lost(verdicts, item):
            yield f"The reference answer does not pass: it {told} {item} ({words})."
