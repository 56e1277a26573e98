# shellcheck shell=bash disable=SC2034  # the lists are for the scripts that source this
# Shared by the scripts that build: installs what is missing on Debian and builds. Sourced, not run.
# Needs git and a shell only; works as root with or without sudo, or as a user with sudo. Sets nothing up twice.

build_packages="ca-certificates cmake ninja-build g++ ccache
  libxerces-c-dev libtinygltf-dev nlohmann-json3-dev libeigen3-dev libboost-program-options-dev zlib1g-dev"
test_packages="libgtest-dev libgmock-dev libbenchmark-dev fonts-dejavu-core"
# Programs that may also come from elsewhere: "command:package".
test_programs="node:nodejs npm:npm chromium:chromium tovrmlx3d:view3dscene"

# say TEXT: one line about what happens.
say() { printf '== %s\n' "$*"; }

# missing_packages PACKAGE|COMMAND:PACKAGE ...: prints those that are not there.
missing_packages() {
  local item package
  for item in "$@"; do
    package=${item#*:}
    if [ "$item" != "$package" ]; then
      command -v "${item%%:*}" >/dev/null 2>&1 && continue
    elif dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
      continue
    fi
    printf '%s ' "$package"
  done
}

# need PACKAGE|COMMAND:PACKAGE ...: installs what is missing.
need() {
  local missing as_root=""
  if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    say "this is no Debian: expecting the libraries and programs to be there"
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "missing packages, and neither root nor sudo to install them: $missing"
      return 1
    fi
    as_root="sudo"
  fi
  say "installing $missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update >/dev/null
  # shellcheck disable=SC2086  # a list of names
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install --no-install-recommends $missing >/dev/null
}

# configure FOLDER [OPTION ...]: a Release build with warnings as errors, in FOLDER.
configure() {
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVESALIUS_WARNINGS_AS_ERRORS=ON "$@" >"$folder.log" 2>&1 || {
    cat "$folder.log"
    return 1
  }
}

# build FOLDER [TARGET ...]: all processors, quiet unless something is wrong.
build() {
  local folder=$1
  shift
  say "building in $folder"
  if [ $# -gt 0 ]; then
    cmake --build "$folder" --parallel "$(nproc)" --target "$@"
  else
    cmake --build "$folder" --parallel "$(nproc)"
  fi
}

# run_tests FOLDER [OPTION ...]: runs the tests built there and ends with the line "N passed, N failed". Options go to ctest.
run_tests() {
  local folder=$1 report=$PWD/$1/tests.xml status=0 passed failed missing skipped
  shift
  rm -f "$report" "$report.status"
  # One line per test is too much for hundreds: only what did not pass is shown.
  { ctest --test-dir "$folder" --parallel "$(nproc)" --output-on-failure --output-junit "$report" "$@" || echo $? >"$report.status"; } |
    grep -vE '^ *(Start +[0-9]+: |[0-9]+/[0-9]+ Test +#.* Passed )' || true
  [ ! -f "$report.status" ] || status=$(cat "$report.status")
  missing=$(grep -c '<skipped message="Unable to find' "$report" 2>/dev/null || true)
  failed=$(($(report_count "$report" failures) + ${missing:-0}))
  skipped=$(($(report_count "$report" skipped) + $(report_count "$report" disabled) - ${missing:-0}))
  passed=$(($(report_count "$report" tests) - failed - skipped))
  # Something else than a test went wrong, or no test ran: that is a failure too.
  if [ "$failed" = 0 ] && { [ "$status" != 0 ] || [ "$passed" = 0 ]; }; then failed=1; fi
  [ "$skipped" = 0 ] || say "$skipped skipped (named above)"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# report_count REPORT NAME: a number from the head of a JUnit report; 0 when there is none.
report_count() {
  sed -n "s/^[^<]*$2=\"\([0-9]*\)\".*/\1/p" "$1" 2>/dev/null | head -n 1 | grep . || echo 0
}
