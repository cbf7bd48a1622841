# Every target sets up .venv by itself, once; it is done again when pyproject.toml or constraints.txt change.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test bench mutants lint clean

demo: .venv/base.stamp
	$(BIN)/python -m agents.demo

test: lint
	$(BIN)/python -m pytest -n 2 tests
	$(BIN)/python -m pytest -n 2 notebooks
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m "not compiled" tests --cov

bench: .venv/dev.stamp
	$(BIN)/python -m agents.bench

mutants: .venv/dev.stamp
	$(BIN)/python tests/mutants.py

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv build dist *.egg-info .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/base.stamp: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[train]"
	touch $@

.venv/dev.stamp: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[dev,bench,tune,train]"
	touch .venv/base.stamp $@
