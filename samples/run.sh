#!/usr/bin/env bash
# Builds the command and runs it on the samples, both ways: H-Anim to OpenMATERIAL and back, with a summary and a picture of each.
# Everything that it makes is in build/samples-out.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/setup.sh

build=build/release
out=build/samples-out
mkdir -p build
# shellcheck disable=SC2086  # a list of names
need $build_packages
# The tests use the same folder: leave their settings if they were here first.
if [ -f $build/CMakeCache.txt ]; then configure $build; else configure $build -DVESALIUS_BUILD_TESTS=OFF; fi
build $build vesalius_cli
vesalius=$build/src/cli/vesalius

rm -rf $out
mkdir -p $out

# run LOG COMMAND ...: findings go to the log; a failure shows them.
run() {
  local log=$1
  shift
  printf '$ vesalius %s\n' "$*"
  if ! $vesalius "$@" 2>>"$log"; then
    cat "$log"
    say "failed"
    exit 1
  fi
}

# look FILE NAME: what is in it, as text and as a picture.
look() {
  printf '$ vesalius inspect %s > %s\n' "$1" "$out/$2.txt"
  $vesalius inspect "$1" >"$out/$2.txt" 2>>"$out/$2.log"
  run "$out/$2.log" view "$1" -o "$out/$2.svg"
}

for sample in samples/*.wrl samples/*.x3d samples/*.glb; do
  [ -f "$sample" ] || continue
  name=$(basename "$sample")
  name=${name%.*}_${name##*.}
  case $sample in
    *.glb) there=x3d back=glb ;;
    *) there=glb back=x3d ;;
  esac
  look "$sample" "$name"
  run "$out/$name.log" convert "$sample" "$out/$name.$there" --report "$out/$name.report.json"
  look "$out/$name.$there" "${name}_to_$there"
  run "$out/$name.log" convert "$out/$name.$there" "$out/${name}_back.$back"
  look "$out/${name}_back.$back" "${name}_back"
done

say "made these files"
find $out -type f ! -name '*.log' ! -name '*.svg' -size +0 -printf '%p  (%s bytes)\n' | sort
say "made these pictures"
find $out -type f -name '*.svg' -size +0 -printf '%p  (%s bytes)\n' | sort
say "findings (losses, guesses) are in"
find $out -type f -name '*.log' -size +0 -print | sort
