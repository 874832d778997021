# Everything a person does with this checkout. Each command first sets up what it needs; see scripts/setup.sh.

# The pattern reaches programs through the environment and is never part of a recipe's text,
# so that no sign in it ( ( ) * $ ' or a space ) means anything on the way.
PATTERN ?= 531
override PATTERN := $(value PATTERN)
export PATTERN
INPUTS ?= 1000000

SETUP := sh scripts/setup.sh
BIN := .venv/bin

.NOTPARALLEL:
.PHONY: help run test test-all lint docs web bundle lower-bounds bench fuzz kills soak blender firefox juggling-lab coverage clean

help: ## Show this list
	@echo "make run PATTERN='(6x,4)*' shows a pattern. All commands:"
	@sed -n 's/^\([a-z-]*\): ## \(.*\)/  make \1	\2/p' Makefile

run: ## Watch 531 or PATTERN; without a display, write it to out/
	@$(SETUP) run
	@if [ -n "$$DISPLAY" ]; then exec $(BIN)/python -m juggle_anim "$$PATTERN"; fi; \
	printf 'No display here, so %s goes into files.\n' "$$PATTERN"; \
	$(BIN)/python -m juggle_anim export "$$PATTERN" out/frames --force && \
	$(BIN)/python -m juggle_anim export "$$PATTERN" out/video.mp4 --force && \
	echo "Frames: out/frames  Video: out/video.mp4"

# Two processes more than cores: tests wait for windows, browsers and other programs now and then. Threads
# of the library below numpy would only wait for each other.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $$(($$(getconf _NPROCESSORS_ONLN) + 2)) --maxprocesses 8 --dist worksteal

test: ## Run the tests; about a quarter of an hour on two cores
	@$(SETUP) test
	@$(PYTEST)

test-all: ## Run all there is, with many more random cases; three hours
	@$(SETUP) test
	@$(SETUP) docs
	@$(PYTEST) -m '' --hypothesis-profile thorough -o faulthandler_timeout=7200
	@$(MAKE) --no-print-directory fuzz kills soak lower-bounds blender firefox juggling-lab

lint: ## Check format, style, types and the order of imports
	@$(SETUP) lint
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

docs: ## Build the documentation as a site in site/, which needs no network to be read
	@$(SETUP) docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet && echo "Open site/index.html"

web: ## Write the program as a web site to dist/web, which any host can serve
	@$(SETUP) run
	@$(BIN)/python -m juggle_anim site dist/web

bundle: ## Put all that the program needs into one folder, dist/bundle/juggle-anim, and try it there
	@$(SETUP) test
	@$(BIN)/python -c 'import PyInstaller' 2>/dev/null || $(BIN)/python -m pip install -q --disable-pip-version-check pyinstaller
	@$(BIN)/python -m PyInstaller --noconfirm --log-level ERROR --distpath dist/bundle --workpath dist/build scripts/bundle/juggle-anim.spec
	@$(BIN)/python -m pytest -q tests/long/check_bundle.py

lower-bounds: ## Install the oldest libraries that are allowed, and try the program with them; fetches 300 MB
	@$(SETUP) test
	@$(BIN)/python -m pytest -q tests/long/check_lower_bounds.py

bench: ## Measure how quick it is, beside the baseline of this machine; BASELINE=new makes another
	@$(SETUP) test
	@$(BIN)/python -m pytest benchmarks -o addopts=-ra -o python_files='bench_*.py test_*.py'

fuzz: ## Read a million random inputs, or INPUTS; a quarter of an hour
	@$(SETUP) test
	@PYTHONPATH=tests/support $(BIN)/python tests/long/fuzz_run.py $(INPUTS)

kills: ## Stop each kind of export 20 times at random moments, and resume it; a quarter of an hour
	@$(SETUP) test
	@PYTHONPATH=tests/support $(BIN)/python tests/long/kill_run.py

soak: ## Use the viewer at random for half an hour, and see that it bears it
	@$(SETUP) test
	@PYTHONPATH=tests/support $(BIN)/python tests/long/soak_run.py

blender: ## Open exported models in Blender; the first time fetches 350 MB
	@$(SETUP) test
	@$(BIN)/python -c 'import bpy' 2>/dev/null || $(BIN)/python -m pip install -q --disable-pip-version-check bpy
	@$(BIN)/python -m pytest tests/long/check_blender.py

firefox: ## Open exported pages in Firefox; the first time fetches 80 MB
	@$(SETUP) firefox
	@$(BIN)/python -m pytest tests/long/check_firefox.py

juggling-lab: ## Open written JML in Juggling Lab; the first time fetches 60 MB
	@$(SETUP) juggling-lab
	@$(BIN)/python -c 'import jpype' 2>/dev/null || $(BIN)/python -m pip install -q --disable-pip-version-check jpype1
	@$(BIN)/python -m pytest -p no:faulthandler tests/long/check_juggling_lab.py # Java catches signals of its own

coverage: ## Show which lines no test runs
	@$(SETUP) test
	@$(BIN)/coverage erase
	@rm -rf .pytest_cache/plans # none is taken from an earlier run
	@$(BIN)/coverage run -m pytest -q
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report

clean: ## Remove what these commands made: .venv, caches, site, out/frames, out/video.mp4
	@rm -rf .venv dist site .coverage* .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@rm -rf out/frames out/video.mp4
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
