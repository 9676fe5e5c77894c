"""The steps and what happened meanwhile, in words, Czech or English (A-1): `interactions.json`."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from schemas.evidence import INTERACTIONS, MOVES, Control, Event, Measurements, Shot, Use
from schemas.scenario import WordsLanguage

FILE = Path(__file__).with_name("words.yaml")
LISTED = 12
"""Rejected controls that are named; more are counted."""


@cache
def _texts(language: WordsLanguage) -> dict[str, Any]:
    texts: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))[language]
    return texts


class Teller:
    """Puts one trial's measurements into words of one language."""

    def __init__(self, measured: Measurements, language: WordsLanguage) -> None:
        self.measured, self.language, self.texts = measured, language, _texts(language)

    def interactions(self) -> dict[str, Any]:
        """`steps`: number, picture (or null), words; `notes`: what else the page did."""
        shots = {shot.name: shot for shot in self.measured.shots}
        uses = {use.number: use for use in self.measured.uses}
        steps = []
        for number, name in enumerate(INTERACTIONS, 1):
            shot = shots.get(name)
            if shot is not None:
                there = name if shot.missing is None else None
                steps.append({"step": number, "shot": there, "words": self.step(number, uses.get(number), shot)})
        return {"version": self.measured.version, "steps": steps, "notes": self.notes()}

    def step(self, number: int, use: Use | None, shot: Shot) -> str:
        """One interaction in words."""
        if shot.missing == "no_control":
            return self._fill("no_control", number=number)
        words = []
        if use is not None and use.control:
            words.append(self._fill("clicked", number=number, what=self.control(use.control)))
        elif use is not None and use.says:
            done = "; ".join(self.texts["outcomes"][a.outcome].format(says=a.says) for a in use.actions)
            words.append(self._fill("played", number=number, says=use.says, actions=done or "–"))
        else:
            words.append(self._fill("not_played", number=number))
        if use is not None:
            words += self._result(use)
        if shot.missing:
            words.append(self._fill("no_picture", why=self.texts["missing"][shot.missing]))
        return " ".join(words)

    def _result(self, use: Use) -> list[str]:
        words = []
        if use.failed:
            words.append(self._fill("click_failed", reason=self.texts["rejections"][use.failed]))
        if use.changed is not None and use.changed >= MOVES:
            words.append(self._fill("changed", share=self.percent(use.changed)))
            words += [self._fill("by_itself")] if self.measured.moves else []
        elif use.changed is not None:
            words.append(self._fill("unchanged"))
        return words + ([self._fill("froze")] if use.froze else [])

    def notes(self) -> list[str]:
        """What the page did, pictures that are missing, controls that were rejected, what was killed."""
        kinds: dict[str, list[Event]] = {}
        for event in self.measured.events:
            kinds.setdefault(event.kind, []).append(event)
        notes = [
            self.texts["events"][kind].format(count=self.measured.counts.get(kind, 1), detail=events[0].detail)
            for kind, events in kinds.items()
        ]
        for shot in self.measured.shots:
            if shot.missing and shot.name not in INTERACTIONS:
                notes.append(self._fill("picture_missing", name=shot.name, why=self.texts["missing"][shot.missing]))
        notes += self._rejected()
        return notes + [self._fill("killed", why=self.texts["kills"][k.what]) for k in self.measured.killed]

    def _rejected(self) -> list[str]:
        rejected = [c for c in self.measured.controls if c.rejected]
        if not rejected:
            return []
        told = []
        for control in rejected[:LISTED]:
            reason = self.texts["rejections"][control.rejected]
            reason = self._fill("covered_by", reason=reason, by=control.by) if control.by else reason
            told.append(self._fill("rejected_one", what=self.control(control), reason=reason))
        if len(rejected) > LISTED:
            told.append(self._fill("more", count=len(rejected) - LISTED))
        return [self._fill("rejected", list=", ".join(told))]

    def control(self, control: Control) -> str:
        """A control by kind and label."""
        kind = self.texts["tags"].get(control.tag, self.texts["control"])
        return self._fill("named" if control.label else "nameless", control=kind, label=control.label)

    def percent(self, share: float) -> str:
        """A share as per cent, two digits behind the point, as the language writes it.

        >>> Teller(Measurements(), "cs").percent(0.0312), Teller(Measurements(), "en").percent(0.0312)
        ('3,12\\xa0%', '3.12%')
        """
        number = f"{share * 100:.2f}"
        return f"{number.replace('.', ',')}\xa0%" if self.language == "cs" else f"{number}%"

    def _fill(self, key: str, **values: Any) -> str:
        return str(self.texts[key]).format(**values)
