# One word each. `make demo` and `make test` do all the set-up on a fresh machine.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: demo lab test check bench soak clean

demo: .venv/ready
	$(BIN)/uac-nb demo

lab: .venv/ready
	$(BIN)/jupyter lab notebooks/quickstart.ipynb

test: check
	$(BIN)/python -m pytest -q

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/uac-nb bench

soak: .venv/ready
	UAC_SOAK=1 $(BIN)/python -m pytest -q -k "kill or soak or property"

clean:
	rm -rf .venv out build dist

.venv/ready: pyproject.toml binder/constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint binder/constraints.txt --editable '.[dev]'
	touch $@
