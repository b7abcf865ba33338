# SPDX-License-Identifier: GPL-3.0-or-later
#
# make run     opens Destutter on this computer (ARGS="..." are passed on)
# make test    runs every check and test that needs no virtual machine, in minutes (LONG=1: also the
#              long tests; KERNEL=1, as root: those that change kernel settings and put them back;
#              ARGS="tests/unit/x.py -k name" runs these tests alone, and no other check)
# make help    lists all targets
#
# run and test install what is missing, say what and why before they ask for rights, and do it once.

MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
SET_UP := @packaging/setup/set-up
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

export KERNEL LONG

.PHONY: run test help derive lint format coverage bench bench-truth fuzz screenshots dev \
	install-helper uninstall-helper test-fresh test-vm test-flatpak deb appimage flatpak dist clean

# A target is listed with what stands behind "##".
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r name does; do \
		printf '%-18s %s\n' "$$name" "$$does"; done

run: ## open Destutter on this computer (ARGS are its own)
	$(SET_UP) run
	@$(PYTHON) -m destutter $(ARGS)

test: ## every check and test, minutes (LONG=1, KERNEL=1; ARGS=tests/unit/x.py: these alone)
	$(SET_UP) test
	@$(if $(ARGS),$(PYTHON) -m pytest -n 0 $(ARGS),.ci/check all)

# Everything that follows from other files and is kept in git; tests/house compares.
derive: ## write generated files anew: translations, manual page and completion, files of a release
	$(SET_UP) test
	@packaging/translations/update
	@$(PYTHON) packaging/manual/manual.py
	@$(PYTHON) packaging/release/derive.py

lint: ## linters alone
	$(SET_UP) test
	@.ci/check lint format types imports dead

format: ## bring the code into its form
	$(SET_UP) test
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format .

coverage: ## which lines the tests run
	$(SET_UP) test
	@.ci/check coverage

bench: ## speed: each value beside a reference of the same run (ARGS=sampler)
	$(SET_UP) bench
	@$(PYTHON) -m tests.bench $(ARGS)

# Real stutters with known causes: takes the whole computer for minutes; needs root, gcc, fio.
bench-truth: ## stutters with known causes, as root; hours
	$(SET_UP) bench
	@$(SUDO) $(PYTHON) -m tests.truth $(ARGS)

# The fuzzer is large, has wheels for few systems, and no other command needs it.
fuzz: ## the fuzzer
	$(SET_UP) test
	@$(PYTHON) -c "import atheris" 2>/dev/null || { echo "Installing atheris, the fuzzer, into .venv ..."; \
		$(PYTHON) -m pip install --quiet "atheris>=2.3,<4"; }
	@$(PYTHON) -m tests.fuzz $(ARGS)

screenshots: ## pictures of every page
	$(SET_UP) test
	@$(PYTHON) -m tests.screenshots $(ARGS)

# Private bus, helper and application on a scratch tree: nothing of this computer is changed.
dev: ## window, helper and bus on a scratch tree
	$(SET_UP) run
	@packaging/dev/run-dev $(ARGS)

install-helper: ## the root helper on this computer
	$(SET_UP) helper
	@$(SUDO) packaging/system/install-helper install $(ARGS)

uninstall-helper: ## the root helper away again
	@$(SUDO) packaging/system/install-helper uninstall $(ARGS)

# make run and make test in a fresh Debian below /var/tmp; needs root and debootstrap.
test-fresh: ## run and test in a fresh Debian, as root
	@$(SUDO) tests/fresh/run $(ARGS)

# The packages in an emulated Debian: installed, used, restarted, cut off. Needs root; minutes.
# ARGS="--all" adds what takes longer, ARGS="NAME ..." runs some, ARGS="--list" names them.
test-vm: ## the packages in an emulated computer, as root; minutes (ARGS=--list)
	$(SET_UP) vm
	@$(SUDO) $(PYTHON) -m tests.vm $(ARGS)

# The Flatpak on a runtime out of Debian, in a real sandbox of an ordinary user. Needs root; minutes.
test-flatpak: ## the Flatpak in a real sandbox, as root; minutes
	$(SET_UP) flatpak
	@$(SUDO) $(PYTHON) -m tests.flatpak $(ARGS)

# Debian packages in dist/: the window with a Qt of its own or on the system's, and the helper.
deb: ## Debian packages in dist/
	$(SET_UP) deb
	@packaging/deb/build $(ARGS)

# One file in dist/ that runs on every desktop from Debian 12 on, and the .zsync of it.
appimage: ## the AppImage in dist/
	$(SET_UP) appimage
	@packaging/appimage/build $(ARGS)

# The Flatpak in dist/, on the runtime of Flathub (it says how to get that). ARGS=stand-in makes one
# on a runtime out of Debian, in the cache; ARGS=addresses the manifest that Flathub wants.
flatpak: ## the Flatpak in dist/
	$(SET_UP) flatpak
	@packaging/flatpak/build $(ARGS)

# Everything of a release in dist/, with its sums (on Debian 12). ARGS=--twice does it again and
# compares the bytes.
dist: ## everything of a release in dist/
	$(SET_UP) dist
	@packaging/release/build $(ARGS)

# Everything that can be made again; recordings and settings of the user are elsewhere.
clean: ## remove what can be made again
	@rm -rf .venv .cache build dist screenshots app/*.egg-info *.egg-info
	@find app helper tests -name __pycache__ -type d -prune -exec rm -rf {} +
