# SPDX-License-Identifier: GPL-3.0-or-later
#
# make run     opens Destutter on this computer (ARGS="..." are passed on)
# make test    runs every check and test that needs no virtual machine, in minutes (LONG=1: also the
#              long tests; KERNEL=1, as root: those that change kernel settings and put them back)
#
# Both install what is missing, say what and why before they ask for rights, and do it once.

MAKEFLAGS += --no-print-directory
PYTHON := .venv/bin/python
SET_UP := @packaging/setup/set-up
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

export KERNEL LONG

.PHONY: run test lint format coverage bench bench-truth fuzz screenshots dev \
	install-helper uninstall-helper test-fresh test-vm test-flatpak deb appimage flatpak dist clean

run:
	$(SET_UP) run
	@$(PYTHON) -m destutter $(ARGS)

test:
	$(SET_UP) test
	@.ci/check all

lint:
	$(SET_UP) test
	@.ci/check lint format types imports dead

format:
	$(SET_UP) test
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format .

coverage:
	$(SET_UP) test
	@.ci/check coverage

bench:
	$(SET_UP) bench
	@$(PYTHON) -m tests.bench $(ARGS)

# Real stutters with known causes: takes the whole computer for minutes; needs root, gcc, fio.
bench-truth:
	$(SET_UP) bench
	@$(SUDO) $(PYTHON) -m tests.truth $(ARGS)

# The fuzzer is large, has wheels for few systems, and no other command needs it.
fuzz:
	$(SET_UP) test
	@$(PYTHON) -c "import atheris" 2>/dev/null || { echo "Installing atheris, the fuzzer, into .venv ..."; \
		$(PYTHON) -m pip install --quiet "atheris>=2.3,<4"; }
	@$(PYTHON) -m tests.fuzz $(ARGS)

screenshots:
	$(SET_UP) test
	@$(PYTHON) -m tests.screenshots $(ARGS)

# Private bus, helper and application on a scratch tree: nothing of this computer is changed.
dev:
	$(SET_UP) run
	@packaging/dev/run-dev $(ARGS)

install-helper:
	$(SET_UP) helper
	@$(SUDO) packaging/system/install-helper install $(ARGS)

uninstall-helper:
	@$(SUDO) packaging/system/install-helper uninstall $(ARGS)

# make run and make test in a fresh Debian below /var/tmp; needs root and debootstrap.
test-fresh:
	@$(SUDO) tests/fresh/run $(ARGS)

# The packages in an emulated Debian: installed, used, restarted, cut off. Needs root; minutes.
# ARGS="--all" adds what takes longer, ARGS="NAME ..." runs some, ARGS="--list" names them.
test-vm:
	$(SET_UP) vm
	@$(SUDO) $(PYTHON) -m tests.vm $(ARGS)

# The Flatpak on a runtime out of Debian, in a real sandbox of an ordinary user. Needs root; minutes.
test-flatpak:
	$(SET_UP) flatpak
	@$(SUDO) $(PYTHON) -m tests.flatpak $(ARGS)

# Debian packages in dist/: the window with a Qt of its own or on the system's, and the helper.
deb:
	$(SET_UP) deb
	@packaging/deb/build $(ARGS)

# One file in dist/ that runs on every desktop from Debian 12 on, and the .zsync of it.
appimage:
	$(SET_UP) appimage
	@packaging/appimage/build $(ARGS)

# The Flatpak in dist/, on the runtime of Flathub (it says how to get that). ARGS=stand-in makes one
# on a runtime out of Debian, in the cache; ARGS=addresses the manifest that Flathub wants.
flatpak:
	$(SET_UP) flatpak
	@packaging/flatpak/build $(ARGS)

# Everything of a release in dist/, with its sums (on Debian 12). ARGS=--twice does it again and
# compares the bytes.
dist:
	$(SET_UP) dist
	@packaging/release/build $(ARGS)

# Everything that can be made again; recordings and settings of the user are elsewhere.
clean:
	@rm -rf .venv .cache build dist screenshots app/*.egg-info *.egg-info
	@find app helper tests -name __pycache__ -type d -prune -exec rm -rf {} +
