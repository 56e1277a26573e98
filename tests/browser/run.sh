#!/usr/bin/env bash
# run.sh TEST COMMAND FOLDER: one outside check of what the command wrote. TEST is convert, gltf, xoma, x_ite, encodings, castle, three or poses.
# `convert` fills FOLDER with the samples and, where VESALIUS_CORPUS says there are any, real figures, in both directions; the others read it.
# Without Node or Chromium a check is skipped visibly (status 77); with CI set it fails instead.
set -euo pipefail
test=$1
vesalius=$2
made=$3
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../samples

skip() {
  echo "skipped: $1"
  [ -z "${CI:-}" ] && exit 77
  echo "with CI set this is a failure"
  exit 1
}

need_node() {
  command -v node >/dev/null 2>&1 || skip "no Node.js"
  [ -d "$here/node_modules/ajv" ] && [ -d "$here/node_modules/x_ite" ] && [ -d "$here/node_modules/playwright-core" ] ||
    skip "no Node packages; run 'npm ci --ignore-scripts' in tests/browser"
}

need_browser() {
  need_node
  local browser=${CHROMIUM:-/usr/bin/chromium}
  [ -x "$browser" ] || skip "no Chromium at $browser"
}

# files SUFFIX: the written files that end so; none is a failure.
files() {
  find "$made" -maxdepth 1 -name "*$1" | LC_ALL=C sort
}

# written IN OUT [OPTION ...]: converts, and keeps what the command says about the result for the checks to compare with.
written() {
  local in=$1 out=$2
  shift 2
  if ! "$vesalius" convert "$in" "$out" "$@" 2>"$out.log"; then
    cat "$out.log"
    echo "FAILED to convert $(basename "$in") to $(basename "$out")"
    failed=$((failed + 1))
    return
  fi
  if ! "$vesalius" inspect "$out" --json >"$out.inspect.json" 2>>"$out.log"; then
    cat "$out.log"
    echo "FAILED to inspect $(basename "$out")"
    failed=$((failed + 1))
    return
  fi
  count=$((count + 1))
}

# there_and_back IN NAME: H-Anim to OpenMATERIAL (both containers) and back.
there_and_back() {
  local in=$1 name=$2
  written "$in" "$made/$name.glb" --mass 70
  if [ -f "$made/$name.glb" ]; then written "$made/$name.glb" "$made/${name}_back.x3d"; fi
}

convert() {
  rm -rf "$made"
  mkdir -p "$made"
  count=0
  failed=0
  there_and_back "$samples/standard_human.x3d" standard_human
  there_and_back "$samples/legacy_avatar.wrl" legacy_avatar
  written "$samples/legacy_avatar.wrl" "$made/legacy_avatar_as_is.x3d"
  written "$samples/standard_human.x3d" "$made/standard_human_text.gltf" --mass 70
  local sources=2
  # The asset that lies in samples/ is checked like the written ones.
  cp "$samples/standard_human.glb" "$made/sample_asset.glb"
  cp "$samples/standard_human.xoma" "$made/sample_asset.xoma"
  "$vesalius" inspect "$made/sample_asset.glb" --json >"$made/sample_asset.glb.inspect.json" 2>/dev/null
  if [ -n "${VESALIUS_CORPUS:-}" ]; then
    local figure
    for figure in BoxManC HAnim1SpecificationLOA3Illustrated JinLOA3 Humanoid4_1 KoreanCharacter01Jin JoeKick; do
      there_and_back "$VESALIUS_CORPUS/hanim/$figure.x3d" "$figure"
      sources=$((sources + 1))
    done
    written "$VESALIUS_CORPUS/openmaterial/human_example.gltf" "$made/human_example.x3d"
    if [ -f "$made/human_example.x3d" ]; then written "$made/human_example.x3d" "$made/human_example_back.glb" --mass 70; fi
    sources=$((sources + 1))
  else
    echo "VESALIUS_CORPUS is not set: the samples only"
  fi
  encodings
  echo "wrote $count files from $sources figures, $failed failures"
  [ "$failed" = 0 ]
}

# encodings: figures in every form that H-Anim files have, in a folder of their own.
encodings() {
  local forms=$made/forms figure name form
  mkdir -p "$forms"
  local figures=("$samples/standard_human.x3d" "$samples/legacy_avatar.wrl")
  if [ -n "${VESALIUS_CORPUS:-}" ]; then figures+=("$VESALIUS_CORPUS/hanim/JinLOA3.x3d" "$VESALIUS_CORPUS/hanim/BoxManC.x3d"); fi
  for figure in "${figures[@]}"; do
    name=$(basename "${figure%.*}")
    for form in x3d x3dv x3dj wrl; do written "$figure" "$forms/$name.$form"; done
    written "$figure" "$forms/$name.3_3.x3d" --x3d 3.3
    written "$figure" "$forms/$name.1_1.wrl" --proto 1.1
    for form in x3d x3dv wrl; do written "$figure" "$forms/$name.castle.$form" --target castle; done
  done
}

# castle: what another program reads of the forms that are written for it. Its status says nothing; its messages and its output do.
castle() {
  command -v tovrmlx3d >/dev/null 2>&1 || skip "no tovrmlx3d (Debian package view3dscene)"
  local file name wanted checked=0 failed=0
  for file in "$made"/forms/*.castle.x3d "$made"/forms/*.castle.x3dv "$made"/forms/*.castle.wrl; do
    name=$(basename "$file")
    tovrmlx3d --encoding=classic "$file" >"$file.out" 2>"$file.err" || true
    if grep -q 'Error' "$file.err"; then
      echo "FAILED $name: $(grep -m 1 'Error' "$file.err")"
      failed=$((failed + 1))
    fi
    while IFS= read -r wanted; do
      checked=$((checked + 1))
      if ! grep -qE "DEF hanim_$wanted( |\$)" "$file.out"; then
        echo "FAILED $name: joint $wanted is not in the output"
        failed=$((failed + 1))
      fi
    done < <(grep -oE 'DEF[ =]+"?hanim_[A-Za-z0-9_-]+"? (HAnim)?Joint|HAnimJoint DEF="hanim_[A-Za-z0-9_-]+"' "$file" | grep -oE 'hanim_[A-Za-z0-9_-]+' | sed 's/^hanim_//')
  done
  echo "tovrmlx3d: $checked joints in $(ls "$made"/forms/*.castle.x3d "$made"/forms/*.castle.x3dv "$made"/forms/*.castle.wrl | wc -l) files, $failed failed"
  [ "$failed" = 0 ] && [ "$checked" -gt 0 ]
}

# Figures before and after conversion, with the library's own poses beside them; COMMAND is pose_figures here.
poses() {
  need_browser
  rm -rf "$made"
  mkdir -p "$made"
  "$vesalius" "$samples/standard_human.x3d" standard_human "$made"
  if [ -n "${VESALIUS_CORPUS:-}" ]; then
    "$vesalius" "$VESALIUS_CORPUS/openmaterial/human_example.gltf" human_example "$made"
    local figure
    for figure in JoeKick JinComplete JoeSkinTexcoordDisplacerKick; do
      "$vesalius" "$VESALIUS_CORPUS/hanim/$figure.x3d" "$figure" "$made"
    done
  else
    echo "VESALIUS_CORPUS is not set: the sample only"
  fi
  run_on poses_test.mjs .before.x3d .before.gltf .after.x3d .after.glb
}

# run_on "SCRIPT [OPTION]" SUFFIX ...: the script on all written files with these endings.
run_on() {
  local script=$1
  shift
  local list=()
  local suffix
  for suffix in "$@"; do
    while IFS= read -r file; do list+=("$file"); done < <(files "$suffix")
  done
  [ ${#list[@]} -gt 0 ] || { echo "FAILED: nothing was written to check"; exit 1; }
  # shellcheck disable=SC2086  # a script and its options
  node "$here"/$script "${list[@]}"
}

case $test in
  convert) convert ;;
  gltf) need_node && run_on validate_gltf.mjs .glb .gltf ;;
  xoma) need_node && run_on "validate_xoma.mjs --mass" .xoma ;;
  x_ite) need_browser && run_on x_ite_test.mjs .x3d ;;
  encodings) need_browser && node "$here"/encodings_test.mjs $(find "$made/forms" -regex '.*\.\(x3d\|x3dv\|x3dj\|wrl\)' | LC_ALL=C sort) ;;
  castle) castle ;;
  three) need_browser && run_on three_test.mjs .glb ;;
  poses) poses ;;
  *)
    echo "usage: run.sh convert|gltf|xoma|x_ite|encodings|castle|three|poses COMMAND FOLDER"
    exit 2
    ;;
esac
