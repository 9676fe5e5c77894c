"""Extreme behaviour of a player's partner: a refusal, an empty answer, an ended scene (M-6); judged from the words alone.

A refusal is a short answer without any speech in quotation marks that says, out of play, that it will not go on. An ended scene is an
answer before the last one that closes with a formula of the end on a line of its own.
"""

import re
from collections.abc import Sequence

MOST_WORDS = 90
"""Words up to which an answer may be a refusal; a longer one plays."""

_REFUSALS = re.compile(
    r"\b(nemohu|nemůžu|nechci|nebudu|odmítám|omlouvám se)\b[^.!?]{0,80}"
    r"\b(pokračovat|hrát|hře|hru|hrou|scén\w*|scénář\w*|požadav\w*|pomoci|vyhovět|obsah\w*|roli)\b"
    r"|\b(i can(no|['’])?t|i can ?not|i won['’]?t|i will not|i(['’]m| am) (unable|not able)|i must decline|i(['’]m| am) sorry)\b[^.!?]{0,80}"
    r"\b(continue|role-?play\w*|game|scene|scenario|request|help|assist|content|story|comply|this)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"^\W*(konec( (hry|scény|příběhu|scénáře))?|(tímto )?(hra|scéna|příběh) (tu |zde |tímto )?končí|"
    r"the end|end of (the )?(game|scene|story|scenario|role-?play)|(the )?(game|scene|story) (is over|ends here)|game over|scene over|fin)\W*$",
    re.IGNORECASE,
)
_SPEECH = re.compile('[„“”«»"]')


def is_refusal(reply: str) -> bool:
    """Whether an answer refuses to play on.

    >>> is_refusal("Omlouvám se, ale v této hře nemohu pokračovat."), is_refusal("„Nemůžu s vámi hrát karty,“ řekl Bárta.")
    (True, False)
    """
    return len(reply.split()) <= MOST_WORDS and not _SPEECH.search(reply) and bool(_REFUSALS.search(reply))


def ends_scene(reply: str) -> bool:
    """Whether an answer closes the scene by itself.

    >>> ends_scene("Brána zapadla.\\n\\n*** KONEC ***"), ends_scene("Byl to konec. Bárta zhasl.")
    (True, False)
    """
    lines = [line for line in reply.splitlines() if line.strip()]
    return bool(lines) and bool(_END.match(lines[-1]))


def is_extreme(replies: Sequence[str], turns: int) -> bool:
    """Whether a run of so many turns was refused, broken off by an empty answer, or ended by the model before its last turn (M-6).

    >>> is_extreme(["Ráno.", "Konec hry."], 14), is_extreme(["Ráno.", "Sbohem.\\nKonec."], 2), is_extreme(["Ráno.", " "], 14)
    (True, False, True)
    """
    if any(not reply.strip() or is_refusal(reply) for reply in replies):
        return True
    return any(ends_scene(reply) for reply in replies[: turns - 1])
