# Everything that is installed or built goes into .venv (Python) and .cache (tools, compiled code).
# PYTHON is the interpreter for a new .venv; the default is the newest suitable one found.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run test test-changed test-rest test-all test-lowest test-newest test-numba test-keda fuzz chaos strangers mutants bench arena check docs \
  infra-check audit sbom lock format protos clean
MAKEFLAGS += --no-print-directory

export HYPOTHESIS_STORAGE_DIRECTORY ?= $(CURDIR)/.cache/hypothesis
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Containers like to set it. Every process of the tests, of which there are hundreds, would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
CANDIDATES := $(or $(PYTHON),python3.14 python3.13 python3.12 python3.11 python3)

PROTOS := $(wildcard protos/battlesnake/*/v1/*.proto)
CONTRACT := battlesnake_search/contract
# Generated code refuses a runtime older than its generator: generate with the oldest grpcio supported.
GENERATOR := $(shell sed -n 's/.*"grpcio>=\([0-9.]*\)".*/\1/p' pyproject.toml)
PROTOC := .cache/protoc-$(GENERATOR)

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 13

install: .venv/.runtime ## Install the snake and the search into .venv
	@echo 'installed in .venv'

run: .venv/.runtime ## Serve a snake on port 8000, or PORT; ARGS goes to the gateway
	@exec $(BIN)/python -m gateway $(ARGS)

# Test files run in parallel, in the order of tests/support/order.py. ARGS=-n0 runs them in one process, as a debugger
# requires. ARGS may name any test, so it needs everything.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

test: .venv/$(if $(ARGS),.checks,.dev) ## Run the tests without other programs; ARGS goes to pytest
	@$(if $(ARGS),,$(BIN)/python -m tests.support.compiled --tests)
	@$(PYTEST) $(ARGS)

test-changed: .venv/.checks ## Run the tests that mirror what differs from main
	@tests="$$($(BIN)/python -m tests.support.changed)" && $(PYTEST) $$tests $(ARGS)

test-rest: .venv/.checks ## Run the tests of containers, databases, browsers, bots, infra and the docs' commands
	@$(if $(ARGS),,$(BIN)/python -m tests.support.compiled)
	@$(PYTEST) --rest only $(or $(ARGS),--ignore $(KEDA))

# The build of KEDA's code takes two minutes of processor time.
KEDA := tests/infra/test_keda.py
test-keda: .venv/.checks ## Scale searchers with KEDA's own code
	@$(PYTEST) --rest only $(KEDA)

test-all: test test-rest test-keda ## Run all tests, fuzzing, faults and strangers
	@$(MAKE) fuzz ARGS='--seed 1' chaos strangers

chaos: .venv/.dev ## Play games while faults are injected
	@$(BIN)/python -m benchmarks.chaos --short

strangers: .venv/.dev ## Play a game beside strangers who exhaust its services
	@$(BIN)/python -m benchmarks.strangers --short

# The tests of containers install what is locked, which is neither. Code is stored apart, so that these compilers make it.
test-lowest: .venv/.checks ## Run all tests with the oldest versions that pyproject.toml allows
	$(call test_with,lowest,--resolution lowest-direct)

test-newest: .venv/.checks ## Run all tests with the newest versions that pyproject.toml allows
	$(call test_with,newest,--upgrade)

# Numba's newest version may be beyond the bound, and the test of the bound is left out.
JIT := tests/searcher/engine/jit
test-numba: .venv/.dev ## Run the tests of compiled code with the newest Numba of all
	@mkdir -p .cache && echo numba >.cache/numba.txt
	$(call test_with,numba,--upgrade --overrides .cache/numba.txt,$(JIT) tests/searcher/engine/rules/test_turn.py \
	  tests/searcher/tools/test_bench.py --deselect $(JIT)/test_numba_internals.py::test_the_version_is_within_the_bound)

# $(1): a name; $(2): options of the resolution; $(3): tests, by default all.
define test_with
@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .cache/$(1)
@$(BIN)/uv pip install --quiet --python .cache/$(1) $(2) --editable '.[$(if $(3),dev,checks)]'
@SEARCHER_CACHE_DIR=$(CURDIR)/.cache/$(1)-compiled .cache/$(1)/bin/python -m pytest --numprocesses auto --dist loadfile \
  --ignore tests/infra/containers/test_images.py --ignore tests/infra/containers/test_services.py $(or $(ARGS),$(3))
endef

fuzz: .venv/.checks ## Look for inputs that break the services; ARGS names targets and --seconds
	@$(BIN)/python -m tests.fuzz $(or $(ARGS),--seconds 300)

# Cosmic Ray changes files in place, so it works in a clone of the last commit.
mutants: .venv/.checks ## Change FILE a little, again and again, and show which changes TESTS do not detect
	$(if $(and $(FILE),$(TESTS)),,$(error make mutants needs FILE and TESTS))
	@rm -rf build/mutants && git clone --quiet --shared . build/mutants && ln -s $(CURDIR)/.cache build/mutants
	@cd build/mutants && export PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONPATH=. && \
	  sed 's|FILE|$(FILE)|; s|TESTS|$(TESTS)|' tests/mutants.toml >build.toml && cosmic-ray baseline build.toml && \
	  cosmic-ray init build.toml build.sqlite && cr-filter-operators build.sqlite build.toml && \
	  cosmic-ray exec build.toml build.sqlite && cr-report --surviving-only --show-diff build.sqlite

bench: .venv/.runtime ## Measure the search; ARGS goes to the bench
	@$(BIN)/python -m searcher bench $(ARGS)

arena: .venv/.arena ## Compare snakes; ARGS goes to the arena, for example 'match paranoid/area paranoid/length'
	@$(BIN)/python -m arena $(or $(ARGS),--help)

check: .venv/.checks $(PROTOC)/.done ## Check format, lint, types, the subjects of commits and that the generated code is current
	@.ci/commit-subjects
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/buf lint
	@$(call generate,.cache/generated)
	@diff -r -x __init__.py -x rulesets.py -x game_ids.py -x deaths.py -x limits.py -x __pycache__ $(CONTRACT) .cache/generated \
	  || { echo "The generated code is not that of $(PROTOS): run make protos" >&2; exit 1; }

docs: .venv/.docs ## Build the docs as a site in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "build/site/index.html; with search: $(BIN)/python -m http.server --directory build/site"

infra-check: .venv/.checks ## Check the files of infra/ with the tools that read them
	@$(BIN)/hadolint --no-color infra/*/*.Dockerfile
	@$(BIN)/yamllint --strict --format parsable --config-file infra/checks/yamllint.yaml infra
	@$(BIN)/shellcheck --format gcc .ci/* infra/*.sh infra/*/*.sh searcher/*/*.sh
	@for file in infra/envoy/*.yaml; do $(BIN)/envoy --mode validate --log-level error -c $$file >/dev/null; done
	@for file in infra/terraform/*/*.tf; do $(BIN)/hcl2tojson $$file >/dev/null; done
	@$(BIN)/python -m infra.checks.manifests
	@echo 'infra: ok'

# Without the database, the tool prints a traceback. Only its errors are shown.
audit: .venv/.checks ## Look for known vulnerabilities in what is locked
	@$(BIN)/pip-audit --strict --disable-pip --progress-spinner=off --vulnerability-service=osv \
	  $(addprefix --osv-url=,$(OSV_URL)) $(addprefix --requirement=,$(or $(ARGS),requirements/checks.txt)) 2>&1 \
	  | grep -vE '^( |$$|Traceback|During|The above)'

SBOM = $(or $(word 2,$(ARGS)),build/sbom.json)

sbom: .venv/.checks ## List the parts of a snake in build/sbom.json (CycloneDX); ARGS names another installation and file
	@mkdir -p $(dir $(SBOM))
	@PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements --pyproject=pyproject.toml \
	  --mc-type=application --output-reproducible --spec-version=1.6 --validate \
	  --output-file=$(SBOM) requirements/$(or $(word 1,$(ARGS)),snake).txt

lock: .venv/.checks ## Lock the versions of all packages; ARGS=--upgrade takes the newest ones
	@$(BIN)/python -m infra.supply.lock $(ARGS)

format: .venv/.checks ## Format the code and fix what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

protos: $(PROTOC)/.done ## Generate the Python code of the contract
	@$(call generate,.cache/generated) && cp .cache/generated/* $(CONTRACT)

clean: ## Remove everything that was installed or built
	rm -rf .venv .cache build *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# $(1): the folder of the code. The generated files import one another below protos; in Python they are one package.
# Each file of services ends with a class that gRPC calls experimental, and that no program here uses.
define generate
rm -rf $(1) $(1).protoc && mkdir -p $(1) $(1).protoc && \
$(PROTOC)/bin/python -m grpc_tools.protoc -I protos --python_out=$(1).protoc --pyi_out=$(1).protoc \
  --grpc_python_out=$(1).protoc $(PROTOS) && \
find $(1).protoc -name '*_pb2*' -exec cp {} $(1) \; && \
sed -i.bak -E -e 's/^from battlesnake\.[a-z]+\.v1 /from battlesnake_search.contract /' \
  -e '/ # This class is part of an EXPERIMENTAL API/,$$d' $(1)/*_pb2* && rm $(1)/*.bak
endef

.venv/.created:
	@for python in $(CANDIDATES); do \
	  $$python -c '$(SUITABLE)' 2>/dev/null && break; python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Python 3.11 to 3.14 is needed, and none of these is: $(CANDIDATES). make PYTHON=/path/to/python names one." >&2; \
	  echo "To get one: uv python install 3.13, or on Debian and Ubuntu apt-get install python3.11 python3.11-venv" >&2; \
	  exit 1; \
	fi; \
	if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$python has no venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; \
	  exit 1; \
	fi; \
	rm -rf .venv && $$python -m venv .venv && touch $@

.venv/.runtime: .venv/.created pyproject.toml requirements/runtime.txt
	@echo "Installing into .venv what a snake needs"
	$(call install,runtime)
	@command -v ld >/dev/null || command -v ld.lld >/dev/null || \
	  $(BIN)/pip install --quiet --require-hashes --requirement requirements/linker.txt
	@touch $@

.venv/.arena: .venv/.runtime requirements/arena.txt
	@echo "Installing into .venv what the arena needs"
	$(call install,arena)
	@touch $@

.venv/.dev: .venv/.runtime requirements/dev.txt
	@echo "Installing into .venv what make test needs"
	$(call install,dev)
	@touch $@

.venv/.checks: .venv/.dev requirements/checks.txt
	@echo "Installing into .venv what the other tests and all checks need"
	$(call install,checks)
	@touch $@

.venv/.docs: .venv/.runtime requirements/docs.txt
	@echo "Installing into .venv what the site of the docs needs"
	$(call install,docs)
	@touch $@

# $(1): a file of requirements/. Where uv can't be installed or doesn't reach the packages, pip does the same.
define install
@if ! { $(BIN)/pip install --quiet --require-hashes --requirement requirements/uv.txt && \
  $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements/$(1).txt && \
  TMPDIR=$(CURDIR)/.venv $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .; }; then \
  echo "uv can't install the packages: pip does"; \
  $(BIN)/pip install --quiet --require-hashes --requirement requirements/$(1).txt; \
  PYTHONWARNINGS=ignore $(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .; \
fi
@# One of an earlier build would hide new entry points from programs that run in this folder.
@rm -rf battlesnake_search.egg-info
endef

# Apart from .venv: there the generator would keep the runtime older than the one to test with.
$(PROTOC)/.done: .venv/.created requirements/protoc.txt
	@rm -rf $(PROTOC) && $(BIN)/python -m venv $(PROTOC)
	@$(PROTOC)/bin/pip install --quiet --require-hashes --requirement requirements/protoc.txt
	@touch $@
