# make demo | test | browser | bench | validate | figures | stub | lock: each sets up what it needs in .venv.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS = 1
export MKL_NUM_THREADS = 1

.PHONY: demo test lint warm tests browser bench validate validate-suite validate-bounds figures stub reference docs lock clean

$(VENV)/.ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null 2>&1 && $(PYTHON) -m venv $(VENV) || python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

warm: $(VENV)/.ready
	$(BIN)/fairlead warm

QUICK := $(BIN)/python -m pytest -n 2 -m "not slow"

tests: warm
	$(QUICK)

test: $(VENV)/.ready  # the first kernels are compiled on one core: lint has the other
	$(MAKE) --no-print-directory -j 2 --output-sync lint warm
	$(QUICK)

# A browser for the tests of pages: the system's chromium if it has one, else Debian's, else playwright's own.
browser: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 5 --require-hashes -r requirements-browser.txt
	@tools/get_browser.sh $(BIN)

demo: $(VENV)/.ready
	$(BIN)/fairlead run models/oc3_hywind.yaml --out demo.run --overwrite
	$(BIN)/fairlead plot demo.run --out demo.run/motion.png
	$(BIN)/fairlead plot demo.run hub_wind:rotor blade_pitch:rotor electrical_power:generator@hub thrust:rotor \
		joint_position:yaw.angle "tension:line 3" \
		--out demo.run/weather.png
	@$(BIN)/fairlead audit demo.run | tail -n 1

validate: validate-suite validate-bounds

validate-suite: $(VENV)/.ready
	FAIRLEAD_LONG_TESTS=1 $(BIN)/python -m pytest -n 2

# The suite with every index of every kernel checked, part by part: `make validate-bounds PARTS=tests/cross` for one,
# SELECT='' for the long ones too.
SELECT ?= not slow
PARTS ?= tests/identities tests/mechanisms tests/analytic tests/order tests/cross tests/interface tests/generated
validate-bounds: $(VENV)/.ready
	@for part in $(PARTS); do \
		echo "bounds checks: $$part"; \
		FAIRLEAD_BOUNDS_CHECK=1 $(BIN)/python -m pytest -n 2 -m "$(SELECT)" $$part || exit 1; \
	done

figures: $(VENV)/.ready
	PYTHONPATH=tests $(BIN)/python docs/make_figures.py

reference: $(VENV)/.ready
	PYTHONPATH=tools $(BIN)/python tools/make_reference.py

# The site as static files in build/site; only the first time, to install MkDocs, does it need a network.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

$(VENV)/.docs: $(VENV)/.ready requirements-docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.txt
	@touch $@

stub: $(VENV)/.ready
	$(BIN)/python tools/make_stub.py

bench: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	$(BIN)/python benchmarks/bench_cloud.py
	$(BIN)/python benchmarks/bench_trees.py
	PYTHONPATH=tests $(BIN)/python benchmarks/bench_loops.py
	$(BIN)/python benchmarks/bench_turbine.py
	$(BIN)/python benchmarks/bench_functions.py

lock:
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --no-header --no-emit-index-url --no-emit-trusted-host \
		--no-emit-find-links --allow-unsafe --strip-extras --extra dev --output-file requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --generate-hashes --no-header --no-emit-index-url --no-emit-trusted-host \
		--no-emit-find-links --allow-unsafe --strip-extras -c requirements.lock \
		--output-file requirements-browser.txt requirements-browser.in
	$(BIN)/pip-compile --quiet --generate-hashes --no-header --no-emit-index-url --no-emit-trusted-host \
		--no-emit-find-links --allow-unsafe --strip-extras -c requirements.lock \
		--output-file requirements-docs.txt requirements-docs.in

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
