"""What is left to ask about one case, and what that costs: low, expected, at most (M-8).

The conversation is led as the door leads it, with the replies that are known; from the first unknown one on a reply is imagined. For
the low figure every imagined reply is a valid object, for the high one it is as long as the limits allow and no object, so that the
suite itself asks for its repeat (M-2).

- low: a token for four characters of prompt, text and earlier replies, `LEAST_IMAGE_TOKENS` a picture, few output tokens.
- expected: the mean cost of a call of this system in this suite that brought an answer; where there is none yet, a token for three
  characters (the JSON schema included), `TYPICAL_IMAGE_TOKENS` a picture, `TYPICAL_TOKENS_OUT`.
- at most: what the budget sets aside for every call (`tasks.budget.bound_usd`), the repeat and further trials (M-6) included; unknown
  where no limit says how long an answer may be. Calls that the gateway answers with an error are not paid and not counted.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from datasets.appending import base_of
from datasets.journal import read_journal
from datasets.store import Store
from datasets.tables import Place, read_part
from profiles.trials import Outcome, outcome_of
from schemas.call import Call
from schemas.case import Case
from schemas.exchange import Attachment, Brief, Frozen, Message, Request, Transcript
from schemas.replies import find_json
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import make_client, request_hash
from tasks.budget import BYTES_A_TOKEN, bound_usd, pictures
from tasks.prices import Quote
from tasks.retries import ALWAYS
from tasks.suites import Suite
from tasks.trials import HasTrials, extreme_in, is_answered, next_trial, planned_trials

LEAST_TOKENS_OUT, TYPICAL_TOKENS_OUT = 16, 250
"""Typical: 215 tokens were measured for an invoice of 13 fields."""
LEAST_IMAGE_TOKENS, TYPICAL_IMAGE_TOKENS = 250, 1500
"""Gateways count from about 250 tokens a page image (one tile) to a few thousand."""
LEAST_CHARACTERS, TYPICAL_CHARACTERS = 4, 3
"""Characters a token: four is English prose, Czech takes fewer."""
MOST_TOKENS_OUT = 4096
"""Of an imagined answer, where no limit says how long one may be."""
MOST_TURNS = 100


class Asked(Frozen):
    """What a system was asked in a suite: status and text of the last attempt by request, and what answered calls cost."""

    replies: dict[str, tuple[str, str]]
    mean_usd: Decimal | None


def read_asked(store: Store | None, suite: str, system_id: str) -> Asked:
    """All calls of a system in a suite, of every edition, sealed, waiting or in a journal; a call that stands twice counts once."""
    found: dict[str, tuple[str, int, str, str, Decimal]] = {}
    columns = ("call_id", "request_hash", "attempt", "status", "text", "cost_usd")
    trees = [f"{tree}/calls/suite={suite}" for tree in ("tables", "work")]
    for name in (n for tree in trees for n in (store.names(tree, ".parquet") if store else ())):
        parts = dict(step.split("=", 1) for step in name.split("/") if "=" in step)
        if store and parts["system"] == system_id:
            place = Place(suite=suite, edition=parts["edition"], system=system_id)
            for row in read_part(store, Call, place, name, columns).to_pylist():
                found[row["call_id"]] = tuple(row[c] for c in columns[1:])
    for name in {base_of(n) for n in store.names(f"journal/{suite}", ".jsonl")} if store else ():
        if store and name.split("/")[3] == system_id:
            for call in read_journal(store, name):
                found[call.call_id] = (call.request_hash, call.attempt, call.status, call.text, call.cost_usd)
    costs = [cost for _, _, status, _, cost in found.values() if status in GRADED]
    return Asked(
        replies={h: (status, text) for h, _, status, text, _ in sorted(found.values(), key=lambda c: c[:2])},
        mean_usd=sum(costs, Decimal(0)) / len(costs) if costs else None,
    )


class Left(Frozen):
    """What is left of one case: calls known, calls to ask at least, and their price in USD, None where it is unknown."""

    cached: int
    to_ask: int
    low: Decimal | None
    expected: Decimal | None
    most: Decimal | None


class Forecast:
    """One system in one suite: what is left of each case."""

    def __init__(
        self, system: System, quote: Quote | None, asked: Asked, suite: Suite, again: Collection[str] = ALWAYS
    ) -> None:
        self.system, self.quote, self.asked, self.suite, self.again = system, quote, asked, suite, again
        self.client = make_client(system)
        is_priced = quote is not None and quote.source != "free"
        self.priced = system.model_copy(update={"price": quote.price}) if quote and is_priced else system
        self.most_out = int(system.limits.get("max_tokens", MOST_TOKENS_OUT))

    @property
    def trials(self) -> int:
        """How often a case is asked, where an order may say so and the client does not say it itself; else 1."""
        return self.suite.trials if self.suite.most_trials and not isinstance(self.client, HasTrials) else 1

    def takes(self, brief: Brief) -> bool:
        """Whether the system would be asked about the case at all."""
        return {a.kind for a in brief.attachments} <= set(self.system.inputs) and is_answered(self.client, brief)

    def left(self, brief: Brief) -> Left:
        """What is left of a case, its further trials included (M-6); the texts of its documents stand in the brief."""
        outcomes: list[Outcome] = []
        cached = 0
        while (trial := self._next(brief, outcomes)) is not None:
            known, calls, outcome = self._known(brief, trial)
            cached += calls
            if outcome is None:
                break
            outcomes.append(outcome)
        else:
            return Left(cached=cached, to_ask=0, low=Decimal(0), expected=Decimal(0), most=Decimal(0))
        least = self._rest(brief, outcomes, known, "{}", "complete")
        most = self._rest(brief, outcomes, known, "x" * (BYTES_A_TOKEN * self.most_out), "extreme")
        low, expected, high = self._prices(least, most)
        told = [price for price in (low, expected, high) if price is not None]
        return Left(
            cached=cached,
            to_ask=len(least),
            low=None if low is None else min(told),
            expected=expected,
            most=None if high is None else max(told),
        )

    def _next(self, brief: Brief, outcomes: Sequence[Outcome]) -> int | None:
        return next_trial(outcomes, planned_trials(self.suite, self.client, brief.case_id), self.suite.reruns)

    def _rest(
        self, brief: Brief, outcomes: Sequence[Outcome], known: Transcript, reply: str, outcome: Outcome
    ) -> list[Request]:
        """The requests of the trial that is begun and of those after it, where every reply and outcome is the imagined one."""
        so_far, requests = list(outcomes), []
        while (trial := self._next(brief, so_far)) is not None:
            requests += self._imagined(brief, known, reply, trial)
            known = ()
            so_far.append(outcome)
        return requests

    def _prices(
        self, least: list[Request], most: list[Request]
    ) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        low = expected = high = None
        if self.quote is not None:
            low, expected = sum(map(self._low, least), Decimal(0)), sum(map(self._typical, least), Decimal(0))
        if self.asked.mean_usd is not None:
            expected = self.asked.mean_usd * len(least)
        bounds = [bound_usd(self.priced, request) for request in most]
        if None not in bounds and (self.quote is not None or "max_cost_usd" in self.system.limits):
            high = sum((bound for bound in bounds if bound is not None), Decimal(0))
        return low, expected, high

    def _request(self, brief: Brief, transcript: Transcript, trial: int) -> Request:
        return Request(
            system_id=self.system.id, suite=brief.suite, case_id=brief.case_id, language=brief.language, trial=trial,
            messages=transcript, answer_schema=brief.answer_schema, max_tokens=brief.max_tokens,
            temperature=brief.temperature,
        )  # fmt: skip

    def _known(self, brief: Brief, trial: int) -> tuple[Transcript, int, Outcome | None]:
        """A trial as far as its replies are known, how many they are, and how it ended; None where it is to be asked on."""
        transcript: Transcript = ()
        texts: list[str] = []
        status = "api_error"
        while (message := self.suite.source.next_message(brief, transcript)) is not None:
            request = self._request(brief, (*transcript, message), trial)
            status, text = self.asked.replies.get(request_hash(self.system, self.client, request), ("api_error", ""))
            if status in self.again:
                return transcript, len(texts), None
            texts.append(text)
            if status not in GRADED:
                return transcript, len(texts), outcome_of(status, texts[:-1])
            transcript = (*transcript, message, Message(role="assistant", text=text))
        if "invalid" in self.again and brief.answer_schema is not None and find_json(texts[-1]).value is None:
            return transcript[:-2], len(texts) - 1, None
        return transcript, len(texts), outcome_of(status, texts, extreme_in(self.suite))

    def _imagined(self, brief: Brief, transcript: Transcript, reply: str, trial: int) -> list[Request]:
        """The requests of the rest of a conversation in which every reply is the imagined one."""
        requests: list[Request] = []
        while len(requests) < MOST_TURNS and (message := self.suite.source.next_message(brief, transcript)) is not None:
            transcript = (*transcript, message)
            requests.append(self._request(brief, transcript, trial))
            transcript = (*transcript, Message(role="assistant", text=reply))
        return requests

    def _low(self, request: Request) -> Decimal:
        return self._cost(request, LEAST_CHARACTERS, LEAST_IMAGE_TOKENS, LEAST_TOKENS_OUT)

    def _typical(self, request: Request) -> Decimal:
        return self._cost(request, TYPICAL_CHARACTERS, TYPICAL_IMAGE_TOKENS, TYPICAL_TOKENS_OUT, with_schema=True)

    def _cost(
        self, request: Request, characters: int, image_tokens: int, tokens_out: int, *, with_schema: bool = False
    ) -> Decimal:
        if self.quote is None:
            raise ValueError(f"the price of {self.system.id!r} is unknown")
        images = pictures(request)
        written = _written(request) + (_schema_length(request) if with_schema else 0)
        tokens_in = written // characters + images * image_tokens
        most_out = self.most_out if request.max_tokens is None else min(self.most_out, request.max_tokens)
        return self.quote.cost(tokens_in, min(tokens_out, most_out), images)


def _schema_length(request: Request) -> int:
    return len(json.dumps(request.answer_schema)) if request.answer_schema is not None else 0


def _written(request: Request) -> int:
    """Characters of all messages and texts of a request."""
    texts = [a.data.decode(errors="replace") for m in request.messages for a in m.attachments if a.kind == "text"]
    return sum(len(m.text) for m in request.messages) + sum(map(len, texts))


def brief_of(case: Case) -> Brief:
    """The brief of a case with the text of its document; pictures stay in the store, since only their number counts."""
    brief = case.to_brief()
    data: Mapping[str, bytes] = {"text": (case.text or "").encode()}
    filled = (Attachment(**a.model_dump(), data=data.get(a.kind, b"")) for a in brief.attachments)
    return brief.model_copy(update={"attachments": tuple(filled)})
