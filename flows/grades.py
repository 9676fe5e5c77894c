"""`grades`: people's grades come in from a file in the inbox of the store; as a deployment, by a form in Prefect's UI."""

from pathlib import Path

from prefect import flow, get_run_logger

from schemas.errors import UsageError
from tasks.people import INBOX, import_file
from tasks.run_tags import name_run, tag_run


@flow(name="grades", flow_run_name=name_run("grades", "suite", "file"))
def take_grades(file: str, suite: str, edition: str = "", root: str = "store") -> int:
    """Bring in people's grades from a CSV file; a wrong line is told in the log, the rest is taken. The next run counts them.

    Args:
        file: name of a CSV file in the folder `inbox` of the store, with the columns case, system, item, points, who, when, reason
        suite: word of the suite whose answers were graded
        edition: its edition; empty is the one asked last
        root: path of the store, or s3://BUCKET/PREFIX
    """
    if Path(file).name != file:
        raise UsageError(f"{file!r} is not the name of a file in the folder {INBOX} of the store; put the file there.")
    tag_run(suite, edition)
    done = import_file(root, file, suite, edition or None)
    for line in done.problems:
        get_run_logger().warning(line)
    get_run_logger().info("%d grades were taken, %d lines were not", done.taken, len(done.problems))
    return done.taken
