"""What every published number carries: the set, the system, the date of the run, the seed of its interval (G-9, S-4)."""

from schemas.exchange import Frozen


class Stamp(Frozen):
    """Where a number comes from; copied into every row of `tendencies`."""

    suite: str
    edition: str
    system_id: str
    set_version: str
    prompt_version: str
    rubric_version: str
    seed: int
    run_id: str
    run_date: str
