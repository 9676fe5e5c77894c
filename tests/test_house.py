"""The rules of the house as tests: imports, names, sizes, docstrings, doors (ARCHITECTURE.md)."""

import ast
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tasks.suites import SUITES

ROOT = Path(__file__).parents[1]
FOLDERS = ("schemas", "datasets", "grading", "profiles", "tasks", "flows")
MODULES = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_imports_go_one_way() -> None:
    """The contracts of pyproject.toml, by import-linter."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_import_contracts_catch_a_wrong_import(tmp_path: Path) -> None:
    """The contracts see a grader that peeks at the generator, even inside a function."""
    for folder in FOLDERS:
        for source in (ROOT / folder).rglob("*.py"):
            copy = tmp_path / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    peek = tmp_path / "grading" / "invoices.py"
    peek.write_text(
        peek.read_text(encoding="utf-8") + "\n\ndef peek():\n    import datasets.invoices\n", encoding="utf-8"
    )
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "grading.invoices -> datasets.invoices" in done.stdout


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_one_subject(path: Path) -> None:
    """At most 300 lines a module and 40 a function; a first docstring line that is one sentence."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    doc = ast.get_docstring(tree_of(path))
    assert doc, "no docstring"
    first = doc.splitlines()[0]
    assert first.endswith((".", ":")), first
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert lines <= 40, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_names_have_docstrings(path: Path) -> None:
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_names_of_rooms() -> None:
    """No room where everything ends up; flow files hide neither our packages nor the standard library's modules."""
    for path in MODULES:
        assert path.stem not in {"utils", "helpers", "common", "misc", "base"}, path
    for path in (ROOT / "flows").glob("*.py"):
        if path.stem != "__init__":
            assert path.stem not in FOLDERS
            assert path.stem not in sys.stdlib_module_names


def test_our_packages_are_ours() -> None:
    """Our generic names resolve inside this repository and not in somebody's site-packages."""
    for folder in FOLDERS:
        spec = find_spec(folder)
        assert spec is not None
        assert spec.origin is not None
        assert Path(spec.origin).is_relative_to(ROOT)


def test_no_packages_among_tests() -> None:
    """An `__init__.py` below tests/ would hide our package of the same name."""
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_no_suite_is_named_by_flows_or_stages() -> None:
    stages = ["build", "test", "grade", "profile", "tendency", "shards", "runs", "ask", "gate", "publish"]
    files = [*(ROOT / "flows").glob("*.py"), *(ROOT / "tasks" / f"{stage}.py" for stage in stages)]
    for path in files:
        words = {n.value for n in ast.walk(tree_of(path)) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        assert not words & set(SUITES), path


def test_every_suite_stands_in_four_folders_and_in_tests() -> None:
    for word in SUITES:
        for folder in ("schemas", "datasets", "grading", "profiles"):
            assert (ROOT / folder / f"{word}.py").exists(), f"{folder}/{word}.py"
        for folder in ("datasets", "grading", "profiles"):
            assert (ROOT / "tests" / folder / f"test_{word}.py").exists(), f"tests/{folder}/test_{word}.py"


def imported(path: Path) -> set[str]:
    """Names of all modules that a file imports, also inside functions."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    return found


@pytest.mark.parametrize(
    ("module", "doors"),
    [
        ("pyarrow.parquet", {"datasets/tables.py", "tasks/gate.py"}),
        ("pytesseract", {"tasks/recognise.py"}),
        ("playwright", {"tasks/browse.py"}),
        ("great_expectations", {"tasks/gate.py"}),
        ("typst", {"datasets/typeset.py"}),
        ("pypdfium2", {"datasets/raster.py"}),
    ],
)
def test_each_way_out_has_one_door(module: str, doors: set[str]) -> None:
    users = {name_of(p) for p in MODULES if any(i == module or i.startswith(f"{module}.") for i in imported(p))}
    assert users <= doors


def test_the_environment_is_read_in_one_place() -> None:
    readers = {
        name_of(p)
        for p in MODULES
        for n in ast.walk(tree_of(p))
        if isinstance(n, ast.Attribute) and n.attr in ("environ", "getenv")
    }
    assert readers <= {"tasks/settings.py", "tasks/recognise.py"}


def test_prefect_entrypoints_load() -> None:
    """Every deployment of prefect.yaml names a flow that is there."""
    from importlib import import_module

    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    assert {"nightly", "evaluate", "synthesize", "build", "test", "grade", "profile", "tendency"} <= {
        d["name"] for d in deployments
    }
    for deployment in deployments:
        module, _, name = deployment["entrypoint"].rpartition(".")
        assert getattr(import_module(module), name).name, deployment


def test_lock_files_name_no_index() -> None:
    for file in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index-url" not in "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def test_direct_dependencies_are_those_of_the_client() -> None:
    wanted = {"prefect", "httpx", "pandas", "pyarrow", "pydantic", "playwright", "jsonschema", "great-expectations"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert wanted <= {d.split(">")[0].split("=")[0].strip() for d in project["dependencies"]}


@pytest.mark.parametrize("command", [["--help"], ["systems"], ["run", "--help"]])
def test_light_commands_import_nothing_heavy(command: list[str]) -> None:
    """`--help` and `systems` answer at once because nothing heavy is imported."""
    code = (
        "import sys; sys.argv = ['zkusebna', *sys.argv[1:]]\n"
        "from flows.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'prefect', 'great_expectations', 'pandas', 'pyarrow', 'scipy', 'matplotlib', 'typst', 'pypdfium2', 'numpy', 'duckdb'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout, done.stdout[-500:] + done.stderr[-500:]
