"""A disk that is full: on a real small file system, a run ends with a sentence, loses nothing that was done, and goes on when there is room."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RUN = """
import os, sys
sys.path[:0] = [{root!r}, {tests!r}]
from datasets.store import Store
from pipeline_support import assert_sound, run_stages, stable_rows
from schemas.errors import ZkusebnaError

root = sys.argv[1] + "/s"
order = {{"suite": "invoices", "systems": ["rules"], "size": 6, "levels": ("text",)}}
store = Store.open(root)
hog = open(sys.argv[1] + "/hog", "wb")
left = int(sys.argv[2])
while (free := os.statvfs(root)).f_bavail * free.f_bsize > left:
    hog.write(b"x" * 4096)
    hog.flush()
try:
    run_stages(root, **order)
    print("ENDED")
except (OSError, ZkusebnaError) as problem:
    print("STOPPED", type(problem).__name__, problem)
assert_sound(root)
before = stable_rows(root)
hog.close()
os.unlink(sys.argv[1] + "/hog")
run_stages(root, **order)
assert_sound(root)
after = stable_rows(root)
assert all(row in after[name] for name in ("calls", "answers", "cases") for row in before[name])
run_stages(sys.argv[3] + "/whole", **order)
assert after == stable_rows(sys.argv[3] + "/whole")
print("WHOLE")
"""


def can_mount(folder: Path) -> bool:
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    "left_kb", [0, 24, 64, 128, pytest.param(40, marks=pytest.mark.slow), pytest.param(150, marks=pytest.mark.slow)]
)
def test_a_run_on_a_full_disk_is_told_and_taken_up(tmp_path: Path, left_kb: int) -> None:
    """The oracle is the same run with room, which takes 164 kB; `assert_sound` opens every file that a reader sees."""
    if sys.platform != "linux" or not can_mount(tmp_path):
        pytest.skip("no file system of one's own can be made here")
    code = RUN.format(root=str(ROOT), tests=str(ROOT / "tests"))
    (tmp_path / "small").mkdir()
    (tmp_path / "run.py").write_text(code, encoding="utf-8")
    script = 'mount -t tmpfs -o size=3m tmpfs "$1/small" && exec "$2" "$1/run.py" "$1/small" "$3" "$1"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(tmp_path), sys.executable, str(left_kb * 1000)],
        env={**os.environ, "ZKUSEBNA_PRIVATE_SEED": "the same for both"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-3000:]
    first, last = done.stdout.strip().splitlines()[:1] + done.stdout.strip().splitlines()[-1:]
    assert first.startswith("STOPPED"), first
    assert "No space left on device" in first
    assert last == "WHOLE"
