# make demo: what asking is worth, in a table. make test: every check. Both set up all they need in .venv first.
PYTHON ?= python3
VENV ?= .venv
EXTRAS ?= dev
BIN := $(VENV)/bin

.PHONY: demo test check venv clean

demo: $(VENV)/.base
	@.ci/frontend $(BIN)
	$(BIN)/colbench demo

test: $(VENV)/.$(EXTRAS) check
	@.ci/frontend $(BIN)
	$(BIN)/python -m pytest

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
