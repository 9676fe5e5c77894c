"""`openrouter`: the gateway of M-1, each model at one pinned provider without fallback, verified in every reply.

The provider is the gateway's slug (`deepinfra`, `google-vertex`, `deepinfra/fp8`), replies name it as a person would (`DeepInfra`, `Google`):
both are compared by their letters and digits. A reply that names another provider, or none, is `pin_violated`, with its text and cost kept.
`require_parameters` goes with a `response_format` only: then a provider without schemas refuses instead of dropping the schema in silence,
and the next form is asked for (M-2); without one, a parameter that a provider does not know (a seed) is no reason to refuse.
`usage.include` has no effect any more at the gateway itself; compatible ones still want it. Option `url` replaces the address.

Why httpx and not the gateway's own SDK (`openrouter` 1.3.84, tried against a stand-in for the gateway): its reply has no field for the provider,
so the pin cannot be verified; an error in a reply of status 200 ends as an error of validation, without code or message; errors of servers are
repeated inside for up to an hour, unseen by the record of calls; there is no deadline for a whole call, a body that drips in never ends; and
64 calls in flight on its pool cost about 30 ms of processor time each, here under 2 ms.
"""

from collections.abc import Mapping
from typing import Any

from schemas.exchange import Reply, Request
from schemas.system import System
from tasks.clients import chat, openai
from tasks.settings import secret

URL = "https://openrouter.ai/api/v1"
KEY_ENV = "OPENROUTER_API_KEY"

_SHOWN_AS = {"googlevertex": "google", "mancer": "mancer2"}
"""Slugs whose name in replies is another, by letters and digits."""


class OpenRouterClient(openai.OpenAIClient):
    """One model at one provider."""

    def __init__(self, system: System, key: str | None) -> None:
        super().__init__(system, system.options.get("url", URL), key)
        self.version = f"{chat.VERSION}+openrouter-1"

    def more_fields(self, request: Request) -> Mapping[str, Any]:
        """The pin, and the wish for the cost."""
        fields: dict[str, Any] = {"usage": {"include": True}}
        provider: dict[str, Any] = {}
        if self.system.provider is not None:
            pinned = [self.system.provider]
            provider = {"allow_fallbacks": False, "only": pinned, "order": pinned}
        if chat.response_format(request) is not None:
            provider["require_parameters"] = True
        return fields | ({"provider": provider} if provider else {})

    def checked(self, reply: Reply) -> Reply:
        """`pin_violated` where another provider answered than the pinned one, or an answer does not say who gave it (M-5)."""
        pinned, served = self.system.provider, reply.provider
        if pinned is None or reply.status == "api_error" or (reply.status == "filtered" and served is None):
            return reply
        if served is not None and same_provider(pinned, served):
            return reply
        error = f"served by {served!r}, pinned was {pinned!r}"
        return reply.model_copy(update={"status": "pin_violated", "error": error})


def same_provider(slug: str, name: str) -> bool:
    """Whether a slug and a name in a reply are one provider.

    >>> same_provider("google-vertex/us-east5", "Google"), same_provider("google-ai-studio", "Google"), same_provider("z-ai", "Z.AI")
    (True, False, True)
    """
    letters = "".join(filter(str.isalnum, slug.split("/")[0].casefold()))
    shown = "".join(filter(str.isalnum, name.casefold()))
    return shown in (letters, _SHOWN_AS.get(letters, letters))


def make(system: System) -> OpenRouterClient:
    """A client for a system; UsageError for options that are wrong."""
    return OpenRouterClient(system, secret(system.key_env or KEY_ENV))


def missing(system: System) -> str | None:
    """The key, where it is not set."""
    return openai.missing(system.model_copy(update={"key_env": system.key_env or KEY_ENV}))
