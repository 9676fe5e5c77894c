"""The command `zkusebna card`: what is in a set, in a terminal."""

from typing import Annotated

import typer

from flows.options import StorePath, root_of
from schemas.exchange import DocumentLanguage


def card(
    suite: Annotated[str, typer.Argument(help="Word of the suite.", metavar="SUITE")],
    store: StorePath = None,
    language: Annotated[DocumentLanguage, typer.Option(help="Language of the card.")] = "en",
) -> None:
    """The card of a set: what is in it, what it was made from, what it does not measure, what had to be mended."""
    from flows.card_terminal import show_card

    show_card(root_of(store), suite, language)
