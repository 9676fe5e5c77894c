"""Ours in a process of its own: the cases of an edition built, and a system asked all of them by the stage `test`, Prefect included.

python -m benchmarks.peers.ours build FOLDER CASES AT_ONCE URL ROUNDS     (prints where things are, as JSON)
python -m benchmarks.peers.ours ask ROOT EDITION SYSTEM                   (the same again goes on where it was stopped)
"""

import json
import os
import sys


def build(folder: str, cases: str, at_once: str, url: str, rounds: str) -> None:
    """Make the cases, the entries of a system for each round (`slow-0` and so on), and the bodies of all requests."""
    from benchmarks.door import Bench

    bench = Bench(folder, int(cases), int(at_once), {"slow": url}, int(rounds))
    systems = os.environ["ZKUSEBNA_SYSTEMS_FILE"]
    told = {"root": bench.root, "edition": bench.edition, "bodies": str(bench.bodies), "systems": systems}
    print(json.dumps(told))


def ask(root: str, edition: str, system: str) -> None:
    """Run the stage."""
    from flows.runner import embedded
    from flows.stages import run_test

    with embedded():
        run_test(root, "invoices", edition, [system])


if __name__ == "__main__":
    from tasks.settings import be_quiet

    be_quiet()
    if sys.argv[1] == "build":
        build(*sys.argv[2:])
    else:
        ask(*sys.argv[2:])
