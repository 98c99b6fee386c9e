# `make demo` and `make test` need Python 3.11 or newer and nothing else.

VENV ?= .venv
BIN = $(VENV)/bin
DEMO = .demo

# The first Python on the path that is new enough and can make environments.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1 && echo $$python && break; done)

# Python keeps compiled modules, which saves a second at every start, whatever the shell says.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help demo demo-train test test-end-to-end test-all thorough fuzz lint docs packaging wheels clean
.DELETE_ON_ERROR:

help:
	@echo "make demo             de-identify the notes in examples/ with the bundled model"
	@echo "make demo-train       train a small ensemble on sample notes, and evaluate it"
	@echo "make test             run the unit tests"
	@echo "make test-end-to-end  run those of browsers, servers and processes that are killed"
	@echo "make test-all         run both"
	@echo "make thorough         run the tests with many more random examples, for an hour of the night"
	@echo "make fuzz             attack the package with odd documents, for FUZZ_SECONDS (300)"
	@echo "make lint             check style and types"
	@echo "make docs             build the documentation into build/site"
	@echo "make packaging        build the distribution and try it in a fresh environment"
	@echo "make wheels           collect all wheels into build/wheels, for machines without a network; EXTRAS (serve)"
	@echo "make clean            remove the environment and everything that was built"

demo: $(VENV)/.stamp-run
	rm -rf $(DEMO)/notes
	$(BIN)/multideid deid examples --out $(DEMO)/notes --as tag --recall high
	@tail -n +1 $(DEMO)/notes/*.txt

demo-train: $(VENV)/.stamp-run
	rm -rf $(DEMO)
	$(BIN)/multideid sample-corpus $(DEMO)/train --documents 60 --seed 1
	$(BIN)/multideid sample-corpus $(DEMO)/test --split dev --documents 20
	$(BIN)/multideid train $(DEMO)/train --mode multi --folds 2 --out $(DEMO)/model
	$(BIN)/multideid predict $(DEMO)/model $(DEMO)/test --out $(DEMO)/predicted
	$(BIN)/multideid evaluate $(DEMO)/test $(DEMO)/predicted
	$(BIN)/multideid deid examples --model $(DEMO)/model --out $(DEMO)/notes --as tag
	@tail -n +1 $(DEMO)/notes/*.txt

# In the order of their names, not by number of tests: the longest files have few tests, and one
# processor would wait for the other at the end.
test: $(VENV)/.stamp-test
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

test-end-to-end: $(VENV)/.stamp-test
	$(BIN)/python -m pytest -m end_to_end -n auto --dist loadfile --no-loadscope-reorder

test-all: test test-end-to-end

thorough: $(VENV)/.stamp-test
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --hypothesis-profile=thorough

FUZZ_SECONDS ?= 300

fuzz: $(VENV)/.stamp-test
	$(BIN)/python scripts/fuzz patterns
	$(BIN)/python scripts/fuzz documents --seconds $(FUZZ_SECONDS) --first $$(date +%s)000

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.stamp-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

packaging: $(VENV)/.stamp-test
	$(BIN)/python -m pytest -m packaging tests/packaging

# For machines without a network, and for the Dockerfile.
EXTRAS ?= serve

wheels: $(BIN)/python
	rm -rf build/wheels
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheels .
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --only-binary :all: \
		--dest build/wheels "$$(ls build/wheels/multideid-*.whl)[$(EXTRAS)]"

clean:
	rm -rf $(VENV) $(DEMO) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache

# A stamp is younger than pyproject.toml when what it declares is installed. The
# package itself is linked, so that changes of the code need no new installation.
$(VENV)/.stamp-run: extras =
$(VENV)/.stamp-test: extras = [test]
$(VENV)/.stamp-dev: extras = [dev]
$(VENV)/.stamp-docs: extras = [docs]

$(VENV)/.stamp-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".$(extras)"
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with its venv module, is needed" \
		"(on Debian and Ubuntu: apt install python3 python3-venv);" \
		"if it is not on the path, give it: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
