"""The page of a claim: its state, both bars, flips, reasons and the log of all checks (J-3 to J-6)."""

from collections.abc import Iterator

from profiles.claims import Overview, PublicClaim
from profiles.report.jury_claims import view
from profiles.report.pages import Site, claim_path, show, suite_path
from profiles.report.texts import Both, both, typeset


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Path and page of every claim of the jury."""
    for section in site.sections:
        if section.overview is None:
            continue
        stamp = site.chapters[section.suite].view.stamp
        for claim in section.overview.claims:
            path = claim_path(claim.id)
            shown = view(claim)
            yield path, show(
                "site_claim.html.j2", site, path, shown.words, claim=shown, field=_field(section.overview, claim),
                suite_page=suite_path(section.suite), anchor=shown.id, stamp=stamp, bars=_bars(claim),
            )  # fmt: skip


def _field(found: Overview, claim: PublicClaim) -> Both:
    return both(lambda lang: typeset(found.fields[claim.field][lang], lang))


def _bars(claim: PublicClaim) -> list[tuple[str, float]] | None:
    """The audience's bar: per cent of yes and of no; None without votes."""
    heard = claim.audience
    n = heard.yes + heard.no
    return [("able", 100 * heard.yes / n), ("unable", 100 * heard.no / n)] if n else None
