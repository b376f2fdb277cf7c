# The two commands of the README are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
JOBS   ?= 2

# These check messages, files and what numba says; they read no array beyond their own.
UNCHECKED := $(wildcard tests/test_errors.py tests/test_check_and_trace.py tests/test_native.py \
               tests/test_models.py tests/test_docs.py tests/test_layers.py)

.PHONY: demo test test-compiled test-checked test-plain lint clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/rollin demo

test: lint test-compiled test-checked test-plain

test-compiled: $(READY)
	$(BIN)/pytest -n $(JOBS) --dist loadfile

# with every array access of native code checked
test-checked: $(READY)
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n $(JOBS) --dist loadfile $(UNCHECKED:%=--ignore=%)

# with nothing compiled: every kernel is the Python function it was
test-plain: $(READY)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(JOBS) --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist demo
