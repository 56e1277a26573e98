#!/usr/bin/env bash
# Builds everything and runs every test. Arguments go to ctest, such as `-R x3d`. The last line is "N passed, N failed".
# VESALIUS_CORPUS may name a folder with real files; with CI set, tests that need Node or Chromium fail where they would skip.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/setup.sh

build=build/release
mkdir -p build
# shellcheck disable=SC2086  # lists of names
need $build_packages $test_packages $test_programs

if [ -f tests/browser/package-lock.json ] && ! cmp -s tests/browser/package-lock.json tests/browser/node_modules/.installed; then
  if command -v npm >/dev/null 2>&1; then
    say "installing the Node packages of tests/browser"
    if (cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
      cp tests/browser/package-lock.json tests/browser/node_modules/.installed
    else
      say "the Node packages could not be installed"
      [ -z "${CI:-}" ]
    fi
  fi
fi

configure $build -DVESALIUS_BUILD_TESTS=ON -DVESALIUS_BUILD_BENCH=ON
build $build

say "testing"
run_tests $build "$@"
