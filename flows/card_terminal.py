"""The card of a set as a terminal shows it: the same facts, counts, limits and errata as its page."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from schemas.exchange import DocumentLanguage
from tasks.cards import newest_card, told_card


def show_card(root: str, suite: str, language: DocumentLanguage) -> None:
    """Print the card of a suite's newest edition; UsageError where the store has none."""
    console, told = Console(), told_card(newest_card(root, suite), language)
    console.print(f"[bold]{escape(told.title)}[/]", highlight=False)
    for key, value in told.facts:
        console.print(f"{escape(key)}: {escape(value)}", highlight=False, soft_wrap=True)
    for caption, columns, lines in told.tables:
        table = Table(title=caption, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        for at, column in enumerate(columns):
            table.add_column(column, justify="right" if at else "left", no_wrap=not at)
        for line in lines:
            table.add_row(*map(escape, line))
        console.print(table)
    for heading, sentences in told.lists:
        console.print(f"[bold]{escape(heading)}[/]", highlight=False)
        for sentence in sentences:
            console.print(f"- {escape(sentence)}", highlight=False, soft_wrap=True)
