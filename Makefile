# The two commands of the README are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
JOBS   ?= 2

# of `make bench`
TREEBANK  ?= UD_English-EWT
TREEBANK2 ?= $(TREEBANK)
RESULTS   ?= bench-results
PEERS     := vw udpipe spacy rollin-fast rollin-default rollin-sparse
# (for a large treebank, where UDPipe's ten iterations take more than an hour: udpipe.iterations=4)
SETTINGS  ?= spacy.max_steps=5000 vw.bits=28 vw.passes=4
STUDIES   := learners features oracles policies systems
BENCH     := $(VENV)/ready-bench

# These check messages, files and what numba says; they read no array beyond their own.
UNCHECKED := $(wildcard tests/test_errors.py tests/test_check_and_trace.py tests/test_native.py \
               tests/test_models.py tests/test_docs.py tests/test_layers.py)

.PHONY: demo test test-compiled test-checked test-plain lint clean \
        bench bench-one bench-other bench-treebank

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

# The README's numbers. Trainings and the paper's tables (on TREEBANK2, a smaller one if given) are made
# two at a time; then everything is measured again that depends on what else runs.
bench: bench-treebank $(BENCH)
	$(MAKE) -j2 bench-one bench-other
	$(MEASURED) --peers $(PEERS) --reuse -o $(RESULTS)/peers.json
	$(BIN)/python -m bench.pictures $(RESULTS)/peers.json -o $(RESULTS)
	$(BIN)/python -m bench.short $(RESULTS)/peers.json

MEASURED = $(BIN)/python -m bench.peers --treebank $(TREEBANK) --work $(RESULTS)/work --set $(SETTINGS)

bench-one:
	$(MEASURED) --peers rollin-sparse rollin-fast rollin-default spacy

bench-other:
	$(MEASURED) --peers vw udpipe
	for study in $(STUDIES); do \
	  $(BIN)/python -m bench.paper $$study $(TREEBANK2) --passes 2 -o $(RESULTS)/paper-$$study.json \
	    || exit 1; \
	done

bench-treebank:
	@for folder in "$(TREEBANK)" "$(TREEBANK2)"; do \
	  for part in train dev test; do \
	    test -f "$$folder/$$part.conllu" || { \
	      echo "make bench wants a treebank, a folder of train.conllu, dev.conllu and" \
	        "test.conllu: make bench TREEBANK=path/to/UD_English-EWT" \
	        "(there is no $$folder/$$part.conllu)" >&2; exit 1; }; \
	  done; \
	done

$(BENCH): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	touch $(BENCH)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist demo bench-results
