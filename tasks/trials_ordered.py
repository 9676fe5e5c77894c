"""How many trials of every case an order asks for (R-10, A-9), and the record of it that makes a rerun a resume.

The number is remembered by suite, edition and system (`trials/<suite>/<edition>/<system>.json`), so a run that does not say it goes on with
the last one. More trials ask what is missing; fewer compare the first ones in order (M-6), and no call is lost, so going back costs nothing.
A client that says itself how many answers it has (`controls`, `recorded`) is not asked.
"""

import json
from collections.abc import Sequence

from datasets.store import Store
from schemas.errors import UsageError
from tasks.suites import SUITES, Suite, suite_of
from tasks.trials import HasTrials


def check_trials(trials: int | None, suites: Sequence[str] | None) -> None:
    """UsageError for a number that no suite takes, and for a suite that is named and takes none."""
    if trials is None:
        return
    free = [word for word, suite in SUITES.items() if suite.most_trials]
    fixed = [word for word in suites or () if not suite_of(word).most_trials]
    if fixed:
        raise UsageError(
            f"The suite {fixed[0]!r} asks each case a fixed number of times; --trials is for {' and '.join(sorted(free))}."
        )
    most = min(suite_of(word).most_trials for word in suites or free)
    if not 1 <= trials <= most:
        raise UsageError(f"The number of trials {trials} cannot be asked for; give 1 to {most} to --trials.")


def keep_trials(store: Store, suite: Suite, edition: str, system: str, trials: int | None) -> None:
    """Remember the number that was ordered for a system; nothing where none was, or where the suite takes none."""
    if trials is not None and suite.most_trials:
        store.put(_name(suite, edition, system), json.dumps({"trials": trials}).encode())


def ordered(
    store: Store | None, suite: Suite, edition: str, system: str, client: object, trials: int | None = None
) -> Suite:
    """The suite with the trials of an order: those told, else the last ones that were, else its own."""
    if isinstance(client, HasTrials) or not suite.most_trials:
        return suite
    name = _name(suite, edition, system)
    if trials is None and store is not None and store.exists(name):
        trials = int(json.loads(store.get(name))["trials"])
    return suite if trials is None else suite.asked(trials)


def _name(suite: Suite, edition: str, system: str) -> str:
    return f"trials/{suite.word}/{edition}/{system}.json"
