# What to type: 'make demo' to see the program at work, 'make test' to run all tests. Both install what is missing.

PROGRAM := .build/release/veery
# Where programs that install and build write what is to be read.
ASIDE :=

# Variables of the command line, such as AUDIO=DIR, are in the environment of every recipe. A path is read from there, by "$$AUDIO",
# since it may have spaces and quotation marks; test_makefile.py runs every target in a folder that has both.

.PHONY: help setup build library demo test test-all lint schema format bench bench-guard scale wide parity torture damage damage-features fuzz docs install uninstall wheel test-wheel test-slurm test-ray release clean
.DEFAULT_GOAL := help

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## Install the system libraries that are missing (apt or Homebrew)
	@.ci/setup $(ASIDE)

build: setup ## Build the program: .build/release/veery
	@.ci/build $(ASIDE)

library: setup ## Build the library with a C interface, which Python loads: .build/library/libveery.so, veery.h
	@.ci/library

demo: setup ## Speech and bird song to spectrograms: downloads 99 MB, once (AUDIO=DIR: your own recordings)
	@examples/demo.sh

test: ## Lint, one build, Swift tests, Python tests
	@.ci/setup tests
	@.ci/test

# COLLECTION=DIR: the tests that look for a collection of recordings run a second time, with this one. WHEEL=yes: also the wheel.
# LONG=promised: of the long Python tests, those of what README, guide and examples promise, which is what CI runs.
test-all: ## The same, and what takes longer: kills, failing disks, damaged files, fuzzing, Slurm, the program as it is shipped
	@.ci/setup tests
	@.ci/test --all

lint: ## Check format and style of the Swift sources
	@.ci/lint

schema: build ## Rewrite what documents say of keys and presets: the schema, the tables, a page for each preset
	@.ci/schema $(PROGRAM)
	@.ci/presets $(PROGRAM)

format: ## Rewrite the Swift sources in the project's format
	swift format --in-place --recursive Package.swift Sources Tests

# These print a document on standard output, so the output of builds goes to standard error.
bench bench-guard scale wide: ASIDE := >&2

bench: build ## Time the extraction against the least any program must do, and other programs; prints ratios (CASE=a,b ROUNDS=N)
	@.ci/bench --case $(or $(CASE),all) --rounds $(or $(ROUNDS),5)

bench-guard: build ## Count the instructions of small runs by valgrind, compare with those stored (UPDATE=1: store them)
	@python3 Tests/Benchmarks/guard.py $(PROGRAM) $(if $(UPDATE),--update)

scale: build ## Memory and time of 100,000 clips against 1,000 (CLIPS=N)
	@examples/fetch-recordings.sh speech >&2
	@python3 Tests/Benchmarks/scale.py $(PROGRAM) .demo/audio/speech --clips $(or $(CLIPS),100000)

wide: build ## What more workers would bring: 8, 32 and 128 of them (after make bench CASE=a-z,d,e)
	@python3 Tests/Benchmarks/wide.py

parity: build ## Compare values with librosa, torchaudio, Whisper, transformers and others; installs them (AUDIO=DIR: your recordings)
	@.ci/parity

test-slurm: build ## Run shards by Slurm on three virtual nodes, kill nodes and tasks, compare the bytes; Linux, root (Debian: installs Slurm)
	@.ci/setup slurm
	@python=$$(.ci/venv Tests/Python/requirements.txt) && for array in 21 1001; do \
		VEERY_TEST_ARRAY=$$array VEERY="$$PWD/$(PROGRAM)" "$$python" Tests/Slurm/cluster.py \
		"$$python" -m pytest -q -s -c Tests/Slurm/pytest.ini --rootdir Tests/Slurm Tests/Slurm || exit; done

test-ray: build ## Run shards by Ray on three nodes of this machine, lose one, compare the bytes; installs Ray into .venv-ray
	@python=$$(.ci/venv Tests/Ray/requirements.txt .venv-ray) && VEERY="$$PWD/$(PROGRAM)" "$$python" -m pytest -q Tests/Ray

torture: build ## Kill the program at every stage, then make every write of every command fail (ROUNDS=N SEED=N PART=kills|writes|sweep COMMAND=REGEX CALLS=N)
	@case '$(PART)' in ''|kills|writes|sweep) ;; *) echo 'PART: expected kills, writes or sweep' >&2; exit 2;; esac
	@case '$(PART)' in ''|kills) \
		python3 Tests/Torture/torture.py $(PROGRAM) --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1);; esac
	@case '$(PART)' in ''|writes) python3 Tests/Torture/failing_writes.py $(PROGRAM) $(if $(COMMAND),--only '$(COMMAND)') \
		$(addprefix --most ,$(CALLS));; esac
	@case '$(PART)' in sweep) python3 Tests/Torture/failing_writes.py $(PROGRAM) --errors KILL \
		--only '$(or $(COMMAND),^extract)' $(addprefix --most ,$(CALLS));; esac

damage: build ## Flip bits in recordings, cut them off, garble them, and see what is stored (ROUNDS=N SEED=N AUDIO=DIR KEEP=DIR)
	@python=$$(.ci/venv Tests/Python/requirements.txt) && audio=$${AUDIO:-$(wildcard ../shared/data)} && \
		"$$python" Tests/Torture/damage.py $(PROGRAM) --rounds $(or $(ROUNDS),100) --seed $(or $(SEED),1) \
		$${audio:+--audio "$$audio"} $${KEEP:+--keep "$$KEEP"}

damage-features: build ## Damage feature files, and measure what it takes to read them (ROUNDS=N SEED=N KEEP=DIR)
	@python3 Tests/Torture/damaged_features.py $(PROGRAM) --rounds $(or $(ROUNDS),500) --seed $(or $(SEED),1) \
		$${KEEP:+--keep "$$KEEP"}

fuzz: setup ## Fuzz every parser for a minute each, by libFuzzer (TARGET=a SECONDS=N; Linux)
	@.ci/fuzz $(TARGET) --seconds $(or $(SECONDS),60)

wheel: ## Build the Python wheel in dist: program and library with all their libraries (Debian, Ubuntu)
	@.ci/setup wheel
	@.ci/wheel

test-wheel: ## Build the wheel and test it with PyTorch, pandas and others, and in a system without anything else (root)
	@.ci/setup test-wheel
	@.ci/test-wheel

release: ## Build the wheel, a tarball of the program and one of sources in dist, with checksums
	@.ci/setup wheel
	@.ci/release

docs: ## Documentation of the library as web pages: .build/docs
	@.ci/docs

# Builds only where there is no program yet: under sudo, swift may not be in PATH.
install: ## Copy the program, its completions and man pages, and libveery if it was built, to PREFIX (PREFIX=/usr/local)
	@test -x $(PROGRAM) || $(MAKE) build
	@.ci/install .build/release .build/library "$${PREFIX-/usr/local}"

uninstall: ## Remove from PREFIX what 'make install' copied there
	@.ci/install --remove "$${PREFIX-/usr/local}"

clean: ## Remove what was built; downloads (.demo, .build/checkouts, .venv, .venv-*) stay
	swift package clean
	rm -rf .demo/out .demo/bench .build/portable .build/sources .build/testing .build/shipped .build/library dist
