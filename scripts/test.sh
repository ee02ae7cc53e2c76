#!/usr/bin/env bash
# All tests, on any machine: set-up, static checks, unit, integration (real containers, Chromium, FFmpeg), browser.
# The last line is `N passed, N failed, N skipped` over all of them.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"
cd "$ROOT"

# Containers of this run carry this name, so that the clean-up touches nothing else.
export KODA_INSTANCE="koda-test-$$"
# Servers start several hundred times: what Node makes of their sources is kept.
export NODE_COMPILE_CACHE="$ROOT/node_modules/.cache/compiled"
started_engine=no

# Process groups of what runs in the background.
groups=()
in_background() { set -m; "$@" </dev/null & groups+=($!); set +m; }

clean_up() {
  local group
  trap - EXIT INT TERM
  for group in ${groups[@]+"${groups[@]}"}; do kill -TERM -- "-$group" 2>/dev/null || true; done
  engine_answers || return 0
  # Nobody else uses an engine that this run started.
  if [ "$started_engine" = yes ]; then
    remove_sandboxes . || true
    stop_own_engine
  else
    remove_sandboxes "^($KODA_INSTANCE(-|\$)|test-)" || true
  fi
}
# There is a last line with totals also when the set-up fails.
trap 'clean_up; echo "0 passed, 1 failed, 0 skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Rows of the table of durations at the end.
durations=()
# timed NAME COMMAND…: passes the command's status on.
timed() {
  local name="$1" started=$SECONDS status=0; shift
  "$@" || status=$?
  durations+=("$(printf '%-22s %4d s' "$name" $((SECONDS - started)))")
  return "$status"
}

timed "Node" bash scripts/setup/node.sh
use_node
require_disk "$ROOT" 5
engine_answers || started_engine=yes

# Packages, containers and the host's tools are set up side by side: none needs another.
containers() {
  bash scripts/setup/engine.sh && bash scripts/setup/base-image.sh && bash scripts/setup/images.sh sandbox
}
in_background containers
containers=$!
in_background bash scripts/setup/host-tools.sh
host_tools=$!
timed "npm packages" bash scripts/setup/deps.sh

rm -rf test-results
mkdir -p test-results
runs=()
run() {
  local name="$1" status=0; shift
  step "$name"
  timed "$name" "$@" </dev/null || status=$?
  runs+=("$name=$status=test-results/$name.json")
}

# The checks and the unit tests need npm packages alone; whatever starts a process waits for the rest.
run check bash scripts/check.sh
run unit env KODA_TEST_REPORT=test-results/unit.json vitest run --project unit
timed "wait for host tools" wait "$host_tools" || die "the tools of the tests could not be set up; the reason stands above."
timed "wait for containers" wait "$containers" || die "the containers could not be set up; the reason stands above."
use_docker || die "Docker cannot be found, although it was set up."

# One after the other: beside integration tests, browser tests share two cores with other browsers, and fail by it.
run integration env KODA_TEST_REPORT=test-results/integration.json vitest run --project integration
run e2e env PLAYWRIGHT_JSON_OUTPUT_NAME="$ROOT/test-results/e2e.json" \
  playwright test --config test/e2e/playwright.config.ts --reporter=list,json

status=0
totals="$(node scripts/print-totals.ts "${runs[@]}")" || status=$?
# Clean up first: the totals are the last thing that is printed.
timed "cleanup" clean_up
printf '\nDurations:\n'
printf '  %s\n' "${durations[@]}" "$(printf '%-22s %4d s' all "$SECONDS")" ""
printf '%s\n' "$totals"
exit "$status"
