# make demo: what asking is worth, in a table. make quick: the fast tests, in a minute. make test: every check, with a
# sample of the longest tests (COLBENCH_FULL=1: with all of them). Each sets up all it needs in .venv first.
PYTHON ?= python3
VENV ?= .venv
EXTRAS ?= dev
JOBS ?= 2
BIN := $(VENV)/bin
# Compiled modules are kept: each process that a test starts would compile the package again, for seconds.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo quick test check venv clean

demo: $(VENV)/.base
	@.ci/frontend $(BIN)
	$(BIN)/colbench demo

test: $(VENV)/.$(EXTRAS) check
	@.ci/frontend $(BIN)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

quick: $(VENV)/.$(EXTRAS)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup -m "not slow"

check: $(VENV)/.$(EXTRAS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A Python without ensurepip (Debian's own) gets its venv package where we may install it, else virtualenv does.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "make: $(PYTHON) is older than 3.10; name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m virtualenv $(VENV) 2>/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv --clear $(VENV); } || \
		{ echo "make: no virtual environment can be made; install python3-venv or virtualenv"; exit 1; }

$(VENV)/.base: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[render]"
	@touch $@

$(VENV)/.$(EXTRAS): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$(EXTRAS)]"
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
