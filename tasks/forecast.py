"""What is left to ask about one case, and what that costs: low, expected, at most (M-8).

The conversation is led as the door leads it, with the replies that are known; from the first unknown one on a reply is imagined. For
the low figure every imagined reply is a valid object, for the high one it is as long as the limits allow and no object, so that the
suite itself asks for its repeat (M-2).

- low: a token for four characters of prompt, text and earlier replies, `LEAST_IMAGE_TOKENS` a picture, few output tokens.
- expected: the mean cost of a call of this system in this suite that brought an answer; where there is none yet, a token for three
  characters (the JSON schema included), `TYPICAL_IMAGE_TOKENS` a picture, `TYPICAL_TOKENS_OUT`.
- at most: what the budget sets aside for every call (`tasks.budget.most_usd`), the JSON schema on top, the repeat included. Calls
  that the gateway answers with an error are not paid and not counted.
"""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal

from datasets.journal import read_journal
from datasets.store import Store
from datasets.tables import Place, read_part
from schemas.call import Call
from schemas.case import Case
from schemas.exchange import Attachment, Brief, Frozen, Message, Request, Transcript
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import make_client, request_hash
from tasks.budget import CHARACTERS_A_TOKEN, Budget, most_usd
from tasks.prices import Quote

NextMessage = Callable[[Brief, Transcript], Message | None]

LEAST_TOKENS_OUT, TYPICAL_TOKENS_OUT = 16, 250
"""Typical: 215 tokens were measured for an invoice of 13 fields."""
LEAST_IMAGE_TOKENS, TYPICAL_IMAGE_TOKENS = 250, 1500
"""Gateways count from about 250 tokens a page image (one tile) to a few thousand."""
LEAST_CHARACTERS, TYPICAL_CHARACTERS = 4, 3
"""Characters a token: four is English prose, Czech takes fewer."""
MOST_TOKENS_OUT = 4096
"""Where the limits of a system do not say it, as in `tasks.budget.most_usd`."""
MOST_TURNS = 100
ASKED_AGAIN = frozenset({"api_error", "timeout"})
"""Calls with these are asked again (M-4)."""


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
    for name in store.names(f"journal/{suite}", ".jsonl") if store else ():
        if store and name.split("/")[3] == system_id:
            for call in read_journal(store.path(name)):
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

    def __init__(self, system: System, quote: Quote | None, asked: Asked, next_message: NextMessage) -> None:
        self.system, self.quote, self.asked, self.next_message = system, quote, asked, next_message
        self.client = make_client(system)
        self.priced = system
        if (
            quote is not None and quote.source != "free"
        ):  # a price in the entry of a program that is free otherwise counts
            self.priced = system.model_copy(update={"price": quote.price, "client": "openai"})
        self.most_out = int(system.limits.get("max_tokens", MOST_TOKENS_OUT))

    def takes(self, case: Case, brief: Brief) -> bool:
        """Whether the system would be asked about the case at all."""
        return {a.kind for a in brief.attachments} <= set(self.system.inputs) and self.client.answers(case.case_id)

    def left(self, brief: Brief) -> Left:
        """What is left of a case; the texts of its documents stand in the brief."""
        known, cached, is_over = self._known(brief)
        if is_over:
            return Left(cached=cached, to_ask=0, low=Decimal(0), expected=Decimal(0), most=Decimal(0))
        least = self._imagined(brief, known, "{}")
        most = self._imagined(brief, known, "x" * (CHARACTERS_A_TOKEN * self.most_out))
        low, expected, high = self._prices(least, most)
        told = [price for price in (low, expected, high) if price is not None]
        return Left(
            cached=cached,
            to_ask=len(least),
            low=None if low is None else min(told),
            expected=expected,
            most=None if high is None else max(told),
        )

    def _prices(
        self, least: list[Request], most: list[Request]
    ) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        low = expected = high = None
        if self.quote is not None:
            low, expected = sum(map(self._low, least), Decimal(0)), sum(map(self._typical, least), Decimal(0))
        if self.asked.mean_usd is not None:
            expected = self.asked.mean_usd * len(least)
        if self.quote is not None or "max_cost_usd" in self.system.limits:
            high = sum(map(self._most, most), Decimal(0))
        return low, expected, high

    def _request(self, brief: Brief, transcript: Transcript) -> Request:
        return Request(
            system_id=self.system.id, suite=brief.suite, case_id=brief.case_id, language=brief.language,
            messages=transcript, answer_schema=brief.answer_schema,
        )  # fmt: skip

    def _known(self, brief: Brief) -> tuple[Transcript, int, bool]:
        """The conversation as far as its replies are known, how many they are, and whether it is over."""
        transcript: Transcript = ()
        cached = 0
        while (message := self.next_message(brief, transcript)) is not None:
            request = self._request(brief, (*transcript, message))
            status, text = self.asked.replies.get(request_hash(self.system, self.client, request), ("api_error", ""))
            if status in ASKED_AGAIN:
                return transcript, cached, False
            cached += 1
            if status not in GRADED:
                break
            transcript = (*transcript, message, Message(role="assistant", text=text))
        return transcript, cached, True

    def _imagined(self, brief: Brief, transcript: Transcript, reply: str) -> list[Request]:
        """The requests of the rest of a conversation in which every reply is the imagined one."""
        requests: list[Request] = []
        while len(requests) < MOST_TURNS and (message := self.next_message(brief, transcript)) is not None:
            transcript = (*transcript, message)
            requests.append(self._request(brief, transcript))
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
        written, images = size_of(request)
        written += _schema_length(request) if with_schema else 0
        tokens_in = written // characters + images * image_tokens
        return self.quote.cost(tokens_in, min(tokens_out, self.most_out), images)

    def _most(self, request: Request) -> Decimal:
        most = most_usd(self.priced, request, Budget(None))
        if "max_cost_usd" in self.system.limits or self.quote is None:
            return most
        return most + self.quote.cost(-(-_schema_length(request) // CHARACTERS_A_TOKEN), 0, size_of(request)[1])


def _schema_length(request: Request) -> int:
    return len(json.dumps(request.answer_schema)) if request.answer_schema is not None else 0


def size_of(request: Request) -> tuple[int, int]:
    """Characters of all messages and texts of a request, and its pictures."""
    attachments = [a for m in request.messages for a in m.attachments]
    texts = [a.data.decode(errors="replace") for a in attachments if a.kind == "text"]
    written = sum(len(m.text) for m in request.messages) + sum(map(len, texts))
    return written, sum(a.kind == "image" for a in attachments)


def brief_of(case: Case) -> Brief:
    """The brief of a case with the text of its document; pictures stay in the store, since only their number counts."""
    brief = case.to_brief()
    data: Mapping[str, bytes] = {"text": (case.text or "").encode()}
    filled = (Attachment(**a.model_dump(), data=data.get(a.kind, b"")) for a in brief.attachments)
    return brief.model_copy(update={"attachments": tuple(filled)})
